import { beforeEach, describe, expect, test, vi } from "vitest";
import { ReactionClock } from "../src/lib/reaction-clock.svelte";
import type { Command, Table } from "../src/lib/table.svelte";

const done = { type: "done", id: "", code: "" } as const;
let sent: string[];
let isAlone: boolean;

/** Return the clock of a table; the server lets windows wait only for people who play alone. */
function clockAt(code: string): ReactionClock {
    const request = vi.fn(async (command: Command) => {
        sent.push(command.do);
        if (command.do === "hold_reactions" && !isAlone) throw new Error("not alone");
        return done;
    });
    return new ReactionClock({ request: request as unknown as Table["request"] }, code);
}

beforeEach(() => {
    localStorage.clear();
    sent = [];
    isAlone = true;
});

describe("alone against bots", () => {
    test("the first game on a device has no clock", async () => {
        const clock = clockAt("first");
        await clock.hold();
        for (const window of ["one", "", "two", "three", "four"]) clock.show(window);
        expect(clock.mode).toBe("untimed");
        expect(sent).toEqual(["hold_reactions"]);
    });

    test("unless it is asked for", async () => {
        const clock = clockAt("first");
        await clock.hold();
        clock.show("one");
        clock.useClock();
        expect(clock.mode).toBe("running");
        expect(sent).toEqual(["hold_reactions", "ready"]);
        clock.show("two");
        expect(clock.mode).toBe("ready");
    });

    test("in later games three windows wait until the player is ready, and then none", async () => {
        const first = clockAt("first");
        await first.hold();
        first.show("one");
        const clock = clockAt("second");
        await clock.hold();
        sent = [];
        for (const window of ["one", "two", "three"]) {
            clock.show(window);
            expect(clock.mode).toBe("ready");
            clock.ready();
            expect(clock.mode).toBe("running");
        }
        clock.show("four");
        expect(clock.mode).toBe("running");
        expect(sent).toEqual(["ready", "ready", "ready", "ready"]);
    });

    test("a window that is shown again is not started again", async () => {
        const clock = clockAt("first");
        await clock.hold();
        clock.show("one");
        clock.useClock();
        clock.show("one");
        expect(sent).toEqual(["hold_reactions", "ready"]);
    });
});

test("among people the clock runs at once, and nobody is asked to wait", async () => {
    isAlone = false;
    const clock = clockAt("friends");
    await clock.hold();
    clock.show("one");
    expect(clock.mode).toBe("running");
    expect(sent).toEqual(["hold_reactions"]);
});
