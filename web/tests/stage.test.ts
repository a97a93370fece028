import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sounds } from "../src/drawn/sounds.svelte";
import { Stage, TRAVEL, type Piece } from "../src/drawn/stage.svelte";
import { RequestError } from "../src/lib/api";
import { MoveDraft } from "../src/lib/move-draft.svelte";
import type { Table } from "../src/lib/table.svelte";
import { loadLanguage } from "../src/words";
import { choice, event, room, preview, view } from "./samples";

const node = {} as Element;
const first = view();
let stage: Stage;
let played: string[];

beforeAll(loadLanguage);

beforeEach(() => {
    vi.useFakeTimers();
    played = [];
    vi.spyOn(sounds, "play").mockImplementation((name) => void played.push(name));
    stage = new Stage(room(), first);
    stage.scenes = { raid: { ms: 1000, sound: "shot" }, card: { ms: 500, after: true }, war: { ms: 20_000 } };
});

afterEach(() => {
    vi.useRealTimers();
    (document as { hidden: boolean }).hidden = false;
});

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("showing a view", () => {
    test("without a scene happens at once", () => {
        const next = view();
        stage.show(next, [event("other")], [event("other")]);
        expect(stage.view).toBe(next);
        expect(stage.events).toHaveLength(1);
        expect(stage.playing).toBe(false);
    });

    test("waits until the scenes that lead to it have played, one after another", async () => {
        const next = view();
        stage.show(next, [event("raid"), event("other"), event("raid", "again")], []);
        await advance(0);
        expect([stage.scene?.text, stage.view === first, stage.playing]).toEqual(["raid", true, true]);
        await advance(1000);
        expect([stage.scene?.text, stage.view === first]).toEqual(["again", true]);
        await advance(1000);
        expect([stage.scene, stage.view === next, stage.playing]).toEqual([null, true, false]);
        expect(played).toEqual(["shot", "shot"]);
    });

    test("precedes a scene that is marked to play after it", async () => {
        const next = view();
        stage.show(next, [event("card")], []);
        await advance(0);
        expect([stage.scene?.key, stage.view === next]).toEqual(["card", true]);
    });

    test("lets pieces travel before the next one", async () => {
        const [second, third] = [view(), view()];
        stage.show(second, [event("raid")], []);
        stage.show(third, [], []);
        await advance(1000);
        expect(stage.view).toBe(second);
        await advance(TRAVEL);
        expect(stage.view).toBe(third);
    });

    test("again changes nothing", () => {
        stage.show(first, [event("raid")], []);
        expect(stage.playing).toBe(false);
    });
});

describe("scenes are skipped to the newest view", () => {
    test("when the player skips them", async () => {
        const [second, third] = [view(), view()];
        stage.show(second, [event("raid")], []);
        stage.show(third, [event("raid")], []);
        await advance(10);
        stage.skip();
        expect([stage.view === third, stage.scene]).toEqual([true, null]);
        await advance(0);
        expect(stage.playing).toBe(false);
    });

    test("in a race", () => {
        const next = view({ reaction_seconds: 1 });
        stage.show(next, [event("raid")], []);
        expect(stage.view).toBe(next);
    });

    test("when too many events or too many seconds of scenes are waiting", () => {
        const [second, third] = [view(), view()];
        stage.show(
            second,
            Array.from({ length: 41 }, () => event("raid")),
            [],
        );
        expect(stage.view).toBe(second);
        stage.show(third, [event("war")], []);
        expect(stage.view).toBe(third);
    });

    test("in a hidden page, and under reduced motion", () => {
        const [second, third] = [view(), view()];
        (document as { hidden: boolean }).hidden = true;
        stage.show(second, [event("raid")], []);
        expect(stage.view).toBe(second);
        (document as { hidden: boolean }).hidden = false;
        vi.stubGlobal("matchMedia", () => ({ matches: true }));
        stage.show(third, [event("raid")], []);
        expect(stage.view).toBe(third);
    });
});

test("a quiet stage plays scenes without sound", async () => {
    stage.isQuiet = true;
    stage.show(view(), [event("raid")], []);
    await advance(10);
    expect([stage.scene?.key, played]).toEqual(["raid", []]);
});

test("choices are found by name and params", () => {
    stage.choices = [
        choice(1, { params: { district: 3 } }),
        choice(2, { params: { district: 4 } }),
        choice(3, { name: "pass" }),
    ];
    expect(stage.choicesFor("men").map(({ action }) => action)).toEqual([1, 2]);
    expect(stage.choicesFor("men", { district: 4 }).map(({ action }) => action)).toEqual([2]);
});

describe("touching a piece", () => {
    const request = vi.fn<Table["request"]>();
    let draft: MoveDraft;
    const piece = (changes: Partial<Piece>): Piece => ({ id: "p", name: "A piece", ...changes });

    beforeEach(() => {
        request.mockReset().mockResolvedValue({ type: "done", id: "", code: "" });
        const table = {
            view: first,
            request,
            previewActions: (actions: number[]) => request({ do: "preview_actions", actions }),
        };
        draft = new MoveDraft(table as unknown as Table);
        stage = new Stage(room(), first, table as unknown as Table, draft);
    });

    test("with one choice takes it", async () => {
        request.mockResolvedValueOnce(preview({ actions: [4], complete: true }));
        stage.touch(piece({ choices: [choice(4)] }), node);
        await advance(0);
        expect(request).toHaveBeenLastCalledWith({ do: "move", actions: [4] });
        expect(played).toEqual(["place"]);
    });

    test("with several choices opens a menu", () => {
        stage.touch(piece({ choices: [choice(4), choice(5)] }), node);
        expect(stage.bubble).toMatchObject({ kind: "pick", choices: [{ action: 4 }, { action: 5 }] });
        expect(request).not.toHaveBeenCalled();
    });

    test("that cannot be played lets the server say why", async () => {
        request.mockRejectedValueOnce(new RequestError("Too few men.", ""));
        stage.touch(piece({ move: ["place", 3, 1], rule: "V-6" }), node);
        await advance(0);
        expect(request).toHaveBeenCalledWith({ do: "preview_move", verb: "place", numbers: [3, 1] });
        expect(stage.bubble).toMatchObject({ kind: "why", text: "Too few men.", rule: "V-6" });
        expect(played).toEqual(["no"]);
    });

    test("that is legal after all previews the move", async () => {
        const legal = preview({ actions: [4, 5] });
        request.mockResolvedValue(legal);
        stage.touch(piece({ move: ["place", 3, 1] }), node);
        await advance(0);
        expect(draft.steps).toEqual([4, 5]);
    });

    test("with nothing to do explains it", () => {
        stage.touch(piece({ about: "A district.", rule: "V-2" }), node);
        expect(stage.bubble).toMatchObject({ kind: "about", text: "A district.", rule: "V-2" });
    });

    test("while a response is pending takes no choice", async () => {
        draft.busy = true;
        stage.touch(piece({ choices: [choice(4)] }), node);
        await advance(0);
        expect(request).not.toHaveBeenCalled();
    });
});

test("a gesture stays at its seat for four seconds, and other chat does not show there", () => {
    stage.showEmote({ seat: 1, name: "Ada", text: ":laugh:" });
    stage.showEmote({ seat: 2, name: "Bob", text: "laugh" });
    stage.showEmote({ seat: -1, name: "Eve", text: ":laugh:" });
    expect(stage.emotes).toEqual({ 1: "laugh" });
    vi.advanceTimersByTime(4000);
    expect(stage.emotes).toEqual({});
});
