"""Bugs that are planted on purpose, to check that the simulation finds them."""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from unittest import mock
from weakref import WeakKeyDictionary

from cosca.server import wire
from cosca.server.domain.clocks import Clocks
from cosca.server.domain.log_entries import LogEntry
from cosca.server.live.table_log import TableLog
from cosca.server.live.views import Stream
from cosca.server.storage.sqlite.engine import Engine
from cosca.server.storage.sqlite.logs import LogStore
from cosca.server.storage.sqlite.refusals import RefusalStore
from cosca.server.storage.values import NewEntry
from tests.simulation.disk import SimDisk, SimStore
from tests.simulation.world import Outcome, World

PlantedBug = Callable[[int], Outcome]
"""Runs a seed in a world with a bug."""


def hasty(seed: int) -> Outcome:
    """A house that acknowledges before it has written."""
    with mock.patch.object(TableLog, "append", _append_later):
        return World(seed).run()


_WRITING: set[asyncio.Task[None]] = set()


async def _append_later(
    self: TableLog, entry: LogEntry, key: str, digest: str = "", owner: str = ""
) -> None:
    room = self.room
    append = NewEntry(room.code, room.length, key, digest, wire.write(entry), owner)
    writing = asyncio.create_task(self._store.logs.append(append))
    _WRITING.add(writing)  # a task that nobody refers to may be collected
    writing.add_done_callback(_WRITING.discard)
    self.granted[key] = digest
    room.apply(entry, trusted=True)


def forgetful(seed: int) -> Outcome:
    """A house that forgets, when it is killed, which commands it has granted."""
    return World(seed, store=ForgetfulStore).run()


class ForgetfulStore(SimStore):
    """A store in which each run of a house uses command ids of its own."""

    lives = 0

    def __init__(self, disk: SimDisk) -> None:
        super().__init__(disk)
        ForgetfulStore.lives += 1
        rename = partial(_renamed, ForgetfulStore.lives)
        self.logs = ForgetfulLogs(self.engine, rename)
        self.refusals = ForgetfulRefusals(self.engine, rename)

    @staticmethod
    def sent_key(key: str) -> str:
        """Return the id without the number of the run."""
        return key.rpartition("/")[2]


def _renamed(life: int, command_id: str) -> str:
    is_of_people = len(command_id.partition(":")[0]) == 16
    return f"{life}/{command_id}" if is_of_people else command_id


class ForgetfulLogs(LogStore):
    """Appends entries under command ids of this run."""

    def __init__(self, engine: Engine, rename: Callable[[str], str]) -> None:
        super().__init__(engine)
        self._rename = rename

    async def append(self, *entries: NewEntry) -> None:
        """Append them under their new ids."""
        await super().append(
            *(
                NewEntry(e.code, e.seq, self._rename(e.command_id), e.digest, e.body, e.owner)
                for e in entries
            )
        )


class ForgetfulRefusals(RefusalStore):
    """Keeps refusals under command ids of this run."""

    def __init__(self, engine: Engine, rename: Callable[[str], str]) -> None:
        super().__init__(engine)
        self._rename = rename

    async def add(
        self, code: str, length: int, command_id: str, digest: str, body: bytes, at: int
    ) -> list[str]:
        """Keep it under its new id."""
        return await super().add(code, length, self._rename(command_id), digest, body, at)


def telltale(seed: int) -> Outcome:
    """A house that sends everybody an update when somebody has answered in secret."""
    with _updating_always():
        return World(seed).run()


@contextlib.contextmanager
def _updating_always() -> Iterator[None]:
    update = Stream.update
    moves: WeakKeyDictionary[Stream, int] = WeakKeyDictionary()

    def update_always(
        self: Stream, present: Collection[int], watchers: int, *, arranged: bool
    ) -> bytes:
        before, now = moves.get(self, 0), sum(self.room.moves)
        moves[self] = now
        news = update(self, present, watchers, arranged=arranged)
        return news or (wire.write(wire.Update()) if before and now != before else b"")

    with mock.patch.object(Stream, "update", update_always):
        yield


def refunding(seed: int) -> Outcome:
    """A house that refunds all thinking time after a restart."""
    refund = Clocks.refund
    with mock.patch.object(Clocks, "refund", lambda self, at, alive: refund(self, at, None)):
        return World(seed).run()


def merciless(seed: int) -> Outcome:
    """A house whose downtime counts as thinking time."""
    with mock.patch.object(Clocks, "refund", lambda self, at, alive: None):
        return World(seed).run()


def found(bug: PlantedBug, seeds: Iterable[int]) -> int | None:
    """Return the first seed that finds a bug; None if none does."""
    for seed in seeds:
        try:
            bug(seed)
        except AssertionError:
            return seed
    return None
