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

test("an amount is written as the server writes it", () => {
    const amounts = (language: string) => [800, 1_000, -35_000, 1_250_000].map((n) => filled("{n}", { n }, language));
    expect(amounts("en")).toEqual(["800", "1,000", "-35,000", "1,250,000"]);
    expect(amounts("de")).toEqual(["800", "1.000", "-35.000", "1.250.000"]);
    expect(amounts("fr")).toEqual(["800", "1\u202f000", "-35\u202f000", "1\u202f250\u202f000"]);
    expect(amounts("it")).toEqual(["800", "1.000", "-35.000", "1.250.000"]);
});

test("a plural takes the form of its number", () => {
    const text = "{men, plural, =0 {nobody} =1 {one man} other {# men}}";
    expect([0, 1, 2].map((men) => filled(text, { men }))).toEqual(["nobody", "one man", "2 men"]);
});
