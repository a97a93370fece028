/** What this browser remembers by itself: a name, and of each table a few small things. */

import { emptyNotes, type Notes } from "../../witness.js";

const OURS = "cosca.";

export function read(key: string): string {
    try {
        return localStorage.getItem(OURS + key) ?? "";
    } catch {
        return ""; // a browser may forbid it: then nothing is remembered
    }
}

export function write(key: string, value: string): void {
    try {
        if (value) localStorage.setItem(OURS + key, value);
        else localStorage.removeItem(OURS + key);
    } catch {
        // the same
    }
}

/** What is remembered under keys that begin like that. */
function keys(start: string): string[] {
    try {
        const all = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
        return all.filter((key) => key.startsWith(OURS + start)).map((key) => key.slice(OURS.length));
    } catch {
        return [];
    }
}

/** Where one of several people at this browser keeps what is theirs. */
export const own = (code: string, player: number) => (player ? `${code}.${player}` : code);

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

/** The language that was chosen on this device; empty if none was. */
export const remembered = {
    get language(): string {
        return read("language");
    },
    set language(value: string) {
        write("language", value);
    },
};

/** The token of a seat's own link. */
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

/** Who sits at a table on this device, if not just one. */
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
        const isPlain = people.every((each) => each.player === 0); // this browser alone, as usual
        write(`hands.${code}`, isPlain ? "" : JSON.stringify(people));
        localPlayersKept += 1;
    },
    /** At the next table everybody has the same seat. */
    carry(code: string, next: string): void {
        if (localPlayers.get(next).length === 0) localPlayers.keep(next, localPlayers.get(code));
    },
};

/** How this browser tells that it is somebody's turn. */
let sound = $state(read("sound") === "yes");
let notes = $state(read("notes") === "yes");

export const notices = {
    get sound(): boolean {
        return sound;
    },
    set sound(yes: boolean) {
        sound = yes;
        write("sound", yes ? "yes" : "");
    },
    get notes(): boolean {
        return notes;
    },
    set notes(yes: boolean) {
        notes = yes;
        write("notes", yes ? "yes" : "");
    },
};

/** How many events of a table were seen. */
export const seen = {
    get: (code: string) => Number(read(`seen.${code}`)) || 0,
    keep: (code: string, count: number) => write(`seen.${code}`, String(count)),
};

/** What was shown to a seat and has been put away. */
export const putAway = {
    get: (code: string) => read(`sights.${code}`),
    keep: (code: string, sights: string) => write(`sights.${code}`, sights),
};

export const muted = {
    get: (code: string) => read(`muted.${code}`) === "yes",
    keep: (code: string, yes: boolean) => write(`muted.${code}`, yes ? "yes" : ""),
};

const DEAL = "deal.";
const DEALS_KEPT = 30 * 24 * 3600 * 1000; // ms since something was noted
const MOST_DEALS = 40;
const unwritten = new Map<string, Notes>(); // of who only watches, and where nothing can be written

/** What this browser has noted of the deal and the game at a table, to compare it with the record. */
export const dealNotes = {
    get(place: string): Notes {
        const older = { ...emptyNotes(), seal: read(`seal.${place}`) }; // as Cosca 0.1.0 has kept it
        return noted(`${DEAL}${place}`) ?? unwritten.get(place) ?? older;
    },
    keep(place: string, notes: Notes, isPlayer: boolean): void {
        notes.touched = Date.now();
        unwritten.set(place, notes);
        if (isPlayer) write(`${DEAL}${place}`, JSON.stringify(notes));
    },
    /** Let go of notes that nobody will need: the old ones, and more than a few. */
    forgetOld(): void {
        const touched = (key: string) => noted(key)?.touched ?? 0;
        const all = keys(DEAL).toSorted((one, other) => touched(other) - touched(one));
        const isOld = (key: string) => Date.now() - touched(key) > DEALS_KEPT;
        for (const key of all.filter((each, at) => at >= MOST_DEALS || isOld(each))) write(key, "");
    },
};

function noted(key: string): Notes | null {
    try {
        return { ...emptyNotes(), ...JSON.parse(read(key)) };
    } catch {
        return null;
    }
}

/** Whether somebody prefers the text twin to the picture. */
let twin = $state(read("twin") === "yes");

export const prefers = {
    get twin(): boolean {
        return twin;
    },
    set twin(yes: boolean) {
        twin = yes;
        write("twin", yes ? "yes" : "");
    },
};
