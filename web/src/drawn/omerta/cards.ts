/**
 * Follows cards through what everybody sees happen, so that a card that goes from a row to the pile is one card on
 * its way. It knows places, never faces: what lies there, only the position says.
 */

import type { Event as Happening } from "../../wire";

/** A card, by the order in which it came to the table. */
type Card = number;

/** How a game ended: who called, what lay in the rows, and what it scored. */
export interface Ending {
    caller: number;
    rows: number[][];
    verdict: Happening | null;
    scores: { worth: number; points: number; total: number }[];
    winners: number[];
    game: number;
}

export interface Followed {
    rows: Card[][];
    safe: Card[];
    held: Card | undefined;
    discards: Card[];
    mammas: (Card | undefined)[];
    patrols: Map<Card, Card>;
    /** Where a card came from that was not on the table before. */
    from: Map<Card, string>;
    /** What was shown of a card that has not been touched since. */
    sights: Map<Card, Happening>;
    ending: Ending | null;
}

const ROW = 4;
const SAFE = 4;

export function follow(events: readonly Happening[], seats: number): Followed {
    const table = new Followers(seats);
    for (const event of events) table.see(event);
    return table;
}

class Followers implements Followed {
    rows: Card[][] = [];
    safe: Card[] = [];
    held: Card | undefined;
    discards: Card[] = [];
    mammas: (Card | undefined)[] = [];
    patrols = new Map<Card, Card>();
    from = new Map<Card, string>();
    sights = new Map<Card, Happening>();
    ending: Ending | null = null;
    #seats: number;
    #made = 0;
    #game = 1;
    /** Places that were laid down together: each was named before any was gone. */
    #laid: number[] = [];

    constructor(seats: number) {
        this.#seats = seats;
        this.#deal();
    }

    see(event: Happening): void {
        const key = event.key.slice("omerta.".length);
        if (key !== "laid" && key !== "second_bottle") this.#laid = [];
        this.#teller[key]?.(event.params as Told, event);
    }

