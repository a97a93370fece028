"""Cuts and reconnects: a browser that comes back knows exactly what one that stayed knows."""

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.domain.identifiers import hashed
from cosca.server.live.table import LiveTable
from cosca.server.live.views import CHAT_KEPT, ViewFormat
from cosca.words import LANGUAGES, say
from tests.server.manual_world import World, discard, in_world
from tests.server.schedules import Schedule

CHUNKS = 20
TABLES = 5
CUTS = 20
"""Cuts at each table; 2,000 in all."""


@dataclass(eq=False)
class Browser:
    """One open page, which knows only what its messages say."""

    owner: str
    format: ViewFormat
    language: str
    known: dict[str, Any] | None = None
    live: LiveTable | None = None

    def receive(self, message: bytes) -> None:
        """Apply a message as docs/protocol.md says."""
        read = msgspec.json.decode(message)
        kind = read["type"]
        if kind == "sync":
            self.known = read
        elif kind == "update":
            assert self.known is not None, "the first message of a connection is everything"
            for part in ("room", "view", "link"):
                self.known[part] = read.get(part, self.known[part])
            self.known["events"] += read.get("events", [])
            self.known["chat"] = (self.known["chat"] + read.get("chat", []))[-CHAT_KEPT:]

    def connect(self, live: LiveTable) -> None:
        """Connect to the table."""
        self.live, self.known = live, None
        live.connect(self.owner, self.format, self.receive, language=self.language)

    def disconnect(self) -> None:
        """Lose the connection."""
        assert self.live is not None
        self.live.disconnect(self.receive)
        self.live = None

    def check_against_fresh(self) -> None:
        """Check that a fresh browser gets exactly what this page knows."""
        assert self.live is not None
        fresh: list[bytes] = []
        self.live.connect(self.owner, self.format, fresh.append, language=self.language)
        self.live.disconnect(fresh.append)
        assert msgspec.json.encode(self.known) == fresh[0]
        assert self.known is not None
        if self.format == "text":
            assert [event["text"] for event in self.known["events"]] == self._in_own_language()
        assert len(fresh) == 1

    def _in_own_language(self) -> list[str]:
        """Return the sentences of all events that the viewer may read, from the room itself."""
        assert self.live is not None
        seen = self.live.room.shown.events(self.live.room.seats.of(self.owner), 0)
        return [say(event.key, event.params, self.language) for event in seen]


class Cuts:
    """A table in two houses, with players and spectators on bad connections."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.schedule = Schedule(world, seed, chatter=97 if seed % 4 == 0 else 0)
        self.rng = Random(seed)
        self.devices = [hashed(f"{seed}/other/{seat}") for seat in (0, 1)]
        owners = [*self.schedule.people, *self.devices, ""]
        formats: tuple[ViewFormat, ViewFormat] = ("text", "data")
        self.browsers = [
            Browser(owner, format, self.rng.choice(LANGUAGES))
            for owner in owners
            for format in formats
        ]
        self.tasks: list[asyncio.Task[None]] = []
        self.cuts = 0

    async def run(self) -> None:
        """Play, cut and reconnect; check that every page always knows what a fresh one would."""
        await self.schedule.open()
        async with contextlib.AsyncExitStack() as stack:
            lives = [
                await stack.enter_async_context(self.world.at(self.schedule.code, number))
                for number in range(len(self.world.houses))
            ]
            while self.cuts < CUTS:
                self.do_something(self.rng.choice(lives))
                for _ in range(self.rng.choice([0, 1, 2, 5, 20])):
                    await self.world.random_turn(self.rng)
                self.cut_or_connect(self.rng.choice(self.browsers), self.rng.choice(lives))
            await self.finish(lives)

    def do_something(self, live: LiveTable) -> None:
        """Let somebody act, claim a seat or sit down, or let a house read the log."""
        chance = self.rng.random()
        if chance < 0.1:
            self.begin(live.catch_up())
        elif chance < 0.15:
            seat = self.rng.randrange(2)
            self.begin(live.claim(self.devices[seat], self.schedule.link(seat)))
        elif chance < 0.2:
            self.begin(live.sit_down(self.schedule.people[2], "Cy", None))
        else:
            sent = self.schedule.next_command(live.room)
            self.schedule.sent.append(sent)
            self.begin(live.handle_command(sent.owner, sent.command, sent.answers.append))

    def begin(self, coroutine: Coroutine[Any, Any, object]) -> None:
        """Start a task."""
        self.tasks.append(asyncio.create_task(allowed(coroutine)))

    def cut_or_connect(self, browser: Browser, live: LiveTable) -> None:
        """Check what a connection knows and cut it, or reconnect."""
        if browser.live is None:
            browser.connect(live)
        else:
            browser.check_against_fresh()
            browser.disconnect()
            self.cuts += 1

    async def finish(self, lives: list[LiveTable]) -> None:
        """Check all pages when everything is quiet, and close the table."""
        await self.world.settle()
        for live in lives:
            await self.world.do(live.catch_up())
        for browser in self.browsers:
            if browser.live:
                browser.check_against_fresh()
                browser.disconnect()
        await self.world.until(
            lambda: all(task.done() for task in self.tasks)
        )  # reactions may be held
        await self.world.do(_all(self.tasks))
        for live in lives:
            await self.world.do(live.close())


async def allowed(coroutine: Coroutine[Any, Any, object]) -> None:
    """Do something that may be refused."""
    with contextlib.suppress(Refused):
        await coroutine


async def _all(works: list[asyncio.Task[None]]) -> None:
    await asyncio.gather(*works)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_thousand_cuts_and_nobody_misses_anything(chunk: int, tmp_path: Path) -> None:
    async def all_of_them(world: World) -> None:
        for number in range(TABLES):
            await Cuts(world, TABLES * chunk + number).run()

    in_world(tmp_path / "tables.db", all_of_them)


def test_a_removed_person_gets_nothing_more_of_the_seat(tmp_path: Path) -> None:
    async def sent_away(world: World) -> None:
        schedule = Schedule(world, 8)
        await schedule.open()
        ada, bo, _ = schedule.people
        messages: list[bytes] = []
        async with world.at(schedule.code, 0) as here, world.at(schedule.code, 1) as there:
            there.connect(bo, "data", messages.append)
            for command in (commands.Remove(id="1", seat=1), commands.Leave(id="2")):
                await world.do(here.handle_command(ada, command, lambda answer: None))
            here.connect(ada, "data", discard)
            moved = here.room.moves[1]
            await world.until(lambda: here.room.moves[1] > moved + 1)
            del messages[:]
            await world.do(there.catch_up())
            (sync,) = (msgspec.json.decode(message, type=wire.AnyMessage) for message in messages)
            assert isinstance(sync, wire.Sync) and sync.room.you == SPECTATOR

    in_world(tmp_path / "tables.db", sent_away)
