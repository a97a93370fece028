"""Bugs that are planted, to see whether the simulation finds them."""

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
from tests.simulation.disk import Platter, SimStore
from tests.simulation.world import Outcome, World

Plant = Callable[[int], Outcome]
"""Lets a seed happen in a world with a bug."""


def hasty(seed: int) -> Outcome:
    """A house that acknowledges before it has written."""
    with mock.patch.object(TableLog, "append", _append_later):
        return World(seed).run()


_WRITING: set[asyncio.Task[None]] = set()


async def _append_later(
    self: TableLog, line: LogEntry, key: str, digest: str = "", owner: str = ""
) -> None:
    room = self.room
    append = NewEntry(room.code, room.length, key, digest, wire.write(line), owner)
    writing = asyncio.create_task(self._store.logs.append(append))
    _WRITING.add(writing)  # a task that nobody refers to may be collected
    writing.add_done_callback(_WRITING.discard)
    self.granted[key] = digest
    room.apply(line, trusted=True)


def forgetful(seed: int) -> Outcome:
    """A house that forgets, when it is killed, which commands it has granted."""
    return World(seed, store=ForgetfulStore).run()


class ForgetfulStore(SimStore):
    """A store in which every life of a house has command ids of its own."""

    lives = 0

    def __init__(self, platter: Platter) -> None:
        super().__init__(platter)
        ForgetfulStore.lives += 1
        rename = partial(_renamed, ForgetfulStore.lives)
        self.logs = ForgetfulLogs(self.engine, rename)
        self.refusals = ForgetfulRefusals(self.engine, rename)

    @staticmethod
    def asked_key(key: str) -> str:
        """The id without the life."""
        return key.rpartition("/")[2]


def _renamed(life: int, command_id: str) -> str:
    is_of_people = len(command_id.partition(":")[0]) == 16
    return f"{life}/{command_id}" if is_of_people else command_id


class ForgetfulLogs(LogStore):
    """Appends entries under command ids of this life."""

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
    """Keeps refusals under command ids of this life."""

    def __init__(self, engine: Engine, rename: Callable[[str], str]) -> None:
        super().__init__(engine)
        self._rename = rename

    async def add(
        self, code: str, length: int, command_id: str, digest: str, body: bytes, at: int
    ) -> list[str]:
        """Keep it under its new id."""
        return await super().add(code, length, self._rename(command_id), digest, body, at)


def telltale(seed: int) -> Outcome:
    """A house that sends everybody an update whenever somebody has answered, be it in secret."""
    with _always_telling():
        return World(seed).run()


@contextlib.contextmanager
def _always_telling() -> Iterator[None]:
    update = Stream.update
    moves: WeakKeyDictionary[Stream, int] = WeakKeyDictionary()

    def told(self: Stream, here: Collection[int], watchers: int, *, arranged: bool) -> bytes:
        before, now = moves.get(self, 0), sum(self.room.moves)
        moves[self] = now
        news = update(self, here, watchers, arranged=arranged)
        return news or (wire.write(wire.Update()) if before and now != before else b"")

    with mock.patch.object(Stream, "update", told):
        yield


def refunding(seed: int) -> Outcome:
    """A house that gives back all thinking time when it is opened again."""
    refund = Clocks.refund
    with mock.patch.object(Clocks, "refund", lambda self, at, alive: refund(self, at, None)):
        return World(seed).run()


def merciless(seed: int) -> Outcome:
    """A house whose downtime counts as thinking time."""
    with mock.patch.object(Clocks, "refund", lambda self, at, alive: None):
        return World(seed).run()


def found(plant: Plant, seeds: Iterable[int]) -> int | None:
    """The first seed that finds a bug, if any does."""
    for seed in seeds:
        try:
            plant(seed)
        except AssertionError:
            return seed
    return None
