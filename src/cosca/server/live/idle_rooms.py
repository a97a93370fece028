"""Idle rooms: rooms that everybody has left, kept in memory so that their logs are not replayed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cosca.server.domain.room import Room

MOST_ROOMS: Final = 64
MOST_ENTRIES: Final = 40_000
"""Log entries of all idle rooms together; about a kilobyte each."""


@dataclass(frozen=True, slots=True)
class IdleRoom:
    """A room as it was when the last one left, and the commands that were granted there."""

    room: Room
    granted: Mapping[str, str]


class IdleRooms:
    """The rooms that were left last. A room follows from its log, so it may be dropped."""

    def __init__(self) -> None:
        self._rooms: dict[str, IdleRoom] = {}
        self._entries = 0

    def put(self, idle: IdleRoom) -> None:
        """Keep a room; drop those that were left longest ago if there are too many."""
        self.drop(idle.room.code)
        self._rooms[idle.room.code] = idle
        self._entries += idle.room.length
        while len(self._rooms) > MOST_ROOMS or self._entries > MOST_ENTRIES:
            self.drop(next(iter(self._rooms)))

    def take(self, code: str, length: int) -> IdleRoom | None:
        """Return a room if it is kept and its log has not grown meanwhile."""
        idle = self._rooms.get(code)
        self.drop(code)
        return idle if idle and idle.room.length == length else None

    def drop(self, code: str) -> None:
        """Forget a room."""
        idle = self._rooms.pop(code, None)
        if idle:
            self._entries -= idle.room.length
