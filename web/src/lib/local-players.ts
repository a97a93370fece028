/** Local players: several people who share one browser. Each has a seat and contributes to the deal. */

import { join } from "./api";
import { localPlayers, me, type LocalPlayer } from "./browser-storage.svelte";
import { Table } from "./table.svelte";
import { words } from "../words";

/** The number of a local player that nobody has: whoever connects with it is a spectator. */
export const SPECTATOR = 9;

/** Give a seat to another local player. */
export async function seatLocalPlayer(code: string, name: string, seat: number, first: number): Promise<void> {
    const known = localPlayers.get(code);
    const mine = { player: 0, seat: first, name: me.name.trim() || words.name.fallback };
    const people: LocalPlayer[] = known.length > 0 ? known : [mine];
    const player = Math.max(...people.map((each) => each.player)) + 1;
    if (player >= SPECTATOR) return;
    const place = await join(code, { name, seat, local_player: player });
    localPlayers.keep(code, [...people, { player, seat: place.seat, name }]);
}

/** Contribute to the deal for a local player who is not looking now, over a separate connection, until it is done. */
export function contributeFor(code: string, player: number): () => void {
    const table = new Table(code, player);
    table.open();
    const timer = window.setInterval(() => {
        if (table.room && !["lobby", "sealing"].includes(table.room.stage)) end();
    }, 250);
    function end(): void {
        window.clearInterval(timer);
        table.close();
    }
    return end;
}
