"""The simulated world of one seed: a table, its houses, its people, and everything that fails."""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, Final
from unittest import mock

from cosca.bots.consigliere import Advice
from cosca.bots.win_chances import Shares
from cosca.catalog import ALL
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.match.sealed import SEED_BYTES
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import code_from, hashed
from cosca.server.domain.log_entries import LogEntry, encode_entry
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.room import Room, room_from_log
from cosca.server.http.sockets import SocketRequest, Sockets
from cosca.server.live import clock, house
from cosca.server.live.clock import WallClock
from cosca.server.live.house import House
from cosca.server.live.views import ViewFormat
from cosca.server.serve import FINISH
from cosca.server.storage.sqlite.logs import append_entries
from cosca.server.storage.values import Collision, NewEntry
from tests.server.contributions import dealt
from tests.simulation.browser import Browser, Message
from tests.simulation.disk import SimDisk, SimStore
from tests.simulation.loop import Process, SimLoop
from tests.simulation.network import Connection, NetworkQuality
from tests.simulation.player import next_command
from tests.simulation.witness import Witness

BEGINNING: Final = 1_700_000_000.0
NAMES: Final = ("Ada", "Bo", "Cy")
QUIET: Final = 2.0
"""Seconds without a write or a message after which nothing is under way."""
NEVER: Final = 1000.0
"""Seconds after which a missing answer counts as lost."""


class Trace:
    """What has happened, as lines of text, and a hash of it."""

    def __init__(self, loop: SimLoop, keep: bool) -> None:
        self._loop = loop
        self._keep = keep
        self._hash = hashlib.sha256()
        self.lines: list[str] = []

    def note(self, *words: object) -> None:
        """Add a line."""
        line = f"{self._loop.time():10.4f} " + " ".join(str(word) for word in words)
        self._hash.update(line.encode())
        if self._keep:
            self.lines.append(line)

    @property
    def digest(self) -> str:
        """The hash of the whole trace."""
        return self._hash.hexdigest()


@dataclass(frozen=True)
class Outcome:
    """The result of a seed."""

    seed: int
    digest: str
    steps: int
    lines: int
    seconds: float
    """Virtual time."""
    kills: int
    trace: list[str] = field(default_factory=list)


