import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { contributeFor, SPECTATOR, seatLocalPlayer } from "../src/lib/local-players";
import { localPlayers, me, seatTokens } from "../src/lib/browser-storage.svelte";
import { loadLanguage } from "../src/words";
import { FakeSocket, newest, useFakeSockets } from "./fake-socket";
import { room, sync } from "./samples";

beforeAll(loadLanguage);

const requests: unknown[] = [];

beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
    requests.length = 0;
    useFakeSockets();
    vi.stubGlobal("fetch", (_path: string, { body }: { body: string }) => {
        const wish = JSON.parse(body);
        requests.push(wish);
        return Promise.resolve(Response.json({ code: "ABCD", seat: wish.seat, token: `token-${wish.local_player}` }));
    });
});

afterEach(() => vi.useRealTimers());

test("everybody who joins on the same device becomes a local player with a seat", async () => {
    me.name = "Ada";
    await seatLocalPlayer("ABCD", "Bob", 2, 0);
    await seatLocalPlayer("ABCD", "Cleo", 3, 0);
    expect(localPlayers.get("ABCD")).toEqual([
        { player: 0, seat: 0, name: "Ada" },
        { player: 1, seat: 2, name: "Bob" },
        { player: 2, seat: 3, name: "Cleo" },
    ]);
    expect(requests).toEqual([
        { name: "Bob", seat: 2, local_player: 1 },
        { name: "Cleo", seat: 3, local_player: 2 },
    ]);
    expect(seatTokens.get("ABCD.1")).toBe("token-1");
});

test("no request is sent if there is no number left for another local player", async () => {
    localPlayers.keep("ABCD", [{ player: SPECTATOR - 1, seat: 0, name: "Ada" }]);
    await seatLocalPlayer("ABCD", "Bob", 2, 0);
    expect(requests).toEqual([]);
});

test("a local player who is not looking contributes over a connection of their own until the deal is done", () => {
    contributeFor("DEAL", 1);
    newest().accept();
    const sealing = room({ stage: "sealing", dealing: "commit", contributions: [{ status: "waiting" }] });
    newest().deliver(sync({ room: sealing }));
    expect(newest().url).toContain("local_player=1");
    expect(newest().last("commit").commitment).not.toBe("");
    vi.advanceTimersByTime(1000);
    expect(newest().readyState).toBe(FakeSocket.OPEN);
    newest().deliver({ type: "update", room: room({ stage: "playing" }) });
    vi.advanceTimersByTime(250);
    expect(newest().readyState).toBe(FakeSocket.CLOSED);
    expect(vi.getTimerCount()).toBe(0);
});
