"""Bugs that are planted, to see whether the simulation finds them."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator
from unittest import mock
from weakref import WeakKeyDictionary

from cosca.server import wire
from cosca.server.domain.clocks import Times
from cosca.server.domain.log_entries import LogEntry
from cosca.server.live.table import LiveTable
from cosca.server.live.views import Stream
from cosca.server.storage.store import Append
from tests.simulation.disk import Platter, SimStore
from tests.simulation.world import Outcome, World

Plant = Callable[[int], Outcome]
"""Lets a seed happen in a world with a bug."""


def hasty(seed: int) -> Outcome:
    """A house that acknowledges before it has written."""
    with mock.patch.object(LiveTable, "_write", _write_later):
        return World(seed).run()


async def _write_later(
    self: LiveTable, line: LogEntry, key: str, digest: str = "", owner: str = ""
) -> None:
    room = self.room
    append = Append(room.code, room.length, key, digest, wire.write(line), owner)
    self._later(f"write:{room.length}", self.house.store.append(append))
    self.commands[key] = digest
    room.apply(line, trusted=True)


def forgetful(seed: int) -> Outcome:
    """A house that forgets, when it is killed, which commands it has granted."""
    return World(seed, store=ForgetfulStore).run()


class ForgetfulStore(SimStore):
    """A store in which every life of a house has names of its own for commands."""

    lives = 0

    def __init__(self, platter: Platter) -> None:
        super().__init__(platter)
        ForgetfulStore.lives += 1
        self._life = ForgetfulStore.lives

    @staticmethod
    def asked_key(key: str) -> str:
        """The key without the life."""
        return key.rpartition("/")[2]

    def _own(self, key: str) -> str:
        is_of_people = len(key.partition(":")[0]) == 16
        return f"{self._life}/{key}" if is_of_people else key

    async def append(self, *appends: Append) -> None:
        """Write lines under names of this life."""
        await super().append(
            *(
                Append(each.code, each.seq, self._own(each.command), *_rest(each))
                for each in appends
            )
        )

    async def refuse(
        self, code: str, seq: int, command: str, digest: str, body: bytes, at: int = 0
    ) -> list[str]:
        """Refuse under a name of this life."""
        return await super().refuse(code, seq, self._own(command), digest, body, at)


def _rest(append: Append) -> tuple[str, bytes, str]:
    return append.digest, append.body, append.owner


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
    wake = Times.wake
    with mock.patch.object(Times, "wake", lambda self, at, alive: wake(self, at, None)):
        return World(seed).run()


def merciless(seed: int) -> Outcome:
    """A house whose downtime counts as thinking time."""
    with mock.patch.object(Times, "wake", lambda self, at, alive: None):
        return World(seed).run()


def found(plant: Plant, seeds: Iterable[int]) -> int | None:
    """The first seed that finds a bug, if any does."""
    for seed in seeds:
        try:
            plant(seed)
        except AssertionError:
            return seed
    return None
