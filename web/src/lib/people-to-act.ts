/** Returns the seats of people who have to move, or to answer a proposal. */

import type { Room, TextView } from "../wire";

export function peopleToAct(room: Room | null, view: TextView | null): number[] {
    if (room?.stage !== "playing" || room.paused) return [];
    const act = view?.actors.filter((seat) => room.seats[seat]?.bot === "") ?? [];
    return [...act, ...(room.proposal?.asked ?? [])];
}
