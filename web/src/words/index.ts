/** What the client says, in the reader's language. The texts are those of src/cosca/words. */

export { allOf, begin, choose, language, languages, measure, nameOf, oneOf, words } from "./language.svelte";
