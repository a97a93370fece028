// Made by `python -m cosca.server.http.typescript` from src/cosca/server/wire.py.

export const PROTOCOL = 2;
export const NAME_LENGTH = 24;
export const CHAT_LENGTH = 200;

/** The URLs at which friends on the same network reach the server. */
export interface Addresses {
    urls: string[];
}

/** Agree to a proposal, or refuse it. */
export interface Agree {
    do: "agree";
    agrees: boolean;
    id: string;
}

/** A bot that can play. */
export interface BotInfo {
    name: string;
    text: string;
    level: number;
}

/** A text with the names of its styles, separated by spaces. */
export type Cell = [string, string];

/** The win chances after some moves: the share of the victory each seat could expect, 0 to 1. */
export interface ChancePoint {
    number: number;
    shares: number[];
}

/** Send a chat message. */
export interface Chat {
    do: "chat";
    text: string;
    id: string;
}

/** A chat message. */
export interface ChatMessage {
    seat: number;
    name: string;
    text: string;
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
    ranking: Ranked[];
}

/** The command was granted and is stored. */
export interface Done {
    type: "done";
    id: string;
    code: string;
}

/** Something that happened, with its parameters; the sentence is for people only. */
export interface Event {
    key: string;
    text?: string;
    params?: { [key: string]: number | string };
    reason?: Reason | null;
}

/** A move of the principal variation. */
export interface ExpectedMove {
    seat: number;
    text: string;
}

/** A figure that decided a finished game; the texts are for people only. */
export interface Figure {
    key: string;
    value: number;
    label?: string;
    text?: string;
}

/** Give an open seat, or the seat of somebody who is gone, to a bot, as the host. */
export interface Fill {
    do: "fill";
    seat: number;
    bot: string;
    id: string;
}

/** A game that can be played here. */
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
    strengths: Strength[];
    example: string;
}

/** What it takes to win at this table, and how far everybody is. */
export interface Goal {
    text: string;
    figures: Progress[];
    leaders: number[];
    details: string[];
}

/** A grid of the text view: a caption, headings, and rows whose first cell is their heading. */
export interface Grid {
    caption: string;
    head: string[];
    rows: Cell[][];
}

/** Ask the consigliere for the best moves; only for people who play alone against bots.

    With `actions`, the steps chosen so far, only for moves that contain them. */
export interface Hint {
    do: "hint";
    actions?: number[];
    id: string;
}

/** What the consigliere advises, from what the seat knows. */
export interface HintAnswer {
    type: "hint";
    id: string;
    moves: Suggestion[];
    explanation: Reason | null;
    figures: string;
    better: Suggestion | null;
    warning: string;
    principal_variation: ExpectedMove[];
}

/** Let reaction windows wait until you react or are ready, while you are connected.

    Only for people who play alone against bots. */
export interface HoldReactions {
    do: "hold_reactions";
    id: string;
}

/** Take an open seat: the given one, or any. */
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

/** Leave your seat: before the game it is open again, later a bot plays for you. */
export interface Leave {
    do: "leave";
    id: string;
}

/** A link of the record's hash chain, which commits the server to all steps so far. */
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

/** What a decision means to somebody who does not know the game, and the rule that says so. */
export interface Meaning {
    text: string;
    rule: string;
}

/** Make a whole move: its steps, one after another. */
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

/** Ask for the time of the server. */
export interface Ping {
    do: "ping";
    id: string;
}

/** The seat that somebody got. */
export interface Place {
    code: string;
    seat: number;
    token: string;
}

/** The server's time, in milliseconds since 1970. */
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

/** Preview a move given as data, such as `swap` and `[1, 2, 3, 4]` for pieces that were touched.

    If it is not legal, the refusal says why and names the rule. */
export interface PreviewMove {
    do: "preview_move";
    verb: string;
    numbers?: number[];
    id: string;
}

/** Preview a move that was typed, in the game's notation. */
export interface PreviewText {
    do: "preview_text";
    text: string;
    id: string;
}

/** The rules of a game on one page in plain words, for the settings of one table. */
export interface Primer {
    title: string;
    table: string;
    sections: PrimerSection[];
}

/** A sentence or two of a primer. */
export interface PrimerLine {
    text: string;
    rules: string[];
}

