"""Resting rooms: those that nobody is at any more, kept for a while so that no log is replayed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cosca.server.domain.room import Room

MOST_ROOMS: Final = 64
MOST_LINES: Final = 40_000
"""Log entries of all resting rooms together; about a kilobyte each."""


@dataclass(frozen=True, slots=True)
class Rested:
    """A room as it was when the last one left, and the commands that were granted there."""

    room: Room
    commands: Mapping[str, str]


class Resting:
    """The rooms that were left last. A room is what its log says, so it may be thrown away."""

    def __init__(self) -> None:
        self._rooms: dict[str, Rested] = {}
        self._lines = 0

    def put(self, rested: Rested) -> None:
        """Keep a room; those that were left longest ago make place."""
        self.drop(rested.room.code)
        self._rooms[rested.room.code] = rested
        self._lines += rested.room.length
        while len(self._rooms) > MOST_ROOMS or self._lines > MOST_LINES:
            self.drop(next(iter(self._rooms)))

    def take(self, code: str, length: int) -> Rested | None:
        """Return a room if it is kept and its log has not become longer meanwhile."""
        rested = self._rooms.get(code)
        self.drop(code)
        return rested if rested and rested.room.length == length else None

    def drop(self, code: str) -> None:
        """Forget a room."""
        rested = self._rooms.pop(code, None)
        if rested:
            self._lines -= rested.room.length
