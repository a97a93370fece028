"""Browsers at a table of a manual world, which keep what they receive as the client does."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from cosca.catalog import find
from cosca.core.names import Seat
from cosca.match.sealed import SEED_BYTES
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import code_from, hashed
from cosca.server.domain.log_entries import LogEntry, decode_entry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.live import views
from cosca.server.live.table import LiveTable
from tests.server.contributions import dealt
from tests.server.manual_world import World
from tests.server.schedules import write_log

NAMES = ("Ada", "Bo", "Cy", "Di")
ADA, BO, CY, DI = (hashed(name) for name in NAMES)
OWNERS = (ADA, BO, CY, DI)
LIVE: dict[str, Any] = {"pace": "live", "move_seconds": 45, "bank_seconds": 180}
MOVE, BANK = 45.0, 180.0
IDS = itertools.count()


def first_entries(
    seats: Sequence[str], at: int, game: str = "vendetta", seed: int = 1, **wanted: Any
) -> list[LogEntry]:
    """Return the log of a table at which the cards have just been dealt."""
    rng = Random(f"{game}/{seed}")
    asked = NewTable(game=game, seats=list(seats), name="Ada", **wanted)
    code, dice = code_from(rng.randbytes(32)), rng.randbytes(SEED_BYTES)
    log: list[LogEntry] = [opening(find(game), asked, code=code, host=ADA, seed=dice, at=at)]
    people = [seat for seat, who in enumerate(seats) if who in ("you", "open")]
    for number, seat in enumerate(people):
        key = hashed(f"link of {NAMES[number]}")
        log.append(
            log_entries.Sat(at=at, seat=seat, name=NAMES[number], owner=OWNERS[number], key=key)
        )
    return [*log, log_entries.Started(at=at, bot="random"), *dealt(at)]


async def deal(
    world: World, *seats: str, game: str = "vendetta", seed: int = 1, **wanted: Any
) -> str:
    """Write a table at which the cards have just been dealt; return its code."""
    log = first_entries(seats, world.clock.date(), game, seed, **wanted)
    opened = log[0]
    assert isinstance(opened, log_entries.Opened)
    await world.do(write_log(world.houses[0], opened.code, log))
    return opened.code


async def log_of(world: World, code: str) -> list[LogEntry]:
    """Return the log of a table."""
    return [decode_entry(body) for _, _, body in await world.do(world.stores[0].logs.entries(code))]


async def keys_of(world: World, code: str) -> list[str]:
    """Return the command ids of a table's log entries."""
    return [key for key, _, _ in await world.do(world.stores[0].logs.entries(code))]


async def pass_time(world: World, seconds: float, steps: int = 20) -> None:
    """Let time pass in small steps, and everything run that is due."""
    for _ in range(steps):
        world.clock.advance(seconds / steps)
        await world.settle()


@dataclass
class Browser:
    """A browser at a table."""

    world: World
    live: LiveTable
    owner: str
    round_trip: float = 0.0
    format: views.ViewFormat = "text"
    received: list[bytes] = field(default_factory=list)
    known: dict[str, Any] = field(default_factory=dict)
    """What a client knows: the first message, with every later one applied."""

    def receive(self, message: bytes) -> None:
        """Apply a message as the client does."""
        self.received.append(message)
        decoded = msgspec.json.decode(message)
        if decoded["type"] == "sync":
            self.known = decoded
        elif decoded["type"] == "update":
            for name in ("room", "view", "link"):
                if name in decoded:
                    self.known[name] = decoded[name]
            for name in ("events", "chat"):
                self.known[name] = self.known[name] + decoded.get(name, [])
        elif decoded["type"] == "latency":
            self.known = self.known | {"latency": decoded["milliseconds"]}

    async def connect(self) -> "Browser":
        """Connect to the table."""
        self.live.connect(self.owner, self.format, self.receive, lambda: self.round_trip)
        await self.world.settle()
        return self

    async def disconnect(self) -> None:
        """Disconnect from the table."""
        self.live.disconnect(self.receive)
        await self.world.settle()

    async def send(self, command: commands.Command) -> dict[str, Any]:
        """Send a command, and return the answer."""
        answers: list[bytes] = []
        await self.world.do(self.live.handle_command(self.owner, command, answers.append))
        await self.world.settle()
        (answer,) = answers
        decoded: dict[str, Any] = msgspec.json.decode(answer)
        return decoded

    async def do(self, kind: type[commands.Command], **words: Any) -> str:
        """Send a new command; return why it is refused, empty if it is not."""
        answer = await self.send(kind(id=f"c{next(IDS)}", **words))
        return str(answer.get("key", ""))

    async def move(self, *actions: int) -> str:
        """Make a move of some steps, or of the first legal one."""
        legal = self.live.room.position(self.seat).legal
        return await self.do(commands.Move, actions=list(actions) or [legal[0]])

    @property
    def seat(self) -> Seat:
        """The seat of the person."""
        return self.live.room.seats.of(self.owner)

    @property
    def seats(self) -> list[dict[str, Any]]:
        """The seats as this browser knows them."""
        found: list[dict[str, Any]] = self.known["room"]["seats"]
        return found

    @property
    def clocks(self) -> list[dict[str, int]]:
        """The clocks as this browser knows them."""
        found: list[dict[str, int]] = self.known["view"]["clocks"]
        return found

    def matches_fresh_sync(self) -> bool:
        """Return whether it knows exactly what a fresh browser would get, to the last byte."""
        viewer = views.Viewer(self.seat, self.live.room.seats.is_host(self.owner), self.format)
        audience = self.live.subscribers
        sync = views.sync_message(self.live.room, viewer, audience.present(), audience.spectators())
        fresh = msgspec.json.decode(sync)
        known = {name: self.known[name] for name in fresh}
        return msgspec.json.encode(known) == msgspec.json.encode(fresh)


async def connect_all(world: World, live: LiveTable, *owners: str) -> list[Browser]:
    """Connect the browsers of some people."""
    return [await Browser(world, live, owner).connect() for owner in owners]


def acting(live: LiveTable, browsers: Sequence[Browser]) -> Browser | None:
    """Return the browser of the person whose turn it is; None if it is a bot's turn."""
    actors = live.room.actors()
    return next((one for one in browsers if one.seat in actors), None)


async def until_acting(world: World, live: LiveTable, who: Browser) -> None:
    """Let the others play until it is somebody's turn."""
    await world.until(lambda: who.seat in live.room.actors())
