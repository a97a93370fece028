/** The components of Sicilianos (families, cards, notes, businesses), and its position as the server sends it. */

export const FAMILIES = ["red", "green", "blue", "yellow", "purple", "orange"] as const;
export const KINDS = ["laundry", "restaurant", "antiques"] as const;
export const FACES = ["two", "one", "steal"] as const;
export const NOTES = [5, 10, 20, 40, 50] as const;
export const BODYGUARD = 1;
export const BOMB = 5;
export const DEFECTOR = 8;
export const AS_DEFECTOR = 4;

/** The second colour of each family's defector, by the table's option. */
export const SECOND: readonly (readonly number[])[] = [
    [1, 0, 3, 2, 5, 4],
    [1, 2, 3, 4, 5, 0],
];
/** The colours that each family's bomb can hit, by the table's option. */
export const HITS: readonly (readonly (readonly number[])[])[] = [
    [
        [2, 3],
        [2, 3],
        [4, 5],
        [4, 5],
        [0, 1],
        [0, 1],
    ],
    [
        [1, 2, 3, 4, 5],
        [0, 2, 3, 4, 5],
        [0, 1, 3, 4, 5],
        [0, 1, 2, 4, 5],
        [0, 1, 2, 3, 5],
        [0, 1, 2, 3, 4],
    ],
];

/** The part of the position (src/cosca/games/sicilianos/position.py) that is drawn. */
export interface Position {
    seat: number;
    phase: string;
    active: number;
    mover: number;
    defectors: number;
    bombs: number;
    rolled: number;
    die: number[];
    colour: number;
    prize: number;
    winners: number[];
    laundered: number[];
    money: number[];
    notes: number[][];
    owners: number[][];
    known_kinds: number[][];
    hands: number[][];
    mine: number[];
    sizes: number[];
    looking: number[];
    war_pass: number;
    family: number[];
    stake: number[];
    passed: number[];
    joined: number[];
    joined_by: number[];
    face_down: number[];
    mine_down: number;
    laid: number[][];
    truth: number[][];
}

/** A card on the table; with value 0 it shows its back. */
export interface Card {
    id: string;
    colour: number;
    value: number;
    /** Whether it lies face down; the player who laid it still knows its value. */
    down: boolean;
}

/** A business that a seat owns; `kind` is negative if the viewer does not know it. */
export interface Shop {
    colour: number;
    kind: number;
    place: number;
}

/** Return the number at an index; 0 if there is none. */
export const at = (numbers: readonly number[] | undefined, index: number): number => numbers?.[index] ?? 0;
/** Return the card values whose bits are set. */
export const values = (mask: number): number[] =>
    Array.from({ length: 11 }, (_, n) => n + 1).filter((value) => (mask >> (value - 1)) & 1);
/** Return what notes are worth together, in thousands. */
export const blackOf = (notes: readonly number[] = []): number =>
    NOTES.reduce((sum, worth, note) => sum + worth * at(notes, note), 0);

/** Return the strength of a side in a war. An ally's strength counts for the family it has joined. */
export function strengthOf(
    position: Position,
    seat: number,
    laid: readonly (readonly number[])[] = position.laid,
): number {
    if (at(position.joined, seat) >= 0) return 0;
    const ally = at(position.joined_by, seat);
    const own = (laid[seat] ?? []).reduce((sum, value) => sum + value, 0);
    return own + (ally >= 0 && laid[ally]?.length ? AS_DEFECTOR : 0);
}

/** Return the seats in the war, from the opener clockwise; an ally comes right after the family it has joined. */
export function fightersOf(position: Position): number[] {
    const seats = position.family.length;
    const all = position.family.map((_, n) => (Math.max(0, position.active) + n) % seats);
    const heads = all.filter((seat) => at(position.family, seat) >= 0 && at(position.joined, seat) < 0);
    return heads.flatMap((seat) => (at(position.joined_by, seat) >= 0 ? [seat, at(position.joined_by, seat)] : [seat]));
}

export function shopsOf(position: Position, seat: number): Shop[] {
    return position.owners.flatMap((owners, colour) =>
        owners.flatMap((owner, place) =>
            owner === seat ? [{ colour, place, kind: position.known_kinds[colour]?.[place] ?? -1 }] : [],
        ),
    );
}

interface Known {
    id: string;
    value: number;
}

/**
 * Gives the cards of one family an identity, so that they travel when they move. A known value is the same card
 * wherever it is; a hidden card that leaves one place is taken for one that arrives at another.
 */
export class Deck {
    #places = new Map<string, Known[]>();
    #made = 0;

    constructor(private readonly name: string) {}

    /** Return the ids of the cards at each place, in the order of the given values; 0 stands for an unknown value. */
    assign(wanted: ReadonlyMap<string, readonly number[]>): Map<string, string[]> {
        const free = new Map([...this.#places].map(([place, cards]) => [place, [...cards]]));
        const next = new Map(
            [...wanted].map(([place, list]) => [place, list.map((value): Known => ({ id: "", value }))]),
        );
        const slots = [...next].flatMap(([place, cards]) => cards.map((card) => ({ place, card })));
        const take = (fits: (card: Known) => boolean, from: Iterable<Known[]>): string => {
            for (const cards of from) {
                const found = cards.findIndex(fits);
                if (found >= 0) return cards.splice(found, 1)[0]?.id ?? "";
            }
            return "";
        };
        const here = (place: string) => [free.get(place) ?? []];
        for (const { place, card } of slots)
            if (card.value) card.id = take(({ value }) => value === card.value, [...here(place), ...free.values()]);
        for (const { place, card } of slots) card.id ||= take(({ value }) => !value, here(place));
        for (const { card } of slots)
            card.id ||= take(({ value }) => !value || !card.value, free.values()) || `${this.name}-${this.#made++}`;
        this.#places = next;
        return new Map([...next].map(([place, cards]) => [place, cards.map(({ id }) => id)]));
    }
}
