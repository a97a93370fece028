import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RequestError } from "../src/lib/api";
import { Playback } from "../src/drawn/playback.svelte";
import { MoveDraft } from "../src/lib/move-draft.svelte";
import type { Table } from "../src/lib/table.svelte";
import { loadLanguage, words } from "../src/words";
import type { HintAnswer } from "../src/wire";
import { choice, event, preview, view } from "./samples";

const done = { type: "done", id: "", code: "" } as const;

/** A table with mocked responses. */
const fake = {
    view: view(),
    previewActions: vi.fn<Table["previewActions"]>(),
    previewText: vi.fn<Table["previewText"]>(),
    hint: vi.fn<Table["hint"]>(),
    request: vi.fn<Table["request"]>(),
};
let draft: MoveDraft;

beforeAll(loadLanguage);

beforeEach(() => {
    vi.useFakeTimers();
    fake.view = view();
    for (const each of [fake.previewActions, fake.previewText, fake.hint, fake.request]) each.mockReset();
    fake.request.mockResolvedValue(done);
    draft = new MoveDraft(fake as unknown as Table);
});

afterEach(() => vi.useRealTimers());

/** Return a preview of actions after which there is more to choose. */
const unfinished = (...actions: number[]) => preview({ actions, view: view({ choices: [choice(9)] }) });
/** Return a preview of actions that are a whole move. */
const whole = (...actions: number[]) => preview({ actions, complete: true });

describe("choosing a step", () => {
    test("that is a whole move previews it, so that it can be undone", async () => {
        fake.previewActions.mockResolvedValue(whole(4));
        await draft.choose(4);
        expect(fake.request).not.toHaveBeenCalled();
        expect(draft.steps).toEqual([4]);
    });

    test("of a longer move previews it, and the next one goes on from there", async () => {
        const after = unfinished(4);
        fake.previewActions.mockResolvedValueOnce(after).mockResolvedValueOnce(whole(4, 5));
        await draft.choose(4);
        expect(draft.view).toBe(after.view);
        await draft.choose(5);
        expect(fake.previewActions).toHaveBeenLastCalledWith([4, 5]);
        expect(fake.request).not.toHaveBeenCalled(); // a move of several steps is not submitted automatically
        expect(draft.steps).toEqual([4, 5]);
    });

    test.each([
        ["in a race", { reaction_seconds: 1 }],
        ["while several players answer in secret", { actors: [0, 2] }],
    ])("%s is submitted without a preview", async (_, now) => {
        fake.view = view(now);
        await draft.choose(4);
        expect(fake.previewActions).not.toHaveBeenCalled();
        expect(fake.request).toHaveBeenCalledWith({ do: "move", actions: [4] });
    });

    test("that is refused says why, and leaves the steps before it", async () => {
        fake.previewActions
            .mockResolvedValueOnce(unfinished(4))
            .mockRejectedValueOnce(new RequestError("Too few men.", "V-6"));
        await draft.choose(4);
        await draft.choose(5);
        expect([draft.trouble, draft.rule]).toEqual(["Too few men.", "V-6"]);
        expect(draft.steps).toEqual([4]);
        expect(draft.busy).toBe(false);
    });
});

test("undo goes back one step, and from the first to the table without a preview", async () => {
    fake.previewActions.mockImplementation((actions) => Promise.resolve(unfinished(...actions)));
    await draft.previewActions([4, 5]);
    await draft.undo();
    expect(draft.steps).toEqual([4]);
    await draft.undo();
    expect(draft.preview).toBeNull();
    expect(draft.view).toBe(fake.view);
});

describe("submitting", () => {
    test("is over when the table has changed", async () => {
        const submitted = draft.submit([4]);
        expect(draft.isSubmitting).toBe(true);
        await draft.tableChanged(); // the new view may come before the response
        await submitted;
        expect(draft.isSubmitting).toBe(false);
    });

    test("is over after two seconds if the table does not change", async () => {
        await draft.submit([4]);
        vi.advanceTimersByTime(1999);
        expect(draft.isSubmitting).toBe(true);
        vi.advanceTimersByTime(1);
        expect(draft.isSubmitting).toBe(false);
    });

    test("is over at once if the move is refused", async () => {
        fake.request.mockRejectedValue(new RequestError("No."));
        await draft.submit([4]);
        expect(draft.isSubmitting).toBe(false);
        expect(draft.trouble).toBe("No.");
    });
});

