import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { notices } from "../src/lib/browser-storage.svelte";
import { markIcon, notifyTurn } from "../src/lib/turn-notice";
import { peopleToAct } from "../src/lib/people-to-act";
import type { Seated } from "../src/wire";
import { room, view } from "./samples";

const person: Seated = { seat_name: "Red", kind: "person", name: "Ada", bot: "", present: true };

describe("people to act", () => {
    const seats = [person, { ...person, bot: "shark" }, person];

    test("are the people to move, and those who are asked about a proposal", () => {
        expect(peopleToAct(room({ seats }), view({ actors: [0, 1] }))).toEqual([0]);
        const proposal = { what: "pause", seat: 0, agreed: [0], asked: [2] } as const;
        const asked = room({ seats, proposal: { ...proposal, agreed: [0], asked: [2] } });
        expect(peopleToAct(asked, view({ actors: [0] }))).toEqual([0, 2]);
    });

    test("are nobody while no game is played", () => {
        expect(peopleToAct(room({ seats, stage: "lobby" }), view())).toEqual([]);
        expect(peopleToAct(room({ seats, paused: true }), view())).toEqual([]);
        expect(peopleToAct(null, null)).toEqual([]);
    });
});

describe("a notification", () => {
    const shown: string[] = [];
    class FakeNotification {
        static permission = "granted";
        constructor(sentence: string) {
            shown.push(sentence);
        }
    }

    beforeEach(() => {
        shown.length = 0;
        vi.stubGlobal("Notification", FakeNotification);
        vi.stubGlobal("isSecureContext", true);
        notices.notifications = true;
        (document as { hidden: boolean }).hidden = true;
    });

    afterEach(() => {
        notices.notifications = false;
        (document as { hidden: boolean }).hidden = false;
    });

    test("is shown while the page is hidden", () => {
        notifyTurn("Your turn");
        expect(shown).toEqual(["Your turn"]);
    });

    test("is not shown on a visible page, without permission, or if it is switched off", () => {
        (document as { hidden: boolean }).hidden = false;
        notifyTurn("Your turn");
        (document as { hidden: boolean }).hidden = true;
        FakeNotification.permission = "denied";
        notifyTurn("Your turn");
        FakeNotification.permission = "granted";
        notices.notifications = false;
        notifyTurn("Your turn");
        expect(shown).toEqual([]);
    });
});

test("the page's icon changes only if it has to", () => {
    const setAttribute = vi.fn();
    const icon = { getAttribute: () => "/icon.svg", setAttribute };
    vi.stubGlobal("document", { querySelector: () => icon });
    markIcon(false);
    expect(setAttribute).not.toHaveBeenCalled();
    markIcon(true);
    expect(setAttribute).toHaveBeenCalledWith("href", "/icon-turn.svg");
});
