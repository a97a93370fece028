/**
 * Takes notes of a table during the deal and the game, and compares them with the record at the end.
 * `docs/records.md` says what each comparison detects.
 *
 * These are plain functions over plain data: the page stores the notes and shows the findings.
 *
 * @typedef {{step: number, chain: string}} Link
 * @typedef {{key: string, params?: {[name: string]: string | number}}} Event  an event, as the server sent it
 * @typedef {{status: string, commitment?: string}} Contributed
 * @typedef {{code: string, stage: string, you: number, seal: string, dealing: string, contributions: Contributed[],
 *     taken_back: number[]}} Room  the part of a room that matters here
 * @typedef {[step: number, chain: string, count: number, digest: string]} Mark
 *     a link, the number of events that had been sent by then, and their digest
 * @typedef {{seal: string, seat: number, bytes: string, commitment: string, accepted: boolean,
 *     revealed: boolean, acknowledged: boolean, commitments: string[] | null, marks: Mark[], takenBack: number,
 *     faults: Fault[], touched: number}} Notes
 * @typedef {"otherSeal" | "dealtTwice" | "otherCommitments" | "otherStory"} Fault
 * @typedef {{do: "commit", commitment: string} | {do: "reveal", contribution: string}} Command
 * @typedef {{[key: string]: any}} Line  a line of a record
 * @typedef {{good: boolean | null, key: string, params: {[name: string]: string | number}}} Finding
 *     good, bad, or (null) for information only
 */

import { commit as commitTo, pack, sha256, toHex } from "./verify.js";

const MAX_MARKS = 240;

/** @returns {Notes} */
export function emptyNotes() {
    return {
        seal: "",
        seat: -2,
        bytes: "",
        commitment: "",
        accepted: false,
        revealed: false,
        acknowledged: false,
        commitments: null,
        marks: [],
        takenBack: 0,
        faults: [],
        touched: 0,
    };
}

/** Note a fault of the server, once. @param {Notes} notes @param {Fault} fault */
function addFault(notes, fault) {
    if (!notes.faults.includes(fault)) notes.faults.push(fault);
}

// The deal ----------------------------------------------------------------------------------------

/**
 * Note the state of the deal, and return the command that this browser has to send now, if any.
 *
 * Nothing is sent to a server that shows another seal than before. Bytes are revealed only when all
 * commitments are noted, including this browser's own. Revealed bytes are never committed to again.
 * @param {Notes} notes @param {Room} room @param {() => string} randomBytes in hex
 * @returns {Command | null}
 */
export function contribute(notes, room, randomBytes) {
    const mine = room.contributions[room.you];
    const isBefore = room.stage === "lobby" || room.stage === "sealing";
    const wasRevealed = notes.acknowledged && mine?.status !== "revealed";
    if (isBefore) notes.seal ||= room.seal;
    if (notes.seal && room.seal !== notes.seal) addFault(notes, "otherSeal");
    if (isBefore && (notes.marks.length > 0 || wasRevealed)) addFault(notes, "dealtTwice");
    if (room.dealing !== "commit" && room.contributions.length > 0) noteCommitments(notes, room);
    if (mine?.commitment && mine.commitment === notes.commitment) noteOwn(notes, mine);
    if (!mine || room.dealing === "" || notes.faults.length > 0) return null;
    return room.dealing === "commit" ? commit(notes, room, mine, randomBytes) : reveal(notes, mine);
}

/** Note that the server has our commitment, or our bytes. @param {Notes} notes @param {Contributed} mine */
function noteOwn(notes, mine) {
    notes.accepted = true;
    if (mine.status === "revealed") notes.acknowledged = true;
}

/**
 * Note the commitments shown before any bytes were revealed, and compare later ones with them.
 * @param {Notes} notes @param {Room} room
 */
function noteCommitments(notes, room) {
    const shown = room.contributions.map((each) => each.commitment ?? "");
    if (room.dealing === "reveal") notes.commitments ??= shown;
    if (notes.commitments && notes.commitments.join() !== shown.join()) addFault(notes, "otherCommitments");
}

