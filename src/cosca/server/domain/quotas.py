"""How many log entries a table, and each of its seats, may have.

Opening a table replays its log, so a log must not grow without end. The limits hold for what people
ask for; a log that is longer already, from before there were limits, is read as it is.
"""

from typing import Final

from cosca.core.errors import Refused
from cosca.server.domain import log_entries
from cosca.server.domain.log_entries import LogEntry

ENTRIES: Final = 20_000
"""Log entries of a table in all. The longest game that bots have played has 12,000."""
CHATS: Final = 500
"""Chat messages of one seat."""
OTHERS: Final = 2_000
"""Log entries of one seat that are neither moves nor chat, so that nobody can use up the table."""
TAKEBACKS: Final = 30
"""Moves taken back in one game."""


class Quotas:
    """Counts the log entries of each seat, and refuses one too many."""

    def __init__(self, seats: int) -> None:
        self._chats = [0] * seats
        self._others = [0] * seats
        self.takebacks = 0
        """How often a move was taken back."""

    def count(self, entry: LogEntry) -> None:
        """Count an entry that was applied. A person who sits down starts from zero."""
        seat = getattr(entry, "seat", None)
        if seat is None or isinstance(entry, log_entries.Moved):
            return
        if isinstance(entry, log_entries.Sat):
            self._chats[seat] = self._others[seat] = 0
        counts = self._chats if isinstance(entry, log_entries.Spoken) else self._others
        counts[seat] += 1

    def check(self, entry: LogEntry) -> None:
        """Refuse an entry that a person asks for, other than a move, if it is one too many."""
        seat = getattr(entry, "seat", None)
        if isinstance(entry, log_entries.Spoken):
            if self._chats[entry.seat] >= CHATS:
                raise Refused("web.too_much_said", most=CHATS)
        elif seat is not None and self._others[seat] >= OTHERS:
            raise Refused("web.too_much_done", most=OTHERS)
        takes_back = isinstance(entry, log_entries.Proposed) and entry.what == "takeback"
        if takes_back and self.takebacks >= TAKEBACKS:
            raise Refused("web.too_many_takebacks", most=TAKEBACKS)
