"""Houses under manual control: clock, disk and bots do nothing until the test lets them.

Everything runs on one loop, in an order that follows from what the test does: a schedule that fails
once fails again.
"""

import asyncio
import contextlib
import heapq
import itertools
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, TypeVar, cast

from cosca.bots.consigliere import Advice
from cosca.bots.win_chances import Shares
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server.live import bot_pool
from cosca.server.live.house import House
from cosca.server.live.table import LiveTable
from cosca.server.storage.sqlite.database import open_database
from cosca.server.storage.sqlite.engine import MAX_BATCH, Engine, Job, deliver
from cosca.server.storage.store import Store
from cosca.server.telemetry.metrics import Metrics

T = TypeVar("T")

QUIET = 12
"""After this many turns of the loop without a write, everything waits for the clock or a caller."""


def discard(message: bytes) -> None:
    """Watch a table and ignore its messages: bots do not play where nobody watches."""


class ManualClock:
    """A clock that stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 0.0
        self._numbers = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        """Return the time in seconds, which never goes back."""
        return self._now

    def date(self) -> int:
        """Return the date in milliseconds since 1970."""
        return 1_700_000_000_000 + round(self._now * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock is advanced that far, and for one call of `advance` at least."""
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._numbers), woken))
        await woken

    def advance(self, seconds: float) -> None:
        """Advance the clock, and wake everything that has waited long enough."""
        self._now += seconds
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, woken = heapq.heappop(self._sleepers)
            if not woken.done():
                woken.set_result(None)


class Disk:
    """The connection of a store, whose commits can be made to fail."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file
        self.failures = 0
        """How many of the next commits fail."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._file.in_transaction

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Execute a statement, unless it is a commit that has to fail."""
        if sql == "COMMIT" and self.failures:
            self.failures -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return self._file.execute(sql, parameters)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ManualEngine(Engine):
    """A real engine that commits when the test says so, and does not wait for the disk."""

    def __init__(self, path: Path) -> None:
        db = open_database(path)
        db.execute("PRAGMA synchronous = OFF")  # durability is tested elsewhere
        self.disk = Disk(db)
        super().__init__(cast(sqlite3.Connection, self.disk), Metrics())
        self.waiting: list[Job] = []

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Queue a job until the test writes."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.waiting.append((work, future))
        return await future

    def write(self, most: int) -> None:
        """Run some of the jobs that wait, in one transaction."""
        batch, self.waiting = self.waiting[:most], self.waiting[most:]
        if batch:
            deliver([future for _, future in batch], self._transact(batch))


class ManualStore(Store):
    """A real store that writes when the test says so."""

    engine: ManualEngine

    def __init__(self, path: Path) -> None:
        super().__init__(ManualEngine(path))

    @property
    def disk(self) -> Disk:
        """The file, which can be made to fail."""
        return self.engine.disk

    @property
    def waiting(self) -> list[Job]:
        """The jobs that wait to be written."""
        return self.engine.waiting

    def write(self, most: int = MAX_BATCH) -> None:
        """Write some of what waits, in one transaction."""
        self.engine.write(most)


class TimedBots:
    """Bots that run in this process and take some seconds of the manual clock."""

    def __init__(self, clock: ManualClock, seconds: float = 0.1) -> None:
        self._clock = clock
        self._seconds = seconds
        self.decisions = 0

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return what a bot does in a position."""
        self.decisions += 1
        await self._clock.sleep(self._seconds)
        return bot_pool.choose(game, bot, position, seed)

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises."""
        return bot_pool.advise(game, position, begun)

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat."""
        return bot_pool.estimate(game, positions)


class InlineExecutor(ThreadPoolExecutor):
    """Runs at once, in this thread, what belongs in another one."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Run a function and return its result as a future."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class World:
    """Several houses on one store, like several processes, with one clock."""

    def __init__(self, path: Path, houses: int = 2, pace: float = 0.7) -> None:
        self.clock = ManualClock()
        self.bots = [TimedBots(self.clock) for _ in range(houses)]
        self.stores = [ManualStore(path) for _ in range(houses)]
        self.houses = [
            House(store, bot, self.clock, pace)
            for store, bot in zip(self.stores, self.bots, strict=True)
        ]

    async def turn(self) -> None:
        """Run the loop for one turn."""
        await asyncio.sleep(0)

    def write(self) -> None:
        """Write everything that waits."""
        for store in self.stores:
            store.write()

    async def random_turn(self, rng: Random) -> None:
        """Run the loop for one turn, and at random write something or let time pass."""
        await asyncio.sleep(0)
        for store in self.stores:
            if store.waiting and rng.random() < 0.4:
                store.write(rng.randint(1, len(store.waiting)))
        if rng.random() < 0.1:
            self.clock.advance(rng.choice([0.1, 0.3, 1.0, 3.0]))

    async def settle(self) -> None:
        """Run until everything waits for the clock or a caller."""
        quiet = 0
        while quiet < QUIET:
            quiet = 0 if any(store.waiting for store in self.stores) else quiet + 1
            self.write()
            await asyncio.sleep(0)

    async def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, without advancing the clock."""
        task = asyncio.ensure_future(work)
        while not task.done():
            self.write()
            await asyncio.sleep(0)
        return task.result()

    async def until(self, condition: Callable[[], bool], seconds: float = 1000.0) -> None:
        """Let time pass until a condition holds; fail if it never does."""
        end = self.clock.now() + seconds
        await self.settle()
        while not condition():
            assert self.clock.now() < end, "the condition never held"
            self.clock.advance(0.05)
            await self.settle()

    @contextlib.asynccontextmanager
    async def at(self, code: str, house: int = 0) -> AsyncIterator[LiveTable]:
        """Open a table in one of the houses."""
        async with contextlib.AsyncExitStack() as stack:
            opening = stack.enter_async_context(self.houses[house].table(code))
            yield await self.do(opening)

    async def close(self) -> None:
        """Close the houses and their files."""
        for house in self.houses:
            await self.do(house.close())
        await self.settle()
        for store in self.stores:
            store.close()


def in_world(
    path: Path, work: Callable[[World], Awaitable[None]], houses: int = 2, pace: float = 0.7
) -> None:
    """Run a test in a world of its own."""

    async def whole() -> None:
        asyncio.get_running_loop().set_default_executor(InlineExecutor())
        world = World(path, houses, pace)
        try:
            await work(world)
        finally:
            await world.close()

    asyncio.run(whole())
