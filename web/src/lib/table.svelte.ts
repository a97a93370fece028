/**
 * A table over its socket: what the house has told, and commands until they are answered.
 *
 * A command has an id and is kept until its answer comes. After a broken connection it is sent
 * again with the same id, and the house does it once: no move is lost, and none is done twice.
 */

import { language, words } from "../words";
import type {
    AnyCommand,
    AnyMessage,
    Done,
    Event,
    Hinted,
    Link as ChainLink,
    Ping,
    Reached,
    Refused,
    Room,
    Said,
    Sync,
    TextView,
    Thought,
    Update,
} from "../wire";
import { RequestError } from "./api";
import { ServerTime } from "./server-time.svelte";
import { contribute, digestOf, noteLink, noteStory, noteTakenBack, type Fault } from "../../witness.js";
import { dealNotes, own } from "./browser-storage.svelte";
import { randomHex } from "./random";

type WithoutId<Each> = Each extends unknown ? Omit<Each, "id"> : never;
export type Wish = WithoutId<AnyCommand>;
type Answer = Done | Thought | Hinted;
/** "joining" until the first sync, "open" while all is told, "lost" until it is back, "closed" for good. */
type Link = "joining" | "open" | "lost" | "closed";

interface Waiting {
    command: AnyCommand;
    since: number;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const PATIENCE = 6000; // ms without an answer: the line is dead, whatever it says
const CLOSED_FOR_GOOD = 1008; // the house says that coming back is no use
const HOUSE_CLOSES = [1001, 1012]; // it goes away, or is started anew
const ASK_TIME = [0, 1000, 3000]; // ms after coming; then
const ASK_TIME_AGAIN = 60_000; // ms, for clocks of computers drift apart

export class Table {
    room = $state.raw<Room | null>(null);
    view = $state.raw<TextView | null>(null);
    events = $state.raw<Event[]>([]);
    chat = $state.raw<Said[]>([]);
    /** The newest link of the chain, which binds the house to all that has happened. */
    newest = $state.raw<ChainLink | null>(null);
    /** What this browser has found the house to do that it must not. */
    faults = $state.raw<readonly Fault[]>([]);
    link = $state<Link>("joining");
    closedBecause = $state("");
    /** Whether the house said that it closes, before the line was lost. */
    houseCloses = $state(false);
    /** How long each seat's line is, in milliseconds. */
    trips = $state.raw<readonly (number | null)[]>([]);
    /** Who reached in the last window in which the fastest hand counted, the first one first. */
    raced = $state.raw<readonly Reached[]>([]);
    /** How often a move was taken back while somebody was looking. */
    rewound = $state(0);
    readonly time = new ServerTime();
    /** Commands that are not answered yet. */
    waiting = $state.raw<readonly AnyCommand[]>([]);
    /** Called with what is new after each message, but for the first. */
    onNews: (news: Update) => void = () => {};

    /** Called when the same is told in another language, with what a seat saw in both. */
    onRetold: (before: string[], now: string[]) => void = () => {};

    #code: string;
    #language = language.code;
    #hand: number;
    #socket: WebSocket | null = null;
    #connected = 0; // when this line was begun: one that never tells anything is dead too
    #unanswered = new Map<string, Waiting>();
    #isRetold = false;
    #tries = 0;
    #retry = 0;
    #watch = 0;
    #sent = new Set<string>(); // what was sent for the deal
    #digest = ""; // of all events
    #pings = new Map<string, number>();
    #pingTimers: number[] = [];

    /** The hand is which of several people at this browser looks. */
    constructor(code: string, hand = 0) {
        this.#code = code;
        this.#hand = hand;
    }

