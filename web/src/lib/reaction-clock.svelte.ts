/**
 * When the clock of a reaction window starts. Among people it runs at once, for all alike. For somebody who plays alone
 * against bots, windows wait: without a clock in the first game on a device, then for a few windows until the player says
 * that they are ready, and later until the window is shown.
 */

import { firstReactions } from "./browser-storage.svelte";
import type { Table } from "./table.svelte";

/** "running": the clock runs; "ready": it waits for the player to be ready; "untimed": there is none. */
export type ReactionMode = "running" | "ready" | "untimed";

const WINDOWS_WITH_A_START = 3; // so many windows after the first game wait until the player is ready

export class ReactionClock {
    mode = $state<ReactionMode>("running");

    #table: Pick<Table, "request">;
    #code: string;
    #isHeld = false;
    #window = "";

    constructor(table: Pick<Table, "request">, code: string) {
        this.#table = table;
        this.#code = code;
    }

    /** Ask that windows wait for this player, whenever the table was opened or connected again. */
    async hold(): Promise<void> {
        this.#isHeld = true;
        await this.#table.request({ do: "hold_reactions" }).catch(() => (this.#isHeld = false));
    }

    /** Note which window is shown; an empty text if none is. */
    show(window: string): void {
        if (window === this.#window) return;
        this.#window = window;
        if (!window) return;
        this.mode = this.#isHeld ? this.#modeNow() : "running";
        if (this.#isHeld && this.mode === "running") this.#start();
    }

    /** Start the clock of the window that is shown. */
    ready(): void {
        firstReactions.started += 1;
        this.#start();
    }

    /** Play with the clock from now on, even in the first game. */
    useClock(): void {
        firstReactions.game = "-";
        this.ready();
    }

    #start(): void {
        this.mode = "running";
        this.#table.request({ do: "ready" }).catch(() => {}); // then the window has closed
    }

    #modeNow(): ReactionMode {
        firstReactions.game ||= this.#code;
        if (firstReactions.game === this.#code) return "untimed";
        return firstReactions.started < WINDOWS_WITH_A_START ? "ready" : "running";
    }
}