/**
 * @param {Notes} notes @param {Room} room @param {Contributed} mine @param {() => string} randomBytes
 * @returns {Command | null}
 */
function commit(notes, room, mine, randomBytes) {
    if (notes.revealed) return null; // bytes that others know prove nothing
    if (mine.commitment) return null; // sent already, or by another browser of the same seat
    if (!notes.bytes || notes.seat !== room.you) {
        notes.bytes = randomBytes();
        notes.seat = room.you;
        notes.commitment = commitTo(room.code, notes.seal, room.you, notes.bytes);
    }
    return { do: "commit", commitment: notes.commitment };
}

/** @param {Notes} notes @param {Contributed} mine @returns {Command | null} */
function reveal(notes, mine) {
    const isOwn = mine.status === "committed" && mine.commitment === notes.commitment;
    if (!isOwn) return null;
    notes.revealed = true;
    return { do: "reveal", contribution: notes.bytes };
}

// The game ----------------------------------------------------------------------------------------

/**
 * Return the digest of events that follow those with the digest `before`.
 * @param {string} before @param {Event[]} events
 */
export function digestOf(before, events) {
    return events.reduce((digest, { key, params = {} }) => {
        const sorted = Object.keys(params)
            .sort()
            .map((name) => [name, params[name]]);
        return toHex(sha256(pack(digest, key, JSON.stringify(sorted)))).slice(0, 16);
    }, before);
}

/**
 * Note that moves were taken back: delete the marks after them.
 * @param {Notes} notes @param {number[]} takenBack the steps to which the game went back, in order
 */
export function noteTakenBack(notes, takenBack) {
    const steps = takenBack.slice(notes.takenBack);
    if (steps.length === 0) return;
    notes.takenBack = takenBack.length;
    notes.marks = notes.marks.filter(([step]) => step <= Math.min(...steps));
}

/**
 * Compare all events with the notes, and note the newest link.
 * @param {Notes} notes @param {Link | null} link @param {Event[]} events
 */
export function noteEvents(notes, link, events) {
    let from = 0;
    let digest = "";
    for (const [, , count, kept] of notes.marks) {
        if (count > events.length) return; // this server has not read the newest entries yet
        digest = digestOf(digest, events.slice(from, count));
        from = count;
        if (digest !== kept) addFault(notes, "otherStory");
    }
    noteLink(notes, link, events.length, digestOf(digest, events.slice(from)));
}

/**
 * Note a link that arrived with new events.
 * @param {Notes} notes @param {Link | null} link @param {number} count of all events @param {string} digest
 */
export function noteLink(notes, link, count, digest) {
    if (!link) return;
    const last = notes.marks.at(-1);
    const same = notes.marks.find(([step]) => step === link.step);
    if (same && same[1] !== link.chain) addFault(notes, "otherStory");
    if (last && link.step <= last[0]) return;
    notes.marks.push([link.step, link.chain, count, digest]);
    if (notes.marks.length > MAX_MARKS) notes.marks = thinned(notes.marks);
}

/** Drop every other mark of the older half. @param {Mark[]} marks */
function thinned(marks) {
    const half = marks.length / 2;
    return marks.filter((_, at) => at >= half || at % 2 === 0);
}

// The record --------------------------------------------------------------------------------------

/**
 * Compare a record that is good in itself with the notes of this browser, for a player or a spectator.
 * @param {Line[]} lines of the record @param {string} code @param {number} you @param {Notes} notes
 * @param {Event[]} events all that this browser has received @returns {Finding[]}
 */
export function compare(lines, code, you, notes, events) {
    const header = lines[0] ?? {};
    const steps = lines.slice(1, -1);
    return [
        ...notes.faults.map((fault) => bad(fault)),
        ...(header.table === code ? [] : [bad("otherTable")]),
        ...compareDeal(header, you, notes),
        ...compareLinks(steps, notes),
        ...compareEvents(steps, header, you, events),
        ...(notes.takenBack > 0 ? [info("takenBack", { count: notes.takenBack })] : []),
    ];
}

