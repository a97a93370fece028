/** A move that is being put together: the steps chosen so far, and a preview of the table after them. */

import type { HintAnswer, TextView, Preview } from "../wire";
import { words } from "../words";
import { RequestError, errorText } from "./api";
import type { Playback } from "../drawn/playback.svelte";
import type { Table } from "./table.svelte";

const LATE = 2000;

const includesAll = (actions: number[], steps: number[]) => steps.every((step) => actions.includes(step));

export class MoveDraft {
    preview = $state.raw<Preview | null>(null);
    /** Whether a hint is pending. */
    isHintPending = $state(false);
    /** Whether a response is pending, so that nothing else can be chosen. */
    busy = $state(false);
    /** Whether a move was submitted that the table does not show yet. */
    isSubmitting = $state(false);
    trouble = $state("");
    /** The rule behind the refusal, if there is one. */
    rule = $state("");

    /** What was advised, and the steps it was asked for. */
    #hint = $state.raw<{ answer: HintAnswer; steps: number[] } | null>(null);
    #table: Table;
    #playback: Playback | null;
    #viewsSeen = 0;
    #views = 0;

    constructor(table: Table, playback: Playback | null = null) {
        this.#table = table;
        this.#playback = playback;
    }

    /** The preview if there is one, otherwise the table's view. */
    get view(): TextView | null {
        const previewed = this.preview?.view;
        return previewed?.kind === "text" ? previewed : this.#table.view;
    }

    get steps(): number[] {
        return this.preview?.actions ?? [];
    }

    /** The advice, while it is for the steps chosen so far. */
    get advice(): HintAnswer | null {
        if (!this.#hint) return null;
        const { answer, steps } = this.#hint;
        const { moves, better } = answer;
        const isAdvised = [...moves, ...(better ? [better] : [])].some((move) => includesAll(move.actions, this.steps));
        const isFor = includesAll(this.steps, steps) || (better !== null && includesAll(better.actions, this.steps));
        return moves.length === 0 || (isAdvised && isFor) ? answer : null;
    }

    /** Whether several players answer at once, so that what you choose is your answer. */
    get isAnswer(): boolean {
        const { reaction_seconds = 0, actors = [] } = this.#table.view ?? {};
        return reaction_seconds > 0 || actors.length > 1;
    }

    /** Choose a step. It is previewed and can be undone until it is submitted, unless it is an answer. */
    choose = async (action: number): Promise<void> => {
        const actions = [...this.steps, action];
        if (this.steps.length === 0 && this.isAnswer) await this.submit(actions);
        else await this.previewActions(actions);
    };

    previewActions = async (actions: number[]): Promise<void> => {
        this.#playback?.skip();
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
        const { steps } = this;
        const answer = await this.#attempt(() => this.#table.hint(steps));
        this.isHintPending = false;
        if (views === this.#views) this.#hint = answer && { answer, steps }; // otherwise the table has changed meanwhile
    };

    submit = async (actions: number[] = this.steps): Promise<void> => {
        this.isSubmitting = true;
        this.#viewsSeen = this.#views;
        this.#playback?.hold(this.preview?.view as TextView | undefined);
        this.preview = null;
        const done = await this.#attempt(() => this.#table.request({ do: "move", actions }));
        if (!done) this.#playback?.release();
        if (!done || this.#views > this.#viewsSeen) this.isSubmitting = false;
        else window.setTimeout(() => this.#giveUp(), LATE); // in case the table does not change
    };

    /** Offer the choices again, because nothing has changed since the move was submitted. */
    #giveUp(): void {
        if (!this.isSubmitting) return;
        this.isSubmitting = false;
        this.#playback?.release();
    }

    /** Check after a change of the table whether the steps so far are still legal. */
    async tableChanged(): Promise<void> {
        this.#views += 1;
        this.#hint = null;
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
