/** Messages as the server sends them, in which a test sets only what it is about. */

import { PROTOCOL, type Choice, type Event, type Preview, type Room, type Sync, type TextView } from "../src/wire";

export const room = (changes: Partial<Room> = {}): Room => ({
    code: "ABCD",
    game: "vendetta",
    title: "Vendetta",
    edition: "",
    options: {},
    stage: "playing",
    seats: [],
    you: 0,
    host: true,
    seal: "",
    dealing: "",
    contributions: [],
    taken_back: [],
    rematch: "",
    pace: "relaxed",
    move_seconds: 0,
    bank_seconds: 0,
    paused: false,
    proposal: null,
    listed: false,
    spectator_chat: false,
    watchers: 0,
    ...changes,
});

export const view = (changes: Partial<TextView> = {}): TextView => ({
    kind: "text",
    round: "",
    actors: [0],
    question: "",
    grids: [],
    notes: [],
    goal: { text: "", figures: [], leaders: [], details: [] },
    choices: [],
    position: {},
    sights: [],
    meaning: null,
    reaction_seconds: 0,
    clocks: [],
    result: "",
    ranking: [],
    ...changes,
});

export const sync = (changes: Partial<Sync> = {}): Sync => ({
    type: "sync",
    protocol: PROTOCOL,
    room: room(),
    view: view(),
    events: [],
    chat: [],
    link: null,
    ...changes,
});

export const preview = (changes: Partial<Preview> = {}): Preview => ({
    type: "preview",
    id: "",
    actions: [],
    text: "",
    move: [],
    complete: false,
    view: view(),
    ...changes,
});

export const choice = (action: number, changes: Partial<Choice> = {}): Choice => ({
    action,
    text: `choice ${action}`,
    group: "",
    name: "men",
    params: {},
    ...changes,
});

export const event = (key: string, text = key): Event => ({ key, text, params: {} });