/** @param {string} key @param {Finding["params"]} [params] @returns {Finding} */
const bad = (key, params = {}) => ({ good: false, key, params });
/** @param {string} key @param {Finding["params"]} [params] @returns {Finding} */
const good = (key, params = {}) => ({ good: true, key, params });
/** @param {string} key @param {Finding["params"]} [params] @returns {Finding} */
const info = (key, params = {}) => ({ good: null, key, params });

/** @param {Line} header @param {number} you @param {Notes} notes @returns {Finding[]} */
function compareDeal(header, you, notes) {
    const found = [];
    const seal = header.format === 1 ? header.commitment : header.seal;
    if (!notes.seal) found.push(info("cameLate"));
    else found.push(seal === notes.seal ? good("seal") : bad("sealBad"));
    if (header.format === 1) return notes.commitments ? [...found, bad("olderFormat")] : found;
    if (notes.commitments) {
        const recorded = header.contributions.map((/** @type {Line} */ each) => each.commitment ?? "");
        const isSame = recorded.join() === notes.commitments.join();
        found.push(isSame ? good("commitments") : bad("commitmentsBad"));
    }
    return you >= 0 && notes.commitment ? [...found, compareOwn(header.contributions[you], notes)] : found;
}

/** @param {Line | undefined} own @param {Notes} notes @returns {Finding} */
function compareOwn(own, notes) {
    if (own?.is === "revealed" && own.bytes === notes.bytes) return good("own");
    if (notes.acknowledged) return bad("ownMissing");
    if (!notes.accepted) return own?.commitment ? info("ownOther") : info("ownLate");
    return own?.commitment === notes.commitment ? info("ownWithheld") : bad("ownMissing");
}

/** @param {Line[]} steps @param {Notes} notes @returns {Finding[]} */
function compareLinks(steps, notes) {
    const played = notes.marks.filter(([step]) => step > 0);
    const wrong = played.find(([step, chain]) => steps[step - 1]?.chain !== chain);
    if (wrong) return [bad("linksBad", { step: wrong[0] })];
    return played.length > 0 ? [good("links", { count: played.length })] : [];
}

/**
 * All events that this browser received must be in the record, in order. Other facts of the record must be
 * secret, or of a kind that never appears in the list of events because it is shown for a moment only.
 * @param {Line[]} steps @param {Line} header @param {number} you @param {Event[]} events
 * @returns {Finding[]}
 */
function compareEvents(steps, header, you, events) {
    const facts = steps.flatMap((step) => step.facts).filter((fact) => !fact.for || fact.for.includes(you));
    const kinds = new Set(events.map(({ key }) => key));
    let at = 0;
    for (const { for: audience, ...fact } of facts) {
        const isListed = !audience && kinds.has(`${header.game}.${fact.fact}`);
        if (at < events.length && isSame(fact, events[at], header.game)) at += 1;
        else if (isListed) return [bad("eventsBad", { number: at + 1 })];
    }
    if (at < events.length) return [bad("eventsBad", { number: at + 1 })];
    return events.length > 0 ? [good("events", { count: events.length })] : [];
}

/** @param {Line} fact @param {Event | undefined} event @param {string} game */
function isSame(fact, event, game) {
    const { fact: name, ...params } = fact;
    const seen = event?.params ?? {};
    return (
        event?.key === `${game}.${name}` &&
        Object.keys(params).length === Object.keys(seen).length &&
        Object.keys(params).every((key) => params[key] === seen[key])
    );
}

// Who contributed -----------------------------------------------------------------------------

/**
 * Return the seats of a record with one kind of contribution.
 * @param {Line} header @param {string} kind @returns {number[]}
 */
export function seatsThat(header, kind) {
    /** @type {Line[]} */
    const all = header.contributions ?? [];
    return all.flatMap((each, seat) => (each.is === kind ? [seat] : []));
}
