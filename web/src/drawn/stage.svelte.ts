/**
 * What a drawing draws, and how one plays on it: the view that is shown, the scene that is played, the choices
 * there are, and pieces that can be touched. It knows no rule: what may be done, the house says.
 */

import { tick } from "svelte";
import type { Attachment } from "svelte/attachments";
import { RequestError } from "../lib/api";
import type { MoveDraft } from "../lib/move-draft.svelte";
import type { Table } from "../lib/table.svelte";
import type { Choice, Event as Happening, Room, Said, TextView } from "../wire";
import { emoteOf, type Emote } from "./emotes";
import type { Scenes } from "./drawing";
import { touchable } from "./piece";
import { sounds } from "./sounds.svelte";
import { snapshot, travel } from "./travel";

/** A piece that can be touched. */
export interface Piece {
    /** The same for the same piece, as long as it is there. */
    id: string;
    /** What a screen reader says, and the heading of its explanation. */
    name: string;
    /** What touching it may mean now: one is chosen at once, of several one is picked. */
    choices?: readonly Choice[];
    /** Whether a step is only considered, to be undone until "Do it", even where it is a whole move. */
    considers?: boolean;
    /** What choosing one of them does, where it is not simply the next step. */
    takes?: (choice: Choice) => void;
    /** How it is picked up and dropped on other pieces; touching it does the same as ever. */
    carries?: Carries;
    /** The move it would mean, as `["into", 3]`, so that the house can say why not. */
    means?: readonly [verb: string, ...numbers: number[]];
    /** A sentence on what it is. */
    about?: string;
    /** The rule that tells more. */
    rule?: string;
    /** What touching it does instead, where a step of the house needs more than one touch. */
    does?: ((node: Element) => void) | undefined;
}

/** How something is carried over the table, from a piece to another. */
export interface Carries {
    /** What is picked up where the hand landed: it is seen at the pointer. None: nothing is. */
    lift: (landed: PointerEvent) => Element | null;
    /** It is held over a piece, or over none, or let go of. */
    over?: (id: string | null) => void;
    drop: (id: string, node: Element) => void;
}

/** What is said at a piece: what it is, why not, or which of several choices. */
export interface Bubble {
    kind: "about" | "why" | "pick";
    piece: Piece;
    node: Element;
    text: string;
    rule: string;
    choices: readonly Choice[];
}

interface Frame {
    view: TextView;
    news: readonly Happening[];
    events: readonly Happening[];
}

export const TRAVEL = 420; // ms for a piece on its way
const MOST_NEWS = 40; // of a view; with more of them somebody was away, and it is shown at once
const LONGEST = 16000; // ms of scenes that wait to be played; with more of them all is shown at once
const EMOTE_STAYS = 4000; // ms

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export function focusOn(node: Element): void {
    if (node instanceof HTMLElement || node instanceof SVGElement) node.focus();
}

export class Stage {
    room: Room = $state.raw()!;
    /** What is drawn: while scenes play it may be older than the table. */
    view: TextView = $state.raw()!;
    /** All that had happened when the table was as it is drawn. */
    events = $state.raw<readonly Happening[]>([]);
    /** What is being played, if anything. */
    scene = $state.raw<Happening | null>(null);
    /** What may be done now: of the table as it is, or as it would be after the steps so far. */
    choices = $state.raw<readonly Choice[]>([]);
    /** Whether a move is in the making, so that the picture shows what would be. */
    imagined = $state(false);
    /** Whether an answer of the house is awaited. */
    busy = $state(false);
    bubble = $state.raw<Bubble | null>(null);
    /** What each seat has just expressed. */
    emotes = $state<{ [seat: number]: Emote }>({});
    /** Whether there is something to skip. */
    playing = $state(false);

    root: HTMLElement | null = null;
    scenes: Scenes = {};
    /** Whether it makes no sound. */
    isQuiet = false;
    #frames: Frame[] = [];
    #wake: () => void = () => {};
    #hurry = false;

    constructor(
        room: Room,
        view: TextView,
        /** None in a replay: there is nothing to do. */
        readonly table: Table | null = null,
        readonly mover: MoveDraft | null = null,
        events: readonly Happening[] = [],
    ) {
        this.room = room;
        this.view = view;
        this.events = events;
    }

    /** The own seat; below 0 for who watches. */
    get you(): number {
        return this.room.you;
    }

    /** The numbers of the move so far, to go on from in `means`; none before the first step. */
    get soFar(): number[] {
        return (this.mover?.thought?.move ?? []).filter((part) => typeof part === "number");
    }

    /** Of the choices those of a kind, and about these pieces. */
    offers(name: string, about: { readonly [param: string]: number | string } = {}): Choice[] {
        const fits = ({ params }: Choice) => Object.entries(about).every(([key, value]) => params[key] === value);
        return this.choices.filter((choice) => choice.name === name && fits(choice));
    }

    // --- The picture ---

