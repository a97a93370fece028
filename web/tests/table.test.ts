import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RequestError } from "../src/lib/api";
import { Table } from "../src/lib/table.svelte";
import type { Update } from "../src/wire";
import { loadLanguage } from "../src/words";
import { FakeSocket, newest, useFakeSockets } from "./fake-socket";
import { event, room, sync, preview, view } from "./samples";

let table: Table;
let code = "";
let tables = 0;

beforeAll(loadLanguage);

beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(1); // retries wait their full time
    localStorage.clear();
    useFakeSockets();
    code = `TABLE${++tables}`; // notes of a deal stay in memory
    table = new Table(code);
});

afterEach(() => {
    table.close();
    vi.useRealTimers();
});

/** Open the table, and let the server send its first message. */
function join(message = sync()): FakeSocket {
    table.open();
    newest().accept();
    newest().deliver(message);
    return newest();
}

describe("the first message", () => {
    test("fills the table, and is not news", () => {
        const news = vi.fn();
        table.onNews = news;
        join(sync({ events: [event("a")], chat: [{ seat: 0, name: "Ada", text: "ciao" }] }));
        expect(table.connection).toBe("open");
        expect(table.events).toHaveLength(1);
        expect(table.chat[0]?.text).toBe("ciao");
        expect(news).not.toHaveBeenCalled();
    });

    test("is requested with code, local player and language", () => {
        table = new Table("A/B", 2);
        table.open();
        expect(newest().url).toBe("ws://house.test/ws/A%2FB?protocol=2&view=text&local_player=2&lang=en");
    });
});

describe("updates", () => {
    test("replace room and view, and add to events and chat", () => {
        const socket = join(sync({ events: [event("a")] }));
        const news: Update[] = [];
        table.onNews = (each) => news.push(each);
        socket.deliver({ type: "update", view: view({ question: "Your move" }), events: [event("b")] });
        expect(table.view?.question).toBe("Your move");
        expect(table.events.map(({ key }) => key)).toEqual(["a", "b"]);
        expect(table.room?.code).toBe("ABCD");
        expect(news).toHaveLength(1);
    });

    test("store latencies and reactions", () => {
        const socket = join();
        socket.deliver({ type: "latency", milliseconds: [20, null] });
        socket.deliver({ type: "reactions", reactions: [{ seat: 1, took_ms: 300 }] });
        expect(table.latencies).toEqual([20, null]);
        expect(table.reactions).toEqual([{ seat: 1, took_ms: 300 }]);
    });
});

describe("commands", () => {
    test("resolve with the response of the same id", async () => {
        const socket = join();
        const [one, other] = [table.previewActions([1]), table.previewActions([2])];
        const [first, second] = socket.sent;
        socket.deliver(preview({ id: second?.id ?? "", actions: [2] }));
        expect(table.pending.map(({ id }) => id)).toEqual([first?.id]);
        socket.deliver(preview({ id: first?.id ?? "", actions: [1] }));
        expect((await one).actions).toEqual([1]);
        expect((await other).actions).toEqual([2]);
        expect(table.pending).toEqual([]);
    });

    test("reject with text and rule if they are refused", async () => {
        const socket = join();
        const refused = table.request({ do: "move", actions: [7] });
        socket.deliver({ type: "refused", id: socket.last("move").id, key: "k", text: "Too few men.", rule: "V-6" });
        const error = await refused.catch((each: unknown) => each);
        expect(error).toBeInstanceOf(RequestError);
        expect(error).toMatchObject({ message: "Too few men.", rule: "V-6" });
    });

    test("wait until the connection is open", () => {
        table.open();
        void table.request({ do: "start" });
        newest().accept();
        expect(newest().sent).toEqual([]);
        newest().deliver(sync());
        expect(newest().last("start").id).toMatch(/^[0-9a-f]{32}$/);
    });

    test("are sent again with the same id after a lost connection, unless they were answered", async () => {
        const socket = join();
        const answered = table.request({ do: "start" });
        void table.request({ do: "move", actions: [3] });
        socket.deliver({ type: "done", id: socket.last("start").id, code: "" });
        await answered;
        socket.hangUp();
        vi.advanceTimersByTime(500);
        newest().accept();
        newest().deliver(sync());
        expect(newest()).not.toBe(socket);
        expect(newest().sent).toEqual([socket.last("move")]);
    });

    test("ignore a repeated response", async () => {
        const socket = join();
        const done = table.request({ do: "start" });
        const answer = { type: "done", id: socket.last("start").id, code: "" } as const;
        socket.deliver(answer);
        socket.deliver(answer);
        expect(await done).toEqual(answer);
    });
});

