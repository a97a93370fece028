/**
 * The state behind a drawing: the view that is shown, the scene that plays, the choices, and the pieces that can be
 * touched. It knows no rules; the server says what is legal.
 */

import { tick } from "svelte";
import type { Attachment } from "svelte/attachments";
import { RequestError } from "../lib/api";
import type { MoveDraft } from "../lib/move-draft.svelte";
import type { Table } from "../lib/table.svelte";
import type { ChatMessage, Choice, Event as Happening, Room, TextView } from "../wire";
import { emoteOf, type Emote } from "./emotes";
import type { Scenes } from "./drawing";
import { touchable } from "./piece";
import { sounds } from "./sounds.svelte";
import { snapshot, travel } from "./travel";

/** A piece that can be touched. */
export interface Piece {
    /** Unique in the picture, and the same for as long as the piece exists. */
    id: string;
    /** What a screen reader says, and the heading of its explanation. */
    name: string;
    /** What can be chosen by touching it now. A single choice is taken at once; several open a menu. */
    choices?: readonly Choice[];
    /** Whether even a whole move is only previewed, so that it can be undone until "Do it" is pressed. */
    previewOnly?: boolean;
    /** Called with the choice that was taken, instead of adding it to the move. */
    onChoose?: (choice: Choice) => void;
    /** How it is dragged and dropped on other pieces. Touching it works as usual. */
    drag?: Drag;
    /** The move that touching it would make, such as `["into", 3]`, so that the server can say why it is not legal. */
    move?: readonly [verb: string, ...numbers: number[]];
    /** One sentence that explains it. */
    about?: string;
    /** The rule that says more. */
    rule?: string;
    /** Called when it is touched, instead of everything else; for choices that need more than one touch. */
    onTouch?: ((node: Element) => void) | undefined;
}

/** How something is dragged from one piece to another. */
export interface Drag {
    /** Return what to show at the pointer for a drag that begins here; null to drag nothing. */
    lift: (landed: PointerEvent) => Element | null;
    /** Called with the piece below the pointer, or null, whenever that changes. */
    over?: (id: string | null) => void;
    drop: (id: string, node: Element) => void;
}

/** What is shown at a piece: an explanation, a refusal, or a menu of choices. */
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

export const TRAVEL = 420; // ms a piece takes to travel
const MOST_NEWS = 40; // events of one view; with more, somebody was away, and the view is shown at once
const LONGEST = 16000; // ms of scenes waiting to play; with more, everything is shown at once
const EMOTE_STAYS = 4000; // ms

const isMotionOff = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export function focusOn(node: Element): void {
    if (node instanceof HTMLElement || node instanceof SVGElement) node.focus();
}

export class Stage {
    room: Room = $state.raw()!;
    /** The view that is drawn. While scenes play it may be older than the table's. */
    view: TextView = $state.raw()!;
    /** All events up to the view that is drawn. */
    events = $state.raw<readonly Happening[]>([]);
    /** The event whose scene plays now. */
    scene = $state.raw<Happening | null>(null);
    /** What is legal now, or after the steps chosen so far. */
    choices = $state.raw<readonly Choice[]>([]);
    /** Whether the picture previews a move that is not submitted yet. */
    isPreview = $state(false);
    /** Whether a response of the server is pending. */
    busy = $state(false);
    bubble = $state.raw<Bubble | null>(null);
    /** The gesture each seat has just made. */
    emotes = $state<{ [seat: number]: Emote }>({});
    /** Whether scenes are playing, so that there is something to skip. */
    playing = $state(false);

    root: HTMLElement | null = null;
    scenes: Scenes = {};
    /** Whether scenes play without sound. */
    isQuiet = false;
    #frames: Frame[] = [];
    #endPause: () => void = () => {};
    #isSkipped = false;

    constructor(
        room: Room,
        view: TextView,
        /** Null in a replay, where nothing can be played. */
        readonly table: Table | null = null,
        readonly draft: MoveDraft | null = null,
        events: readonly Happening[] = [],
    ) {
        this.room = room;
        this.view = view;
        this.events = events;
    }

    /** Your seat; negative for spectators. */
    get you(): number {
        return this.room.you;
    }

    /** The numbers of the move so far, to continue from in a piece's `move`; empty before the first step. */
    get numbersSoFar(): number[] {
        return (this.draft?.preview?.move ?? []).filter((part) => typeof part === "number");
    }

    /** Return the choices of a name whose params match. */
    choicesFor(name: string, about: { readonly [param: string]: number | string } = {}): Choice[] {
        const fits = ({ params }: Choice) => Object.entries(about).every(([key, value]) => params[key] === value);
        return this.choices.filter((choice) => choice.name === name && fits(choice));
    }

    // --- The picture ---

