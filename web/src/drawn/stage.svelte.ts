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
import { touchable } from "./piece";
import { Playback, TRAVEL, isMotionOff } from "./playback.svelte";
import { sounds } from "./sounds.svelte";
import { snapshot, travel } from "./travel";

/** A piece that can be touched. */
export interface Piece {
    /** Unique in the picture, and the same for as long as the piece exists. */
    id: string;
    /** What a screen reader says, and the heading of its explanation. */
    name: string;
    /** What can be chosen by touching it now. A single choice is taken; several open a menu. */
    choices?: readonly Choice[];
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
    /** Called when it is touched, instead of everything else; for choices that need more than one touch, which are
     *  still listed in `choices`. */
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

const LEAVE = 300; // ms to move the pointer from a piece to its bubble
const EMOTE_STAYS = 4000; // ms

export function focusOn(node: Element): void {
    if (node instanceof HTMLElement || node instanceof SVGElement) node.focus();
}

export class Stage {
    room: Room = $state.raw()!;
    /** The view that is drawn. While scenes play it may be older than the table's. */
    view: TextView = $state.raw()!;
    /** All events up to the view that is drawn. */
    events = $state.raw<readonly Happening[]>([]);
    /** What is legal now, or after the steps chosen so far; empty until the picture has caught up with the table. */
    choices = $state.raw<readonly Choice[]>([]);
    /** Whether the picture previews a move that is not submitted yet. */
    isPreview = $state(false);
    /** Whether the clock of a reaction window runs, if one is open. */
    hasClock = $state(true);
    /** Whether a response of the server is pending. */
    busy = $state(false);
    bubble = $state.raw<Bubble | null>(null);
    /** The gesture each seat has just made. */
    emotes = $state<{ [seat: number]: Emote }>({});

    root: HTMLElement | null = null;
    /** The piece whose choice was taken last. */
    #taken = "";
    #leaveTimer = 0;

    constructor(
        room: Room,
        view: TextView,
        /** Null in a replay, where nothing can be played. */
        readonly table: Table | null = null,
        readonly draft: MoveDraft | null = null,
        events: readonly Happening[] = [],
        readonly playback: Playback = new Playback(),
    ) {
        this.room = room;
        this.view = view;
        this.events = events;
    }

    /** The seconds to react in the window that is drawn; 0 if speed does not count, or no clock runs. */
    get reactionSeconds(): number {
        return this.hasClock ? this.view.reaction_seconds : 0;
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

    /** The event whose scene plays now. */
    get scene(): Happening | null {
        return this.playback.scene;
    }

    /** Skip all scenes and show the table as it is now. */
    skip = (): void => this.playback.skip();

    /** Draw a view; what has moved travels there. */
    async display(view: TextView, events: readonly Happening[]): Promise<void> {
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
    choose = async ({ action }: Choice): Promise<void> => {
        const draft = this.draft;
        if (!draft || draft.busy || draft.isSubmitting) return;
        this.skip();
        if (this.bubble?.kind === "pick") focusOn(this.bubble.node); // its button is about to disappear
        this.bubble = null;
        sounds.play("place");
        await draft.choose(action);
    };

    /** Take one of the choices of a piece. */
    take(piece: Piece, choice: Choice): void {
        this.#taken = piece.id;
        if (!piece.onChoose) return void this.choose(choice);
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

    /** Return whether a touch on this piece makes the move: it was put together by touching this piece before. */
    #isConfirmed(piece: Piece): boolean {
        return this.draft?.preview?.complete === true && this.#taken === piece.id && !piece.choices?.length;
    }

    /** Respond to a touch on a piece: take its choice, show a menu, show why it cannot be played, or explain it. */
    touch(piece: Piece, node: Element): void {
        const choices = piece.choices ?? [];
        this.bubble = null;
        if (this.#isConfirmed(piece)) void this.submit();
        else if (piece.onTouch) piece.onTouch(node);
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
        this.enterBubble();
        this.bubble = {
            kind,
            piece,
            node,
            text: content.text ?? "",
            rule: content.rule ?? "",
            choices: content.choices ?? [],
        };
    }

    // --- Bubbles ---

    /** Keep a bubble open while the pointer is on it or on its piece. */
    enterBubble = (): void => window.clearTimeout(this.#leaveTimer);

    /** Close a bubble soon, because the pointer has left it or its piece. A menu stays until something is chosen. */
    leaveBubble = (): void => {
        const left = this.bubble;
        this.enterBubble();
        if (!left || left.kind === "pick") return;
        this.#leaveTimer = window.setTimeout(() => this.closeBubble(left), LEAVE);
    };

    /** Close a bubble, if it is still this one. */
    closeBubble = (bubble: Bubble | null = this.bubble): void => {
        if (this.bubble === bubble) this.bubble = null;
    };

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
