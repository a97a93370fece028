"""Players at human pace: `human.py PORT PID pace TABLES SECONDS` or `... length TABLES MOVES`."""

import asyncio
import json
import secrets
import sys
from time import perf_counter
from typing import Any, Final

import uvloop
from picows import WSFrame, WSMsgType, WSTransport

from bench.server.load import (
    Figures,
    HttpClient,
    Player,
    Table,
    percentiles,
    read,
    seat_players,
    wait_for_parent,
    wait_until,
)
from bench.server.processes import cpu_of, waited_by
from cosca.bots.roster import default_bot
from cosca.catalog import GAMES

PEOPLE, BOTS = 2, 2
THINKING: Final = (1.0, 4.0)
"""The least seconds a person thinks, and the average on top of that."""
SOON: Final = 0.6
"""Seconds within which a view belongs to a move: the next bot takes longer."""
WARM_UP: Final = 10.0
STEP: Final = 50
LONG: Final = "omerta"
"""The game that lasts longest."""
BOSSES: Final = 3
AGAINST_BOSSES: Final = "sicilianos"
"""The game in which a boss has most to think about."""


class HumanTable(Table):
    """A table, the last move a person sent, and who has not seen its effect yet."""

    def __init__(self, figures: Figures) -> None:
        super().__init__(figures)
        self.unseen_by: set[Player] = set()

    def send(self) -> float:
        """Note that a move is sent: everybody should see its effect."""
        self.sent = perf_counter()
        self.unseen_by = set(self.players)
        return self.sent

    def note_seen(self, player: Player) -> None:
        """Note that somebody received a message."""
        took = perf_counter() - self.sent
        self.unseen_by.discard(player)
        if not self.unseen_by and self.sent > 0 and took < SOON:
            self.figures.all.append(took)
            self.sent = 0.0


class Human(Player):
    """A player who thinks before acting."""

    table: HumanTable
    is_thinking = False

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Handle a message from the server."""
        super().on_ws_frame(transport, frame)
        if frame.msg_type == WSMsgType.TEXT and self.table.figures.playing:
            if read(frame.get_payload_as_memoryview()).view:
                self.table.note_seen(self)

    def act(self) -> None:
        """Think, then move; if the turn is over by then, wait for the next."""
        if self.table.figures.playing and self.legal and not self.is_thinking:
            self.is_thinking = True
            least, more = THINKING
            seconds = least + self.rng.expovariate(1 / more)
            asyncio.get_running_loop().call_later(seconds, self.decide)

    def decide(self) -> None:
        """Take an action if one is still legal."""
        self.is_thinking = False
        super().act()


class Counted(Table):
    """A table with a limited number of moves."""

    left = 0

    def send(self) -> float:
        """Count one move."""
        self.left -= 1
        return super().send()


class Quick(Player):
    """A player who acts at once, as long as there are moves left."""

    table: Counted

    def act(self) -> None:
        """Act, if there are moves left."""
        if self.table.left > 0:
            super().act()


def open_table(
    client: HttpClient, name: str, bots: int, people: int, bot: str = ""
) -> tuple[str, list[str]]:
    """Open a table with people and bots; return its code and the owners of its browsers."""
    game = GAMES[name]
    tokens = [secrets.token_urlsafe(32) for _ in range(people)]
    body = {
        "game": name,
        "options": dict(game.random_play_options),
        "seats": ["you", *["open"] * (people - 1), *[bot or default_bot(game)] * bots],
        "name": "first",
    }
    code = str(client.post("/api/tables", tokens[0], body)["code"])
    for token in tokens[1:]:
        client.post(f"/api/tables/{code}/join", token, {"name": "another"})
    return code, tokens


async def pace(
    client: HttpClient, tables: int, seconds: float, pid: int, bosses: int = 0
) -> dict[str, Any]:
    """Play at human pace for a while, with or without one more table against bosses."""
    figures = Figures()
    names = list(GAMES)
    everybody: list[Player] = []
    for number in range(tables):
        table = HumanTable(figures)
        code, tokens = open_table(client, names[number % len(names)], BOTS, PEOPLE)
        await seat_players(client, "text", code, tokens, table, Human)
        everybody += table.players
    if bosses:
        table = HumanTable(Figures())  # with figures of its own: there a move waits by design
        table.figures.playing = True
        code, tokens = open_table(client, AGAINST_BOSSES, bosses, 1, "boss")
        await seat_players(client, "text", code, tokens, table, Human)
        everybody += table.players
    return await played(figures, everybody, seconds, pid)


async def played(
    figures: Figures, everybody: list[Player], seconds: float, pid: int
) -> dict[str, Any]:
    """Measure once the players are out of step with each other."""
    print("ready", flush=True)
    await wait_for_parent()
    figures.playing = True
    for player in everybody:
        player.act()
    await asyncio.sleep(WARM_UP)
    figures.clear()
    print("warm", flush=True)
    began, before, waited = perf_counter(), cpu_of(pid), waited_by(pid)
    await asyncio.sleep(seconds)
    cpu, took = cpu_of(pid) - before, perf_counter() - began
    measured = {"seconds": took, "cpu_seconds": cpu, "waited": waited_by(pid) - waited}
    return {**measured, "own_ms": percentiles(figures.own), "all_ms": percentiles(figures.all)}


async def length(client: HttpClient, tables: int, moves: int, pid: int) -> list[float]:
    """Return milliseconds of CPU for a move: of the first fifty, of the next, and so on."""
    figures = Figures()
    counted = []
    for _ in range(tables):
        code, tokens = open_table(client, LONG, 0, PEOPLE + BOTS)
        counted.append(Counted(figures))
        await seat_players(client, "text", code, tokens, counted[-1], Quick)
    print("ready", flush=True)
    await wait_for_parent()
    figures.playing = True
    return [await fifty(figures, counted, pid) for _ in range(moves // STEP)]


async def fifty(figures: Figures, tables: list[Counted], pid: int) -> float:
    """Return milliseconds of CPU for each of fifty moves at every table."""
    figures.clear()
    before = cpu_of(pid)
    for table in tables:
        table.left = STEP
        for player in table.players:
            player.act()
    waiting = [player for table in tables for player in table.players]
    await wait_until(
        lambda: not any(table.left for table in tables) and not any(p.waiting for p in waiting)
    )
    return (cpu_of(pid) - before) / figures.moves * 1000


async def main(port: int, pid: int, what: str, tables: int, amount: int) -> None:
    """Seat all players, play, and print the figures."""
    client = HttpClient(port)
    measured: object
    if what == "length":
        measured = await length(client, tables, amount, pid)
    else:
        measured = await pace(client, tables, amount, pid, BOSSES if what == "boss" else 0)
    print(json.dumps(measured), flush=True)


if __name__ == "__main__":
    port, pid, what, tables, amount = sys.argv[1:]
    uvloop.run(main(int(port), int(pid), what, int(tables), int(amount)))