describe("the picture", () => {
    let playback: Playback;

    beforeEach(() => {
        playback = new Playback();
        playback.scenes = { raid: { ms: 1000 } };
        playback.update(fake.view, []);
        draft = new MoveDraft(fake as unknown as Table, playback);
    });

    test("keeps what was previewed when the move is submitted, whichever comes first, answer or table", async () => {
        const previewed = whole(4);
        fake.previewActions.mockResolvedValue(previewed);
        await draft.choose(4);
        const submitted = draft.submit();
        expect([draft.preview, playback.view === previewed.view]).toEqual([null, true]);
        await draft.tableChanged();
        playback.update(view(), [event("raid")]);
        await submitted;
        await vi.advanceTimersByTimeAsync(500);
        expect([playback.scene?.key, playback.view === previewed.view]).toEqual(["raid", true]);
    });

    test("goes back to the table if the move is refused", async () => {
        fake.previewActions.mockResolvedValue(whole(4));
        await draft.choose(4);
        fake.request.mockRejectedValue(new RequestError("No."));
        await draft.submit();
        expect(playback.view).toBe(fake.view);
    });

    test("goes back to the table if nothing changes for two seconds", async () => {
        fake.previewActions.mockResolvedValue(whole(4));
        await draft.choose(4);
        await draft.submit();
        expect(playback.view === fake.view).toBe(false);
        await vi.advanceTimersByTimeAsync(2000);
        expect(playback.view === fake.view).toBe(true);
    });

    test("catches up as soon as a step is chosen", async () => {
        const next = view();
        playback.update(next, [event("raid")]);
        expect(playback.isBehind).toBe(true);
        fake.previewActions.mockResolvedValue(unfinished(4));
        await draft.choose(4);
        expect([playback.moment === next, playback.playing]).toEqual([true, false]);
    });
});

describe("when the table changes", () => {
    test("the steps so far are previewed again", async () => {
        fake.previewActions.mockResolvedValueOnce(unfinished(4));
        await draft.choose(4);
        const again = unfinished(4);
        fake.previewActions.mockResolvedValueOnce(again);
        await draft.tableChanged();
        expect(draft.preview).toBe(again);
    });

    test("steps that are no longer legal are dropped with a message", async () => {
        fake.previewActions.mockResolvedValueOnce(unfinished(4)).mockRejectedValueOnce(new RequestError("No."));
        await draft.choose(4);
        await draft.tableChanged();
        expect(draft.preview).toBeNull();
        expect(draft.trouble).toBe(words.move.changed);
    });

    test("a late preview does not replace newer steps", async () => {
        fake.previewActions.mockResolvedValueOnce(unfinished(4));
        await draft.choose(4);
        let answer = (_: ReturnType<typeof unfinished>) => {};
        fake.previewActions.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
        const checked = draft.tableChanged();
        draft.reset();
        answer(unfinished(4));
        await checked;
        expect(draft.preview).toBeNull();
    });

    const suggested = (...actions: number[]) => ({ actions, text: "", win_chance: 0.5, visits: 1 });
    const advised = (...moves: number[][]): HintAnswer => ({
        type: "hint",
        id: "",
        moves: moves.map((actions) => suggested(...actions)),
        explanation: null,
        figures: "",
        better: null,
        warning: "",
        principal_variation: [],
    });

    test("advice for an earlier position is not shown", async () => {
        fake.hint.mockResolvedValueOnce(advised());
        await draft.hint();
        expect(draft.advice).not.toBeNull();
        fake.hint.mockResolvedValueOnce(advised());
        const asked = draft.hint();
        await draft.tableChanged();
        await asked;
        expect(draft.advice).toBeNull();
        expect(draft.isHintPending).toBe(false);
    });

    test("a hint is for the steps chosen so far, and is shown while it is", async () => {
        fake.previewActions.mockImplementation((actions) => Promise.resolve(unfinished(...actions)));
        await draft.choose(4);
        fake.hint.mockResolvedValueOnce({ ...advised([4, 7], [4, 8]), better: suggested(1, 2) });
        await draft.hint();
        expect(fake.hint).toHaveBeenCalledWith([4]);
        expect(draft.advice).not.toBeNull();
        await draft.choose(7);
        expect(draft.advice).not.toBeNull(); // it is one of the moves
        await draft.undo();
        await draft.choose(9);
        expect(draft.advice).toBeNull(); // it is not
        await draft.undo();
        await draft.previewActions([1, 2]);
        expect(draft.advice).not.toBeNull(); // the better move
        draft.reset();
        await draft.choose(5);
        expect(draft.advice).toBeNull();
    });
});
