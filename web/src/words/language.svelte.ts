/** Which language this browser reads, and what the client says in it. Only that one is loaded. */

import { remembered } from "../lib/browser-storage.svelte";
import { message } from "./message";
import type { Words } from "./told/shape";

type Told = { [key: string]: string | Told };

const FALLBACK = "en";
const files = import.meta.glob<Told>("./told/*.json", { import: "default" });
const file = (code: string) => files[`./told/${code}.json`];

let code = $state(FALLBACK);
let told = $state.raw({} as Words);

export const languages = Object.keys(files).map((path) => path.slice("./told/".length, -".json".length));

/** Read anew wherever it is shown, so that another language is seen at once. */
export const words = new Proxy({} as Words, { get: (_, key) => told[key as keyof Words] });

export const language = {
    get code(): string {
        return code;
    },
};

/** What a language is called by those who speak it. */
export function nameOf(each: string): string {
    const name = new Intl.DisplayNames([each], { type: "language" }).of(each) ?? each;
    return name.charAt(0).toLocaleUpperCase(each) + name.slice(1);
}

/** Begin with what was chosen on this device, or else with what the browser prefers. */
export async function begin(): Promise<void> {
    const wanted = [remembered.language, ...navigator.languages].map((each) => each.slice(0, 2));
    await load(wanted.find(file) ?? FALLBACK);
}

/** Speak another language from now on. */
export async function choose(wanted: string): Promise<void> {
    await load(wanted);
    remembered.language = wanted;
}

async function load(wanted: string): Promise<void> {
    const texts = await file(wanted)?.();
    if (!texts) return;
    told = made(texts, wanted) as unknown as Words;
    code = wanted;
    document.documentElement.lang = wanted;
}

function made(texts: Told, language: string): object {
    const entries = Object.entries(texts).map(([key, text]) => [
        key,
        typeof text === "string" ? message(text, language) : made(text, language),
    ]);
    return Object.fromEntries(entries);
}

// --- What every browser can say by itself ---

export const allOf = (names: string[]) => new Intl.ListFormat(code, { type: "conjunction" }).format(names);
export const oneOf = (names: string[]) => new Intl.ListFormat(code, { type: "disjunction" }).format(names);

/** A number with its unit, as short as it is written. */
export function measure(number: number, unit: "day" | "hour" | "minute" | "second" | "millisecond"): string {
    const unitDisplay = unit === "millisecond" ? "short" : "narrow";
    return new Intl.NumberFormat(code, { style: "unit", unit, unitDisplay }).format(number);
}
