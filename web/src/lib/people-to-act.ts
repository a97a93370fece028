/** Of whom something is wanted now: a move, or an answer to a proposal. */

import type { Room, TextView } from "../wire";

export function peopleToAct(room: Room | null, view: TextView | null): number[] {
    if (room?.stage !== "playing" || room.paused) return [];
    const act = view?.actors.filter((seat) => room.seats[seat]?.bot === "") ?? [];
    return [...act, ...(room.proposal?.asked ?? [])];
}
