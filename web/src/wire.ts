// Made by `python -m cosca.server.http.typescript` from src/cosca/server/wire.py.

export const PROTOCOL = 2;
export const NAME_LENGTH = 24;
export const CHAT_LENGTH = 200;

/** Where friends on the same network find the house. */
export interface Addresses {
    urls: string[];
}

/** Agree to what somebody proposes, or do not. */
export interface Agree {
    do: "agree";
    agrees: boolean;
    id: string;
}

/** A bot that can be asked to play. */
export interface BotInfo {
    name: string;
    text: string;
    level: number;
}

/** Some text in a style, or in several words of style. */
export type Cell = [string, string];

/** The win chances after some moves: the share of the victory each seat could expect, 0 to 1. */
export interface ChancePoint {
    number: number;
    shares: number[];
}

/** Say something to the table. */
export interface Chat {
    do: "chat";
    text: string;
    id: string;
}

/** One step that may be taken now. */
export interface Choice {
    action: number;
    text: string;
    group: string;
    name: string;
    params: { [key: string]: number | string };
}

/** Come back to a seat by its own link. */
export interface Claim {
    token: string;
}

/** Send the hash of the bytes you will contribute to the deal, while `dealing` is "commit". */
export interface Commit {
    do: "commit";
    commitment: string;
    id: string;
}

/** What a seat has contributed to the deal. */
export interface Contributed {
    status: "bot" | "committed" | "revealed" | "silent" | "waiting" | "withheld";
    commitment?: string;
}

/** What a seat sees now, as data, for programs. */
export interface DataView {
    kind: "data";
    actors: number[];
    position: { [key: string]: unknown };
    sights: Event[];
    reaction_seconds: number;
    clocks: Timer[];
    result: string;
}

/** The command is written down, for good. */
export interface Done {
    type: "done";
    id: string;
    code: string;
}

/** Something that happened, and what fills its sentence; the sentence is for people only. */
export interface Event {
    key: string;
    text?: string;
    params?: { [key: string]: number | string };
}

/** A move of the principal variation. */
export interface ExpectedMove {
    seat: number;
    text: string;
}

/** The host gives an open seat, or that of somebody who is gone, to a bot. */
export interface Fill {
    do: "fill";
    seat: number;
    bot: string;
    id: string;
}

/** A game of the house. */
export interface GameInfo {
    name: string;
    title: string;
    tagline: string;
    minutes: string;
    min_seats: number;
    max_seats: number;
    default_seats: number;
    editions: { [key: string]: { [key: string]: string } };
    options: OptionInfo[];
    bots: BotInfo[];
    default_bot: string;
    example: string;
}

/** A table of the text table: a caption, headings, rows whose first cell is their heading. */
export interface Grid {
    caption: string;
    head: string[];
    rows: Cell[][];
}

/** Ask the consigliere for the best moves; for who plays alone against bots. */
export interface Hint {
    do: "hint";
    id: string;
}

/** What the consigliere advises, from what the seat knows. */
export interface HintAnswer {
    type: "hint";
    id: string;
    moves: Suggestion[];
    reason: string;
    principal_variation: ExpectedMove[];
}

/** Take an open seat: that one, or any. */
export interface Join {
    name: string;
    seat?: number | null;
    local_player?: number;
}

/** The measured round trip to the browser of each seat. */
export interface Latency {
    type: "latency";
    milliseconds: (number | null)[];
}

/** Get up: before the game the seat is open again, later a bot keeps it. */
export interface Leave {
    do: "leave";
    id: string;
}

/** A link of the hash chain of the record: it binds the house to all steps so far. */
export interface Link {
    step: number;
    chain: string;
}

/** A table in a list. */
export interface Listed {
    code: string;
    game: string;
    title: string;
    stage: "lobby" | "over" | "playing" | "sealing";
    seats: Seated[];
    you: number;
    your_turn: boolean;
}

/** Do a whole move: its steps, one after another. */
export interface Move {
    do: "move";
    actions: number[];
    id: string;
}

/** Open a table. */
export interface NewTable {
    game: string;
    edition?: string;
    options?: { [key: string]: string };
    seats: string[];
    name: string;
    start?: boolean;
    pace?: "days" | "live" | "relaxed";
    move_seconds?: number;
    bank_seconds?: number;
    days?: number;
    listed?: boolean;
    spectator_chat?: boolean;
}

/** Something a host may set. */
export interface OptionInfo {
    key: string;
    text: string;
    values: { [key: string]: string };
    range: number[];
    default: string;
}

/** Ask what time it is in the house. */
export interface Ping {
    do: "ping";
    id: string;
}

/** The seat somebody has got. */
export interface Place {
    code: string;
    seat: number;
    token: string;
}

/** What time it is in the house, in milliseconds since 1970. */
export interface Pong {
    type: "pong";
    id: string;
    now: number;
}

/** What the table would look like after some steps. Nothing has happened. */
export interface Preview {
    type: "preview";
    id: string;
    actions: number[];
    text: string;
    move: (string | number)[];
    complete: boolean;
    view: TextView | DataView;
}

/** Ask what the table would look like after these steps, and which steps could come next. */
export interface PreviewActions {
    do: "preview_actions";
    actions: number[];
    id: string;
}

/** The same for a move as data, as a piece means it that was touched: `swap` and `[1, 2, 3, 4]`.

    It need not be legal: then the refusal says why, and names the rule. */