class RandomBots:
    """Bots that choose any legal action after a random time."""

    def __init__(self, world: "World") -> None:
        self._world = world

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return any legal action, always the same for the same seed."""
        await asyncio.sleep(self._world.rng.uniform(0.0, 0.5))
        if self._world.is_quiet:
            await asyncio.get_running_loop().create_future()  # thinks for ever
        return position.legal[Dice(seed).below(len(position.legal))]

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return an empty advice."""
        return Advice((), (), "forced", {})

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Return equal win chances."""
        return tuple(1 / len(positions) for _ in positions)


class Server:
    """One house in a process of its own."""

    def __init__(self, world: "World", number: int) -> None:
        self.number = number
        self.process: Process = world.loop.begin_process()
        self.store = world.new_store()
        self._work = world.loop.create_task(self._open(world), context=self.process.context)
        self.sockets: Sockets | None = None
        self.connections: list[Connection] = []

    async def _open(self, world: "World") -> None:
        """Open the house as the application does."""
        clock = WallClock()
        self.house = House(self.store, RandomBots(world), clock)
        self.sockets = Sockets(self.house, clock, unlimited=False)
        await asyncio.gather(
            self.house.run_clocks(), self.house.watch_store(), self.house.send_latencies()
        )

    def runs(self, code: str, last: int) -> bool:
        """Whether the clocks of a table run here; `last` is the date of its last log entry.

        A house that was open at that date need not have the table open: it refunds no time when it
        opens it later.
        """
        if self.sockets is None or not self.process.is_alive or self.house.dates.is_stopped:
            return False
        live = self.house._tables.get(code)
        return not live._clocks_wait if live else self.house.dates.begun <= last

    async def stop(self, world: "World") -> None:
        """Stop as after SIGTERM; a disk that takes too long is not waited for."""
        if self.sockets is not None:
            closing = world.loop.create_task(self._close(), context=self.process.context)
            await asyncio.wait([closing], timeout=FINISH)
        self.kill()

    async def _close(self) -> None:
        assert self.sockets is not None
        await self.sockets.finish()
        await self.house.close()

    def kill(self) -> None:
        """Stop as after `kill -9`."""
        self.process.kill()
        self.store.close()
        for connection in self.connections:
            connection.break_browser_end()


class World:
    """Everything in one simulation, made from a seed."""

    def __init__(self, seed: int, *, keep: bool = False, store: type[SimStore] = SimStore) -> None:
        self.seed = seed
        self.rng = rng = Random(seed)
        disorder = rng.choice([0.0, 0.0, 0.3])
        self.loop = SimLoop(rng, disorder)  # type: ignore[abstract]  # it needs no sockets
        self.loop.expected = (Refused, Collision, OSError)
        self.trace = Trace(self.loop, keep)
        self.note = self.trace.note
        self.network = NetworkQuality(self.loop, rng, rng.choice([0.1, 0.5, 1.0]))
        self.disk = SimDisk(self.loop, rng, failing=rng.choice([0.0, 0.0, 0.03]))
        self._store = store
        self.skew = 0.0
        """Seconds by which the wall clock was changed."""
        self.is_quiet = False
        self.kills = 0
        self.code = code_from(rng.randbytes(32))
        self._owners = [hashed(f"{seed}/{name}") for name in (*NAMES, "watching")]
        self._latest = 0.0

    # --- Stores, clocks and chance ----------------------------------------------------------------

    def new_store(self) -> SimStore:
        """Return a store for a new house."""
        return self._store(self.disk)

    def monotonic(self) -> float:
        """Return the monotonic time."""
        return self.loop.time()

    def time_ns(self) -> int:
        """Return the time of the wall clock."""
        return round((BEGINNING + self.loop.time() + self.skew) * 1e9)

    def token(self, count: int = 32) -> bytes:
        """Return random bytes from the seed."""
        return self.rng.randbytes(count)

    @contextlib.contextmanager
    def _patched(self) -> Iterator[None]:
        """Replace time and randomness by those of the simulation."""
        secrets = SimpleNamespace(
            token_bytes=self.token,
            token_hex=lambda count=32: self.token(count).hex(),
            token_urlsafe=lambda count=32: self.token(count).hex(),
        )
        time = SimpleNamespace(monotonic=self.monotonic, time_ns=self.time_ns)
        log = logging.getLogger("cosca.server")
        level = log.level
        log.setLevel(logging.CRITICAL)
        try:
            with (
                mock.patch.object(house, "secrets", secrets),
                mock.patch.object(clock, "time", time),
            ):
                yield
        finally:
            log.setLevel(level)

    # --- The table ------------------------------------------------------------------------------

    def _open_table(self) -> None:
        """Open a table: before the game, in it, or shortly before its end."""
        rng = self.rng
        game = ALL[self.seed % len(ALL)]
        people = rng.choice([2, 2, 3])
        bots = max(0, game.seats[0] - people) + rng.choice([0, 0, 1])
        seats = ["you", *["open"] * (people - 1), *["random"] * bots]
        wanted = NewTable(
            game=game.name,
            seats=seats[: game.seats[-1]],
            name=NAMES[0],
            options=self._options(game.name),
            **self._pace(game.name),
        )
        host, dice = self._owners[0], rng.randbytes(SEED_BYTES)
        at = round(BEGINNING * 1000)
        log: list[LogEntry] = [opening(game, wanted, code=self.code, host=host, seed=dice, at=at)]
        for seat in range(people):
            owner, key = self._owners[seat], hashed(f"{self.seed}/link/{seat}")
            log.append(log_entries.Sat(at=at, seat=seat, name=NAMES[seat], owner=owner, key=key))
        begins = rng.choice(["lobby", "playing", "playing", "playing", "ending"])
        if begins != "lobby":
            log += started_game(
                log, rng, at, ending=begins == "ending", most=rng.choice([0, 5, 25])
            )
        self._write(log)
        self.note(game.name, "with", people, "people", begins, wanted.pace, len(log), "entries")
        self.people = people

    def _options(self, game: str) -> dict[str, str]:
        if game == "omerta":
            reactions = self.rng.choice(["sealed", "live", "live"])
            return {"reactions": reactions, "memory": self.rng.choice(["aided", "own"])}
        return {}

    def _pace(self, game: str) -> dict[str, Any]:
        pace = self.rng.choice(["relaxed", "live", "live"])
        if pace == "relaxed":
            return {}
        move, bank = self.rng.choice([(5, 0), (5, 10), (20, 10)])
        return {"pace": "live", "move_seconds": move, "bank_seconds": bank}

    def _write(self, log: list[LogEntry]) -> None:
        """Write the table to the disk."""
        appends = [
            NewEntry(
                self.code,
                seq,
                f"open:{seq}",
                "",
                encode_entry(entry),
                getattr(entry, "owner", ""),
            )
            for seq, entry in enumerate(log)
        ]
        stage = room_from_log(log).stage
        append_entries(self.disk.file, appends)
        row = (self.code, ALL[self.seed % len(ALL)].name, stage, 0)
        insert = "INSERT INTO tables (code, game, stage, touched) VALUES (?, ?, ?, ?)"
        self.disk.file.execute(insert, row)

    # --- Browsers and connections -----------------------------------------------------------------

    def connect(self, browser: Browser) -> Connection | None:
        """Connect a browser to one of the houses; return None if that one is closed."""
        server = self.rng.choice(self.servers)
        if server is None or server.sockets is None:
            return None
        connection = Connection(self.network, server.process, browser.receive, browser.lost)
        server.connections.append(connection)
        self.note(browser.name, "connects to", server.number)
        request = SocketRequest(
            self.code,
            browser.owner,
            browser.format,
            address=browser.name,
            round_trip=lambda: connection.round_trip,
        )
        begin = partial(server.sockets.serve, request, connection.receive, connection.send)
        context = server.process.context
        self.loop.call_later(self.network.delay(), self._serve, begin, context=context)
        return connection

    def _serve(self, begin: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.loop.create_task(begin())

    def receive(self, browser: Browser, message: bytes, decoded: Message) -> None:
        """Check a message that a browser received."""
        self.witness.receive(browser, message, decoded)
        if decoded.type in ("sync", "update"):
            self._latest = self.loop.time()

    # --- What happens ---------------------------------------------------------------------------

    def run(self) -> Outcome:
        """Run the simulation, with all checks; return the outcome."""
        try:
            with self._patched():
                self.loop.run(self._whole())
        finally:
            self.disk.close()
        return Outcome(
            seed=self.seed,
            digest=self.trace.digest,
            steps=self.loop.steps,
            lines=self.witness.room.length,
            seconds=self.loop.time(),
            kills=self.kills,
            trace=self.trace.lines,
        )

    async def _whole(self) -> None:
        rng = self.rng
        self._open_table()
        self.witness = Witness(self.disk, self.code, self.loop.time, self._store.sent_key)
        self.witness.owners = tuple(self._owners)
        self.disk.on_commit = self._committed
        self.servers: list[Server | None] = [
            Server(self, number) for number in range(rng.choice([1, 1, 1, 2]))
        ]
        await asyncio.sleep(0.5)
        self.browsers = [self._browser(number) for number in range(self.people)]
        self.browsers.append(self._browser(len(NAMES)))
        for browser in self.browsers:
            browser.open()
        until = self.loop.time() + rng.uniform(8, 30)
        doing = [asyncio.ensure_future(self._play(browser, until)) for browser in self.browsers]
        doing.append(asyncio.ensure_future(self._cause_trouble(until)))
        await asyncio.gather(*doing)
        await self._settle()
        await self._compare_with_fresh()

    def _browser(self, number: int) -> Browser:
        name = (*NAMES, "watching")[number]
        format: ViewFormat = self.rng.choice(["data", "data", "text"])
        browser = Browser(self, name, self._owners[number], format, self.rng)
        browser.sent = ObservedCommands(self.witness, browser)
        return browser

    def _runs(self) -> bool:
        """Return whether any house runs the clocks of the table."""
        last = self.witness.room.last
        return any(server is not None and server.runs(self.code, last) for server in self.servers)

    def _committed(self) -> None:
        if self._runs():
            self.witness.downtime.end(self.loop.time())
        before = self.witness.room.length
        self.witness.read()
        after = self.witness.room.length
        if after != before:
            self.note("the disk has", after, "entries")
            self._latest = self.loop.time()

    async def _play(self, browser: Browser, until: float) -> None:
        """Let a person play, go away and come back."""
        rng = self.rng
        while self.loop.time() < until:
            await asyncio.sleep(rng.choice([0.1, 0.5, 1.0, 2.0]))
            if browser.is_away:
                self.note(browser.name, "comes back")
                browser.open()
            elif browser.link == "open" and rng.random() < 0.02:
                self.note(browser.name, "goes away")
                browser.close()
                await asyncio.sleep(rng.choice([0.1, 3.0, 70.0]))
            elif browser.link == "open" and len(browser.unanswered) < 2:
                wanted = next_command(browser, rng)
                if wanted is not None:
                    browser.send(wanted)
            elif browser.connection is not None and self.network.happens(0.1):
                self.note(browser.name, "is cut")
                browser.connection.cut()

    async def _cause_trouble(self, until: float) -> None:
        """Kill and restart houses, cut connections, and change the wall clock."""
        rng = self.rng
        while self.loop.time() < until:
            await asyncio.sleep(rng.uniform(1.0, 12.0))
            number = rng.randrange(len(self.servers))
            what = rng.choice(["kill", "kill", "stop", "cut", "clock", "nothing"])
            if what in ("kill", "stop"):
                await self._end(number, rng.choice([0.1, 1.0, 30.0]), in_order=what == "stop")
            elif what == "clock" and len(self.servers) == 1:  # two houses must agree on the date
                self.skew += rng.choice([-3600.0, -20.0, 20.0, 3600.0])
                self.note("the wall clock is changed by", self.skew)
            elif what == "cut":
                browser = rng.choice(self.browsers)
                if browser.connection is not None:
                    self.note(browser.name, "is cut")
                    browser.connection.cut()

    async def _end(self, number: int, seconds: float, *, in_order: bool) -> None:
        server = self.servers[number]
        assert server is not None
        self.note("house", number, "is stopped" if in_order else "is killed", "for", seconds)
        self.servers[number] = None
        if not self._runs():
            self.witness.downtime.begin(self.loop.time())
        if in_order:
            await server.stop(self)
        else:
            server.kill()
        self.kills += 1
        await asyncio.sleep(seconds)
        self.note("house", number, "opens again")
        self.witness.downtime.restarts += 1
        self.servers[number] = Server(self, number)

    # --- At the end -------------------------------------------------------------------------------

    async def _settle(self) -> None:
        """Repair network and disk, stop people and bots, and wait until everything is answered."""
        self.note("trouble ends")
        self.network.bad = self.disk.failing = 0.0
        self.is_quiet = True
        for browser in self.browsers:
            if browser.is_away:
                browser.open()
            browser.send(commands.Ping(id=browser.id()))  # so that dead connections are noticed
        await self._wait_until_quiet(self.browsers)

    async def _wait_until_quiet(self, browsers: Sequence[Browser]) -> None:
        """Wait until everything is answered and nothing is under way."""
        end = self._latest = self.loop.time()
        while self._waiting(browsers) or self.loop.time() < self._latest + QUIET:
            assert self.loop.time() < end + NEVER, f"never answered: {self._waiting(browsers)}"
            await asyncio.sleep(0.5)

    def _waiting(self, browsers: Sequence[Browser]) -> list[str]:
        """Return the browsers without a connection or an answer."""
        return [
            f"{browser.name} ({browser.link}): {list(browser.unanswered)}"
            for browser in browsers
            if browser.unanswered or browser.link != "open"
        ]

    async def _compare_with_fresh(self) -> None:
        """Check that every browser knows everything, byte for byte as a fresh one does."""
        fresh = [
            Browser(self, f"{old.name}-fresh", old.owner, old.format, self.rng)
            for old in self.browsers
        ]
        for browser in fresh:
            browser.open()
        await self._wait_until_quiet(fresh)
        for old, new in zip(self.browsers, fresh, strict=True):
            self.witness.check_answers(old)
            self.witness.check_knows_all(old)
            is_alone = len(self.servers) == 1  # each of two houses knows only who is present there
            assert new.known == old.known or not is_alone, (
                f"{old.name} differs from a fresh browser"
            )


class ObservedCommands(dict[str, Any]):
    """The commands of a browser, which the witness gets too."""

    def __init__(self, witness: Witness, browser: Browser) -> None:
        super().__init__()
        self._witness = witness
        self._owner = browser.owner

    def __setitem__(self, id: str, sent: Any) -> None:
        super().__setitem__(id, sent)
        self._witness.sent[f"{self._owner[:16]}:{id}"] = sent


def started_game(
    log: list[LogEntry], rng: Random, at: int, *, ending: bool, most: int
) -> list[LogEntry]:
    """Return the log entries of a started game: some moves, or all but the last few."""
    room: Room = room_from_log(log)
    more: list[LogEntry] = [log_entries.Started(at=at, bot="random"), *dealt(at)]
    for entry in more:
        room.apply(entry)
    moves: list[LogEntry] = []
    while room.stage == "playing" and (ending or len(moves) < most):
        seat = rng.choice(room.actors())
        legal = room.position(seat).legal
        move = log_entries.Moved(at=at, seat=seat, actions=[rng.choice(legal)])
        room.apply(move, trusted=True)
        moves.append(move)
    return more + (moves[:-3] if ending else moves)
