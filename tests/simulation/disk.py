"""A disk in memory: what is committed stays, whoever is killed; everything takes its time."""

import asyncio
import itertools
import os
import sqlite3
from collections.abc import Callable
from random import Random
from typing import Any, Final, TypeVar, cast

from cosca.server.storage.sqlite.engine import MAX_BATCH, Engine, Job, deliver
from cosca.server.storage.sqlite.migrations import migrate
from cosca.server.storage.store import Store
from cosca.server.telemetry.metrics import Metrics
from tests.server.manual_world import Disk
from tests.simulation.loop import SimLoop

T = TypeVar("T")

SLOW: Final = (0.001, 0.02)
"""Seconds until the disk begins with what waits, and until it is told that it is written."""
STUCK: Final = 0.8
"""Seconds it takes now and then."""
HARDLY: Final = 1e-6
"""Seconds between two things that keep their order."""
_names = itertools.count()


class Platter:
    """What is on the disk, as long as a simulation lasts. Tells what was committed."""

    def __init__(self, loop: SimLoop, rng: Random, failing: float) -> None:
        self.loop = loop
        self.rng = rng
        self.failing = failing
        """How often a commit fails."""
        self._name = f"file:cosca-{os.getpid()}-{next(_names)}?mode=memory&cache=shared"
        self.file = self.connected()
        migrate(self.file)
        self.committed: Callable[[], None] = lambda: None
        """Called after every commit."""

    def connected(self) -> sqlite3.Connection:
        """One more way to the same file."""
        return sqlite3.connect(self._name, uri=True, isolation_level=None)

    def delay(self) -> float:
        """Seconds that the disk takes now."""
        if self.rng.random() < 0.02:
            return self.rng.uniform(*SLOW) + STUCK
        return self.rng.uniform(*SLOW)

    def fails(self) -> bool:
        """Whether the next commit fails."""
        return self.rng.random() < self.failing

    def lines(self, code: str, since: int = 0) -> list[tuple[str, bytes]]:
        """What is written of a table: of each line the command, and itself."""
        asked = "SELECT command, body FROM lines WHERE code = ? AND seq >= ? ORDER BY seq"
        return self.file.execute(asked, (code, since)).fetchall()

    def close(self) -> None:
        """Forget everything."""
        self.file.close()


class SimEngine(Engine):
    """A real engine, except that a simulated disk takes the place of its thread."""

    def __init__(self, platter: Platter) -> None:  # no thread is started
        self.metrics = Metrics()
        self._platter = platter
        self._disk = Disk(platter.connected())
        self.db = cast(sqlite3.Connection, self._disk)
        self._waiting: list[Job] = []
        self._is_busy = False
        self._told_at = 0.0

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Wait until the simulated disk has written."""
        future: asyncio.Future[T] = self._platter.loop.create_future()
        self._waiting.append((work, future))
        self._begin()
        return await future

    def _begin(self) -> None:
        if self._waiting and not self._is_busy:
            self._is_busy = True
            self._platter.loop.call_later(self._platter.delay(), self._write)

    def _write(self) -> None:
        """Take what waits and commit it; only later is anybody told."""
        batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        self._disk.failures = int(self._platter.fails())
        results = self._transact(batch)
        self._platter.committed()
        loop = self._platter.loop
        self._told_at = max(self._told_at + HARDLY, loop.time() + self._platter.delay())
        futures: list[asyncio.Future[Any]] = [future for _, future in batch]
        loop.call_at(self._told_at, deliver, futures, results)
        self._is_busy = False
        self._begin()

    def close(self) -> None:
        """Close the file, as the system does when a process is killed."""
        self._disk.close()


class SimStore(Store):
    """A real store on a simulated disk."""

    def __init__(self, platter: Platter) -> None:
        super().__init__(SimEngine(platter))

    @staticmethod
    def asked_key(key: str) -> str:
        """The id of a command as it was sent, given the one that is on the disk."""
        return key
