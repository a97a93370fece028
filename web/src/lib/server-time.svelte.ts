/** What time it is in the house: the clock of a browser may be wrong by hours. */

import { createSubscriber } from "svelte/reactivity";

const TICK = 250;

/** Whoever reads a time is told again as it tick, as long as somebody reads. */
const tick = createSubscriber((update) => {
    const timer = window.setInterval(update, TICK);
    return () => window.clearInterval(timer);
});

export class ServerTime {
    #offset = $state(0);
    #roundTrip = Infinity;

    /** The house said what time it is, so many milliseconds after it was asked. */
    update(now: number, roundTrip: number): void {
        if (roundTrip > this.#roundTrip * 1.5) return; // a quicker answer is the better one
        this.#roundTrip = roundTrip;
        this.#offset = now + roundTrip / 2 - Date.now();
    }

    /** Milliseconds since 1970. */
    get now(): number {
        tick();
        return Date.now() + this.#offset;
    }
}
