"""The hash chain of a game in progress: written as the game goes, published link by link.

A browser that keeps the links it was sent can check the house: the record at the end must have the
same links (`docs/records.md`).
"""

from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple

from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.match.record import Scribe
from cosca.match.table import Table

SEVERAL: Final = 2
"""When this many seats may act at once, they decide in secret."""


class Link(NamedTuple):
    """A link of the chain, and the number of steps it covers."""

    step: int
    chain: str


class Links:
    """Writes the record of a game in progress, and knows which link may be published.

    It catches up with the game only when asked, so that replaying a log costs nothing more.
    """

    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe
        self._lines = [scribe.header]
        self._newest = Link(0, scribe.chain)
        self._ended = False
        self._lock = Lock()  # records are written in threads of their own

    def newest(self, table: Table, acting: Sequence[Seat]) -> Link:
        """Return the newest link that may be published.

        `acting` are the seats that everybody sees to act. No new link is published while several
        decide in secret: the number of steps would reveal that somebody has answered, and a
        guessed answer could be checked against the link.
        """
        with self._lock:
            self._follow(table)
            if len(acting) < SEVERAL and not self._ended:
                self._newest = Link(self._scribe.steps, self._scribe.chain)
            return self._newest

    def record(self, table: Table) -> str:
        """Return the record of a finished game."""
        with self._lock:
            self._follow(table)
            if not self._ended:  # the result has a link of its own, which belongs to no step
                self._newest = Link(self._scribe.steps, self._scribe.chain)
                self._lines.append(self._scribe.write_end())
                self._ended = True
            return "\n".join([*self._lines, ""])

    def _follow(self, table: Table) -> None:
        """Write the steps that have been taken since the last time."""
        scribe = self._scribe
        for seat, action in table.log[scribe.steps :]:
            if scribe.steps > self._newest.step and not self._is_secret():
                self._newest = Link(scribe.steps, scribe.chain)
            chance = seat == CHANCE
            self._lines.append(scribe.write_chance() if chance else scribe.write(seat, action))

    def _is_secret(self) -> bool:
        """Return whether chance acts next, or several seats decide in secret."""
        state = self._scribe.state
        if state.actors() == (CHANCE,):
            return True
        acting: Sequence[Seat] = self._scribe.game.private_fields(state, SPECTATOR)["actors"]
        return len(acting) >= SEVERAL
