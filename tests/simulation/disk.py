"""A simulated disk: what is committed survives a kill, and every write takes time."""

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
"""Seconds until the disk starts a batch, and until it acknowledges it."""
STUCK: Final = 0.8
"""Seconds that a slow write takes in addition."""
HARDLY: Final = 1e-6
"""Seconds between two things that must keep their order."""
_names = itertools.count()


class SimDisk:
    """A shared in-memory database that lives as long as the simulation."""

    def __init__(self, loop: SimLoop, rng: Random, failing: float) -> None:
        self.loop = loop
        self.rng = rng
        self.failing = failing
        """The probability that a commit fails."""
        self._name = f"file:cosca-{os.getpid()}-{next(_names)}?mode=memory&cache=shared"
        self.file = self.connect()
        migrate(self.file)
        self.on_commit: Callable[[], None] = lambda: None
        """Called after every commit."""

    def connect(self) -> sqlite3.Connection:
        """Return another connection to the same database."""
        return sqlite3.connect(self._name, uri=True, isolation_level=None)

    def delay(self) -> float:
        """Return how many seconds the disk takes now."""
        if self.rng.random() < 0.02:
            return self.rng.uniform(*SLOW) + STUCK
        return self.rng.uniform(*SLOW)

    def fails(self) -> bool:
        """Return whether the next commit fails."""
        return self.rng.random() < self.failing

    def entries(self, code: str, since: int = 0) -> list[tuple[str, bytes]]:
        """Return the log entries of a table, each with the id of its command."""
        query = "SELECT command, body FROM lines WHERE code = ? AND seq >= ? ORDER BY seq"
        return self.file.execute(query, (code, since)).fetchall()

    def close(self) -> None:
        """Delete everything."""
        self.file.close()


class SimEngine(Engine):
    """A real engine, except that a simulated disk takes the place of its thread."""

    def __init__(self, disk: SimDisk) -> None:  # no thread is started
        self.metrics = Metrics()
        self._sim_disk = disk
        self._disk = Disk(disk.connect())
        self.db = cast(sqlite3.Connection, self._disk)
        self._waiting: list[Job] = []
        self._is_busy = False
        self._acknowledged_at = 0.0

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Wait until the simulated disk has written."""
        future: asyncio.Future[T] = self._sim_disk.loop.create_future()
        self._waiting.append((work, future))
        self._begin()
        return await future

    def _begin(self) -> None:
        if self._waiting and not self._is_busy:
            self._is_busy = True
            self._sim_disk.loop.call_later(self._sim_disk.delay(), self._write)

    def _write(self) -> None:
        """Commit what waits; acknowledge it only later."""
        batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        self._disk.failures = int(self._sim_disk.fails())
        results = self._transact(batch)
        self._sim_disk.on_commit()
        loop = self._sim_disk.loop
        self._acknowledged_at = max(
            self._acknowledged_at + HARDLY, loop.time() + self._sim_disk.delay()
        )
        futures: list[asyncio.Future[Any]] = [future for _, future in batch]
        loop.call_at(self._acknowledged_at, deliver, futures, results)
        self._is_busy = False
        self._begin()

    def close(self) -> None:
        """Close the file, as the system does when a process is killed."""
        self._disk.close()


class SimStore(Store):
    """A real store on a simulated disk."""

    def __init__(self, disk: SimDisk) -> None:
        super().__init__(SimEngine(disk))

    @staticmethod
    def sent_key(key: str) -> str:
        """Return the id of a command as it was sent, from the one on the disk."""
        return key
