/** What a game's drawing is, and where it is found: `drawn/<game>/Drawing.svelte`, loaded when needed. */

import type { Component } from "svelte";
import type { Sound } from "./sounds.svelte";
import type { Stage } from "./stage.svelte";

/** How long an event is played, and how it sounds. */
export interface Scene {
    ms: number;
    sound?: Sound;
    /** Whether the new picture is shown first; else the scene plays over the old one. */
    after?: boolean;
}

/** By the key of an event. Events without a scene change the picture and nothing else. */
export type Scenes = { readonly [key: string]: Scene };

export interface Drawing {
    default: Component<{ stage: Stage }>;
    scenes?: Scenes;
}

const drawings = import.meta.glob<Drawing>("./*/Drawing.svelte");
const find = (game: string) => drawings[`./${game}/Drawing.svelte`];

export const isDrawn = (game: string): boolean => find(game) !== undefined;

/** The drawing of a game; none for a game that has only its text. */
export const drawingOf = async (game: string): Promise<Drawing | null> => (await find(game)?.()) ?? null;
