/** Verifies the record of a game in this browser, and compares it with the browser's own notes. */

import { compare, seatsThat, type Fault, type Finding, type Line } from "../../witness.js";
import type { Event, Room } from "../wire";
import { allOf, words } from "../words";
import type { Message } from "../words/message";
import { record } from "./api";
import { dealNotes, playerKey } from "./browser-storage.svelte";

export interface Sentence {
    /** Whether the check passed; null for information only. */
    good: boolean | null;
    text: string;
}

export interface Verdict {
    good: boolean;
    /** The result of each check. */
    found: Sentence[];
    /** Who contributed to the deal, and what that proves. */
    deal: string[];
    /** What no check can show. */
    open: string[];
}

const SHOWN = 12; // hex digits of a link that people compare aloud

/** Return the beginning of a link in groups that can be read aloud. */
export const fingerprint = (chain: string) => chain.slice(0, SHOWN).match(/.{4}/g)?.join(" ") ?? "";

export async function checkDeal(room: Room, player: number, events: Event[]): Promise<Verdict> {
    const bytes = await record(room.code);
    const { verifyBytes } = await import("../../verify.js");
    const verdict = verifyBytes(bytes);
    if (!verdict.ok) {
        const reason = words.over.reasons[verdict.key];
        const text = words.over.bad({ line: verdict.line, reason });
        return { good: false, found: [{ good: false, text }], deal: [], open: [] };
    }
    const lines: Line[] = new TextDecoder()
        .decode(bytes)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const notes = dealNotes.get(playerKey(room.code, player));
    const found = compare(lines, room.code, room.you, notes, events);
    const good = found.every((each) => each.good !== false);
    const inOrder = { good: true, text: words.over.good({ steps: verdict.steps }) };
    return {
        good,
        found: [inOrder, ...found.map(sentenceOf)],
        deal: good ? dealSentences(lines[0] ?? {}, room, found) : [],
        open: good
            ? [words.over.notProven, words.over.compare({ fingerprint: fingerprint(lines.at(-2)?.chain ?? "") })]
            : [],
    };
}

function sentenceOf({ good, key, params }: Finding): Sentence {
    if (key in words.deal.faults) return { good, text: words.deal.faults[key as Fault] };
    const sentence = words.over.found[key as keyof typeof words.over.found] as Message;
    return { good, text: typeof sentence === "string" ? sentence : sentence(params) };
}

/** Say who contributed to the deal, and what that proves. */
function dealSentences(header: Line, room: Room, found: Finding[]): string[] {
    if (header.format === 1) return [words.contributions.format_1];
    const called = (seat: number) =>
        words.replay.seat({ called: room.seats[seat]?.seat_name ?? "", name: header.players[seat] });
    const names = (kind: string) => allOf(seatsThat(header, kind).map(called));
    const kinds = (["revealed", "withheld", "silent", "bot"] as const).filter((kind) => names(kind));
    return [
        ...kinds.map((kind) => words.over.who[kind]({ names: names(kind) })),
        proves(names("revealed"), found),
        ...(names("withheld") ? [words.over.oneBit] : []),
    ];
}

function proves(names: string, found: Finding[]): string {
    if (found.some(({ key, good }) => key === "own" && good)) return words.over.provesOwn;
    return names ? words.over.provesOthers({ names }) : words.over.provesNothing;
}
