/** Requests to the server's HTTP API. */

import { language, words } from "../words";
import type {
    Addresses,
    Claim,
    GameInfo,
    Join,
    Listed,
    NewTable,
    Place,
    Problem,
    Replay,
    TextView,
    WinChances,
} from "../wire";
import { own, seatTokens } from "./browser-storage.svelte";

/** A request that failed, with a sentence for people. */
export class RequestError extends Error {
    /** The rule of the game behind the refusal, if there is one. */
    constructor(
        text: string,
        readonly rule = "",
    ) {
        super(text);
    }
}

export function errorText(error: unknown): string {
    return error instanceof RequestError ? error.message : words.trouble.unknown;
}

async function ask(path: string, body?: unknown): Promise<Response> {
    const headers: { [name: string]: string } = { "Accept-Language": language.code };
    const request: RequestInit = { credentials: "same-origin", headers };
    if (body !== undefined) {
        request.method = "POST";
        headers["Content-Type"] = "application/json";
        request.body = JSON.stringify(body);
    }
    const answer = await fetch(`/api${path}`, request).catch(() => {
        throw new RequestError(words.trouble.network);
    });
    if (!answer.ok) throw new RequestError(await reason(answer));
    return answer;
}

async function reason(answer: Response): Promise<string> {
    const problem: Partial<Problem> = await answer.json().catch(() => ({}));
    return problem.text || words.trouble.status({ status: answer.status });
}

async function json<T>(path: string, body?: unknown): Promise<T> {
    return (await ask(path, body)).json();
}

async function seated(path: string, body: NewTable | Join | Claim, player = 0): Promise<Place> {
    const place = await json<Place>(path, body);
    seatTokens.keep(own(place.code, player), place.token);
    return place;
}

const table = (code: string) => `/tables/${encodeURIComponent(code)}`;

const gamesAsked = new Map<string, Promise<GameInfo[]>>();

/** Return the games of this server, requested once for each language. */
export function games(): Promise<GameInfo[]> {
    const { code } = language;
    const asked = gamesAsked.get(code) ?? json<GameInfo[]>("/games");
    gamesAsked.set(code, asked);
    asked.catch(() => gamesAsked.delete(code));
    return asked;
}

export const gameNamed = async (name: string) => (await games()).find((game) => game.name === name);
export const rulesOf = async (game: string) => (await ask(`/games/${game}/rules`)).text();
export const myTables = () => json<Listed[]>("/me/tables");
export const tablesToWatch = () => json<Listed[]>("/watch");
export const join = (code: string, wish: Join) => seated(`${table(code)}/join`, wish, wish.local_player);
export const claim = (code: string, token: string) => seated(`${table(code)}/claim`, { token });
export const invite = () => json<Addresses>("/invite", {});
export const recordAddress = (code: string) => `/api${table(code)}/record`;
export const qrAddress = (code: string) => `/api${table(code)}/qr.svg`;
export const replayOf = (code: string, viewer: string) =>
    json<Replay>(`${table(code)}/replay?viewer=${encodeURIComponent(viewer)}`);
export const snapshotOf = (code: string, number: number, viewer: string) =>
    json<TextView>(`${table(code)}/replay/${number}?viewer=${encodeURIComponent(viewer)}`);

export const chances = (code: string) => json<WinChances>(`${table(code)}/chances`);

export const openTable = (wish: NewTable) => seated("/tables", wish);

export async function record(code: string): Promise<Uint8Array> {
    return new Uint8Array(await (await ask(`${table(code)}/record`)).arrayBuffer());
}
