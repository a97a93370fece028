import { expect, test } from "vitest";
import { Announcements } from "../src/lib/announcements.svelte";

test("what one update brings is read out together, in its order", async () => {
    const announcements = new Announcements();
    announcements.add("A move was taken back.");
    announcements.add("", "Your turn");
    await Promise.resolve();
    expect(announcements.lines).toEqual(["A move was taken back.", "Your turn"]);
});

test("the next update replaces what was read out, unless it brings nothing", async () => {
    const announcements = new Announcements();
    announcements.add("Your turn");
    await Promise.resolve();
    announcements.add("");
    await Promise.resolve();
    expect(announcements.lines).toEqual(["Your turn"]);
    announcements.add("Red raids.");
    await Promise.resolve();
    expect(announcements.lines).toEqual(["Red raids."]);
});
