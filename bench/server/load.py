"""Players at full speed: `load.py PORT VIEW TABLES SECONDS WARM_UP PID`."""

import asyncio
import http.client
import json
import secrets
import sys
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec
import uvloop
from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bench.server.processes import cpu_of
from cosca.catalog import GAMES
from cosca.match.sealed import CONTRIBUTION_BYTES, commit
from cosca.server.wire import PROTOCOL

SEATS: Final = 4
SEATING_TIMEOUT: Final = 60.0
"""Seconds until everybody must be seated."""
SEED: Final = 20_250_101


class Choice(Struct):
    """A legal action in a text view."""

    action: int


class Known(Struct):
    """The legal actions in a position."""

    legal: list[int]


class View(Struct):
    """The part of a view needed to move, in either format."""

    choices: list[Choice] = []
    position: Known | None = None

    def legal(self) -> list[int]:
        """Return the legal actions."""
        return self.position.legal if self.position else [choice.action for choice in self.choices]


class Room(Struct):
    """The part of a room that the deal needs."""

    code: str
    seal: str
    you: int
    dealing: str


class Message(Struct):
    """The part of a message that matters here."""

    type: str
    room: Room | None = None
    view: View | None = None


read = msgspec.json.Decoder(Message).decode


class Figures:
    """What the load has measured."""

    def __init__(self) -> None:
        self.playing = False
        self.clear()

    def clear(self) -> None:
        """Start measuring from zero."""
        self.moves = 0
        self.refused = 0
        self.views = 0
        self.view_bytes = 0
        self.own: list[float] = []
        self.all: list[float] = []

    def to_json(self, seconds: float, cpu: float) -> dict[str, Any]:
        """Return everything for the report."""
        return {
            "moves": self.moves,
            "seconds": seconds,
            "cpu_seconds": cpu,
            "own_ms": percentiles(self.own),
            "all_ms": percentiles(self.all),
            "view_bytes": self.view_bytes / max(self.views, 1),
            "views_per_move": self.views / max(self.moves, 1),
            "refused": self.refused,
        }


def percentiles(seconds: list[float]) -> list[float]:
    """Return the median and the 99th percentile, in milliseconds."""
    if not seconds:
        return [0.0, 0.0]
    ranked = sorted(seconds)
    return [ranked[int((len(ranked) - 1) * share)] * 1000 for share in (0.5, 0.99)]


