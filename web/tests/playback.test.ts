import { beforeEach, afterEach, describe, expect, test, vi } from "vitest";
import { Playback, TRAVEL } from "../src/drawn/playback.svelte";
import { sounds } from "../src/drawn/sounds.svelte";
import type { Speed } from "../src/lib/browser-storage.svelte";
import type { Event } from "../src/wire";
import { event, view } from "./samples";

const first = view();
let playback: Playback;
let played: string[];
let speed: Speed;
let all: Event[];

beforeEach(() => {
    vi.useFakeTimers();
    played = [];
    speed = "normal";
    all = [];
    vi.spyOn(sounds, "play").mockImplementation((name) => void played.push(name));
    playback = new Playback(() => speed);
    playback.scenes = { raid: { ms: 1000, sound: "shot" }, card: { ms: 500, after: true }, war: { ms: 20_000 } };
    playback.update(first, all);
});

afterEach(() => {
    vi.useRealTimers();
    (document as { hidden: boolean }).hidden = false;
});

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Let these events happen, and return the view after them. */
function happen(news: Event[], next = view()) {
    all = [...all, ...news];
    playback.update(next, all);
    return next;
}

describe("a new view", () => {
    test("without a scene is shown at once", () => {
        const next = happen([event("other")]);
        expect([playback.view === next, playback.moment === next, playback.count]).toEqual([true, true, 1]);
        expect([playback.playing, playback.isBehind]).toEqual([false, false]);
    });

    test("waits until the scenes that lead to it have played, one after another", async () => {
        const next = happen([event("raid"), event("other"), event("raid", "again")]);
        await advance(0);
        expect([playback.scene?.text, playback.view === first, playback.playing]).toEqual(["raid", true, true]);
        await advance(1000);
        expect([playback.scene?.text, playback.view === first]).toEqual(["again", true]);
        await advance(1000);
        expect([playback.scene, playback.view === next, playback.playing]).toEqual([null, true, false]);
        expect(played).toEqual(["shot", "shot"]);
    });

    test("is shown before a scene that is marked to play after it", async () => {
        const next = happen([event("card")]);
        await advance(0);
        expect([playback.scene?.key, playback.view === next]).toEqual(["card", true]);
    });

    test("shows what an event changes before the scenes that follow it", async () => {
        const men = (picture = playback.view) => picture?.position.men;
        playback.positionAfter = (position, { key }) => (key === "other" ? { ...position, men: 3 } : null);
        const next = happen([event("other"), event("raid")]);
        await advance(0);
        expect([men(), playback.event?.key, playback.count, playback.scene]).toEqual([3, "other", 1, null]);
        await advance(TRAVEL);
        expect([men(), playback.scene?.key, playback.moment === first]).toEqual([3, "raid", true]);
        await advance(1000);
        expect([playback.view === next, playback.playing]).toEqual([true, false]);
    });

    test("shows one's own pieces where they were placed, without waiting for them", async () => {
        playback.you = 0;
        playback.positionAfter = (position, { key }) => (key === "other" ? { ...position, men: 3 } : null);
        playback.hold(view({ position: { men: 3 } }));
        happen([{ ...event("other"), params: { seat: 0 } }, event("raid")]);
        await advance(0);
        expect([playback.view?.position.men, playback.scene?.key]).toEqual([3, "raid"]);
    });

    test("lets pieces travel before the next one", async () => {
        const second = happen([event("raid")]);
        const third = happen([]);
        await advance(1000);
        expect(playback.view).toBe(second);
        await advance(TRAVEL);
        expect(playback.view).toBe(third);
    });

    test("that is the same changes nothing", () => {
        playback.update(first, all);
        expect(playback.playing).toBe(false);
    });
});

describe("everything around the picture", () => {
    test("belongs to the moment that the picture shows", async () => {
        const next = happen([event("other"), event("raid"), event("card")]);
        await advance(0);
        expect([playback.moment === first, playback.count, playback.isBehind]).toEqual([true, 2, true]);
        await advance(1000);
        expect([playback.moment === first, playback.count, playback.isBehind]).toEqual([true, 3, true]);
        await advance(500);
        expect([playback.moment === next, playback.count, playback.isBehind]).toEqual([true, 3, false]);
    });

    test("never runs ahead, whatever happens, and catches up in the end", async () => {
        const shown: number[] = [];
        for (const [at, keys] of [["raid"], ["other"], ["card", "raid"], []].entries()) {
            const next = happen(keys.map((key) => event(key)));
            await advance(at * 300);
            shown.push(playback.count);
            if (playback.isBehind) expect(playback.moment).not.toBe(next);
        }
        expect(shown).toEqual(shown.toSorted((one, other) => one - other));
        await advance(10_000);
        expect([playback.count, playback.isBehind, playback.playing]).toEqual([all.length, false, false]);
    });
});