describe("a lost connection", () => {
    test("is retried after waits that double, up to eight seconds", () => {
        join().hangUp();
        expect(table.connection).toBe("lost");
        for (const wait of [500, 1000, 2000, 4000, 8000, 8000]) {
            const tries = FakeSocket.all.length;
            vi.advanceTimersByTime(wait - 1);
            expect(FakeSocket.all).toHaveLength(tries);
            vi.advanceTimersByTime(1);
            expect(FakeSocket.all).toHaveLength(tries + 1);
            newest().hangUp();
        }
    });

    test("is retried at once when the network is back", () => {
        join().hangUp();
        window.dispatchEvent(new Event("online"));
        expect(FakeSocket.all).toHaveLength(2);
        vi.advanceTimersByTime(5_000);
        expect(FakeSocket.all).toHaveLength(2); // the retry that was waiting is cancelled
    });

    test("is open again after the next sync, which brings what was missed as news", () => {
        const news: Update[] = [];
        table.onNews = (each) => news.push(each);
        join(sync({ events: [event("a")] })).hangUp();
        vi.advanceTimersByTime(500);
        newest().accept();
        newest().deliver(sync({ events: [event("a"), event("b")] }));
        expect(table.connection).toBe("open");
        expect(news.map(({ events }) => events?.map(({ key }) => key))).toEqual([["b"]]);
    });

    test("is final if the server refuses the connection", () => {
        const socket = join();
        socket.deliver({ type: "refused", id: "", key: "k", text: "You were removed.", rule: "" });
        socket.hangUp(1008);
        vi.advanceTimersByTime(60_000);
        expect(table.connection).toBe("closed");
        expect(table.closeReason).toBe("You were removed.");
        expect(FakeSocket.all).toHaveLength(1);
    });

    test("says when the server is shutting down", () => {
        join().hangUp(1012);
        expect(table.isServerClosing).toBe(true);
    });

    test("is noticed when a command gets no response for six seconds", () => {
        const socket = join();
        void table.request({ do: "start" });
        vi.advanceTimersByTime(5_000);
        expect(table.connection).toBe("open");
        vi.advanceTimersByTime(2_000);
        expect(table.connection).toBe("lost");
        expect(newest()).not.toBe(socket);
    });

    test("is not assumed while no command is pending", () => {
        join();
        vi.advanceTimersByTime(600_000);
        expect(FakeSocket.all).toHaveLength(1);
    });
});

test("closing a table ends its connection and its timers", () => {
    const socket = join(sync({ room: room({ pace: "live" }) }));
    table.close();
    expect(socket.readyState).toBe(FakeSocket.CLOSED);
    expect(vi.getTimerCount()).toBe(0);
});

test("takebacks are counted", () => {
    const socket = join(sync({ events: [event("a"), event("b")] }));
    socket.deliver(sync({ events: [event("a")] }));
    expect(table.takebacks).toBe(1);
});

test("a change of language reconnects, and passes on what the seat is shown in both", () => {
    const onTranslated = vi.fn();
    table.onTranslated = onTranslated;
    join(sync({ view: view({ sights: [event("s", "a card")] }) }));
    table.setLanguage("de");
    expect(newest().url).toContain("lang=de");
    newest().accept();
    newest().deliver(sync({ view: view({ sights: [event("s", "eine Karte")] }) }));
    expect(onTranslated).toHaveBeenCalledWith(["a card"], ["eine Karte"]);
});

describe("latency", () => {
    test("pings are sent if clocks run: at once, soon after, and every minute", () => {
        const socket = join(sync({ room: room({ pace: "live" }) }));
        vi.advanceTimersByTime(3_000);
        expect(socket.sent.filter(({ do: what }) => what === "ping")).toHaveLength(3);
        vi.advanceTimersByTime(60_000);
        expect(socket.sent.filter(({ do: what }) => what === "ping")).toHaveLength(4);
    });

    test("no pings are sent if no clock runs", () => {
        const socket = join();
        vi.advanceTimersByTime(120_000);
        expect(socket.sent).toEqual([]);
    });

    test("half of the round trip is added to the time of the response", () => {
        const socket = join(sync({ room: room({ pace: "live" }) }));
        vi.advanceTimersByTime(0);
        const ping = socket.last("ping");
        vi.advanceTimersByTime(200);
        const now = Date.now() + 3_600_000;
        socket.deliver({ type: "pong", id: ping.id, now });
        expect(table.time.now).toBe(now + 100);
    });
});

describe("the deal", () => {
    const waiting = { status: "waiting" } as const;

    test("a seat commits once, and stores its bytes before it sends anything", () => {
        const dealing = room({ stage: "sealing", dealing: "commit", seal: "5e", contributions: [waiting] });
        const socket = join(sync({ room: dealing }));
        const { commitment } = socket.last("commit");
        expect(localStorage.getItem(`cosca.deal.${code}`)).toContain(commitment);
        socket.deliver({ type: "update", room: dealing });
        expect(socket.sent).toHaveLength(1);
    });

    test("another seal is a fault, and nothing is sent", () => {
        const lobby = room({ stage: "lobby", seal: "5e" });
        const socket = join(sync({ room: lobby }));
        const other = room({ stage: "sealing", dealing: "commit", seal: "5f", contributions: [waiting] });
        socket.deliver({ type: "update", room: other });
        expect(table.faults).toEqual(["otherSeal"]);
        expect(socket.sent).toEqual([]);
    });
});
