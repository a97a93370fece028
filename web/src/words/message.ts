/** Compiles a text of a language file, with params such as `{name}` and `{name, plural, =1 {…} other {# …}}`. */

export type Params = { [name: string]: string | number };
export type Message = string | ((params: Params) => string);

const HOLE = /\{(\w+)(?:, plural,((?: *(?:=\d+|other) \{[^{}]*\})+))?\}/g;
const FORM = /(=\d+|other) \{([^{}]*)\}/g;

export function message(text: string, language: string): Message {
    if (!text.includes("{")) return text;
    const numbers = new Intl.NumberFormat(language);
    const told = (value: string | number = "") => (typeof value === "number" ? numbers.format(value) : value);
    return (params) =>
        text.replace(HOLE, (_, name: string, plural?: string) => {
            const value = params[name];
            return plural ? form(plural, value).replaceAll("#", told(value)) : told(value);
        });
}

/** Return the plural form for a number. */
function form(plural: string, number: string | number | undefined): string {
    const forms = new Map([...plural.matchAll(FORM)].map(([, when, text]) => [when, text]));
    return forms.get(`=${number}`) ?? forms.get("other") ?? "";
}
