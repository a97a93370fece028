/** Several people at one device: they sit down one after another, and each adds to the dice. */

import { join } from "./house";
import { hands, me, own, sealed, type Hand } from "./memory.svelte";
import { Table } from "./table.svelte";
import { words } from "../words";

/** A hand that nobody has: who looks with it, watches. */
export const NOBODY = 9;

/** Give a seat to somebody else at this device. */
export async function sitBeside(code: string, name: string, seat: number, first: number): Promise<void> {
    const known = hands.get(code);
    const mine = { hand: 0, seat: first, name: me.name.trim() || words.name.fallback };
    const people: Hand[] = known.length > 0 ? known : [mine];
    const hand = Math.max(...people.map((each) => each.hand)) + 1;
    if (hand >= NOBODY) return;
    const place = await join(code, { name, seat, hand });
    hands.keep(code, [...people, { hand, seat: place.seat, name }]);
}

/** Add to the dice for somebody who does not look now. A line that was asked for it does the rest. */
export function stir(code: string, hand: number): () => void {
    if (sealed.get(own(code, hand)).entropy) return () => {};
    const table = new Table(code, hand);
    table.open();
    const look = window.setInterval(() => {
        if (table.room && table.waiting.length === 0) end();
    }, 100);
    function end(): void {
        window.clearInterval(look);
        table.close();
    }
    return end;
}
