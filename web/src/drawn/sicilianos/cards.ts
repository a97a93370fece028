/** Which cards are where on the table, each with an identity, so that it travels when it moves. */

import { at, values, type Card, type Deck, type Position } from "./box";

/** Return a seat's cards of one family: the known values, then 0 for each hidden card. */
function held(position: Position, seat: number, colour: number): number[] {
    const mask = position.truth[seat]?.[colour] ?? (seat === position.seat ? at(position.mine, colour) : 0);
    const known = values(mask);
    const hidden = Math.max(0, at(position.hands[seat], colour) - known.length);
    return [...known, ...Array<number>(hidden).fill(0)];
}

/** Return the cards that a seat has laid in the war; the one face down comes last. */
function fielded(position: Position, seat: number, colour: number): number[] {
    if (position.family[seat] !== colour) return [];
    const down = at(position.face_down, seat) ? [seat === position.seat ? position.mine_down : 0] : [];
    return [...(position.laid[seat] ?? []), ...down];
}

/** Return the cards at each place: `hand-N` and `war-N` for seat N. Each deck keeps the identities of one family. */
export function cardsByPlace(decks: readonly Deck[], position: Position): Map<string, Card[]> {
    const found = new Map<string, Card[]>();
    const seats = position.hands.map((_, seat) => seat);
    for (const [colour, deck] of decks.entries()) {
        const wanted = new Map(
            seats.flatMap((seat): [string, number[]][] => [
                [`hand-${seat}`, held(position, seat, colour)],
                [`war-${seat}`, fielded(position, seat, colour)],
            ]),
        );
        for (const [place, ids] of deck.assign(wanted)) {
            const here = wanted.get(place) ?? [];
            const downs = place.startsWith("war-") && at(position.face_down, Number(place.slice(4)));
            const laid = ids.map((id, n) => ({
                id,
                colour,
                value: here[n] ?? 0,
                down: Boolean(downs) && n === ids.length - 1,
            }));
            found.set(place, [...(found.get(place) ?? []), ...laid]);
        }
    }
    return found;
}
