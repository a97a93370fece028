import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
    dealNotes,
    localPlayers,
    me,
    notices,
    playerKey,
    prefers,
    dismissedSights,
    read,
    seatTokens,
} from "../src/lib/browser-storage.svelte";
import { emptyNotes } from "../witness.js";

const DAY = 24 * 3_600_000;

beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
});

afterEach(() => vi.useRealTimers());

test("settings are stored under keys with our prefix", () => {
    me.name = " Ada ";
    notices.sound = true;
    prefers.textView = true;
    dismissedSights.keep("ABCD", "a card");
    expect(localStorage.getItem("cosca.name")).toBe("Ada");
    expect(read("sound")).toBe("yes");
    expect(read("twin")).toBe("yes");
    expect(dismissedSights.get("ABCD")).toBe("a card");
    notices.sound = false;
    expect(localStorage.getItem("cosca.sound")).toBeNull();
});

test("an empty token does not replace a stored one", () => {
    seatTokens.keep("ABCD", "token");
    seatTokens.keep("ABCD", "");
    expect(seatTokens.get("ABCD")).toBe("token");
});

test("every local player has a key of their own; the first one's is the code", () => {
    expect([playerKey("ABCD", 0), playerKey("ABCD", 2)]).toEqual(["ABCD", "ABCD.2"]);
});

test("local players are stored if there are several, and copied to the rematch", () => {
    const [one, other] = [
        { player: 0, seat: 0, name: "Ada" },
        { player: 1, seat: 2, name: "Bob" },
    ];
    localPlayers.keep("ABCD", [one]);
    expect(localPlayers.get("ABCD")).toEqual([]);
    localPlayers.keep("ABCD", [one, other]);
    localPlayers.carry("ABCD", "EFGH");
    expect(localPlayers.get("EFGH")).toEqual([one, other]);
});

test("local players that Cosca 0.1.0 stored are still known", () => {
    localStorage.setItem("cosca.hands.OLD1", '[{"hand":0,"seat":1,"name":"Ada"},{"hand":3,"seat":2,"name":"Bob"}]');
    expect(localPlayers.get("OLD1")).toEqual([
        { player: 0, seat: 1, name: "Ada" },
        { player: 3, seat: 2, name: "Bob" },
    ]);
});

test("stored data that cannot be parsed is ignored", () => {
    localStorage.setItem("cosca.hands.BAD1", "{");
    localStorage.setItem("cosca.deal.BAD1", "{");
    expect(localPlayers.get("BAD1")).toEqual([]);
    expect(dealNotes.get("BAD1")).toEqual(emptyNotes());
});

test("a browser that forbids storage can still play", () => {
    vi.spyOn(localStorage, "getItem").mockImplementation(() => {
        throw new Error("forbidden");
    });
    vi.spyOn(localStorage, "setItem").mockImplementation(() => {
        throw new Error("forbidden");
    });
    me.name = "Ada";
    expect(read("name")).toBe("");
    expect(me.name).toBe("Ada");
});

test("notes of a deal are stored for players, and only in memory for spectators", () => {
    dealNotes.keep("ABCD", { ...emptyNotes(), seal: "5e" }, true);
    dealNotes.keep("EFGH", { ...emptyNotes(), seal: "5f" }, false);
    expect(localStorage.getItem("cosca.deal.EFGH")).toBeNull();
    expect([dealNotes.get("ABCD").seal, dealNotes.get("EFGH").seal]).toEqual(["5e", "5f"]);
});

test("the seal that Cosca 0.1.0 stored is still known", () => {
    localStorage.setItem("cosca.seal.OLD1", "5e");
    expect(dealNotes.get("OLD1").seal).toBe("5e");
});

test("notes are deleted after thirty days, and beyond the newest forty", () => {
    const kept = () => Array.from({ length: 50 }, (_, at) => read(`deal.T${at}`) !== "");
    for (let at = 0; at < 50; at++) {
        vi.setSystemTime(100 * DAY + at);
        dealNotes.keep(`T${at}`, emptyNotes(), true);
    }
    dealNotes.forgetOld();
    expect(kept().indexOf(true)).toBe(10);
    expect(kept().filter(Boolean)).toHaveLength(40);
    vi.setSystemTime(131 * DAY);
    dealNotes.forgetOld();
    expect(kept().filter(Boolean)).toHaveLength(0);
});
