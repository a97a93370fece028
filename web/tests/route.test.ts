import { expect, test } from "vitest";
import { route } from "../src/lib/route.svelte";

test.each([
    ["/new", { page: "new" }],
    ["/join", { page: "join" }],
    ["/verify", { page: "verify" }],
    ["/t/ABCD", { page: "table", code: "ABCD" }],
    ["/t/ABCD/replay", { page: "replay", code: "ABCD" }],
    ["/seat/ABCD", { page: "seat", code: "ABCD" }],
    ["/t/ABCD/other", { page: "not-found" }],
    ["/t/ABCD/replay/more", { page: "not-found" }],
    ["/t/", { page: "not-found" }],
    ["/other", { page: "not-found" }],
    ["/", { page: "home" }],
])("%s", (path, page) => {
    Object.assign(location, { pathname: path });
    window.dispatchEvent(new Event("popstate"));
    expect(route.now).toEqual(page);
});
