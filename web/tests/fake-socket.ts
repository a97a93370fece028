/** A WebSocket for tests, in which the test plays the server. */

import { vi } from "vitest";
import type { AnyCommand, AnyMessage } from "../src/wire";

export class FakeSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSED = 3;
    /** All sockets opened in this test, the newest last. */
    static all: FakeSocket[] = [];

    readyState: number = FakeSocket.CONNECTING;
    readonly sent: AnyCommand[] = [];
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number }) => void) | null = null;

    constructor(readonly url: string) {
        FakeSocket.all.push(this);
    }

    send(text: string): void {
        this.sent.push(JSON.parse(text));
    }

    close(): void {
        this.readyState = FakeSocket.CLOSED;
    }

    // --- The server's side ---

    accept(): void {
        this.readyState = FakeSocket.OPEN;
        this.onopen?.();
    }

    deliver(message: AnyMessage): void {
        this.onmessage?.({ data: JSON.stringify(message) });
    }

    hangUp(code = 1006): void {
        this.readyState = FakeSocket.CLOSED;
        this.onclose?.({ code });
    }

    /** Return the last command of a kind that the server received. */
    last<Kind extends AnyCommand["do"]>(kind: Kind): Extract<AnyCommand, { do: Kind }> {
        const found = this.sent.findLast((each) => each.do === kind);
        if (!found) throw new Error(`No command “${kind}” was sent.`);
        return found as Extract<AnyCommand, { do: Kind }>;
    }
}

export function useFakeSockets(): void {
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
}

export function newest(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("No connection was opened.");
    return socket;
}
