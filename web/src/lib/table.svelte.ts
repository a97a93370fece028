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
    Link,
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
export type Command = WithoutId<AnyCommand>;
type Answer = Done | Thought | Hinted;
/** "joining" until the first sync, "open" while all is told, "lost" until it is back, "closed" for good. */
type Connection = "joining" | "open" | "lost" | "closed";

interface PendingRequest {
    command: AnyCommand;
    since: number;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const RESPONSE_TIMEOUT = 6000; // ms without an answer: the line is dead, whatever it says
const POLICY_VIOLATION = 1008; // the house says that coming back is no use
const SERVER_CLOSES = [1001, 1012]; // it goes away, or is started anew
const FIRST_PINGS = [0, 1000, 3000]; // ms after coming; then
const PING_INTERVAL = 60_000; // ms, for clocks of computers drift apart

export class Table {
    room = $state.raw<Room | null>(null);
    view = $state.raw<TextView | null>(null);
    events = $state.raw<Event[]>([]);
    chat = $state.raw<Said[]>([]);
    /** The newest link of the chain, which binds the house to all that has happened. */
    lastLink = $state.raw<Link | null>(null);
    /** What this browser has found the house to do that it must not. */
    faults = $state.raw<readonly Fault[]>([]);
    connection = $state<Connection>("joining");
    closeReason = $state("");
    /** Whether the house said that it closes, before the line was lost. */
    isServerClosing = $state(false);
    /** How long each seat's line is, in milliseconds. */
    latencies = $state.raw<readonly (number | null)[]>([]);
    /** Who reached in the last window in which the fastest hand counted, the first one first. */
    reactions = $state.raw<readonly Reached[]>([]);
    /** How often a move was taken back while somebody was looking. */
    takebacks = $state(0);
    readonly time = new ServerTime();
    /** Commands that are not answered yet. */
    pending = $state.raw<readonly AnyCommand[]>([]);
    /** Called with what is new after each message, but for the first. */
    onNews: (news: Update) => void = () => {};

    /** Called when the same is told in another language, with what a seat saw in both. */
    onTranslated: (before: string[], now: string[]) => void = () => {};

    #code: string;
    #language = language.code;
    #player: number;
    #socket: WebSocket | null = null;
    #connectedAt = 0; // when this line was begun: one that never tells anything is dead too
    #requests = new Map<string, PendingRequest>();
    #isTranslated = false;
    #attempts = 0;
    #retryTimer = 0;
    #timeoutCheck = 0;
    #contributed = new Set<string>(); // what was sent for the deal
    #digest = ""; // of all events
    #pings = new Map<string, number>();
    #pingTimers: number[] = [];

    /** The hand is which of several people at this browser looks. */
    constructor(code: string, player = 0) {
        this.#code = code;
        this.#player = player;
    }

