import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RequestError } from "../src/lib/api";
import { MoveDraft } from "../src/lib/move-draft.svelte";
import type { Table } from "../src/lib/table.svelte";
import { begin, words } from "../src/words";
import type { HintAnswer } from "../src/wire";
import { choice, preview, view } from "./samples";

const done = { type: "done", id: "", code: "" } as const;

/** A table that answers as a test wants. */
const fake = {
    view: view(),
    previewActions: vi.fn<Table["previewActions"]>(),
    previewText: vi.fn<Table["previewText"]>(),
    hint: vi.fn<Table["hint"]>(),
    ask: vi.fn<Table["ask"]>(),
};
let mover: MoveDraft;

beforeAll(begin);

beforeEach(() => {
    vi.useFakeTimers();
    fake.view = view();
    for (const each of [fake.previewActions, fake.previewText, fake.hint, fake.ask]) each.mockReset();
    fake.ask.mockResolvedValue(done);
    mover = new MoveDraft(fake as unknown as Table);
});

afterEach(() => vi.useRealTimers());

/** The server says that after these actions there is more to choose. */
const unfinished = (...actions: number[]) => preview({ actions, view: view({ choices: [choice(9)] }) });
/** The server says that these actions are a whole move. */
const whole = (...actions: number[]) => preview({ actions, complete: true });

describe("choosing a step", () => {
    test("that is a whole move submits it at once", async () => {
        fake.previewActions.mockResolvedValue(whole(4));
        await mover.choose(4);
        expect(fake.ask).toHaveBeenCalledWith({ do: "move", actions: [4] });
        expect(mover.preview).toBeNull();
    });

    test("that is a whole move only previews it where a slip would cost", async () => {
        fake.previewActions.mockResolvedValue(whole(4));
        await mover.choose(4, true);
        expect(fake.ask).not.toHaveBeenCalled();
        expect(mover.steps).toEqual([4]);
    });

    test("of a longer move previews it, and the next one goes on from there", async () => {
        const after = unfinished(4);
        fake.previewActions.mockResolvedValueOnce(after).mockResolvedValueOnce(whole(4, 5));
        await mover.choose(4);
        expect(mover.view).toBe(after.view);
        await mover.choose(5);
        expect(fake.previewActions).toHaveBeenLastCalledWith([4, 5]);
        expect(fake.ask).not.toHaveBeenCalled(); // a move of several steps is submitted by hand
        expect(mover.steps).toEqual([4, 5]);
    });

    test("in a race is submitted without a preview", async () => {
        fake.view = view({ reaction_seconds: 1 });
        await mover.choose(4);
        expect(fake.previewActions).not.toHaveBeenCalled();
        expect(fake.ask).toHaveBeenCalledWith({ do: "move", actions: [4] });
    });

    test("that is refused says why, and leaves the steps before it", async () => {
        fake.previewActions
            .mockResolvedValueOnce(unfinished(4))
            .mockRejectedValueOnce(new RequestError("Too few men.", "V-6"));
        await mover.choose(4);
        await mover.choose(5);
        expect([mover.trouble, mover.rule]).toEqual(["Too few men.", "V-6"]);
        expect(mover.steps).toEqual([4]);
        expect(mover.busy).toBe(false);
    });
});

test("undo goes back one step, and from the first to the table as it is", async () => {
    fake.previewActions.mockImplementation((actions) => Promise.resolve(unfinished(...actions)));
    await mover.consider({ actions: [4, 5] });
    await mover.undo();
    expect(mover.steps).toEqual([4]);
    await mover.undo();
    expect(mover.preview).toBeNull();
    expect(mover.view).toBe(fake.view);
});

describe("submitting", () => {
    test("is over when the table has changed", async () => {
        const submitted = mover.handIn([4]);
        expect(mover.moving).toBe(true);
        await mover.tableChanged(); // the new view may come before the response
        await submitted;
        expect(mover.moving).toBe(false);
    });

    test("is over after two seconds if the table does not change", async () => {
        await mover.handIn([4]);
        vi.advanceTimersByTime(1999);
        expect(mover.moving).toBe(true);
        vi.advanceTimersByTime(1);
        expect(mover.moving).toBe(false);
    });

    test("is over at once if the move is refused", async () => {
        fake.ask.mockRejectedValue(new RequestError("No."));
        await mover.handIn([4]);
        expect(mover.moving).toBe(false);
        expect(mover.trouble).toBe("No.");
    });
});

describe("when the table changes", () => {
    test("the steps so far are asked for again", async () => {
        fake.previewActions.mockResolvedValueOnce(unfinished(4));
        await mover.choose(4);
        const again = unfinished(4);
        fake.previewActions.mockResolvedValueOnce(again);
        await mover.tableChanged();
        expect(mover.preview).toBe(again);
    });

    test("steps that are no longer legal are dropped with a sentence", async () => {
        fake.previewActions.mockResolvedValueOnce(unfinished(4)).mockRejectedValueOnce(new RequestError("No."));
        await mover.choose(4);
        await mover.tableChanged();
        expect(mover.preview).toBeNull();
        expect(mover.trouble).toBe(words.move.changed);
    });

    test("a preview of the steps before is not shown over newer ones", async () => {
        fake.previewActions.mockResolvedValueOnce(unfinished(4));
        await mover.choose(4);
        let answer = (_: ReturnType<typeof unfinished>) => {};
        fake.previewActions.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
        const checked = mover.tableChanged();
        mover.reset();
        answer(unfinished(4));
        await checked;
        expect(mover.preview).toBeNull();
    });

    test("advice for the table before is not shown", async () => {
        const advice: HintAnswer = { type: "hint", id: "", moves: [], reason: "", principal_variation: [] };
        fake.hint.mockResolvedValueOnce(advice);
        await mover.hint();
        expect(mover.advice).not.toBeNull();
        fake.hint.mockResolvedValueOnce(advice);
        const asked = mover.hint();
        await mover.tableChanged();
        await asked;
        expect(mover.advice).toBeNull();
        expect(mover.asking).toBe(false);
    });
});
