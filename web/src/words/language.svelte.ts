/** The user's language and its texts. Only that language is loaded. */

import { preferred } from "../lib/browser-storage.svelte";
import { compileMessage } from "./message";
import type { Words } from "./generated/types";

type Texts = { [key: string]: string | Texts };

const FALLBACK = "en";
const files = import.meta.glob<Texts>("./generated/*.json", { import: "default" });
const file = (code: string) => files[`./generated/${code}.json`];

let code = $state(FALLBACK);
let current = $state.raw({} as Words);

export const languages = Object.keys(files).map((path) => path.slice("./generated/".length, -".json".length));

/** A proxy, so that a change of language is shown at once. */
export const words = new Proxy({} as Words, { get: (_, key) => current[key as keyof Words] });

export const language = {
    get code(): string {
        return code;
    },
};

/** Return the name of a language in that language. */
export function nameOf(each: string): string {
    const name = new Intl.DisplayNames([each], { type: "language" }).of(each) ?? each;
    return name.charAt(0).toLocaleUpperCase(each) + name.slice(1);
}

/** Load the language chosen in this browser, otherwise the one the browser prefers. */
export async function loadLanguage(): Promise<void> {
    const wanted = [preferred.language, ...navigator.languages].map((each) => each.slice(0, 2));
    await load(wanted.find(file) ?? FALLBACK);
}

/** Switch to another language, and store the choice. */
export async function setLanguage(wanted: string): Promise<void> {
    await load(wanted);
    preferred.language = wanted;
}

async function load(wanted: string): Promise<void> {
    const texts = await file(wanted)?.();
    if (!texts) return;
    current = compile(texts, wanted) as unknown as Words;
    code = wanted;
    document.documentElement.lang = wanted;
}

function compile(texts: Texts, language: string): object {
    const entries = Object.entries(texts).map(([key, text]) => [
        key,
        typeof text === "string" ? compileMessage(text, language) : compile(text, language),
    ]);
    return Object.fromEntries(entries);
}

// --- Formatted by the browser ---

export const allOf = (names: string[]) => new Intl.ListFormat(code, { type: "conjunction" }).format(names);
export const oneOf = (names: string[]) => new Intl.ListFormat(code, { type: "disjunction" }).format(names);

/** Format a number with its unit, as short as possible. */
export function measure(number: number, unit: "day" | "hour" | "minute" | "second" | "millisecond"): string {
    const unitDisplay = unit === "millisecond" ? "short" : "narrow";
    return new Intl.NumberFormat(code, { style: "unit", unit, unitDisplay }).format(number);
}