    open(): void {
        this.#timeoutCheck = window.setInterval(() => this.#checkTimeout(), 1000);
        window.addEventListener("online", this.#reconnectNow);
        document.addEventListener("visibilitychange", this.#reconnectNow);
        this.#connect();
    }

    close(): void {
        window.clearInterval(this.#timeoutCheck);
        window.clearTimeout(this.#retryTimer);
        window.removeEventListener("online", this.#reconnectNow);
        document.removeEventListener("visibilitychange", this.#reconnectNow);
        this.#stopPings();
        this.#drop();
    }

    /** Come again as who the cookies say one is now. */
    reconnect(): void {
        this.#drop();
        this.#connect();
    }

    /** Have all told in another language; what waits for an answer is asked again. */
    setLanguage(code: string): void {
        if (code === this.#language) return;
        this.#language = code;
        this.#isTranslated = true;
        if (this.#socket) this.reconnect();
    }

    /** Ask for something; settled when the house has answered, however long that takes. */
    ask(body: Command): Promise<Answer> {
        const command = { ...body, id: randomHex() } as AnyCommand;
        return new Promise((resolve, reject) => {
            this.#requests.set(command.id, { command, since: Date.now(), resolve, reject });
            this.#publishPending();
            if (this.connection === "open") this.#send(command);
        });
    }

    think = (actions: number[]) => this.ask({ do: "think", actions }) as Promise<Thought>;
    read = (text: string) => this.ask({ do: "read", text }) as Promise<Thought>;
    hint = () => this.ask({ do: "hint" }) as Promise<Hinted>;

    #connect(): void {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        const query = `view=text&hand=${this.#player}&lang=${this.#language}`;
        const place = `${location.host}/ws/${encodeURIComponent(this.#code)}?${query}`;
        const socket = new WebSocket(`${scheme}//${place}`);
        this.#socket = socket;
        this.#connectedAt = Date.now();
        socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
        socket.onclose = (event) => this.#handleClose(event);
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

    #handleClose({ code }: CloseEvent): void {
        this.#socket = null;
        if (code === POLICY_VIOLATION) {
            this.connection = "closed";
            this.closeReason ||= words.trouble.closed;
            return;
        }
        this.#stopPings();
        if (this.connection === "open") this.connection = "lost";
        if (SERVER_CLOSES.includes(code)) this.isServerClosing = true;
        const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#attempts++);
        this.#retryTimer = window.setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2));
    }

    /** There is a network again, or somebody looks: no reason to wait longer. */
    #reconnectNow = (): void => {
        if (this.#socket || this.connection === "closed" || document.hidden) return;
        window.clearTimeout(this.#retryTimer);
        this.#connect();
    };

    #checkTimeout(): void {
        const oldest = Math.min(...[...this.#requests.values()].map((each) => each.since));
        const since = this.connection === "open" ? oldest : this.#connectedAt;
        if (!this.#socket || Date.now() - since < RESPONSE_TIMEOUT) return;
        if (this.connection === "open") this.connection = "lost";
        this.reconnect();
    }

    #receive(message: AnyMessage): void {
        if (message.type === "sync") this.#sync(message);
        else if (message.type === "update") this.#update(message);
        else if (message.type === "trips") this.latencies = message.trips;
        else if (message.type === "raced") this.reactions = message.hands;
        else if (message.type === "pong") this.#receiveTime(message.id, message.now);
        else this.#settle(message);
    }

    #sync({ room, view, events, chat, link }: Sync): void {
        const isFirst = this.connection === "joining";
        const isFewer = this.room?.you === room.you && events.length < this.events.length;
        if (isFewer) this.takebacks += 1;
        const news = { events: events.slice(this.events.length), chat: chat.slice(this.chat.length) };
        if (this.#isTranslated && events.length === this.events.length) {
            this.onTranslated(sightTexts(this.view), sightTexts(asText(view)));
        }
        this.#isTranslated = false;
        this.room = room;
        this.view = asText(view);
        this.events = events;
        this.chat = chat;
        this.lastLink = link;
        this.#digest = digestOf("", events);
        this.connection = "open";
        this.closeReason = "";
        this.isServerClosing = false;
        this.#attempts = 0;
        this.#startPings();
        for (const pending of this.#requests.values()) {
            pending.since = Date.now();
            this.#send(pending.command);
        }
        this.#recordDeal(true);
        if (!isFirst) this.onNews({ type: "update", room, view, ...news });
    }

    #update(news: Update): void {
        if (news.room) this.room = news.room;
        if (news.view) this.view = asText(news.view);
        if (news.link) this.lastLink = news.link;
        if (news.events?.length) {
            this.events = [...this.events, ...news.events];
            this.#digest = digestOf(this.#digest, news.events);
        }
        if (news.chat?.length) this.chat = [...this.chat, ...news.chat];
        if (news.room || news.link) this.#recordDeal(false);
        this.onNews(news);
    }

    #settle(answer: Answer | Refused): void {
        if (answer.id === "" && answer.type === "refused") this.closeReason = answer.text;
        const pending = this.#requests.get(answer.id);
        if (!pending) return; // an answer told twice
        this.#requests.delete(answer.id);
        this.#publishPending();
        if (answer.type === "refused") pending.reject(new RequestError(answer.text, answer.rule));
        else pending.resolve(answer);
    }

    #send(command: AnyCommand): void {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
    }

    /** Learn what time it is in the house, where clocks are to be shown. */
    #startPings(): void {
        this.#stopPings();
        if (!this.room || this.room.pace === "relaxed") return;
        this.#pingTimers = FIRST_PINGS.map((delay) => window.setTimeout(() => this.#ping(), delay));
        this.#pingTimers.push(window.setInterval(() => this.#ping(), PING_INTERVAL));
    }

    #stopPings(): void {
        for (const timer of this.#pingTimers) window.clearTimeout(timer);
        this.#pingTimers = [];
        this.#pings.clear();
    }

    #ping(): void {
        const ping: Ping = { do: "ping", id: randomHex() };
        this.#pings.set(ping.id, performance.now());
        this.#send(ping);
    }

    #receiveTime(id: string, now: number): void {
        const sent = this.#pings.get(id);
        this.#pings.delete(id);
        if (sent !== undefined) this.time.update(now, performance.now() - sent);
    }

    #publishPending(): void {
        this.pending = [...this.#requests.values()].map((each) => each.command);
    }

    /** Note what the house has told of the deal and the game, and contribute what is asked for. */
    #recordDeal(isSync: boolean): void {
        const room = this.room;
        if (!room) return;
        const place = own(this.#code, this.#player);
        const notes = dealNotes.get(place);
        const wish = contribute(notes, room, randomHex);
        noteTakenBack(notes, room.taken_back);
        if (isSync) noteStory(notes, this.lastLink, this.events);
        else noteLink(notes, this.lastLink, this.events.length, this.#digest);
        dealNotes.keep(place, notes, room.you >= 0); // before anything is sent that must not be forgotten
        this.faults = notes.faults;
        if (!wish || this.#contributed.has(wish.do)) return;
        this.#contributed.add(wish.do);
        this.ask(wish).catch(() => {}); // what came of it stands in the room, for all to see
    }
}

/** What a view shows only now, in words. */
function sightTexts(view: TextView | null): string[] {
    return (view?.sights ?? []).map((sight) => sight.text ?? "");
}

function asText(view: Sync["view"]): TextView | null {
    return view?.kind === "text" ? view : null;
}
