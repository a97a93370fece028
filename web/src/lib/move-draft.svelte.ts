/** A move in the making: steps that were chosen, and what the table would be after them. */

import type { Hinted, TextView, Thought } from "../wire";
import { words } from "../words";
import { RequestError, errorText } from "./api";
import type { Table } from "./table.svelte";

const LATE = 2000;

export class MoveDraft {
    thought = $state.raw<Thought | null>(null);
    advice = $state.raw<Hinted | null>(null);
    /** Whether advice is awaited. */
    asking = $state(false);
    /** Whether an answer is awaited, so that nothing else can be chosen. */
    busy = $state(false);
    /** Whether a move is handed in that the table does not show yet. */
    moving = $state(false);
    trouble = $state("");
    /** The rule behind the trouble, where there is one. */
    rule = $state("");

    #table: Table;
    #viewsSeen = 0;
    #views = 0;

    constructor(table: Table) {
        this.#table = table;
    }

    /** The table as it is, or as it would be. */
    get view(): TextView | null {
        const imagined = this.thought?.view;
        return imagined?.kind === "text" ? imagined : this.#table.view;
    }

    get steps(): number[] {
        return this.thought?.actions ?? [];
    }

    /** Take a step; a whole move is handed in at once, unless it is only to be considered. */
    choose = async (action: number, considers = false): Promise<void> => {
        const isFirst = this.steps.length === 0;
        const actions = [...this.steps, action];
        if (isFirst && this.#table.view?.race) return this.handIn(actions); // there is no time to think
        const thought = await this.#attempt(() => this.#table.think(actions));
        if (!thought) return;
        const isAll = thought.whole && (thought.view as TextView).choices.length === 0;
        if (isFirst && isAll && !considers) await this.handIn(actions);
        else this.thought = thought;
    };

    consider = async ({ actions }: { actions: number[] }): Promise<void> => {
        this.thought = (await this.#attempt(() => this.#table.think(actions))) ?? this.thought;
    };

    read = async (text: string): Promise<void> => {
        this.thought = (await this.#attempt(() => this.#table.read(text))) ?? this.thought;
    };

    undo = async (): Promise<void> => {
        const actions = this.steps.slice(0, -1);
        if (actions.length > 0) await this.consider({ actions });
        else this.reset();
    };

    reset = (): void => {
        this.thought = null;
        this.trouble = this.rule = "";
    };

    hint = async (): Promise<void> => {
        const views = this.#views;
        this.asking = true;
        const advice = await this.#attempt(() => this.#table.hint());
        this.asking = false;
        if (views === this.#views) this.advice = advice; // else it is for a table that is no more
    };

    handIn = async (actions: number[] = this.steps): Promise<void> => {
        this.moving = true;
        this.#viewsSeen = this.#views;
        const done = await this.#attempt(() => this.#table.ask({ do: "move", actions }));
        this.thought = null;
        if (!done || this.#views > this.#viewsSeen) this.moving = false;
        else window.setTimeout(() => (this.moving = false), LATE); // should the table not change
    };

    /** The table has changed: see whether the steps so far can still be taken. */
    async tableChanged(): Promise<void> {
        this.#views += 1;
        this.advice = null;
        this.trouble = "";
        if (this.moving && !this.busy) this.moving = false;
        if (!this.thought || this.moving) return;
        const { actions } = this.thought;
        const again = await this.#table.think(actions).catch(() => null);
        if (this.steps !== actions) return; // somebody was quicker
        this.thought = again;
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
