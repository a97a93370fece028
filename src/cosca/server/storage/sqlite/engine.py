"""The thread that owns the SQLite connection and commits in groups."""

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from cosca.core.errors import Refused
from cosca.server.storage.values import Collision
from cosca.server.telemetry.logs import log_event
from cosca.server.telemetry.metrics import Metrics

T = TypeVar("T")

MAX_BATCH: Final = 512
"""The most jobs in one transaction."""

Work: TypeAlias = Callable[[sqlite3.Connection], Any]
Job: TypeAlias = tuple[Work, "asyncio.Future[Any]"]


class Engine:
    """Runs jobs on one SQLite connection, all that wait in one transaction.

    So several moves share the cost of one commit, and none is acknowledged before it is durable.
    """

    def __init__(self, db: sqlite3.Connection, metrics: Metrics) -> None:
        self.metrics = metrics
        self.db = db
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in a transaction; return its result once that is committed.

        Raise what the job raised, Collision or Refused; raise Refused if the commit failed.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, future))
        return await future

    async def check_writable(self) -> None:
        """Make a durable write that changes nothing."""
        await self.run(_rewrite_version)

    async def change_counter(self) -> int:
        """Return a number that changes whenever another connection has written."""
        return await self.run(lambda db: read_number(db, "PRAGMA data_version"))

    def close(self) -> None:
        """Finish the jobs that wait, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self.db.close()

    def _work(self) -> None:
        """Run batches of jobs until the engine is closed; report results after each commit."""
        while True:
            batch = self._next_batch()
            if not batch:
                return
            results = self._transact(batch)
            futures = [future for _, future in batch]
            loop = futures[0].get_loop()
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(deliver, futures, results)

    def _next_batch(self) -> list[Job]:
        """Wait for a job, and take with it those that wait; an empty batch ends the thread."""
        batch: list[Job] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == MAX_BATCH or self._jobs.empty():
                return batch
            job = self._jobs.get()
        if batch:
            self._jobs.put(None)  # finish these jobs first
        return batch

    def _transact(self, batch: Sequence[Job]) -> list[Any]:
        """Run a batch in one transaction, and measure it; return each result or exception."""
        began = time.perf_counter()
        results = self._commit(batch)
        self.metrics.batch_sizes.observe(len(batch))
        self.metrics.commit_seconds.observe(time.perf_counter() - began)
        return results

    def _commit(self, batch: Sequence[Job]) -> list[Any]:
        try:
            self._rollback()
            self.db.execute("BEGIN IMMEDIATE")
            results = [self._attempt(work) for work, _ in batch]
            self.db.execute("COMMIT")
        except Exception as error:  # the callers get an answer and the thread survives
            known = isinstance(error, sqlite3.Error)  # its text names files, never stored values
            log_event(
                "store_failed", logging.ERROR, reason=str(error) if known else type(error).__name__
            )
            with contextlib.suppress(sqlite3.Error):  # else the next batch tries again
                self._rollback()
            return [Refused("web.not_written") for _ in batch]
        return results

    def _rollback(self) -> None:
        """Undo an unfinished transaction, if there is one."""
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def _attempt(self, work: Work) -> Any:
        """Return the result of a job or why it was refused; the rest of its batch goes on."""
        try:
            return work(self.db)
        except (Collision, Refused) as reason:
            return reason


def deliver(futures: Sequence["asyncio.Future[Any]"], results: Sequence[Any]) -> None:
    """Hand the results of a batch to the callers that still wait."""
    for future, result in zip(futures, results, strict=True):
        if future.cancelled():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)


def read_number(db: sqlite3.Connection, query: str) -> int:
    """Return the number that a query gives; 0 if it gives none."""
    row = db.execute(query).fetchone()
    return int(row[0] or 0) if row else 0


def _rewrite_version(db: sqlite3.Connection) -> None:
    version = read_number(db, "PRAGMA user_version")
    db.execute(f"PRAGMA user_version = {version}")
