"""People at tables who think: `human.py PORT PID pace TABLES SECONDS` or `... length TABLES MOVES`.

At human pace two people and two bots sit at each table, and a person who may act thinks for some
seconds first: nobody waits in a queue of moves. With `boss TABLES SECONDS` there is one more table,
of one person against three bosses. For the length of a game four people play as fast
as they can, fifty moves at every table, then fifty more, and so on. Says "ready" when all sit,
waits for a line, plays, and tells the figures as JSON.
"""

import asyncio
import json
import secrets
import sys
from time import perf_counter
from typing import Any, Final

import uvloop
from picows import WSFrame, WSMsgType, WSTransport

from bench.server.load import Door, Figures, Player, Table, line, percentiles, read, sit, until
from bench.server.processes import cpu_of, waited_by
from cosca.bots.roster import default_bot
from cosca.catalog import GAMES

PEOPLE, BOTS = 2, 2
THINKING: Final = (1.0, 4.0)
"""Seconds a person takes at least, and on average on top of that."""
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
    """A table, the move sent last by a person, and who has not seen what came of it."""

    def __init__(self, figures: Figures) -> None:
        super().__init__(figures)
        self.blind: set[Player] = set()

    def send(self) -> float:
        """Now a move is sent: everybody is to see what comes of it."""
        self.sent = perf_counter()
        self.blind = set(self.players)
        return self.sent

    def sees(self, player: Player) -> None:
        """Somebody is told of something."""
        took = perf_counter() - self.sent
        self.blind.discard(player)
        if not self.blind and self.sent > 0 and took < SOON:
            self.figures.all.append(took)
            self.sent = 0.0


class Human(Player):
    """Somebody who thinks before acting."""

    table: HumanTable
    is_thinking = False

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """The house tells something."""
        super().on_ws_frame(transport, frame)
        if frame.msg_type == WSMsgType.TEXT and self.table.figures.playing:
            if read(frame.get_payload_as_memoryview()).view:
                self.table.sees(self)

    def act(self) -> None:
        """Think, then move; if it is too late then, think again when asked again."""
        if self.table.figures.playing and self.legal and not self.is_thinking:
            self.is_thinking = True
            least, more = THINKING
            seconds = least + self.rng.expovariate(1 / more)
            asyncio.get_running_loop().call_later(seconds, self.decide)

    def decide(self) -> None:
        """Do something, if there is still something to do."""
        self.is_thinking = False
        super().act()


class Counted(Table):
    """A table at which so many moves are made, and no more for now."""

    left = 0

    def send(self) -> float:
        """One move less."""
        self.left -= 1
        return super().send()


class Quick(Player):
    """Somebody who acts at once, as long as there are moves left."""

    table: Counted

    def act(self) -> None:
        """Act, if there are moves left."""
        if self.table.left > 0:
            super().act()


def opened(door: Door, name: str, bots: int, people: int, bot: str = "") -> tuple[str, list[str]]:
    """A table with people and bots: its code, and what the browsers of the people are known by."""
    game = GAMES[name]
    tokens = [secrets.token_urlsafe(32) for _ in range(people)]
    asked = {
        "game": name,
        "options": dict(game.random_play_options),
        "seats": ["you", *["open"] * (people - 1), *[bot or default_bot(game)] * bots],
        "name": "first",
    }
    code = str(door.post("/api/tables", tokens[0], asked)["code"])
    for token in tokens[1:]:
        door.post(f"/api/tables/{code}/join", token, {"name": "another"})
    return code, tokens


async def pace(
    door: Door, tables: int, seconds: float, pid: int, bosses: int = 0
) -> dict[str, Any]:
    """Play at human pace for a while, and at one more table against that many bosses."""
    figures = Figures()
    names = list(GAMES)
    everybody: list[Player] = []
    for number in range(tables):
        table = HumanTable(figures)
        code, tokens = opened(door, names[number % len(names)], BOTS, PEOPLE)
        await sit(door, "text", code, tokens, table, Human)
        everybody += table.players
    if bosses:
        table = HumanTable(Figures())  # apart: there a move is waited for by design
        table.figures.playing = True
        code, tokens = opened(door, AGAINST_BOSSES, bosses, 1, "boss")
        await sit(door, "text", code, tokens, table, Human)
        everybody += table.players
    return await played(figures, everybody, seconds, pid)


async def played(
    figures: Figures, everybody: list[Player], seconds: float, pid: int
) -> dict[str, Any]:
    """What came of it once people were at different moments of their thoughts."""
    print("ready", flush=True)
    await line()
    figures.playing = True
    for player in everybody:
        player.act()
    await asyncio.sleep(WARM_UP)
    figures.clear()
    print("warm", flush=True)
    began, before, waited = perf_counter(), cpu_of(pid), waited_by(pid)
    await asyncio.sleep(seconds)
    cpu, took = cpu_of(pid) - before, perf_counter() - began
    told = {"seconds": took, "cpu_seconds": cpu, "waited": waited_by(pid) - waited}
    return {**told, "own_ms": percentiles(figures.own), "all_ms": percentiles(figures.all)}


async def length(door: Door, tables: int, moves: int, pid: int) -> list[float]:
    """Milliseconds of CPU for a move: of the first fifty, of the next, and so on."""
    figures = Figures()
    counted = []
    for _ in range(tables):
        code, tokens = opened(door, LONG, 0, PEOPLE + BOTS)
        counted.append(Counted(figures))
        await sit(door, "text", code, tokens, counted[-1], Quick)
    print("ready", flush=True)
    await line()
    figures.playing = True
    return [await fifty(figures, counted, pid) for _ in range(moves // STEP)]


async def fifty(figures: Figures, tables: list[Counted], pid: int) -> float:
    """Milliseconds of CPU for each of fifty moves at every table."""
    figures.clear()
    before = cpu_of(pid)
    for table in tables:
        table.left = STEP
        for player in table.players:
            player.act()
    waiting = [player for table in tables for player in table.players]
    await until(
        lambda: not any(table.left for table in tables) and not any(p.waiting for p in waiting)
    )
    return (cpu_of(pid) - before) / figures.moves * 1000


async def main(port: int, pid: int, what: str, tables: int, amount: int) -> None:
    """Sit down, play, and tell."""
    door = Door(port)
    told: object
    if what == "length":
        told = await length(door, tables, amount, pid)
    else:
        told = await pace(door, tables, amount, pid, BOSSES if what == "boss" else 0)
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    port, pid, what, tables, amount = sys.argv[1:]
    uvloop.run(main(int(port), int(pid), what, int(tables), int(amount)))
