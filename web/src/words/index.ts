/** What the client says, in the reader's language; a new language is one more file like en.ts. */

import { en } from "./en";

export type Words = typeof en;

const languages: { [code: string]: Words } = { en };

export const words: Words =
    navigator.languages.map((each) => languages[each.slice(0, 2)]).find((each) => each) ?? en;
