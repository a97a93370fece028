import { expect, test } from "vitest";
import { compileMessage } from "../src/words/message";

/** A sentence with its params filled in. */
function said(text: string, params: { [name: string]: string | number }, language = "en"): string {
    const made = compileMessage(text, language);
    return typeof made === "string" ? made : made(params);
}

test("a sentence without params is itself", () => {
    expect(compileMessage("Your move", "en")).toBe("Your move");
});

test("params are filled in, numbers as the language writes them", () => {
    expect(said("{name} has {count}", { name: "Ada", count: 12_345 })).toBe("Ada has 12,345");
    expect(said("{name} hat {count}", { name: "Ada", count: 12_345 }, "de")).toBe("Ada hat 12.345");
    expect(said("{name} has {count}", { name: "Ada" })).toBe("Ada has ");
});

test("a plural takes the form of its number", () => {
    const text = "{men, plural, =0 {nobody} =1 {one man} other {# men}}";
    expect([0, 1, 2].map((men) => said(text, { men }))).toEqual(["nobody", "one man", "2 men"]);
});