    open(): void {
        this.#watch = window.setInterval(() => this.#checkPatience(), 1000);
        window.addEventListener("online", this.#hurry);
        document.addEventListener("visibilitychange", this.#hurry);
        this.#connect();
    }

    close(): void {
        window.clearInterval(this.#watch);
        window.clearTimeout(this.#retry);
        window.removeEventListener("online", this.#hurry);
        document.removeEventListener("visibilitychange", this.#hurry);
        this.#stopAskingTime();
        this.#drop();
    }

    /** Come again as who the cookies say one is now. */
    reconnect(): void {
        this.#drop();
        this.#connect();
    }

    /** Have all told in another language; what waits for an answer is asked again. */
    tellIn(code: string): void {
        if (code === this.#language) return;
        this.#language = code;
        this.#isRetold = true;
        if (this.#socket) this.reconnect();
    }

    /** Ask for something; settled when the house has answered, however long that takes. */
    ask(wish: Wish): Promise<Answer> {
        const command = { ...wish, id: randomHex() } as AnyCommand;
        return new Promise((resolve, reject) => {
            this.#unanswered.set(command.id, { command, since: Date.now(), resolve, reject });
            this.#tellWaiting();
            if (this.link === "open") this.#send(command);
        });
    }

    think = (actions: number[]) => this.ask({ do: "think", actions }) as Promise<Thought>;
    read = (text: string) => this.ask({ do: "read", text }) as Promise<Thought>;
    hint = () => this.ask({ do: "hint" }) as Promise<Hinted>;

    #connect(): void {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        const told = `view=text&hand=${this.#hand}&lang=${this.#language}`;
        const place = `${location.host}/ws/${encodeURIComponent(this.#code)}?${told}`;
        const socket = new WebSocket(`${scheme}//${place}`);
        this.#socket = socket;
        this.#connected = Date.now();
        socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
        socket.onclose = (event) => this.#lose(event);
    }

    #drop(): void {
        const socket = this.#socket;
        this.#socket = null;
        if (!socket) return;
        socket.onmessage = socket.onclose = null;
        // One that is closed before it is open is complained of by browsers.
        if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
        else socket.close();
    }

    #lose({ code }: CloseEvent): void {
        this.#socket = null;
        if (code === CLOSED_FOR_GOOD) {
            this.link = "closed";
            this.closedBecause ||= words.trouble.closed;
            return;
        }
        this.#stopAskingTime();
        if (this.link === "open") this.link = "lost";
        if (HOUSE_CLOSES.includes(code)) this.houseCloses = true;
        const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++);
        this.#retry = window.setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2));
    }

    /** There is a network again, or somebody looks: no reason to wait longer. */
    #hurry = (): void => {
        if (this.#socket || this.link === "closed" || document.hidden) return;
        window.clearTimeout(this.#retry);
        this.#connect();
    };

    #checkPatience(): void {
        const oldest = Math.min(...[...this.#unanswered.values()].map((each) => each.since));
        const since = this.link === "open" ? oldest : this.#connected;
        if (!this.#socket || Date.now() - since < PATIENCE) return;
        if (this.link === "open") this.link = "lost";
        this.reconnect();
    }

    #hear(message: AnyMessage): void {
        if (message.type === "sync") this.#sync(message);
        else if (message.type === "update") this.#update(message);
        else if (message.type === "trips") this.trips = message.trips;
        else if (message.type === "raced") this.raced = message.hands;
        else if (message.type === "pong") this.#hearTime(message.id, message.now);
        else this.#settle(message);
    }

    #sync({ room, view, events, chat, link }: Sync): void {
        const isFirst = this.link === "joining";
        const isFewer = this.room?.you === room.you && events.length < this.events.length;
        if (isFewer) this.rewound += 1;
        const news = { events: events.slice(this.events.length), chat: chat.slice(this.chat.length) };
        if (this.#isRetold && events.length === this.events.length) {
            this.onRetold(shown(this.view), shown(asText(view)));
        }
        this.#isRetold = false;
        this.room = room;
        this.view = asText(view);
        this.events = events;
        this.chat = chat;
        this.newest = link;
        this.#digest = digestOf("", events);
        this.link = "open";
        this.closedBecause = "";
        this.houseCloses = false;
        this.#tries = 0;
        this.#askTime();
        for (const waiting of this.#unanswered.values()) {
            waiting.since = Date.now();
            this.#send(waiting.command);
        }
        this.#witness(true);
        if (!isFirst) this.onNews({ type: "update", room, view, ...news });
    }

    #update(news: Update): void {
        if (news.room) this.room = news.room;
        if (news.view) this.view = asText(news.view);
        if (news.link) this.newest = news.link;
        if (news.events?.length) {
            this.events = [...this.events, ...news.events];
            this.#digest = digestOf(this.#digest, news.events);
        }
        if (news.chat?.length) this.chat = [...this.chat, ...news.chat];
        if (news.room || news.link) this.#witness(false);
        this.onNews(news);
    }

    #settle(answer: Answer | Refused): void {
        if (answer.id === "" && answer.type === "refused") this.closedBecause = answer.text;
        const waiting = this.#unanswered.get(answer.id);
        if (!waiting) return; // an answer told twice
        this.#unanswered.delete(answer.id);
        this.#tellWaiting();
        if (answer.type === "refused") waiting.reject(new RequestError(answer.text, answer.rule));
        else waiting.resolve(answer);
    }

    #send(command: AnyCommand): void {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
    }

    /** Learn what time it is in the house, where clocks are to be shown. */
    #askTime(): void {
        this.#stopAskingTime();
        if (!this.room || this.room.pace === "relaxed") return;
        this.#pingTimers = ASK_TIME.map((delay) => window.setTimeout(() => this.#ping(), delay));
        this.#pingTimers.push(window.setInterval(() => this.#ping(), ASK_TIME_AGAIN));
    }

    #stopAskingTime(): void {
        for (const timer of this.#pingTimers) window.clearTimeout(timer);
        this.#pingTimers = [];
        this.#pings.clear();
    }

    #ping(): void {
        const ping: Ping = { do: "ping", id: randomHex() };
        this.#pings.set(ping.id, performance.now());
        this.#send(ping);
    }

    #hearTime(id: string, now: number): void {
        const sent = this.#pings.get(id);
        this.#pings.delete(id);
        if (sent !== undefined) this.time.learn(now, performance.now() - sent);
    }

    #tellWaiting(): void {
        this.waiting = [...this.#unanswered.values()].map((each) => each.command);
    }

    /** Note what the house has told of the deal and the game, and contribute what is asked for. */
    #witness(isSync: boolean): void {
        const room = this.room;
        if (!room) return;
        const place = own(this.#code, this.#hand);
        const notes = dealNotes.get(place);
        const wish = contribute(notes, room, randomHex);
        noteTakenBack(notes, room.taken_back);
        if (isSync) noteStory(notes, this.newest, this.events);
        else noteLink(notes, this.newest, this.events.length, this.#digest);
        dealNotes.keep(place, notes, room.you >= 0); // before anything is sent that must not be forgotten
        this.faults = notes.faults;
        if (!wish || this.#sent.has(wish.do)) return;
        this.#sent.add(wish.do);
        this.ask(wish).catch(() => {}); // what came of it stands in the room, for all to see
    }
}

/** What a view shows only now, in words. */
function shown(view: TextView | null): string[] {
    return (view?.sights ?? []).map((sight) => sight.text ?? "");
}

function asText(view: Sync["view"]): TextView | null {
    return view?.kind === "text" ? view : null;
}
