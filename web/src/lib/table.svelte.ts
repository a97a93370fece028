/**
 * The state of one table, kept up to date over a WebSocket, and the commands sent to it.
 *
 * Every command has an id and is kept until its response arrives. After a lost connection it is sent
 * again with the same id, and the server executes it once: no move is lost, and none is made twice.
 */

import { language, words } from "../words";
import { PROTOCOL } from "../wire";
import type {
    AnyCommand,
    AnyMessage,
    ChatMessage,
    Done,
    Event,
    HintAnswer,
    Link,
    Ping,
    Reaction,
    Refused,
    Room,
    Sync,
    TextView,
    Preview,
    Update,
} from "../wire";
import { RequestError } from "./api";
import { ServerTime } from "./server-time.svelte";
import { contribute, digestOf, noteLink, noteEvents, noteTakenBack, type Fault } from "../../witness.js";
import { dealNotes, playerKey } from "./browser-storage.svelte";
import { randomHex } from "./random";

type WithoutId<Each> = Each extends unknown ? Omit<Each, "id"> : never;
export type Command = WithoutId<AnyCommand>;
type Answer = Done | Preview | HintAnswer;
/** "joining" until the first sync, then "open"; "lost" until it is restored; "closed" for good. */
type Connection = "joining" | "open" | "lost" | "closed";

interface PendingRequest {
    command: AnyCommand;
    since: number;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const RESPONSE_TIMEOUT = 6000; // ms without a response: the connection is dead, even if it is not closed
const POLICY_VIOLATION = 1008; // the server refuses this connection; retrying is no use
const SERVER_CLOSES = [1001, 1012]; // it shuts down or restarts
const FIRST_PINGS = [0, 1000, 3000]; // ms after a sync
const PING_INTERVAL = 60_000; // ms; clocks drift apart

export class Table {
    room = $state.raw<Room | null>(null);
    view = $state.raw<TextView | null>(null);
    events = $state.raw<Event[]>([]);
    chat = $state.raw<ChatMessage[]>([]);
    /** The newest link of the hash chain, which binds the server to all events so far. */
    lastLink = $state.raw<Link | null>(null);
    /** Misbehaviour of the server that this browser has detected. */
    faults = $state.raw<readonly Fault[]>([]);
    connection = $state<Connection>("joining");
    closeReason = $state("");
    /** Whether the server announced that it shuts down before the connection was lost. */
    isServerClosing = $state(false);
    /** The latency of each seat's connection, in milliseconds. */
    latencies = $state.raw<readonly (number | null)[]>([]);
    /** Who reacted in the last reaction window, the fastest first. */
    reactions = $state.raw<readonly Reaction[]>([]);
    /** How often a move was taken back while this page was open. */
    takebacks = $state(0);
    readonly time = new ServerTime();
    /** Commands without a response yet. */
    pending = $state.raw<readonly AnyCommand[]>([]);
    /** Called with the changes after each message except the first. */
    onNews: (news: Update) => void = () => {};

    /** Called after a change of language, with what the seat is shown in both languages. */
    onTranslated: (before: string[], now: string[]) => void = () => {};

    #code: string;
    #language = language.code;
    #player: number;
    #socket: WebSocket | null = null;
    #connectedAt = 0; // to give up a connection that never syncs
    #requests = new Map<string, PendingRequest>();
    #isTranslated = false;
    #attempts = 0;
    #retryTimer = 0;
    #timeoutCheck = 0;
    #contributed = new Set<string>(); // the kinds of command sent for the deal
    #digest = ""; // of all events
    #pings = new Map<string, number>();
    #pingTimers: number[] = [];

    /** `player` is the number of the local player who is looking. */
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

    /** Connect again, as whoever the cookies say you are now. */
    reconnect(): void {
        this.#drop();
        this.#connect();
    }

    /** Switch to another language. Pending commands are sent again. */
    setLanguage(code: string): void {
        if (code === this.#language) return;
        this.#language = code;
        this.#isTranslated = true;
        if (this.#socket) this.reconnect();
    }

    /** Send a command; the promise settles with the server's response, however long that takes. */
    request(body: Command): Promise<Answer> {
        const command = { ...body, id: randomHex() } as AnyCommand;
        return new Promise((resolve, reject) => {
            this.#requests.set(command.id, { command, since: Date.now(), resolve, reject });
            this.#publishPending();
            if (this.connection === "open") this.#send(command);
        });
    }

    previewActions = (actions: number[]) => this.request({ do: "preview_actions", actions }) as Promise<Preview>;
    previewText = (text: string) => this.request({ do: "preview_text", text }) as Promise<Preview>;
    hint = (actions: number[]) => this.request({ do: "hint", actions }) as Promise<HintAnswer>;

    #connect(): void {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        const query = `protocol=${PROTOCOL}&view=text&local_player=${this.#player}&lang=${this.#language}`;
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
        // Browsers log an error if a socket is closed before it is open.
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

    /** Retry at once when the network is back or the page is visible again. */
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
        else if (message.type === "latency") this.latencies = message.milliseconds;
        else if (message.type === "reactions") this.reactions = message.reactions;
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
        if (!pending) return; // a repeated response
        this.#requests.delete(answer.id);
        this.#publishPending();
        if (answer.type === "refused") pending.reject(new RequestError(answer.text, answer.rule));
        else pending.resolve(answer);
    }

    #send(command: AnyCommand): void {
        if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(command));
    }

    /** Ping the server for its time, if this table has clocks. */
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

    /** Note what the server says about the deal and the game, and send the contribution it asks for. */
    #recordDeal(isSync: boolean): void {
        const room = this.room;
        if (!room) return;
        const place = playerKey(this.#code, this.#player);
        const notes = dealNotes.get(place);
        const command = contribute(notes, room, randomHex);
        noteTakenBack(notes, room.taken_back);
        if (isSync) noteEvents(notes, this.lastLink, this.events);
        else noteLink(notes, this.lastLink, this.events.length, this.#digest);
        dealNotes.keep(place, notes, room.you >= 0); // before sending what must not be forgotten
        this.faults = notes.faults;
        if (!command || this.#contributed.has(command.do)) return;
        this.#contributed.add(command.do);
        this.request(command).catch(() => {}); // the room shows everybody what came of it
    }
}

/** Return the texts of what a seat is shown privately now. */
function sightTexts(view: TextView | null): string[] {
    return (view?.sights ?? []).map((sight) => sight.text ?? "");
}

function asText(view: Sync["view"]): TextView | null {
    return view?.kind === "text" ? view : null;
}