describe("scenes are skipped to the newest view", () => {
    test("when the player skips them", async () => {
        happen([event("raid")]);
        const third = happen([event("raid")]);
        await advance(10);
        playback.skip();
        expect([playback.view === third, playback.moment === third]).toEqual([true, true]);
        expect([playback.scene, playback.count, playback.playing]).toEqual([null, 2, false]);
        await advance(5000);
        expect([playback.view === third, played]).toEqual([true, ["shot"]]);
    });

    test("in a race, at any speed", () => {
        for (const each of ["normal", "step"] as const) {
            speed = each;
            const next = happen([event("raid")], view({ reaction_seconds: 1 }));
            expect([playback.moment === next, playback.playing]).toEqual([true, false]);
        }
    });

    test("when too many events or too many seconds of scenes are waiting", () => {
        expect(playback.view).toBe(first);
        const second = happen(Array.from({ length: 41 }, () => event("raid")));
        expect(playback.view).toBe(second);
        const third = happen([event("war")]);
        expect(playback.view).toBe(third);
    });

    test("in a hidden page, under reduced motion, and while nothing is drawn", () => {
        (document as { hidden: boolean }).hidden = true;
        expect(happen([event("raid")])).toBe(playback.moment);
        (document as { hidden: boolean }).hidden = false;
        vi.stubGlobal("matchMedia", () => ({ matches: true }));
        expect(happen([event("raid")])).toBe(playback.moment);
        vi.unstubAllGlobals();
        playback.scenes = null;
        expect(happen([event("raid")])).toBe(playback.moment);
    });

    test("when a move is taken back", async () => {
        happen([event("raid"), event("other")]);
        await advance(10);
        all = [event("raid")];
        const before = view();
        playback.update(before, all);
        expect([playback.moment === before, playback.count, playback.playing]).toEqual([true, 1, false]);
    });
});

test("a quiet table plays scenes without sound", async () => {
    playback.isQuiet = true;
    happen([event("raid")]);
    await advance(10);
    expect([playback.scene?.key, played]).toEqual(["raid", []]);
});

describe("the move you have submitted", () => {
    test("stays on the picture through the scenes that follow it", async () => {
        const previewed = view();
        playback.hold(previewed);
        expect(playback.view).toBe(previewed);
        const next = happen([event("raid")]);
        await advance(500);
        expect([playback.scene?.key, playback.view === previewed]).toEqual(["raid", true]);
        await advance(500);
        expect(playback.view).toBe(next);
    });

    test("disappears if it is refused", () => {
        playback.hold(view());
        playback.release();
        expect(playback.view).toBe(first);
    });
});

describe("the speed", () => {
    test.each([
        ["quick", 450],
        ["slow", 2000],
    ] as const)("%s shortens or lengthens scenes", async (chosen, ms) => {
        speed = chosen;
        const next = happen([event("raid")]);
        await advance(ms - 1);
        expect(playback.scene).not.toBeNull();
        await advance(1);
        expect(playback.view).toBe(next);
    });

    describe("step by step", () => {
        beforeEach(() => {
            speed = "step";
            playback.you = 2;
        });

        test("waits after every event with a text", async () => {
            const next = happen([event("raid"), event("secret", ""), event("other")]);
            await advance(1000);
            expect([playback.isWaiting, playback.event?.key, playback.view === first]).toEqual([true, "raid", true]);
            await advance(60_000);
            expect(playback.event?.key).toBe("raid");
            playback.next();
            await advance(0);
            expect([playback.isWaiting, playback.event?.key, playback.view === next]).toEqual([true, "other", true]);
            expect([playback.scene, playback.isBehind]).toEqual([null, true]);
            playback.next();
            await advance(0);
            expect([playback.playing, playback.isWaiting, playback.isBehind]).toEqual([false, false, false]);
        });

        test("does not cut a scene short", async () => {
            happen([event("raid")]);
            await advance(10);
            playback.next();
            await advance(10);
            expect(playback.scene?.key).toBe("raid");
        });

        test("does not wait after what you do yourself", () => {
            const own = { ...event("other"), params: { seat: 2 } };
            const next = happen([own]);
            expect([playback.moment === next, playback.playing]).toEqual([true, false]);
        });

        test("still steps under reduced motion, without motion", async () => {
            vi.stubGlobal("matchMedia", () => ({ matches: true }));
            const next = happen([event("raid")]);
            await advance(0);
            expect([playback.isWaiting, playback.scene, playback.view === next]).toEqual([true, null, true]);
        });

        test("can be skipped", async () => {
            happen([event("raid")]);
            const next = happen([event("other")]);
            await advance(1000);
            playback.skip();
            await advance(0);
            expect([playback.moment === next, playback.isWaiting, playback.playing]).toEqual([true, false, false]);
        });
    });
});

describe("again", () => {
    test("shows what happened since your last move, and changes nothing around the picture", async () => {
        happen([event("raid", "long ago")]);
        await advance(1000);
        playback.hold(view());
        const base = playback.view;
        happen([event("raid", "mine")]);
        await advance(1000);
        const last = happen([event("raid", "theirs")]);
        await advance(1000);
        playback.repeat();
        await advance(0);
        expect([playback.view === base, playback.scene?.text]).toEqual([true, "mine"]);
        expect([playback.moment === last, playback.count, playback.isBehind]).toEqual([true, 3, false]);
        await advance(1000 + TRAVEL);
        expect(playback.scene?.text).toBe("theirs");
        await advance(1000);
        expect([playback.view === last, playback.playing]).toEqual([true, false]);
    });

    test("is offered when there is something to show", async () => {
        happen([event("other")]);
        expect(playback.canRepeat).toBe(false);
        happen([event("raid")]);
        expect(playback.canRepeat).toBe(true);
    });

    test("goes on with what happens meanwhile", async () => {
        happen([event("raid", "old")]);
        await advance(1000);
        playback.repeat();
        await advance(10);
        const next = happen([event("raid", "new")]);
        expect(playback.isBehind).toBe(true);
        await advance(1000 + TRAVEL);
        expect(playback.scene?.text).toBe("new");
        await advance(1000);
        expect([playback.moment === next, playback.count]).toEqual([true, 2]);
    });
});
