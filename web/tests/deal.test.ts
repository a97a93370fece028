import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkDeal, fingerprint } from "../src/lib/deal";
import { loadLanguage, words } from "../src/words";
import { room } from "./samples";

beforeAll(loadLanguage);

beforeEach(() => localStorage.clear());

test("a fingerprint is the beginning of a link, in groups that can be read aloud", () => {
    expect(fingerprint("0123456789abcdef")).toBe("0123 4567 89ab");
    expect(fingerprint("")).toBe("");
});

test("a bad record is reported with the line and the reason", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("not a record\n")));
    const verdict = await checkDeal(room(), 0, []);
    expect(verdict.good).toBe(false);
    const reasons = Object.values(words.over.reasons).map((reason) => words.over.bad({ line: 1, reason }));
    expect(reasons).toContain(verdict.found[0]?.text);
    expect(verdict.deal).toEqual([]);
});

test("a refused request fails with the server's text", async () => {
    const problem = { key: "k", text: "Available once the game is over." };
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(problem, { status: 403 })));
    await expect(checkDeal(room(), 0, [])).rejects.toThrow("Available once the game is over.");
});