export interface PreviewMove {
    do: "preview_move";
    verb: string;
    numbers?: number[];
    id: string;
}

/** The same for a move that was typed, in the game's notation. */
export interface PreviewText {
    do: "preview_text";
    text: string;
    id: string;
}

/** Why something asked for over HTTP cannot be. */
export interface Problem {
    key: string;
    text: string;
}

/** What somebody proposes, and who has agreed. */
export interface Proposal {
    what: "pause" | "takeback";
    seat: number;
    agreed: number[];
    asked: number[];
}

/** Propose a pause, or to take back the own last move. All people at the table must agree. */
export interface Propose {
    do: "propose";
    what: "pause" | "takeback";
    id: string;
}

/** Who reacted in a window that is over, and how many milliseconds the person took. */
export interface Reaction {
    seat: number;
    took_ms: number;
}

/** Who reacted in the window that has just closed, the fastest first. */
export interface Reactions {
    type: "reactions";
    reactions: Reaction[];
}

/** A person has the own seat back from the bot that kept it. */
export interface ReclaimSeat {
    do: "reclaim_seat";
    id: string;
}

/** The command cannot be granted, and nothing has changed. */
export interface Refused {
    type: "refused";
    id: string;
    key: string;
    text: string;
    rule: string;
}

/** The host opens the same table anew when the game is over. */
export interface Rematch {
    do: "rematch";
    id: string;
}

/** The host sends somebody away; before the game the seat is open again, later a bot has it. */
export interface Remove {
    do: "remove";
    seat: number;
    id: string;
}

/** A finished game, move by move. */
export interface Replay {
    room: Room;
    viewer: string;
    result: string;
    moves: ReplayedMove[];
}

/** One move of a finished game, as a viewer saw it. */
export interface ReplayedMove {
    number: number;
    text: string;
    sentences: string[];
    events: Event[];
}

/** End a pause. */
export interface Resume {
    do: "resume";
    id: string;
}

/** Send the bytes you have committed to, while `dealing` is "reveal". */
export interface Reveal {
    do: "reveal";
    contribution: string;
    id: string;
}

/** A table as everybody who knows its code may see it. */
export interface Room {
    code: string;
    game: string;
    title: string;
    edition: string;
    options: { [key: string]: number | string };
    stage: "lobby" | "over" | "playing" | "sealing";
    seats: Seated[];
    you: number;
    host: boolean;
    seal: string;
    dealing: "" | "commit" | "reveal";
    contributions: Contributed[];
    taken_back: number[];
    rematch: string;
    pace: "days" | "live" | "relaxed";
    move_seconds: number;
    bank_seconds: number;
    paused: boolean;
    proposal: Proposal | null;
    listed: boolean;
    spectator_chat: boolean;
    watchers: number;
}

/** A chat message. */
export interface Said {
    seat: number;
    name: string;
    text: string;
}

/** Who has a seat. */
export interface Seated {
    seat_name: string;
    kind: "bot" | "open" | "person";
    name: string;
    bot: string;
    present: boolean;
}

/** The host lists the table on the first page or not, and lets spectators read the chat or not.

    What was said before stays as private as it was. */
export interface SetPrivacy {
    do: "privacy";
    listed: boolean;
    spectator_chat: boolean;
    id: string;
}

/** The host begins the game; seats still open are taken by bots. */
export interface Start {
    do: "start";
    id: string;
}

/** A whole move worth a thought. */
export interface Suggestion {
    actions: number[];
    text: string;
    win_chance: number;
    visits: number;
}

/** Everything you may know: the first message of every connection. */
export interface Sync {
    type: "sync";
    protocol: number;
    room: Room;
    view: TextView | DataView | null;
    events: Event[];
    chat: Said[];
    link: Link | null;
}

/** What a seat sees now, in words, and the position that they tell of, to draw it from. */
export interface TextView {
    kind: "text";
    round: string;
    actors: number[];
    question: string;
    grids: Grid[];
    notes: string[];
    choices: Choice[];
    position: { [key: string]: unknown };
    sights: Event[];
    reaction_seconds: number;
    clocks: Timer[];
    result: string;
}

/** The clock of somebody who may act, in milliseconds of the house (see Ping). */
export interface Timer {
    seat: number;
    move_until: number;
    until: number;
}

/** A move that decided a game, with everything hidden shown. */
export interface TurningPoint {
    number: number;
    text: string;
    sentences: string[];
    seat: number;
    before: number;
    after: number;
}

/** What has changed since the message before: new room and view, and what came to the lists. */
export interface Update {
    type: "update";
    room?: Room | null;
    view?: TextView | DataView | null;
    events?: Event[];
    chat?: Said[];
    link?: Link | null;
}

/** How the win chances went in a finished game. Ask again until `done` equals `total`. */
export interface WinChances {
    done: number;
    total: number;
    curve: ChancePoint[];
    turning_points: TurningPoint[];
}

export type AnyCommand = Move | PreviewActions | PreviewText | PreviewMove | Hint | Chat | Commit | Reveal | Start | Fill | ReclaimSeat | Remove | Leave | Rematch | Propose | Agree | Resume | SetPrivacy | Ping;

export type AnyMessage = Sync | Update | Done | Refused | Preview | HintAnswer | Pong | Latency | Reactions;
