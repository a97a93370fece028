/** Names and explanations of pieces, in the user's language. */

import { words } from "../../words";
import {
    BODYGUARD,
    BOMB,
    DEFECTOR,
    FACES,
    FAMILIES,
    HITS,
    KINDS,
    NOTES,
    SECOND,
    at,
    blackOf,
    shopsOf,
    type Position,
    type Shop,
} from "./box";

export const familyOf = (colour: number): string => words.drawn.sicilianos.family[FAMILIES[colour] ?? "red"];
export const crestOf = (colour: number): string => words.drawn.sicilianos.crest[FAMILIES[colour] ?? "red"];
export const kindOf = (kind: number): string => words.drawn.sicilianos.kind[KINDS[kind] ?? "laundry"];
export const faceOf = (face: number): string => words.drawn.sicilianos.face[FACES[face] ?? "two"];
export const thousands = (number: number): string => words.drawn.sicilianos.thousands({ number });
export const cardOf = (colour: number, value: number): string =>
    words.drawn.sicilianos.card({ family: familyOf(colour), value });

export const shopOf = ({ colour, kind }: Shop): string =>
    kind >= 0
        ? words.drawn.sicilianos.shop({ family: familyOf(colour), kind: kindOf(kind) })
        : words.drawn.sicilianos.hiddenShop({ family: familyOf(colour) });

/** Return what a card can do, and the rule about it. */
export function aboutCard(position: Position, colour: number, value: number): { about: string; rule: string } {
    if (value === BODYGUARD) return { about: words.drawn.sicilianos.aboutBodyguard, rule: "S-12" };
    if (value === BOMB) {
        const families = (HITS[position.bombs]?.[colour] ?? []).map(familyOf).join(", ");
        return { about: words.drawn.sicilianos.aboutBomb({ families }), rule: "S-11" };
    }
    if (value === DEFECTOR)
        return {
            about: words.drawn.sicilianos.aboutDefector({
                family: familyOf(SECOND[position.defectors]?.[colour] ?? 0),
            }),
            rule: "S-9",
        };
    return { about: words.drawn.sicilianos.aboutCard({ value, family: familyOf(colour) }), rule: "S-8" };
}

/** Describe a player's place for screen readers. */
export function placeOf(position: Position, seat: number, name: string): string {
    const held = (position.hands[seat] ?? []).flatMap((number, colour) =>
        number ? [words.drawn.sicilianos.hand({ number, family: familyOf(colour) })] : [],
    );
    return words.drawn.sicilianos.place({
        name,
        cards: held.join(", ") || words.drawn.sicilianos.noCards,
        black: thousands(blackOf(position.notes[seat])),
        clean: thousands(at(position.laundered, seat)),
        shops: shopsOf(position, seat).map(shopOf).join(", ") || words.drawn.sicilianos.noShops,
    });
}

/** List notes, as in "2 × 5,000, 1 × 10,000". */
export const notesOf = (notes: readonly number[] = []): string =>
    NOTES.flatMap((worth, note) => (at(notes, note) ? [`${at(notes, note)} × ${thousands(worth)}`] : [])).join(", ") ||
    "0";
