/**
 * What each piece of Omerta's table looks like, and what touching it does. The server's choices name players and slots
 * step by step; this turns them into cards and players that can be touched. The server decides what is legal.
 */

import { tick } from "svelte";
import type { Choice, Event as Happening } from "../../wire";
import { language, words } from "../../words";
import type { Piece, Stage } from "../stage.svelte";
import { trackCards, type TrackedCards } from "./cards";
import {
    FACE_DOWN,
    HENCHMAN,
    LADY,
    MAMMA,
    PATROL,
    TRAITOR,
    characterOf,
    patrolOn,
    remembered,
    ruleOf,
    targetsOf,
    worthOf,
    type Position,
} from "./position";

/** How a card looks to the viewer. */
export interface Look {
    kind: number;
    /** Whether its face is visible now. */
    sight: boolean;
    /** Whether it is face down and the server remembers its face for the viewer. */
    memory: boolean;
}

/** Choices that are taken by touching one card of your own row. */
const OWN_CARD = ["replace", "look_at", "load", "load_too", "exchange"];
/** Choices in a race, which are also taken by touching one of your own cards. */
const REACTIONS = ["snap", "assassin"];
/** Choices without a card; each gets a button. */
const WITHOUT_CARD = ["call", "nothing", "no_snap", "no_assassin", "decline", "load_only", "leave_safe"];
const REACTION_SCENES = ["snapped", "blocked"];
const TIE = 15; // ms within which reactions tie, as in reaction_order.py
const SLOT = 46; // the action of slot 0, as in pieces.py

export class Play {
    /** The card or player that was touched first, where a choice needs two touches. A player has slot -1. */
    picked = $state.raw<{ seat: number; slot: number } | null>(null);
    /** The slot of the card you have just reacted with; -1 for none. */
    reactingSlot = $state(-1);

    readonly position: Position = $derived.by(() => this.stage.view.position as unknown as Position);
    readonly tracked: TrackedCards = $derived.by(() => trackCards(this.stage.events, this.position.rows.length));
    readonly targets = $derived.by(() => targetsOf(this.position));
    /** The key of the scene that plays now, without the name of the game. */
    readonly scene = $derived.by(() => this.stage.scene?.key.slice("omerta.".length) ?? "");

    constructor(readonly stage: Stage) {}

    /** Forget what was picked, because the table has changed. */
    reset(): void {
        this.picked = null;
        this.reactingSlot = -1;
    }

    // --- How cards look ---

    seatName(seat: number): string {
        return this.stage.room.seats[seat]?.seat_name ?? "";
    }

    face(kind: number): string {
        const character = characterOf(kind);
        if (character) return `${words.drawn.omerta.card[character]} ${worthOf(kind)}`;
        return kind < 0 ? words.drawn.omerta.down : words.drawn.omerta.bottle({ number: kind + 1 });
    }

    /** Return how a card looks. The safe counts as the seat after the last one. */
    look(seat: number, slot: number): Look {
        const { rows, safe } = this.position;
        const kind = (rows[seat] ?? safe)[slot] ?? FACE_DOWN;
        if (kind >= 0) return { kind, sight: this.position.phase !== "over", memory: false };
        const sight = this.#sightOf(this.card(seat, slot)) ?? this.#shownByMistake(seat, slot);
        if (sight !== undefined) return { kind: sight, sight: true, memory: false };
        const memory = remembered(this.position, seat, slot);
        return { kind: memory, sight: false, memory: memory >= 0 && this.stage.draft !== null };
    }

    /** Return how the drawn card in the active player's hand looks. */
    hand(): Look {
        const { held } = this.position;
        return { kind: held >= 0 ? held : FACE_DOWN, sight: false, memory: false };
    }

    /** Return the identity of a card, by which it travels over the table. */
    card(seat: number, slot: number): number | undefined {
        return (this.tracked.rows[seat] ?? this.tracked.safe)[slot];
    }

