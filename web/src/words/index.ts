/** The client's texts in the user's language, from src/cosca/words. */

export {
    allOf,
    loadLanguage,
    setLanguage,
    language,
    languages,
    measure,
    nameOf,
    oneOf,
    words,
} from "./language.svelte";
