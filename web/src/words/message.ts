/** Compiles a text of a language file, with params such as `{name}` and `{name, plural, =1 {…} other {# …}}`. */

export type Params = { [name: string]: string | number };
export type Message = string | ((params: Params) => string);

const PARAM = /\{(\w+)(?:, plural,((?: *(?:=\d+|other) \{[^{}]*\})+))?\}/g;
const PLURAL_FORM = /(=\d+|other) \{([^{}]*)\}/g;

export function compileMessage(text: string, language: string): Message {
    if (!text.includes("{")) return text;
    const numbers = new Intl.NumberFormat(language, { useGrouping: "always" }); // as the server writes them
    const format = (value: string | number = "") => (typeof value === "number" ? numbers.format(value) : value);
    return (params) =>
        text.replace(PARAM, (_, name: string, plural?: string) => {
            const value = params[name];
            return plural ? pluralForm(plural, value).replaceAll("#", format(value)) : format(value);
        });
}

/** Return the plural form for a number. */
function pluralForm(plural: string, number: string | number | undefined): string {
    const forms = new Map([...plural.matchAll(PLURAL_FORM)].map(([, when, text]) => [when, text]));
    return forms.get(`=${number}`) ?? forms.get("other") ?? "";
}