class Table:
    """A table, and the last move sent from it."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.players: list[Player] = []
        self.sent = 0.0
        self.latest = 0.0

    def send(self) -> float:
        """Note that a move is sent: all earlier messages belong to the one before."""
        if self.latest > self.sent:
            self.figures.all.append(self.latest - self.sent)
        self.sent = perf_counter()
        return self.sent


class Player(WSListener):  # type: ignore[misc]  # compiled, so its types are not seen
    """One socket: a player who moves at once."""

    def __init__(self, table: Table, rng: Random) -> None:
        self.table = table
        self.rng = rng
        self.transport: WSTransport | None = None
        self.legal: list[int] = []
        self.random_bytes = secrets.token_bytes(CONTRIBUTION_BYTES)
        self.dealing = ""
        self.is_playing = False
        self.waiting = False
        self.sent = 0.0
        self.number = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Handle the open socket."""
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Handle a message from the server."""
        if frame.msg_type != WSMsgType.TEXT:
            return
        message = read(frame.get_payload_as_memoryview())
        figures = self.table.figures
        if message.type == "done":
            self.waiting = False
            if figures.playing:
                figures.moves += 1
                figures.own.append(perf_counter() - self.sent)
            return  # the new view comes with the next message
        if message.type == "refused":
            self.waiting = False
            figures.refused += 1
        if message.room:
            self.contribute(message.room)
        if message.view:
            self.legal = message.view.legal()
            self.is_playing = True
            if figures.playing:
                figures.views += 1
                figures.view_bytes += frame.payload_size
                self.table.latest = perf_counter()
        # Not now: the same move also sends messages to the others at the table.
        asyncio.get_running_loop().call_soon(self.act)

    def contribute(self, room: Room) -> None:
        """Commit to random bytes for the deal, then reveal them."""
        if room.dealing == self.dealing:
            return
        self.dealing = room.dealing
        if room.dealing == "commit":
            made = commit(room.code, room.seal, room.you, self.random_bytes)
            self.send_command("commit", f',"commitment":"{made}"')
        elif room.dealing == "reveal":
            self.send_command("reveal", f',"contribution":"{self.random_bytes.hex()}"')

    def act(self) -> None:
        """Send a legal move, if there is one and none is under way."""
        if self.table.figures.playing and self.legal and not self.waiting:
            action = self.legal[int(self.rng.random() * len(self.legal))]
            self.sent = self.table.send()
            self.send_command("move", f',"actions":[{action}]')

    def send_command(self, what: str, more: str = "") -> None:
        """Send a command."""
        assert self.transport is not None
        self.waiting = True
        self.number += 1
        self.transport.send(
            WSMsgType.TEXT, f'{{"do":"{what}","id":"c{self.number}"{more}}}'.encode()
        )


class HttpClient:
    """An HTTP client of the server."""

    def __init__(self, port: int) -> None:
        self.host = f"127.0.0.1:{port}"
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def headers(self, token: str) -> dict[str, str]:
        """Return the headers of that person's browser on a page of the server."""
        return {"Origin": f"http://{self.host}", "Cookie": f"cosca={token}"}

    def post(self, path: str, token: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a POST request."""
        self._connection.request("POST", path, json.dumps(body), self.headers(token))
        answer = self._connection.getresponse()
        content = json.loads(answer.read())
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {content}")
        return dict(content)


def open_table(client: HttpClient, number: int) -> tuple[str, list[str]]:
    """Open a table for four people; return its code and the owners of their browsers."""
    game = list(GAMES.values())[number % len(GAMES)]
    tokens = [secrets.token_urlsafe(32) for _ in range(SEATS)]
    body = {
        "game": game.name,
        "options": dict(game.random_play_options),
        "seats": ["you", *["open"] * (SEATS - 1)],
        "name": "first",
    }
    code = str(client.post("/api/tables", tokens[0], body)["code"])
    for token in tokens[1:]:
        client.post(f"/api/tables/{code}/join", token, {"name": "another"})
    return code, tokens


async def seat_players(
    client: HttpClient,
    view: str,
    code: str,
    tokens: list[str],
    table: Table,
    kind: type[Player] = Player,
) -> None:
    """Connect the people of a table, and start the game."""
    url = f"ws://{client.host}/ws/{code}?protocol={PROTOCOL}&view={view}"
    for token in tokens:
        player = kind(table, Random(f"{SEED} {len(table.players)}"))
        await ws_connect(lambda player=player: player, url, extra_headers=client.headers(token))
        table.players.append(player)
    table.players[0].send_command("start")
    await wait_until(lambda: all(player.is_playing for player in table.players))
    await wait_until(lambda: not any(player.waiting for player in table.players))


async def wait_until(met: Callable[[], bool]) -> None:
    """Wait for a condition, with a time limit."""
    deadline = perf_counter() + SEATING_TIMEOUT
    while not met():
        if perf_counter() > deadline:
            raise RuntimeError("the server does not answer")
        await asyncio.sleep(0.002)


async def wait_for_parent() -> None:
    """Wait for a line from the parent process."""
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


async def play(
    figures: Figures, tables: list[Table], seconds: float, warm_up: float, pid: int
) -> dict[str, Any]:
    """Let everybody play for a while; return the figures after the warm-up."""
    figures.playing = True
    for table in tables:
        for player in table.players:
            player.act()
    await asyncio.sleep(warm_up)
    figures.clear()
    began, before = perf_counter(), cpu_of(pid)
    await asyncio.sleep(seconds)
    measured = figures.to_json(perf_counter() - began, cpu_of(pid) - before)
    figures.playing = False
    return measured


async def main(port: int, view: str, number: int, seconds: float, warm_up: float, pid: int) -> None:
    """Seat all players, play, and print the figures."""
    client, figures = HttpClient(port), Figures()
    places = [open_table(client, table) for table in range(number)]
    print("opened", flush=True)
    await wait_for_parent()
    tables = []
    for code, tokens in places:
        tables.append(Table(figures))
        await seat_players(client, view, code, tokens, tables[-1])
    print("ready", flush=True)
    await wait_for_parent()
    if seconds:
        measured = await play(figures, tables, seconds, warm_up, pid)
        print(json.dumps(measured), flush=True)
    for table in tables:
        for player in table.players:
            assert player.transport is not None
            player.transport.disconnect()


if __name__ == "__main__":
    port, view, tables, seconds, warm_up, pid = sys.argv[1:]
    uvloop.run(main(int(port), view, int(tables), float(seconds), float(warm_up), int(pid)))
