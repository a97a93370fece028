/** The server's time, estimated from pings: the clock of a browser may be wrong by hours. */

import { createSubscriber } from "svelte/reactivity";

const TICK = 250;

/** Re-runs whatever reads the time as it passes, for as long as somebody reads it. */
const tick = createSubscriber((update) => {
    const timer = window.setInterval(update, TICK);
    return () => window.clearInterval(timer);
});

export class ServerTime {
    #offset = $state(0);
    #roundTrip = Infinity;

    /** Take the time of a response into account that took `roundTrip` ms. */
    update(now: number, roundTrip: number): void {
        if (roundTrip > this.#roundTrip * 1.5) return; // a quicker response is more exact
        this.#roundTrip = roundTrip;
        this.#offset = now + roundTrip / 2 - Date.now();
    }

    /** Milliseconds since 1970. */
    get now(): number {
        tick();
        return Date.now() + this.#offset;
    }
}
