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
    Primer,
    Problem,
    Replay,
    TextView,
    WinChances,
} from "../wire";
import { playerKey, seatTokens } from "./browser-storage.svelte";

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

async function request(path: string, body?: unknown): Promise<Response> {
    const headers: { [name: string]: string } = { "Accept-Language": language.code };
    const options: RequestInit = { credentials: "same-origin", headers };
    if (body !== undefined) {
        options.method = "POST";
        headers["Content-Type"] = "application/json";
        options.body = JSON.stringify(body);
    }
    const response = await fetch(`/api${path}`, options).catch(() => {
        throw new RequestError(words.trouble.network);
    });
    if (!response.ok) throw new RequestError(await problemText(response));
    return response;
}

async function problemText(response: Response): Promise<string> {
    const problem: Partial<Problem> = await response.json().catch(() => ({}));
    return problem.text || words.trouble.status({ status: response.status });
}

async function json<T>(path: string, body?: unknown): Promise<T> {
    return (await request(path, body)).json();
}

async function takeSeat(path: string, body: NewTable | Join | Claim, player = 0): Promise<Place> {
    const place = await json<Place>(path, body);
    seatTokens.keep(playerKey(place.code, player), place.token);
    return place;
}

const table = (code: string) => `/tables/${encodeURIComponent(code)}`;

const gameRequests = new Map<string, Promise<GameInfo[]>>();

/** Return the games of this server, requested once for each language. */
export function games(): Promise<GameInfo[]> {
    const { code } = language;
    const request = gameRequests.get(code) ?? json<GameInfo[]>("/games");
    gameRequests.set(code, request);
    request.catch(() => gameRequests.delete(code));
    return request;
}

export const gameNamed = async (name: string) => (await games()).find((game) => game.name === name);
export const rulesOf = async (game: string) => (await request(`/games/${game}/rules`)).text();
export const primerOf = (game: string, code: string) =>
    json<Primer>(code ? `${table(code)}/primer` : `/games/${game}/primer`);
export const myTables = () => json<Listed[]>("/me/tables");
export const tablesToWatch = () => json<Listed[]>("/watch");
export const join = (code: string, body: Join) => takeSeat(`${table(code)}/join`, body, body.local_player);
export const claim = (code: string, token: string) => takeSeat(`${table(code)}/claim`, { token });
export const invite = () => json<Addresses>("/invite", {});
export const recordAddress = (code: string) => `/api${table(code)}/record`;
export const qrAddress = (code: string) => `/api${table(code)}/qr.svg`;
export const replayOf = (code: string, viewer: string) =>
    json<Replay>(`${table(code)}/replay?viewer=${encodeURIComponent(viewer)}`);
export const snapshotOf = (code: string, number: number, viewer: string) =>
    json<TextView>(`${table(code)}/replay/${number}?viewer=${encodeURIComponent(viewer)}`);

export const chances = (code: string) => json<WinChances>(`${table(code)}/chances`);

export const openTable = (body: NewTable) => takeSeat("/tables", body);

export async function record(code: string): Promise<Uint8Array> {
    return new Uint8Array(await (await request(`${table(code)}/record`)).arrayBuffer());
}
