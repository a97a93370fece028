// Made by `python -m cosca.server.http.typescript` from src/cosca/server/wire.py.

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

/** After so many moves, what each seat could think it would have of the victory: 0 to 1. */
export interface Chance {
    number: number;
    shares: number[];
}

/** How the chances of a finished game went; it takes a while, so ask again until it is whole. */
export interface Chances {
    done: number;
    whole: number;
    moments: Chance[];
    turns: Decided[];
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
    race: number;
    clocks: Timer[];
    result: string;
}

/** A move that decided a game, as one who may know all is told it. */
export interface Decided {
    number: number;
    text: string;
    events: string[];
    seat: number;
    before: number;
    after: number;
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

/** A move that is expected. */
export interface Expected {
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
    fewest: number;
    most: number;
    usual: number;
    editions: { [key: string]: { [key: string]: string } };
    options: OptionInfo[];
    bots: BotInfo[];
    usual_bot: string;
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

/** What the consigliere says, from what the seat knows. */
export interface Hinted {
    type: "hinted";
    id: string;
    moves: Suggestion[];
    why: string;
    line: Expected[];
}

/** Take an open seat: that one, or any. */
export interface Join {
    name: string;
    seat?: number | null;
    hand?: number;
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

/** One move of a finished game, as these eyes saw it. */
export interface Moment {
    number: number;
    text: string;
    events: string[];
    happened: Event[];
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
    within: number[];
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

/** Who reached in the window that was just closed, the first one first. */
export interface Raced {
    type: "raced";
    hands: Reached[];
}

/** A hand in a race that is over: whose, and how many milliseconds the person took. */
export interface Reached {
    seat: number;
    took: number;
}

/** The same for a move in the game's notation, as typed. */
export interface Read {
    do: "read";
    text: string;
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
    called: string;
    kind: "bot" | "open" | "person";
    name: string;
    bot: string;
    here: boolean;
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

/** A finished game, move by move. */
export interface Story {
    room: Room;
    eyes: string;
    result: string;
    moments: Moment[];
}

/** A whole move worth a thought. */
export interface Suggestion {
    actions: number[];
    text: string;
    chance: number;
    visits: number;
}

/** All there is to know for you: the first message of every connection. */
export interface Sync {
    type: "sync";
    room: Room;
    view: TextView | DataView | null;
    events: Event[];
    chat: Said[];
    link: Link | null;
}

/** A person has the own seat back from the bot that kept it. */
export interface TakeBack {
    do: "take_back";
    id: string;
}

/** What a seat sees now, in words, and the position that they tell of, to draw it from. */
export interface TextView {
    kind: "text";
    round: string;
    actors: number[];
    ask: string;
    grids: Grid[];
    notes: string[];
    choices: Choice[];
    position: { [key: string]: unknown };
    sights: Event[];
    race: number;
    clocks: Timer[];
    result: string;
}

/** Ask what the table would be after these steps, and what could come next. */
export interface Think {
    do: "think";
    actions: number[];
    id: string;
}

/** How it would be after some steps. Nothing has happened. */
export interface Thought {
    type: "thought";
    id: string;
    actions: number[];
    text: string;
    move: (string | number)[];
    whole: boolean;
    view: TextView | DataView;
}

/** The clock of somebody who may act, in milliseconds of the house (see Ping). */
export interface Timer {
    seat: number;
    move_until: number;
    until: number;
}

/** How long a message takes to each seat's browser and back, in milliseconds, as measured. */
export interface Trips {
    type: "trips";
    trips: (number | null)[];
}

/** The same for a move as data, as a piece means it that was touched: `swap` and `[1, 2, 3, 4]`.

    It need not be legal: then the refusal says why, and names the rule. */
export interface Try {
    do: "try";
    verb: string;
    numbers?: number[];
    id: string;
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

export type AnyCommand = Move | Think | Read | Try | Hint | Chat | Commit | Reveal | Start | Fill | TakeBack | Remove | Leave | Rematch | Propose | Agree | Resume | SetPrivacy | Ping;

export type AnyMessage = Sync | Update | Done | Refused | Thought | Hinted | Pong | Trips | Raced;