    #teller: { [key: string]: (told: Told, event: Happening) => void } = {
        game: ({ game }) => {
            this.#game = game;
            this.#deal();
        },
        first_discard: () => this.discards.push(this.#make("pile")),
        draws: () => (this.held = this.#make("pile")),
        takes: () => (this.held = this.discards.pop() ?? this.#make("discards")),
        drew: (_, event) => this.held !== undefined && this.sights.set(this.held, event),
        discards: () => this.#discardHeld(),
        replaces: ({ seat, slot }) => {
            const old = this.rows[seat]?.[slot - 1];
            if (this.held !== undefined && this.rows[seat]) this.rows[seat][slot - 1] = this.#untold(this.held);
            this.held = old === undefined ? undefined : this.#untold(old);
        },
        turned_up: () => this.#discardHeld(),
        snapped: ({ seat, slot }) => this.#lay(seat, slot - 1),
        blocked: ({ seat, slot }) => this.#lay(seat, slot - 1),
        laid: ({ seat, slot }) => this.#lay(seat, this.#placeLaid(slot)),
        second_bottle: ({ seat, slot }) => ([this.held] = this.rows[seat]?.splice(this.#placeLaid(slot), 1) ?? []),
        second_laid: () => this.#discardHeld(),
        saw: ({ seat, slot }, event) => this.#show(this.rows[seat]?.[slot - 1], event),
        wrong: ({ seat, slot }, event) => this.#show(this.rows[seat]?.[slot - 1], event),
        shown: ({ seat, slot }, event) => this.#show(this.rows[seat]?.[slot - 1], event),
        safe_holds: ({ place }, event) => this.#show(this.safe[place - 1], event),
        penalty: ({ seat }) => this.rows[seat]?.push(this.#make("pile")),
        gift: ({ seat }) => this.rows[seat]?.push(this.#make("pile")),
        swapped: ({ one, slot, other, other_slot }) =>
            this.#swap(this.rows[one], slot - 1, this.rows[other], other_slot - 1),
        exchanged: ({ seat, slot, place }) => this.#swap(this.rows[seat], slot - 1, this.safe, place - 1),
        shuffled: ({ other }) => {
            const row = this.rows[other] ?? [];
            this.rows[other] = row.map((card) => (this.patrols.has(card) ? card : this.#make(`seat-${other}`)));
        },
        mamma_laid: ({ other }) => (this.mammas[other] = this.discards.pop()),
        mamma_lifted: ({ seat }) => {
            this.discards.push(this.mammas[seat] ?? this.#make("pile"));
            this.mammas[seat] = undefined;
        },
        patrol_laid: ({ other, slot }) => {
            const [card, patrol] = [this.rows[other]?.[slot - 1], this.discards.pop()];
            if (card !== undefined && patrol !== undefined) this.patrols.set(card, patrol);
        },
        patrol_lifted: ({ seat }) => {
            const card = this.rows[seat]?.find((each) => this.patrols.has(each));
            if (card === undefined) return;
            this.discards.push(this.patrols.get(card) ?? this.#make("pile"));
            this.patrols.delete(card);
        },
        reshuffled: () => (this.discards = this.discards.slice(-1)),
        called: ({ seat }) => this.#end(seat),
        uncalled: (_, event) => {
            this.#end(-1);
            if (this.ending) this.ending.verdict = event;
        },
        shows: ({ seat, card }) => this.ending?.rows[seat]?.push(card),
        good_call: (_, event) => this.#judge(event),
        bad_call: (_, event) => this.#judge(event),
        high_call: (_, event) => this.#judge(event),
        scored: ({ seat, worth, points, total }) => {
            if (this.ending) this.ending.scores[seat] = { worth, points, total };
        },
        won: ({ seat }) => this.ending?.winners.push(seat),
        shared: ({ seat }) => this.ending?.winners.push(seat),
    };

    #make(from: string): Card {
        this.from.set(this.#made, from);
        return this.#made++;
    }

    #deal(): void {
        const four = (length: number) => Array.from({ length }, () => this.#make("pile"));
        this.rows = Array.from({ length: this.#seats }, () => four(ROW));
        this.safe = four(SAFE);
        this.held = undefined;
        this.discards = [];
        this.mammas = Array.from({ length: this.#seats }, () => undefined);
        this.patrols.clear();
        this.sights.clear();
    }

    #end(caller: number): void {
        const rows = Array.from({ length: this.#seats }, () => []);
        this.ending = { caller, rows, verdict: null, scores: [], winners: [], game: this.#game };
    }

    #judge(event: Happening): void {
        if (this.ending) this.ending.verdict = event;
    }

    #discardHeld(): void {
        if (this.held !== undefined) this.discards.push(this.#untold(this.held));
        this.held = undefined;
    }

    /** Where a card lies that was named together with others, of which some are gone. */
    #placeLaid(slot: number): number {
        const at = slot - 1 - this.#laid.filter((before) => before < slot).length;
        this.#laid.push(slot);
        return at;
    }

    #lay(seat: number, at: number): void {
        const [card] = this.rows[seat]?.splice(at, 1) ?? [];
        if (card !== undefined) this.discards.push(this.#untold(card));
    }

    #show(card: Card | undefined, event: Happening): void {
        if (card !== undefined) this.sights.set(card, event);
    }

    #untold(card: Card): Card {
        this.sights.delete(card);
        return card;
    }

    #swap(row: Card[] | undefined, at: number, other: Card[] | undefined, there: number): void {
        const [one, two] = [row?.[at], other?.[there]];
        if (one === undefined || two === undefined || !row || !other) return;
        row[at] = this.#untold(two);
        other[there] = this.#untold(one);
    }
}

type Told = { [name: string]: number } & {
    seat: number;
    slot: number;
    card: number;
    place: number;
    game: number;
    one: number;
    other: number;
    other_slot: number;
    worth: number;
    points: number;
    total: number;
};