/** A part of a primer. */
export interface PrimerSection {
    name: string;
    heading: string;
    lines: PrimerLine[];
}

/** Why an HTTP request was refused. */
export interface Problem {
    key: string;
    text: string;
}

/** How far everybody is in one of the things that decide a game, such as points. */
export interface Progress {
    label: string;
    values: string[];
    target: string;
}

/** What somebody proposes, and who has agreed so far. */
export interface Proposal {
    what: "pause" | "takeback";
    seat: number;
    agreed: number[];
    asked: number[];
}

/** Propose a pause, or to take back your last move. All people at the table must agree. */
export interface Propose {
    do: "propose";
    what: "pause" | "takeback";
    id: string;
}

/** The place of a seat in a finished game. */
export interface Ranked {
    place: number;
    seat: number;
    figures: Figure[];
}

/** A seat that reacted in a window that is over, and how many milliseconds it took. */
export interface Reaction {
    seat: number;
    took_ms: number;
}

/** Who reacted in the window that has just closed, the fastest first. */
export interface Reactions {
    type: "reactions";
    reactions: Reaction[];
}

/** Start the clock of the reaction window that waits for you. */
export interface Ready {
    do: "ready";
    id: string;
}

/** Why something happened, with the rule behind it; the sentence is for people only. */
export interface Reason {
    key: string;
    text?: string;
    params?: { [key: string]: number | string | (number | string | (number | string)[])[] };
    rule: string;
}

/** Take your seat back from the bot that plays for you. */
export interface ReclaimSeat {
    do: "reclaim_seat";
    id: string;
}

/** The command was refused, and nothing has changed. */
export interface Refused {
    type: "refused";
    id: string;
    key: string;
    text: string;
    rule: string;
}

/** Open the same table again when the game is over, as the host. */
export interface Rematch {
    do: "rematch";
    id: string;
}

/** Remove somebody, as the host: before the game the seat is open again, later a bot has it. */
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

/** Who has a seat. */
export interface Seated {
    seat_name: string;
    kind: "bot" | "open" | "person";
    name: string;
    bot: string;
    present: boolean;
}

/** Set whether the table is listed and whether spectators may read the chat, as the host.

    Earlier messages keep the audience they had. */
export interface SetPrivacy {
    do: "privacy";
    listed: boolean;
    spectator_chat: boolean;
    id: string;
}

/** Begin the game, as the host; bots take the seats that are still open. */
export interface Start {
    do: "start";
    id: string;
}

/** How strong the opponents of somebody who plays against bots are. */
export interface Strength {
    name: string;
    title: string;
    text: string;
    bots: string[];
}

/** A move that the consigliere suggests. */
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
    chat: ChatMessage[];
    link: Link | null;
}

/** What a seat sees now as texts, and the position to draw it from. */
export interface TextView {
    kind: "text";
    round: string;
    actors: number[];
    question: string;
    meaning: Meaning | null;
    grids: Grid[];
    notes: string[];
    goal: Goal;
    choices: Choice[];
    position: { [key: string]: unknown };
    sights: Event[];
    reaction_seconds: number;
    clocks: Timer[];
    result: string;
    ranking: Ranked[];
}

/** The clock of a seat that may act, in milliseconds of the server's time (see Ping). */
export interface Timer {
    seat: number;
    move_until: number;
    until: number;
}

/** A move that decided a game, with everything hidden shown. */
export interface TurningPoint {
    number: number;
    text: string;
    sentence: string;
    seat: number;
    before: number;
    after: number;
}

/** What has changed: the new room and view, and what was added to the lists. */
export interface Update {
    type: "update";
    room?: Room | null;
    view?: TextView | DataView | null;
    events?: Event[];
    chat?: ChatMessage[];
    link?: Link | null;
}

/** How the win chances went in a finished game. Ask again until `done` equals `total`. */
export interface WinChances {
    done: number;
    total: number;
    curve: ChancePoint[];
    turning_points: TurningPoint[];
}

export type AnyCommand = Move | PreviewActions | PreviewText | PreviewMove | Hint | HoldReactions | Ready | Chat | Commit | Reveal | Start | Fill | ReclaimSeat | Remove | Leave | Rematch | Propose | Agree | Resume | SetPrivacy | Ping;

export type AnyMessage = Sync | Update | Done | Refused | Preview | HintAnswer | Pong | Latency | Reactions;
