import { expect, test } from "vitest";
import { compileMessage } from "../src/words/message";

/** Return a message with its params filled in. */
function filled(text: string, params: { [name: string]: string | number }, language = "en"): string {
    const compiled = compileMessage(text, language);
    return typeof compiled === "string" ? compiled : compiled(params);
}

test("a message without params is a string", () => {
    expect(compileMessage("Your move", "en")).toBe("Your move");
});

test("params are filled in, numbers as the language writes them", () => {
    expect(filled("{name} has {count}", { name: "Ada", count: 12_345 })).toBe("Ada has 12,345");
    expect(filled("{name} hat {count}", { name: "Ada", count: 12_345 }, "de")).toBe("Ada hat 12.345");
    expect(filled("{name} has {count}", { name: "Ada" })).toBe("Ada has ");
});

test("a plural takes the form of its number", () => {
    const text = "{men, plural, =0 {nobody} =1 {one man} other {# men}}";
    expect([0, 1, 2].map((men) => filled(text, { men }))).toEqual(["nobody", "one man", "2 men"]);
});
