import { expect, test } from "vitest";
import { readMarkdown } from "../src/lib/markdown";

const plain = (text: string) => ({ kind: "text", text });

test("headings, paragraphs and lists are read, even without empty lines between them", () => {
    expect(readMarkdown("## Setup\r\nEach player takes:\n- ten men,\n  all of a colour\n- a card\n\n1. Deal.")).toEqual(
        [
            { kind: "heading", level: 2, words: [plain("Setup")] },
            { kind: "paragraph", words: [plain("Each player takes:")] },
            { kind: "list", ordered: false, items: [[plain("ten men, all of a colour")], [plain("a card")]] },
            { kind: "list", ordered: true, items: [[plain("Deal.")]] },
        ],
    );
});

test("tables are read", () => {
    expect(readMarkdown("| card | worth |\n|---|---|\n| Don | 10 |")).toEqual([
        {
            kind: "table",
            head: [[plain("card")], [plain("worth")]],
            rows: [[[plain("Don")], [plain("10")]]],
        },
    ]);
});

test("strong, emphasis and code are read inside a line, and links become their text", () => {
    expect(readMarkdown("**V-6** place *at least* `n` men, see [war](#war).")).toEqual([
        {
            kind: "paragraph",
            words: [
                { kind: "strong", text: "V-6" },
                plain(" place "),
                { kind: "em", text: "at least" },
                plain(" "),
                { kind: "code", text: "n" },
                plain(" men, see "),
                plain("war"),
                plain("."),
            ],
        },
    ]);
});

test("HTML stays text", () => {
    expect(readMarkdown("<script>alert(1)</script>")).toEqual([
        { kind: "paragraph", words: [plain("<script>alert(1)</script>")] },
    ]);
});
