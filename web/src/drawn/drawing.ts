/** A game's drawing, loaded on demand from `drawn/<game>/Drawing.svelte`. */

import type { Component } from "svelte";
import type { Event as Happening, TextView } from "../wire";
import type { Sound } from "./sounds.svelte";
import type { Stage } from "./stage.svelte";

/** How long an event is shown, and which sound it makes. */
export interface Scene {
    ms: number;
    sound?: Sound;
    /** Whether the new picture is shown before the scene; otherwise the scene plays over the old picture. */
    after?: boolean;
}

/** Scenes by event key. Events without a scene only change the picture. */
export type Scenes = { readonly [key: string]: Scene };

/** Returns the position after an event, so that the next scene plays over it; null if the picture does not change yet. */
export type PositionAfter = (position: TextView["position"], event: Happening) => TextView["position"] | null;

export interface Drawing {
    default: Component<{ stage: Stage }>;
    scenes?: Scenes;
    positionAfter?: PositionAfter;
}

const drawings = import.meta.glob<Drawing>("./*/Drawing.svelte");
const find = (game: string) => drawings[`./${game}/Drawing.svelte`];

export const isDrawn = (game: string): boolean => find(game) !== undefined;

/** Load the drawing of a game; null if the game has only the text view. */
export const drawingOf = async (game: string): Promise<Drawing | null> => (await find(game)?.()) ?? null;
