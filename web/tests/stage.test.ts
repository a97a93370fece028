import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sounds } from "../src/drawn/sounds.svelte";
import { Playback } from "../src/drawn/playback.svelte";
import { Stage, type Piece } from "../src/drawn/stage.svelte";
import { RequestError } from "../src/lib/api";
import { MoveDraft } from "../src/lib/move-draft.svelte";
import type { Table } from "../src/lib/table.svelte";
import { loadLanguage } from "../src/words";
import { choice, room, preview, view } from "./samples";

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
});

afterEach(() => void vi.useRealTimers());

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

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
    const answering = view();
    const piece = (changes: Partial<Piece>): Piece => ({ id: "p", name: "A piece", ...changes });

    beforeEach(() => {
        answering.actors = [0];
        request.mockReset().mockResolvedValue({ type: "done", id: "", code: "" });
        const table = {
            view: answering,
            request,
            previewActions: (actions: number[]) => request({ do: "preview_actions", actions }),
        };
        const playback = new Playback();
        draft = new MoveDraft(table as unknown as Table, playback);
        stage = new Stage(room(), first, table as unknown as Table, draft, [], playback);
    });

    test("with one choice puts the move together, and touching it once more makes the move", async () => {
        request.mockResolvedValueOnce(preview({ actions: [4], complete: true }));
        stage.touch(piece({ choices: [choice(4)] }), node);
        await advance(0);
        expect(request).toHaveBeenLastCalledWith({ do: "preview_actions", actions: [4] });
        expect(played).toEqual(["place"]);
        stage.touch(piece({ id: "other", about: "Another piece." }), node);
        await advance(0);
        expect(draft.steps).toEqual([4]);
        stage.touch(piece({}), node);
        await advance(0);
        expect(request).toHaveBeenLastCalledWith({ do: "move", actions: [4] });
    });

    test("once more does not make a move that is not whole", async () => {
        request.mockResolvedValueOnce(preview({ actions: [4] }));
        stage.touch(piece({ choices: [choice(4)] }), node);
        await advance(0);
        stage.touch(piece({}), node);
        await advance(0);
        expect(draft.steps).toEqual([4]);
    });

    test("while several players answer is the answer", async () => {
        answering.actors = [0, 1];
        stage.touch(piece({ choices: [choice(4)] }), node);
        await advance(0);
        expect(request).toHaveBeenLastCalledWith({ do: "move", actions: [4] });
    });

    test("skips the scenes that play", async () => {
        const skip = vi.spyOn(stage.playback, "skip");
        stage.touch(piece({ choices: [choice(4)] }), node);
        expect(skip).toHaveBeenCalled();
        await advance(0);
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

describe("a bubble", () => {
    const explained: Piece = { id: "p", name: "A piece", about: "Read me." };
    const other: Piece = { id: "q", name: "Another piece", about: "Or me." };

    test("closes soon after the pointer has left, unless it comes back", () => {
        stage.explain(explained, node);
        stage.leaveBubble();
        vi.advanceTimersByTime(200);
        stage.enterBubble();
        vi.advanceTimersByTime(5000);
        expect(stage.bubble).not.toBeNull();
        stage.leaveBubble();
        vi.advanceTimersByTime(300);
        expect(stage.bubble).toBeNull();
    });

    test("makes way for another one, which stays", () => {
        stage.explain(explained, node);
        stage.leaveBubble();
        stage.explain(other, node);
        vi.advanceTimersByTime(5000);
        expect(stage.bubble?.piece).toBe(other);
    });

    test("with choices stays until something is touched", () => {
        stage.touch({ ...explained, choices: [choice(4), choice(5)] }, node);
        stage.leaveBubble();
        vi.advanceTimersByTime(5000);
        expect(stage.bubble?.kind).toBe("pick");
        stage.touch({ id: "q", name: "Nothing to say" }, node);
        expect(stage.bubble).toBeNull();
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