    /** Return the face of a card that you are shown privately now. */
    #sightOf(card: number | undefined): number | undefined {
        const event = card === undefined ? undefined : this.tracked.sights.get(card);
        const isNow = event && this.stage.view.sights.some((sight) => isSame(sight, event));
        return isNow ? Number(event.params?.card) : undefined;
    }

    /** Return the face of a card that was laid by mistake; everybody sees it while the scene plays. */
    #shownByMistake(seat: number, slot: number): number | undefined {
        const { params } = this.stage.scene ?? {};
        const isThere = params?.seat === seat && params?.slot === slot + 1;
        return isThere && ["wrong", "shown"].includes(this.scene) ? Number(params?.card) : undefined;
    }

    /** Return whether somebody looks at a card in the scene that plays. */
    isLookedAt(seat: number, slot: number): boolean {
        const { params } = this.stage.scene ?? {};
        if (params?.seat !== seat) return false;
        if (this.scene === "looks") return params.slot === slot + 1;
        return this.scene === "peeked" && [params.one_slot, params.other_slot].includes(slot + 1);
    }

    /** Return whether an action targets a card: one being chosen, one announced, or one whose scene plays. */
    isTarget(seat: number, slot: number): boolean {
        const { params } = this.stage.scene ?? {};
        if (this.scene === "plays_patrol") return params?.other === seat && params?.slot === slot + 1;
        if (this.scene === "plays_henchman")
            return (
                (params?.one === seat && params.slot === slot + 1) ||
                (params?.other === seat && params.other_slot === slot + 1)
            );
        return this.targets.cards.some(([whose, which]) => whose === seat && which === slot);
    }

    isTargetSeat(seat: number): boolean {
        const { params } = this.stage.scene ?? {};
        if (["plays_lady", "plays_mamma", "plays_traitor"].includes(this.scene)) return params?.other === seat;
        if (this.scene === "plays_traitor_on_two") return params?.one === seat || params?.other === seat;
        return this.targets.seats.includes(seat);
    }

    isPicked(seat: number, slot: number): boolean {
        if (this.picked?.seat === seat && (this.picked.slot === slot || this.picked.slot < 0)) return true;
        return seat === this.stage.you && (this.reactingSlot === slot || this.position.answer === SLOT + slot);
    }

    // --- Pieces ---

    /** Return the piece for a card of a row. */
    cardPiece(seat: number, slot: number): Piece {
        const { kind } = this.look(seat, slot);
        const turns = patrolOn(this.position, seat, slot);
        const card = words.drawn.omerta.cardOf({ seat: this.seatName(seat), slot: slot + 1, face: this.face(kind) });
        return {
            id: `card-${seat}-${slot}`,
            name: turns ? words.drawn.omerta.guarded({ card, turns }) : card,
            about: turns
                ? words.drawn.omerta.does.patrol
                : kind >= 0
                  ? this.aboutFace(kind)
                  : seat === this.stage.you
                    ? words.drawn.omerta.aboutOwn
                    : words.drawn.omerta.aboutOther,
            rule: turns ? "O-19p" : kind >= 0 ? ruleOf(kind) : "O-6",
            ...(this.#touchSeat(seat) ??
                this.#touchCard(seat, slot) ??
                this.#refusedMove(this.#moveOnCard(seat, slot))),
        };
    }

    /** Return what touching a player, or any card of theirs, does while a player has to be chosen. */
    #touchSeat(seat: number): Partial<Piece> | null {
        const { stage } = this;
        const choices = [...stage.choicesFor("shuffle", { seat }), ...stage.choicesFor("mamma", { seat })];
        if (choices.length > 0) return { choices };
        const [both, each] = [stage.choicesFor("both", { seat }), stage.choices.filter(({ name }) => name === "each")];
        const pairs = each.filter(({ params }) => params.one === seat || params.other === seat);
        if (both.length + pairs.length === 0) return null;
        const first = this.picked?.seat;
        if (first === undefined)
            return { onTouch: () => (this.picked = { seat, slot: -1 }), choices: [...both, ...pairs] };
        if (first === seat) return both.length > 0 ? { choices: both } : { onTouch: () => (this.picked = null) };
        return { choices: pairs.filter(({ params }) => params.one === first || params.other === first) };
    }

    /** Return what touching a card does while a card has to be chosen. */
    #touchCard(seat: number, slot: number): Partial<Piece> | null {
        const { stage } = this;
        const named = [
            ...stage.choicesFor("card_of", { seat, slot: slot + 1 }),
            ...stage.choicesFor("watch", { seat, slot: slot + 1 }),
        ];
        if (named.length > 0) return { choices: named };
        if (seat === stage.you) {
            const reaction = REACTIONS.flatMap((name) => stage.choicesFor(name, { slot: slot + 1 }))[0];
            if (reaction) return { onTouch: () => this.#react(reaction, slot), choices: [reaction] };
            const choices = OWN_CARD.flatMap((name) => stage.choicesFor(name, { slot: slot + 1 }));
            if (choices.length > 0) return { choices };
            const peeks = stage
                .choicesFor("peek")
                .filter(({ params }) => params.slot === slot + 1 || params.other_slot === slot + 1);
            if (peeks.length > 0) return this.#peek(peeks, slot);
        }
        return patrolOn(this.position, seat, slot) ? null : this.#touchOneOfTwo(seat, slot);
    }

    /** O-12, O-19p: choose a player and one of their cards with one touch; the henchman's two cards in any order. */
    #touchOneOfTwo(seat: number, slot: number): Partial<Piece> | null {
        const { stage, picked, position } = this;
        const [whose] = [
            ...stage.choicesFor("with", { seat }),
            ...(position.top === PATROL ? stage.choicesFor("of", { seat }) : []),
        ];
        if (whose)
            return {
                choices: [whose],
                onTouch: () =>
                    void this.#chooseTwo(whose, position.top === PATROL ? "watch" : "card_of", {
                        seat,
                        slot: slot + 1,
                    }),
            };
        if (position.top !== HENCHMAN || stage.choicesFor("of").length === 0 || (position.mammas[seat] ?? 0) >= 0)
            return null;
        const isSame = picked?.seat === seat && picked.slot === slot;
        const choices = stage.choicesFor("of", { seat });
        if (!picked || picked.seat === seat)
            return { onTouch: () => (this.picked = isSame ? null : { seat, slot }), choices };
        const move = ["swap", picked.seat + 1, picked.slot + 1, seat + 1, slot + 1] as const;
        return { onTouch: (node) => void stage.tryMove({ ...this.#cardName(seat, slot), move }, node) };
    }

    #cardName(seat: number, slot: number): Piece {
        const face = this.face(this.look(seat, slot).kind);
        return {
            id: `card-${seat}-${slot}`,
            name: words.drawn.omerta.cardOf({ seat: this.seatName(seat), slot: slot + 1, face }),
        };
    }

    /** Pick the first of two cards to peek at, or take the choice that has both. */
    #peek(peeks: Choice[], slot: number): Partial<Piece> {
        const { you } = this.stage;
        const first = this.picked?.slot;
        if (first === undefined) return { onTouch: () => (this.picked = { seat: you, slot }), choices: peeks };
        if (first === slot) return { onTouch: () => (this.picked = null) };
        return { choices: peeks.filter(({ params }) => params.slot === first + 1 || params.other_slot === first + 1) };
    }

    #react(choice: Choice, slot: number): void {
        this.reactingSlot = slot;
        void this.stage.choose(choice);
    }

    /** Take a choice, and then the one of that name that follows it. */
    async #chooseTwo(first: Choice, name: string, about: { [param: string]: number }): Promise<void> {
        await this.stage.choose(first);
        await tick();
        const [next] = this.stage.choicesFor(name, about);
        if (next) await this.stage.choose(next);
    }

    /** Return the move that touching a card would make, to ask the server why it is not legal. */
    #moveOnCard(seat: number, slot: number): Piece["move"] {
        if (seat === this.stage.you) return ["card", slot + 1];
        if (this.position.top === PATROL && this.position.phase === "use") return ["watch", seat + 1, slot + 1];
        if (this.position.top === HENCHMAN && this.position.phase === "use") return ["swap", seat + 1, slot + 1];
        return this.#moveOnSeat(seat);
    }

    #moveOnSeat(seat: number): Piece["move"] {
        const { top, phase } = this.position;
        if (phase !== "use") return undefined;
        if (top === LADY || top === MAMMA) return ["target", seat + 1];
        return top === TRAITOR ? ["give", seat + 1, seat + 1] : undefined;
    }

    /** Let the server say why a move is not legal, if it is your turn; otherwise a touch explains the piece. */
    #refusedMove(move: Piece["move"]): Partial<Piece> {
        return move && this.stage.choices.length > 0 ? { move } : {};
    }

    /** Return the piece for a player. */
    seatPiece(seat: number): Piece {
        const player = seat === this.stage.you ? words.seats.you : (this.stage.room.seats[seat]?.name ?? "");
        const name = words.drawn.omerta.seat({
            seat: this.seatName(seat),
            player,
            total: this.position.totals[seat] ?? 0,
        });
        const isWithMamma = (this.position.mammas[seat] ?? -1) >= 0;
        return {
            id: `player-${seat}`,
            name: isWithMamma ? words.drawn.omerta.withMamma({ seat: name }) : name,
            about: isWithMamma ? words.drawn.omerta.does.mamma : words.drawn.omerta.aboutSeat,
            rule: isWithMamma ? "O-19m" : "O-23",
            ...(this.#touchSeat(seat) ?? this.#refusedMove(this.#moveOnSeat(seat))),
        };
    }

    pilePiece(): Piece {
        return {
            id: "pile",
            name: words.drawn.omerta.pile({ number: this.position.pile_count }),
            about: words.drawn.omerta.aboutPile,
            rule: "O-2",
            ...this.#choicesOrMove(["draw"], ["draw"]),
        };
    }

    discardsPiece(): Piece {
        const { top, discarded, held } = this.position;
        const [step] = ["take", "discard"].flatMap((name) => this.stage.choicesFor(name));
        return {
            id: "discards",
            name: discarded
                ? words.drawn.omerta.discards({ face: this.face(top), number: discarded })
                : words.drawn.omerta.noDiscards,
            about: discarded ? this.aboutFace(top) : words.drawn.omerta.aboutDiscards,
            rule: discarded ? ruleOf(top) : "O-2",
            ...(step ? { choices: [step] } : this.#refusedMove(held >= FACE_DOWN ? ["discard"] : ["take"])),
        };
    }

    safePiece(): Piece {
        return {
            id: "safe",
            name: words.drawn.omerta.safe,
            about: words.drawn.omerta.aboutSafe,
            rule: "O-18",
            ...this.#choicesOrMove(["look"], ["look"]),
        };
    }

    inSafePiece(place: number): Piece {
        const { kind } = this.look(this.position.rows.length, place);
        const choices = this.stage.choicesFor("into", { place: place + 1 });
        return {
            id: `safe-${place}`,
            name: words.drawn.omerta.inSafe({ place: place + 1, face: this.face(kind) }),
            about: kind >= 0 ? this.aboutFace(kind) : words.drawn.omerta.aboutSafe,
            rule: kind >= 0 ? ruleOf(kind) : "O-18",
            ...(choices.length > 0 ? { choices } : this.#choicesOrMove(["look"], ["into", place + 1])),
        };
    }

    handPiece(): Piece {
        const { held, active } = this.position;
        return {
            id: "hand",
            name: words.drawn.omerta.held({ seat: this.seatName(active), face: this.face(held) }),
            about: held >= 0 ? this.aboutFace(held) : words.drawn.omerta.aboutHeld,
            rule: held >= 0 ? ruleOf(held) : "O-3",
        };
    }

    /** Return the choices without a card, such as calling Omerta or passing, as buttons. */
    buttons(): Piece[] {
        return this.stage.choices
            .filter(({ name }) => WITHOUT_CARD.includes(name))
            .map((choice) => ({ id: `say-${choice.name}`, name: choice.text, choices: [choice] }));
    }

    /** Return the choices of these names; if there are none, the move to ask about. */
    #choicesOrMove(names: string[], move: NonNullable<Piece["move"]>): Partial<Piece> {
        const choices = names.flatMap((name) => this.stage.choicesFor(name));
        return choices.length > 0 ? { choices } : this.#refusedMove(move);
    }

    aboutFace(kind: number): string {
        const character = characterOf(kind);
        return character ? words.drawn.omerta.does[character] : words.drawn.omerta.aboutBottle;
    }

    /** Say by how much the player who just laid a card was faster than the next; empty if reactions are sealed. */
    lead(): string {
        const reactions = this.stage.table?.reactions ?? [];
        const at = reactions.findIndex(({ seat }) => seat === this.stage.scene?.params?.seat);
        const [first, next] = [reactions[at], reactions[at + 1]];
        if (!REACTION_SCENES.includes(this.scene) || this.position.sealed || !first) return "";
        const seat = this.seatName(first.seat);
        const seconds = inSeconds(first.took_ms);
        if (!next) return words.drawn.omerta.alone({ seat, seconds });
        const other = this.seatName(next.seat);
        const lead = next.took_ms - first.took_ms;
        return lead > TIE
            ? words.drawn.omerta.faster({ seat, seconds, other, lead: inSeconds(lead) })
            : words.drawn.omerta.hair({ seat, seconds, other });
    }

    /** Say what to touch next, while the first of two is picked. */
    hint(): string {
        const { picked, stage } = this;
        if (!picked || stage.choices.length === 0) return "";
        if (picked.slot < 0) return words.drawn.omerta.giveNext({ seat: this.seatName(picked.seat) });
        return stage.choicesFor("peek").length > 0 ? words.drawn.omerta.peekNext : words.drawn.omerta.swapNext;
    }
}

function inSeconds(ms: number): string {
    return new Intl.NumberFormat(language.code, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
        ms / 1000,
    );
}

function isSame(one: Happening, other: Happening): boolean {
    const params = Object.entries(one.params ?? {});
    return one.key === other.key && params.every(([name, value]) => other.params?.[name] === value);
}
