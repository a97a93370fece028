"""The hash chain of a game in progress: written as the game goes, published link by link.

A browser that keeps the links it was sent has the house bound to one story: the record at the end
must have the same links (`docs/records.md`).
"""

from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple

from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.match.record import Scribe
from cosca.match.table import Table

SEVERAL: Final = 2
"""So many at once decide in secret."""


class Link(NamedTuple):
    """A link of the chain, and after how many steps it is the newest."""

    step: int
    chain: str


class Links:
    """Writes the record beside a game, and knows which link may be published.

    It follows the game when it is asked, so that a log that is only read costs nothing more.
    """

    def __init__(self, scribe: Scribe) -> None:
        self._scribe = scribe
        self._lines = [scribe.header]
        self._newest = Link(0, scribe.chain)
        self._ended = False
        self._lock = Lock()  # records are written in threads of their own

    def newest(self, table: Table, acting: Sequence[Seat]) -> Link:
        """Return the newest link that may be published, when everybody sees these seats to act.

        None is published while several decide in secret: the number of steps would tell that
        somebody has answered, and a link could be tried against a guess of the answer.
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
        """Whether chance is about to answer, or several decide unseen by each other."""
        state = self._scribe.state
        if state.actors() == (CHANCE,):
            return True
        acting: Sequence[Seat] = self._scribe.game.private_fields(state, SPECTATOR)["actors"]
        return len(acting) >= SEVERAL
