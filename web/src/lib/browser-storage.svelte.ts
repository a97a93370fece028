/** What is kept in this browser's localStorage: a name, preferences, and a few things about each table. */

import { emptyNotes, type Notes } from "../../witness.js";

const PREFIX = "cosca.";

export function read(key: string): string {
    try {
        return localStorage.getItem(PREFIX + key) ?? "";
    } catch {
        return ""; // a browser may forbid storage; then nothing is kept
    }
}

export function write(key: string, value: string): void {
    try {
        if (value) localStorage.setItem(PREFIX + key, value);
        else localStorage.removeItem(PREFIX + key);
    } catch {
        // as above
    }
}

/** Return the stored keys with a prefix. */
function keys(start: string): string[] {
    try {
        const all = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
        return all.filter((key) => key.startsWith(PREFIX + start)).map((key) => key.slice(PREFIX.length));
    } catch {
        return [];
    }
}

/** Return the key under which one of several local players keeps things about a table. */
export const playerKey = (code: string, player: number) => (player ? `${code}.${player}` : code);

let name = $state(read("name"));

export const me = {
    get name(): string {
        return name;
    },
    set name(value: string) {
        name = value;
        write("name", value.trim());
    },
};

/** The language chosen in this browser; empty if none was. */
export const preferred = {
    get language(): string {
        return read("language");
    },
    set language(value: string) {
        write("language", value);
    },
};

let opponents = $state(read("opponents"));

/** How strong the bots of *Play now* are; empty until somebody has chosen. */
export const chosenStrength = {
    get name(): string {
        return opponents;
    },
    set name(value: string) {
        opponents = value;
        write("opponents", value);
    },
};

/** The token of a seat's personal link. */
export const seatTokens = {
    get: (code: string) => read(`seat.${code}`),
    keep: (code: string, token: string) => token && write(`seat.${code}`, token),
};

/** One of several people who share this browser: their number here, and their seat. */
export interface LocalPlayer {
    player: number;
    seat: number;
    name: string;
}

/** As it is stored; Cosca 0.1.0 called the number `hand`. */
type StoredPlayer = Omit<LocalPlayer, "player"> & { player?: number; hand?: number };

let localPlayersKept = $state(0);

/** The local players of a table; empty unless several people share this browser. */
export const localPlayers = {
    get(code: string): LocalPlayer[] {
        void localPlayersKept;
        try {
            const kept: StoredPlayer[] = JSON.parse(read(`hands.${code}`) || "[]");
            return kept.map(({ hand, player = hand ?? 0, ...each }) => ({ player, ...each }));
        } catch {
            return [];
        }
    },
    keep(code: string, people: LocalPlayer[]): void {
        const isPlain = people.every((each) => each.player === 0); // one person, as usual
        write(`hands.${code}`, isPlain ? "" : JSON.stringify(people));
        localPlayersKept += 1;
    },
    /** Copy the local players of a table to its rematch. */
    carry(code: string, next: string): void {
        if (localPlayers.get(next).length === 0) localPlayers.keep(next, localPlayers.get(code));
    },
};

/** How this browser announces that it is your turn. */
let sound = $state(read("sound") === "yes");
let notifications = $state(read("notes") === "yes");

export const notices = {
    get sound(): boolean {
        return sound;
    },
    set sound(yes: boolean) {
        sound = yes;
        write("sound", yes ? "yes" : "");
    },
    get notifications(): boolean {
        return notifications;
    },
    set notifications(yes: boolean) {
        notifications = yes;
        write("notes", yes ? "yes" : "");
    },
};

/** What this browser remembers of its first reaction windows. */
export const firstReactions = {
    /** The table of the first game with reaction windows; "-" once the clock was asked for. */
    get game(): string {
        return read("untimed");
    },
    set game(code: string) {
        write("untimed", code);
    },
    /** How many windows were started by the player. */
    get started(): number {
        return Number(read("windows")) || 0;
    },
    set started(count: number) {
        write("windows", String(count));
    },
};

/** How many events of a table have been seen. */
export const seen = {
    get: (code: string) => Number(read(`seen.${code}`)) || 0,
    keep: (code: string, count: number) => write(`seen.${code}`, String(count)),
};

/** Private information that was shown to a seat and dismissed. */
export const dismissedSights = {
    get: (code: string) => read(`sights.${code}`),
    keep: (code: string, sights: string) => write(`sights.${code}`, sights),
};

export const muted = {
    get: (code: string) => read(`muted.${code}`) === "yes",
    keep: (code: string, yes: boolean) => write(`muted.${code}`, yes ? "yes" : ""),
};

const DEAL = "deal.";
const DEALS_KEPT = 30 * 24 * 3600 * 1000; // ms since the last note
const MOST_DEALS = 40;
const unsavedNotes = new Map<string, Notes>(); // for spectators, and where nothing can be stored

/** What this browser noted about the deal and the game at a table, to compare with the record. */
export const dealNotes = {
    get(place: string): Notes {
        const older = { ...emptyNotes(), seal: read(`seal.${place}`) }; // as Cosca 0.1.0 stored it
        return readNotes(`${DEAL}${place}`) ?? unsavedNotes.get(place) ?? older;
    },
    keep(place: string, notes: Notes, isPlayer: boolean): void {
        notes.touched = Date.now();
        unsavedNotes.set(place, notes);
        if (isPlayer) write(`${DEAL}${place}`, JSON.stringify(notes));
    },
    /** Delete notes that are old, and all but the newest ones. */
    forgetOld(): void {
        const touched = (key: string) => readNotes(key)?.touched ?? 0;
        const all = keys(DEAL).toSorted((one, other) => touched(other) - touched(one));
        const isOld = (key: string) => Date.now() - touched(key) > DEALS_KEPT;
        for (const key of all.filter((each, at) => at >= MOST_DEALS || isOld(each))) write(key, "");
    },
};

function readNotes(key: string): Notes | null {
    try {
        return { ...emptyNotes(), ...JSON.parse(read(key)) };
    } catch {
        return null;
    }
}

/** How fast the picture shows what others do. */
export const SPEEDS = ["quick", "normal", "slow", "step"] as const;
export type Speed = (typeof SPEEDS)[number];

/** Whether the text view is shown instead of the drawing. */
let textView = $state(read("twin") === "yes");
let speed = $state(SPEEDS.find((each) => each === read("speed")) ?? "normal");
let knowsHolding = $state(read("holding") === "yes");

export const prefers = {
    get speed(): Speed {
        return speed;
    },
    set speed(value: Speed) {
        speed = value;
        write("speed", value);
    },
    get textView(): boolean {
        return textView;
    },
    set textView(yes: boolean) {
        textView = yes;
        write("twin", yes ? "yes" : "");
    },
};

/** Whether somebody at this device was told that a piece explains itself to a finger that rests on it. */
export const holding = {
    get isKnown(): boolean {
        return knowsHolding;
    },
    learn(): void {
        if (knowsHolding) return;
        knowsHolding = true;
        write("holding", "yes");
    },
};