    /** Show a view, after what led to it; at once if nothing did, or nobody wants to see it. */
    show(view: TextView, news: readonly Happening[], events: readonly Happening[]): void {
        const latest = this.#frames.at(-1)?.view ?? this.view;
        if (view === latest) return;
        const frame = { view, news, events };
        this.#frames.push(frame);
        const played = news.filter((event) => this.scenes[event.key]).length;
        if (isStill() || played > MOST_NEWS || this.#waiting() > LONGEST || view.race > 0) this.skip();
        else if (!played && this.#frames.length === 1) this.#frames = (void this.#land(frame), []);
        else if (!this.playing) void this.#play();
    }

    /** How long it takes to play all that waits. */
    #waiting(): number {
        const events = this.#frames.flatMap(({ news }) => news);
        return events.reduce((sum, { key }) => sum + (this.scenes[key]?.ms ?? 0), TRAVEL * this.#frames.length);
    }

    /** On to the latest picture, now. */
    skip = (): void => {
        const last = this.#frames.at(-1);
        this.#frames = [];
        this.scene = null;
        this.#hurry = true;
        this.#wake();
        if (last) void this.#land(last);
    };

    async #play(): Promise<void> {
        this.playing = true;
        for (let frame = this.#frames[0]; frame; frame = this.#frames[0]) {
            this.#hurry = false;
            for (const event of frame.news) {
                const scene = this.scenes[event.key];
                if (!scene || this.#hurry) continue;
                if (scene.after) await this.#land(frame);
                if (this.#hurry) continue;
                this.scene = event;
                if (scene.sound && !this.isQuiet) sounds.play(scene.sound);
                await this.#pause(scene.ms);
            }
            if (this.#hurry) continue; // it is behind; what has come since may still be played
            this.scene = null;
            await this.#land(frame);
            if (this.#hurry) continue;
            this.#frames.shift();
            if (this.#frames.length > 0) await this.#pause(TRAVEL);
        }
        this.playing = false;
    }

    #pause(ms: number): Promise<void> {
        return new Promise((resolve) => {
            const timer = window.setTimeout(resolve, ms);
            this.#wake = () => {
                window.clearTimeout(timer);
                resolve();
            };
        });
    }

    async #land({ view, events }: Frame): Promise<void> {
        if (this.view === view) return;
        const before = this.root && !isStill() ? snapshot(this.root) : null;
        this.view = view;
        this.events = events;
        this.bubble = null;
        if (!before) return;
        await tick();
        if (this.root) travel(this.root, before, TRAVEL);
    }

    // --- Playing ---

    /** Take a step. */
    choose = async ({ action }: Choice, considers = false): Promise<void> => {
        const mover = this.mover;
        if (!mover || mover.busy || mover.moving) return;
        this.skip();
        if (this.bubble?.kind === "pick") focusOn(this.bubble.node); // for its button is about to go
        this.bubble = null;
        sounds.play("place");
        await mover.choose(action, considers);
    };

    /** Take one of the choices of a piece. */
    take(piece: Piece, choice: Choice): void {
        if (!piece.takes) return void this.choose(choice, piece.considers);
        if (this.bubble?.kind === "pick") focusOn(this.bubble.node); // for its button is about to go
        this.bubble = null;
        piece.takes(choice);
    }

    /** Consider these steps in place of those so far. */
    consider = async (actions: number[]): Promise<void> => {
        const mover = this.mover;
        if (!mover || mover.busy || mover.moving) return;
        this.skip();
        sounds.play("place");
        await mover.consider({ actions });
    };

    /** Hand in the steps so far, and with them this one. */
    handIn = async (last: readonly Choice[] = []): Promise<void> => {
        const mover = this.mover;
        if (!mover || mover.busy || mover.moving) return;
        await mover.handIn([...mover.steps, ...last.map(({ action }) => action)]);
    };

    /** A piece was touched: choose, let pick, say why not, or say what it is. */
    touch(piece: Piece, node: Element): void {
        const choices = piece.choices ?? [];
        if (piece.does) piece.does(node);
        else if (choices.length === 1 && choices[0]) this.take(piece, choices[0]);
        else if (choices.length > 1) this.say("pick", piece, node, { choices });
        else if (piece.means && this.mover) void this.why(piece, node);
        else this.explain(piece, node);
    }

    explain(piece: Piece, node: Element): void {
        if (piece.about) this.say("about", piece, node, { text: piece.about, rule: piece.rule });
    }

    /** Let the house say why a piece cannot be played; should it be legal after all, it is considered. */
    async why(piece: Piece, node: Element): Promise<void> {
        const [verb, ...numbers] = piece.means ?? [""];
        try {
            const thought = await this.table?.ask({ do: "try", verb, numbers });
            if (thought?.type === "thought") await this.mover?.consider(thought);
        } catch (error) {
            if (!(error instanceof RequestError)) throw error;
            sounds.play("no");
            this.say("why", piece, node, { text: error.message, rule: error.rule || piece.rule });
        }
    }

    say(
        kind: Bubble["kind"],
        piece: Piece,
        node: Element,
        told: { text?: string; rule?: string | undefined; choices?: readonly Choice[] },
    ): void {
        this.bubble = { kind, piece, node, text: told.text ?? "", rule: told.rule ?? "", choices: told.choices ?? [] };
    }

    /** Make an element a piece: `{@attach stage.piece({ id, name, … })}`. */
    piece = (piece: Piece): Attachment<HTMLElement | SVGElement> => touchable(this, piece);

    /** Somebody has said something; it may be a gesture. */
    hear(said: Said): void {
        const emote = emoteOf(said.text);
        if (!emote || said.seat < 0) return;
        this.emotes[said.seat] = emote;
        window.setTimeout(() => {
            if (this.emotes[said.seat] === emote) delete this.emotes[said.seat];
        }, EMOTE_STAYS);
    }
}
