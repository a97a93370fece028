/** A move that is being put together: the steps chosen so far, and a preview of the table after them. */

import type { HintAnswer, TextView, Preview } from "../wire";
import { words } from "../words";
import { RequestError, errorText } from "./api";
import type { Table } from "./table.svelte";

const LATE = 2000;

export class MoveDraft {
    preview = $state.raw<Preview | null>(null);
    advice = $state.raw<HintAnswer | null>(null);
    /** Whether a hint is pending. */
    isHintPending = $state(false);
    /** Whether a response is pending, so that nothing else can be chosen. */
    busy = $state(false);
    /** Whether a move was submitted that the table does not show yet. */
    isSubmitting = $state(false);
    trouble = $state("");
    /** The rule behind the refusal, if there is one. */
    rule = $state("");

    #table: Table;
    #viewsSeen = 0;
    #views = 0;

    constructor(table: Table) {
        this.#table = table;
    }

    /** The preview if there is one, otherwise the table's view. */
    get view(): TextView | null {
        const previewed = this.preview?.view;
        return previewed?.kind === "text" ? previewed : this.#table.view;
    }

    get steps(): number[] {
        return this.preview?.actions ?? [];
    }

    /** Choose a step. A whole move is submitted at once, unless it should only be previewed. */
    choose = async (action: number, previewOnly = false): Promise<void> => {
        const isFirst = this.steps.length === 0;
        const actions = [...this.steps, action];
        if (isFirst && this.#table.view?.reaction_seconds) return this.submit(actions); // every millisecond counts
        const preview = await this.#attempt(() => this.#table.previewActions(actions));
        if (!preview) return;
        const isAll = preview.complete && (preview.view as TextView).choices.length === 0;
        if (isFirst && isAll && !previewOnly) await this.submit(actions);
        else this.preview = preview;
    };

    previewActions = async (actions: number[]): Promise<void> => {
        this.preview = (await this.#attempt(() => this.#table.previewActions(actions))) ?? this.preview;
    };

    previewText = async (text: string): Promise<void> => {
        this.preview = (await this.#attempt(() => this.#table.previewText(text))) ?? this.preview;
    };

    undo = async (): Promise<void> => {
        const actions = this.steps.slice(0, -1);
        if (actions.length > 0) await this.previewActions(actions);
        else this.reset();
    };

    reset = (): void => {
        this.preview = null;
        this.trouble = this.rule = "";
    };

    hint = async (): Promise<void> => {
        const views = this.#views;
        this.isHintPending = true;
        const advice = await this.#attempt(() => this.#table.hint());
        this.isHintPending = false;
        if (views === this.#views) this.advice = advice; // otherwise the table has changed meanwhile
    };

    submit = async (actions: number[] = this.steps): Promise<void> => {
        this.isSubmitting = true;
        this.#viewsSeen = this.#views;
        const done = await this.#attempt(() => this.#table.request({ do: "move", actions }));
        this.preview = null;
        if (!done || this.#views > this.#viewsSeen) this.isSubmitting = false;
        else window.setTimeout(() => (this.isSubmitting = false), LATE); // in case the table does not change
    };

    /** Check after a change of the table whether the steps so far are still legal. */
    async tableChanged(): Promise<void> {
        this.#views += 1;
        this.advice = null;
        this.trouble = "";
        if (this.isSubmitting && !this.busy) this.isSubmitting = false;
        if (!this.preview || this.isSubmitting) return;
        const { actions } = this.preview;
        const again = await this.#table.previewActions(actions).catch(() => null);
        if (this.steps !== actions) return; // other steps were chosen meanwhile
        this.preview = again;
        if (!again) this.trouble = words.move.changed;
    }

    async #attempt<T>(call: () => Promise<T>): Promise<T | null> {
        this.busy = true;
        this.trouble = this.rule = "";
        try {
            return await call();
        } catch (error) {
            this.trouble = errorText(error);
            this.rule = error instanceof RequestError ? error.rule : "";
            return null;
        } finally {
            this.busy = false;
        }
    }
}