    /** Show a view after the scenes that lead to it, or at once if there are none or they should be skipped. */
    show(view: TextView, news: readonly Happening[], events: readonly Happening[]): void {
        const latest = this.#frames.at(-1)?.view ?? this.view;
        if (view === latest) return;
        const frame = { view, news, events };
        this.#frames.push(frame);
        const played = news.filter((event) => this.scenes[event.key]).length;
        if (isMotionOff() || played > MOST_NEWS || this.#waitingMs() > LONGEST || view.reaction_seconds > 0)
            this.skip();
        else if (!played && this.#frames.length === 1) this.#frames = (void this.#display(frame), []);
        else if (!this.playing) void this.#play();
    }

    /** Return how many ms of scenes are waiting. */
    #waitingMs(): number {
        const events = this.#frames.flatMap(({ news }) => news);
        return events.reduce((sum, { key }) => sum + (this.scenes[key]?.ms ?? 0), TRAVEL * this.#frames.length);
    }

    /** Skip all scenes and show the newest view. */
    skip = (): void => {
        const last = this.#frames.at(-1);
        this.#frames = [];
        this.scene = null;
        this.#isSkipped = true;
        this.#endPause();
        if (last) void this.#display(last);
    };

    async #play(): Promise<void> {
        this.playing = true;
        for (let frame = this.#frames[0]; frame; frame = this.#frames[0]) {
            this.#isSkipped = false;
            for (const event of frame.news) {
                const scene = this.scenes[event.key];
                if (!scene || this.#isSkipped) continue;
                if (scene.after) await this.#display(frame);
                if (this.#isSkipped) continue;
                this.scene = event;
                if (scene.sound && !this.isQuiet) sounds.play(scene.sound);
                await this.#pause(scene.ms);
            }
            if (this.#isSkipped) continue; // this frame was skipped; newer ones may still play
            this.scene = null;
            await this.#display(frame);
            if (this.#isSkipped) continue;
            this.#frames.shift();
            if (this.#frames.length > 0) await this.#pause(TRAVEL);
        }
        this.playing = false;
    }

    #pause(ms: number): Promise<void> {
        return new Promise((resolve) => {
            const timer = window.setTimeout(resolve, ms);
            this.#endPause = () => {
                window.clearTimeout(timer);
                resolve();
            };
        });
    }

    async #display({ view, events }: Frame): Promise<void> {
        if (this.view === view) return;
        const before = this.root && !isMotionOff() ? snapshot(this.root) : null;
        this.view = view;
        this.events = events;
        this.bubble = null;
        if (!before) return;
        await tick();
        if (this.root) travel(this.root, before, TRAVEL);
    }

    // --- Playing ---

    /** Take a step. */
    choose = async ({ action }: Choice, previewOnly = false): Promise<void> => {
        const draft = this.draft;
        if (!draft || draft.busy || draft.isSubmitting) return;
        this.skip();
        if (this.bubble?.kind === "pick") focusOn(this.bubble.node); // its button is about to disappear
        this.bubble = null;
        sounds.play("place");
        await draft.choose(action, previewOnly);
    };

    /** Take one of the choices of a piece. */
    take(piece: Piece, choice: Choice): void {
        if (!piece.onChoose) return void this.choose(choice, piece.previewOnly);
        if (this.bubble?.kind === "pick") focusOn(this.bubble.node); // its button is about to disappear
        this.bubble = null;
        piece.onChoose(choice);
    }

    /** Preview these steps in place of those chosen so far. */
    preview = async (actions: number[]): Promise<void> => {
        const draft = this.draft;
        if (!draft || draft.busy || draft.isSubmitting) return;
        this.skip();
        sounds.play("place");
        await draft.previewActions(actions);
    };

    /** Submit the steps chosen so far, followed by these. */
    submit = async (last: readonly Choice[] = []): Promise<void> => {
        const draft = this.draft;
        if (!draft || draft.busy || draft.isSubmitting) return;
        await draft.submit([...draft.steps, ...last.map(({ action }) => action)]);
    };

    /** Respond to a touch on a piece: take its choice, show a menu, show why it cannot be played, or explain it. */
    touch(piece: Piece, node: Element): void {
        const choices = piece.choices ?? [];
        if (piece.onTouch) piece.onTouch(node);
        else if (choices.length === 1 && choices[0]) this.take(piece, choices[0]);
        else if (choices.length > 1) this.showBubble("pick", piece, node, { choices });
        else if (piece.move && this.draft) void this.tryMove(piece, node);
        else this.explain(piece, node);
    }

    explain(piece: Piece, node: Element): void {
        if (piece.about) this.showBubble("about", piece, node, { text: piece.about, rule: piece.rule });
    }

    /** Ask the server why a piece cannot be played; if its move is legal after all, preview it. */
    async tryMove(piece: Piece, node: Element): Promise<void> {
        const [verb, ...numbers] = piece.move ?? [""];
        try {
            const preview = await this.table?.request({ do: "preview_move", verb, numbers });
            if (preview?.type === "preview") await this.draft?.previewActions(preview.actions);
        } catch (error) {
            if (!(error instanceof RequestError)) throw error;
            sounds.play("no");
            this.showBubble("why", piece, node, { text: error.message, rule: error.rule || piece.rule });
        }
    }

    showBubble(
        kind: Bubble["kind"],
        piece: Piece,
        node: Element,
        content: { text?: string; rule?: string | undefined; choices?: readonly Choice[] },
    ): void {
        this.bubble = {
            kind,
            piece,
            node,
            text: content.text ?? "",
            rule: content.rule ?? "",
            choices: content.choices ?? [],
        };
    }

    /** Make an element a piece: `{@attach stage.piece({ id, name, … })}`. */
    piece = (piece: Piece): Attachment<HTMLElement | SVGElement> => touchable(this, piece);

    /** Show a chat message at its seat if it is a gesture. */
    showEmote(said: ChatMessage): void {
        const emote = emoteOf(said.text);
        if (!emote || said.seat < 0) return;
        this.emotes[said.seat] = emote;
        window.setTimeout(() => {
            if (this.emotes[said.seat] === emote) delete this.emotes[said.seat];
        }, EMOTE_STAYS);
    }
}
