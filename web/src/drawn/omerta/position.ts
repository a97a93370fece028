/** The position of Omerta as the server sends it (src/cosca/games/omerta/position.py), and what follows from it. */

export interface Position {
    games: number;
    sealed: boolean;
    phase: string;
    game: number;
    turns: number;
    active: number;
    caller: number;
    winners: number[];
    totals: number[];
    scores: number[];
    rows: number[][];
    safe: number[];
    held: number;
    from_discards: boolean;
    top: number;
    discarded: number;
    pile_count: number;
    mammas: number[];
    patrols: [seat: number, slot: number, by: number, turns: number][];
    step: number;
    named: number[];
    window: "" | "peek" | "snap" | "assassin";
    asked: number[];
    answer: number;
    /** Only at tables where the server remembers cards for the players. */
    learnt?: Learnt;
}

type Track = [number: number, kind: number, ...rest: number[]];
type Learnt = [rows: number[][], safe: number[], held: number, tracks: Track[], ...rest: unknown[]];

export const FACE_DOWN = -1;
export const NO_CARD = -2;
export const BOTTLES = 10;

/** The kinds after the bottles: kinds 0 to 9 are the bottles 1 to 10. */
export const CHARACTERS = [
    "henchman",
    "lady",
    "mole",
    "traitor",
    "assassin",
    "driver",
    "safecracker",
    "witness",
    "alibi",
    "mamma",
    "patrol",
] as const;
export type Character = (typeof CHARACTERS)[number];
const WORTH = [15, 15, 15, 20, 15, 20, 15, 10, 0, 15, 15];
const RULES = ["O-12", "O-13", "O-14", "O-15", "O-16", "O-17", "O-18", "O-19", "O-19", "O-19m", "O-19p"];

export const [HENCHMAN, LADY, , TRAITOR, , , , , , MAMMA, PATROL] = CHARACTERS.map((_, at) => BOTTLES + at) as number[];

export const characterOf = (kind: number): Character | undefined => CHARACTERS[kind - BOTTLES];
export const worthOf = (kind: number): number => (kind < BOTTLES ? kind + 1 : (WORTH[kind - BOTTLES] ?? 0));
export const ruleOf = (kind: number): string => RULES[kind - BOTTLES] ?? "O-M1";

/** Return the face of a card that lies face down but that the seat has seen, if the server remembers it. */
export function remembered({ learnt }: Position, seat: number, slot: number): number {
    if (!learnt) return FACE_DOWN;
    const [rows, safe, , tracks] = learnt;
    const number = (rows[seat] ?? safe)[slot];
    return tracks.find((track) => track[0] === number)?.[1] ?? FACE_DOWN;
}

/** O-19p: return for how many more turns of its owner a patrol lies on a card; 0 without one. */
export function patrolOn({ patrols }: Position, seat: number, slot: number): number {
    return patrols.find(([whose, which]) => whose === seat && which === slot)?.[3] ?? 0;
}

/** O-12 to O-19p: return the cards and players that an action targets, while it is chosen or may still be blocked. */
export function targetsOf({ top, named, step, window }: Position): {
    seats: number[];
    cards: [seat: number, slot: number][];
} {
    const [one = -1, slot = -1, other = -1, otherSlot = -1] = named;
    const parts = window === "assassin" ? 4 : step;
    if (top === HENCHMAN) {
        const cards: [number, number][] = [
            [one, slot],
            [other, otherSlot],
        ];
        return { seats: [], cards: cards.slice(0, Math.floor(parts / 2)) };
    }
    if (top === PATROL) return { seats: [], cards: parts > 1 ? [[one, slot]] : [] };
    if (window !== "assassin") return { seats: [], cards: [] };
    return { seats: top === TRAITOR ? [one, slot] : [one], cards: [] };
}
