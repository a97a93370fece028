/** Checks the record of a game in this browser, beside what the browser itself remembers of it. */

import { words } from "../words";
import { record } from "./house";
import { own, sealed } from "./memory.svelte";

export interface Verdict {
    good: boolean;
    sentences: string[];
}

export async function checkDeal(code: string, you: number, hand = 0): Promise<Verdict> {
    const bytes = await record(code);
    const { verifyBytes } = await import("../../verify.js");
    const verdict = verifyBytes(bytes);
    if (!verdict.ok) {
        const reason = words.over.reasons[verdict.key];
        return { good: false, sentences: [words.over.bad({ line: verdict.line, reason })] };
    }
    const remembered = compare(bytes, own(code, hand), you);
    return {
        good: remembered.every(({ good }) => good),
        sentences: [words.over.good({ steps: verdict.steps }), ...remembered.map(({ sentence }) => sentence)],
    };
}

/** The seal and the entropy in a good record, against those this browser has kept. */
function compare(bytes: Uint8Array, place: string, you: number) {
    const header = JSON.parse(new TextDecoder().decode(bytes).split("\n", 1)[0] ?? "{}");
    const { seal, entropy } = sealed.get(place);
    const sealGood = header.commitment === seal;
    const entropyGood = header.entropy?.[you] === entropy;
    const found = [];
    if (seal) {
        found.push({ good: sealGood, sentence: sealGood ? words.over.sealGood : words.over.sealBad });
    }
    if (entropy && you >= 0) {
        const sentence = entropyGood ? words.over.entropyGood : words.over.entropyBad;
        found.push({ good: entropyGood, sentence });
    }
    return found;
}
