/** Several people at one device: they sit down one after another, and each contributes to the deal. */

import { join } from "./api";
import { hands, me, type Hand } from "./browser-storage.svelte";
import { Table } from "./table.svelte";
import { words } from "../words";

/** A hand that nobody has: who looks with it, watches. */
export const SPECTATOR = 9;

/** Give a seat to somebody else at this device. */
export async function seatLocalPlayer(code: string, name: string, seat: number, first: number): Promise<void> {
    const known = hands.get(code);
    const mine = { hand: 0, seat: first, name: me.name.trim() || words.name.fallback };
    const people: Hand[] = known.length > 0 ? known : [mine];
    const hand = Math.max(...people.map((each) => each.hand)) + 1;
    if (hand >= SPECTATOR) return;
    const place = await join(code, { name, seat, hand });
    hands.keep(code, [...people, { hand, seat: place.seat, name }]);
}

/** Take part in the deal for somebody who does not look now; over a line of their own, until it is done. */
export function contributeFor(code: string, hand: number): () => void {
    const table = new Table(code, hand);
    table.open();
    const look = window.setInterval(() => {
        if (table.room && !["lobby", "sealing"].includes(table.room.stage)) end();
    }, 250);
    function end(): void {
        window.clearInterval(look);
        table.close();
    }
    return end;
}
