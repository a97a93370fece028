/**
 * What touching a piece of this table means. What may be done, the house says; here is only how its steps, which
 * name players and places one after another, become cards that are touched.
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

/** How a card looks to who looks. */
export interface Look {
    kind: number;
    sight: boolean;
    memory: boolean;
}

/** Of these the own card is touched, and that is all. */
const OWN_CARD = ["replace", "look_at", "load", "load_too", "exchange"];
const REACTIONS = ["snap", "assassin"];
/** Steps that have no card of their own. */
const WITHOUT_CARD = ["call", "nothing", "no_snap", "no_assassin", "decline", "load_only", "leave_safe"];
const REACTION_SCENES = ["snapped", "blocked"];
const TIE = 15; // ms that the house cannot tell apart
const SLOT = 46; // as in pieces.py: an own answer names the card

export class Play {
    /** The first of two that are touched one after the other. */
    picked = $state.raw<{ seat: number; slot: number } | null>(null);
    /** The own card that the hand is on its way to. */
    reactingSlot = $state(-1);

    readonly position: Position = $derived.by(() => this.stage.view.position as unknown as Position);
    readonly tracked: TrackedCards = $derived.by(() => trackCards(this.stage.events, this.position.rows.length));
    readonly targets = $derived.by(() => targetsOf(this.position));
    /** What is being played now, without the name of the game. */
    readonly scene = $derived.by(() => this.stage.scene?.key.slice("omerta.".length) ?? "");

    constructor(readonly stage: Stage) {}

    /** Nothing is half picked on another table. */
    reset(): void {
        this.picked = null;
        this.reactingSlot = -1;
    }

    // --- What is to be seen ---

    seatName(seat: number): string {
        return this.stage.room.seats[seat]?.seat_name ?? "";
    }

    face(kind: number): string {
        const character = characterOf(kind);
        if (character) return `${words.drawn.omerta.card[character]} ${worthOf(kind)}`;
        return kind < 0 ? words.drawn.omerta.down : words.drawn.omerta.bottle({ number: kind + 1 });
    }

    /** A card of a row, or of the safe, which comes after the rows. */
    look(seat: number, slot: number): Look {
        const { rows, safe } = this.position;
        const kind = (rows[seat] ?? safe)[slot] ?? FACE_DOWN;
        if (kind >= 0) return { kind, sight: this.position.phase !== "over", memory: false };
        const sight = this.#sightOf(this.card(seat, slot)) ?? this.#shownByMistake(seat, slot);
        if (sight !== undefined) return { kind: sight, sight: true, memory: false };
        const memory = remembered(this.position, seat, slot);
        return { kind: memory, sight: false, memory: memory >= 0 && this.stage.draft !== null };
    }

    /** What is in the hand. */
    hand(): Look {
        const { held } = this.position;
        return { kind: held >= 0 ? held : FACE_DOWN, sight: false, memory: false };
    }

    /** Which card it is, for its way over the table. */
    card(seat: number, slot: number): number | undefined {
        return (this.tracked.rows[seat] ?? this.tracked.safe)[slot];
    }

