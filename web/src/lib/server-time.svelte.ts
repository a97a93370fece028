/** What time it is in the house: the clock of a browser may be wrong by hours. */

import { createSubscriber } from "svelte/reactivity";

const TICK = 250;

/** Whoever reads a time is told again as it passes, as long as somebody reads. */
const passes = createSubscriber((update) => {
    const timer = window.setInterval(update, TICK);
    return () => window.clearInterval(timer);
});

export class ServerTime {
    #offset = $state(0);
    #trip = Infinity;

    /** The house said what time it is, so many milliseconds after it was asked. */
    learn(now: number, trip: number): void {
        if (trip > this.#trip * 1.5) return; // a quicker answer is the better one
        this.#trip = trip;
        this.#offset = now + trip / 2 - Date.now();
    }

    /** Milliseconds since 1970. */
    get now(): number {
        passes();
        return Date.now() + this.#offset;
    }
}
