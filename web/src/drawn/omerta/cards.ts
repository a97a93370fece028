/**
 * Tracks each card through the public events, so that a card that moves from a row to the discard pile is drawn as one
 * card that travels. It tracks places only; faces come from the position.
 */

import type { Event as Happening } from "../../wire";

/** A card, as a number in the order in which cards came to the table. */
type Card = number;

/** How a game ended: who called, which cards lay in the rows, and what they scored. */
export interface Ending {
    caller: number;
    rows: number[][];
    verdict: Happening | null;
    scores: { worth: number; points: number; total: number }[];
    winners: number[];
    game: number;
}

export interface TrackedCards {
    rows: Card[][];
    safe: Card[];
    held: Card | undefined;
    discards: Card[];
    mammas: (Card | undefined)[];
    patrols: Map<Card, Card>;
    /** The `data-from` of each new card: where it came from. */
    from: Map<Card, string>;
    /** The event that showed a card's face, until the card moves. */
    sights: Map<Card, Happening>;
    ending: Ending | null;
}

const ROW = 4;
const SAFE = 4;

/** Return where every card is after these events. */
export function trackCards(events: readonly Happening[], seats: number): TrackedCards {
    const tracker = new CardTracker(seats);
    for (const event of events) tracker.apply(event);
    return tracker;
}

class CardTracker implements TrackedCards {
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
    #cardCount = 0;
    #game = 1;
    /** The slots of cards laid down together. Events name each slot as it was before any of them was gone. */
    #laid: number[] = [];

    constructor(seats: number) {
        this.#seats = seats;
        this.#deal();
    }

    apply(event: Happening): void {
        const key = event.key.slice("omerta.".length);
        if (key !== "laid" && key !== "second_bottle") this.#laid = [];
        this.#handlers[key]?.(event.params as Params, event);
    }

    #handlers: { [key: string]: (params: Params, event: Happening) => void } = {
        game: ({ game }) => {
            this.#game = game;
            this.#deal();
        },
        first_discard: () => this.discards.push(this.#newCard("pile")),
        draws: () => (this.held = this.#newCard("pile")),
        takes: () => (this.held = this.discards.pop() ?? this.#newCard("discards")),
        drew: (_, event) => this.held !== undefined && this.sights.set(this.held, event),
        discards: () => this.#discardHeld(),
        replaces: ({ seat, slot }) => {
            const old = this.rows[seat]?.[slot - 1];
            if (this.held !== undefined && this.rows[seat]) this.rows[seat][slot - 1] = this.#forgetSight(this.held);
            this.held = old === undefined ? undefined : this.#forgetSight(old);
        },
        turned_up: () => this.#discardHeld(),
        snapped: ({ seat, slot }) => this.#discardFromRow(seat, slot - 1),
        blocked: ({ seat, slot }) => this.#discardFromRow(seat, slot - 1),
        laid: ({ seat, slot }) => this.#discardFromRow(seat, this.#currentPlace(slot)),
        second_bottle: ({ seat, slot }) => ([this.held] = this.rows[seat]?.splice(this.#currentPlace(slot), 1) ?? []),
        second_laid: () => this.#discardHeld(),
        saw: ({ seat, slot }, event) => this.#noteSight(this.rows[seat]?.[slot - 1], event),
        wrong: ({ seat, slot }, event) => this.#noteSight(this.rows[seat]?.[slot - 1], event),
        shown: ({ seat, slot }, event) => this.#noteSight(this.rows[seat]?.[slot - 1], event),
        safe_holds: ({ place }, event) => this.#noteSight(this.safe[place - 1], event),
        penalty: ({ seat }) => this.rows[seat]?.push(this.#newCard("pile")),
        gift: ({ seat }) => this.rows[seat]?.push(this.#newCard("pile")),
        swapped: ({ one, slot, other, other_slot }) =>
            this.#swap(this.rows[one], slot - 1, this.rows[other], other_slot - 1),
        exchanged: ({ seat, slot, place }) => this.#swap(this.rows[seat], slot - 1, this.safe, place - 1),
        shuffled: ({ other }) => {
            const row = this.rows[other] ?? [];
            this.rows[other] = row.map((card) => (this.patrols.has(card) ? card : this.#newCard(`seat-${other}`)));
        },
        mamma_laid: ({ other }) => (this.mammas[other] = this.discards.pop()),
        mamma_lifted: ({ seat }) => {
            this.discards.push(this.mammas[seat] ?? this.#newCard("pile"));
            this.mammas[seat] = undefined;
        },
        patrol_laid: ({ other, slot }) => {
            const [card, patrol] = [this.rows[other]?.[slot - 1], this.discards.pop()];
            if (card !== undefined && patrol !== undefined) this.patrols.set(card, patrol);
        },
        patrol_lifted: ({ seat }) => {
            const card = this.rows[seat]?.find((each) => this.patrols.has(each));
            if (card === undefined) return;
            this.discards.push(this.patrols.get(card) ?? this.#newCard("pile"));
            this.patrols.delete(card);
        },
        reshuffled: () => (this.discards = this.discards.slice(-1)),
        called: ({ seat }) => this.#end(seat),
        uncalled: (_, event) => {
            this.#end(-1);
            if (this.ending) this.ending.verdict = event;
        },
        shows: ({ seat, card }) => this.ending?.rows[seat]?.push(card),
        good_call: (_, event) => this.#setVerdict(event),
        bad_call: (_, event) => this.#setVerdict(event),
        high_call: (_, event) => this.#setVerdict(event),
        scored: ({ seat, worth, points, total }) => {
            if (this.ending) this.ending.scores[seat] = { worth, points, total };
        },
        won: ({ seat }) => this.ending?.winners.push(seat),
        shared: ({ seat }) => this.ending?.winners.push(seat),
    };

    #newCard(from: string): Card {
        this.from.set(this.#cardCount, from);
        return this.#cardCount++;
    }

    #deal(): void {
        const fromPile = (length: number) => Array.from({ length }, () => this.#newCard("pile"));
        this.rows = Array.from({ length: this.#seats }, () => fromPile(ROW));
        this.safe = fromPile(SAFE);
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

    #setVerdict(event: Happening): void {
        if (this.ending) this.ending.verdict = event;
    }

    #discardHeld(): void {
        if (this.held !== undefined) this.discards.push(this.#forgetSight(this.held));
        this.held = undefined;
    }

    /** Return where in its row a card lies now, after some of those laid together with it are gone. */
    #currentPlace(slot: number): number {
        const at = slot - 1 - this.#laid.filter((before) => before < slot).length;
        this.#laid.push(slot);
        return at;
    }

    #discardFromRow(seat: number, at: number): void {
        const [card] = this.rows[seat]?.splice(at, 1) ?? [];
        if (card !== undefined) this.discards.push(this.#forgetSight(card));
    }

    #noteSight(card: Card | undefined, event: Happening): void {
        if (card !== undefined) this.sights.set(card, event);
    }

    #forgetSight(card: Card): Card {
        this.sights.delete(card);
        return card;
    }

    #swap(row: Card[] | undefined, at: number, other: Card[] | undefined, there: number): void {
        const [one, two] = [row?.[at], other?.[there]];
        if (one === undefined || two === undefined || !row || !other) return;
        row[at] = this.#forgetSight(two);
        other[there] = this.#forgetSight(one);
    }
}

type Params = { [name: string]: number } & {
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