    #sightOf(card: number | undefined): number | undefined {
        const event = card === undefined ? undefined : this.tracked.sights.get(card);
        const isNow = event && this.stage.view.sights.some((sight) => isSame(sight, event));
        return isNow ? Number(event.params?.card) : undefined;
    }

    /** A mistake: everybody sees the card while it is told. */
    #shownByMistake(seat: number, slot: number): number | undefined {
        const { params } = this.stage.scene ?? {};
        const isThere = params?.seat === seat && params?.slot === slot + 1;
        return isThere && ["wrong", "shown"].includes(this.scene) ? Number(params?.card) : undefined;
    }

    /** Whether somebody looks at that card just now. */
    isLookedAt(seat: number, slot: number): boolean {
        const { params } = this.stage.scene ?? {};
        if (params?.seat !== seat) return false;
        if (this.scene === "looks") return params.slot === slot + 1;
        return this.scene === "peeked" && [params.one_slot, params.other_slot].includes(slot + 1);
    }

    /** Whether an action names that card, in the making, announced, or while it is told. */
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

    // --- What may be touched ---

    /** A card of a row. */
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

    /** What a card or a player means where a player is to be named. */
    #touchSeat(seat: number): Partial<Piece> | null {
        const { stage } = this;
        const choices = [...stage.choicesFor("shuffle", { seat }), ...stage.choicesFor("mamma", { seat })];
        if (choices.length > 0) return { choices };
        const [both, each] = [stage.choicesFor("both", { seat }), stage.choices.filter(({ name }) => name === "each")];
        const pairs = each.filter(({ params }) => params.one === seat || params.other === seat);
        if (both.length + pairs.length === 0) return null;
        const first = this.picked?.seat;
        if (first === undefined) return { onTouch: () => (this.picked = { seat, slot: -1 }) };
        if (first === seat) return both.length > 0 ? { choices: both } : { onTouch: () => (this.picked = null) };
        return { choices: pairs.filter(({ params }) => params.one === first || params.other === first) };
    }

    #touchCard(seat: number, slot: number): Partial<Piece> | null {
        const { stage } = this;
        const named = [
            ...stage.choicesFor("card_of", { seat, slot: slot + 1 }),
            ...stage.choicesFor("watch", { seat, slot: slot + 1 }),
        ];
        if (named.length > 0) return { choices: named };
        if (seat === stage.you) {
            const reaction = REACTIONS.flatMap((name) => stage.choicesFor(name, { slot: slot + 1 }))[0];
            if (reaction) return { onTouch: () => this.#react(reaction, slot) };
            const choices = OWN_CARD.flatMap((name) => stage.choicesFor(name, { slot: slot + 1 }));
            if (choices.length > 0) return { choices };
            const peeks = stage
                .choicesFor("peek")
                .filter(({ params }) => params.slot === slot + 1 || params.other_slot === slot + 1);
            if (peeks.length > 0) return this.#peek(peeks, slot);
        }
        return patrolOn(this.position, seat, slot) ? null : this.#touchOneOfTwo(seat, slot);
    }

    /** O-12, O-19p: whose card, then which one, in one touch; the henchman's two in any order. */
    #touchOneOfTwo(seat: number, slot: number): Partial<Piece> | null {
        const { stage, picked, position } = this;
        const [whose] = [
            ...stage.choicesFor("with", { seat }),
            ...(position.top === PATROL ? stage.choicesFor("of", { seat }) : []),
        ];
        if (whose)
            return {
                onTouch: () =>
                    void this.#chooseTwo(whose, position.top === PATROL ? "watch" : "card_of", {
                        seat,
                        slot: slot + 1,
                    }),
            };
        if (position.top !== HENCHMAN || stage.choicesFor("of").length === 0 || (position.mammas[seat] ?? 0) >= 0)
            return null;
        const isSame = picked?.seat === seat && picked.slot === slot;
        if (!picked || picked.seat === seat) return { onTouch: () => (this.picked = isSame ? null : { seat, slot }) };
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

    #peek(peeks: Choice[], slot: number): Partial<Piece> {
        const { you } = this.stage;
        const first = this.picked?.slot;
        if (first === undefined) return { onTouch: () => (this.picked = { seat: you, slot }) };
        if (first === slot) return { onTouch: () => (this.picked = null) };
        return { choices: peeks.filter(({ params }) => params.slot === first + 1 || params.other_slot === first + 1) };
    }

    #react(choice: Choice, slot: number): void {
        this.reactingSlot = slot;
        void this.stage.choose(choice);
    }

    /** Two steps of the house in one touch. */
    async #chooseTwo(first: Choice, name: string, about: { [param: string]: number }): Promise<void> {
        await this.stage.choose(first, true);
        await tick();
        const [next] = this.stage.choicesFor(name, about);
        if (next) await this.stage.choose(next, true);
    }

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

    /** The house is asked why not only by who is to move; else a piece says what it is. */
    #refusedMove(move: Piece["move"]): Partial<Piece> {
        return move && this.stage.choices.length > 0 ? { move } : {};
    }

    /** A player, where one is to be named. */
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

    /** What can be said rather than touched: Omerta, or that one does nothing. */
    buttons(): Piece[] {
        return this.stage.choices
            .filter(({ name }) => WITHOUT_CARD.includes(name))
            .map((choice) => ({
                id: `say-${choice.name}`,
                name: choice.text,
                choices: [choice],
                previewOnly: choice.name === "call",
            }));
    }

    #choicesOrMove(names: string[], move: NonNullable<Piece["move"]>): Partial<Piece> {
        const choices = names.flatMap((name) => this.stage.choicesFor(name));
        return choices.length > 0 ? { choices } : this.#refusedMove(move);
    }

    aboutFace(kind: number): string {
        const character = characterOf(kind);
        return character ? words.drawn.omerta.does[character] : words.drawn.omerta.aboutBottle;
    }

    /** By how much who has just laid a card was faster than the next; nothing where a lot decides among all. */
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

    /** What the next touch is for, while one of two is picked. */
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
