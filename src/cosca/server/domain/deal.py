"""The deal of a table: its secret seed, what the seats contribute, and the record it leads to."""

import hmac
from typing import Any

from cosca.core.game import Game
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.match.record import Scribe
from cosca.match.sealed import SealedDice, pack
from cosca.match.table import Table
from cosca.server.domain.contributions import Contributions
from cosca.server.domain.links import Link, Links
from cosca.server.domain.log_entries import Opened
from cosca.server.domain.seats import Seats


class Deal:
    """What the dice of a table are made from."""

    def __init__(
        self, opened: Opened, game: Game[Any, Any], settings: Settings, seats: Seats
    ) -> None:
        self._code = opened.code
        self._seed = bytes.fromhex(opened.seed)
        self._format = opened.format
        self._game = game
        self._settings = settings
        self._seats = seats
        self.contributions = Contributions(opened.code, self._seed, opened.format)
        self.persons: list[Seat] = []
        """The seats of people when the cards were dealt."""
        self._names: list[str] = []
        """The name at each seat when the cards were dealt, as it stands in the record."""
        self._links: Links | None = None

    def secret(self, purpose: str) -> bytes:
        """Return bytes that only the server can know, always the same for the same purpose."""
        return hmac.digest(self._seed, pack("cosca/house/1", self._code, purpose), "sha256")

    @property
    def alias(self) -> str:
        """The name of the table where its code must not be known, as in logs."""
        return self.secret("alias").hex()[:8]

    def dice(self, draws: int = 0) -> SealedDice:
        """Return the dice of the game after some draws."""
        return SealedDice(self._code, self._seed, self._added(), draws, self._format)

    def _added(self) -> dict[Seat, bytes]:
        """Return what goes into the dice besides the server's seed."""
        if self._format == 1:
            return {seat: chair.entropy for seat, chair in enumerate(self._seats) if chair.entropy}
        return self.contributions.revealed

    def begin(self) -> Table:
        """Deal the cards, and note who has the seats."""
        self._names = self._seats.names()
        self.persons = self._seats.persons()
        return Table(self._game, self._settings, len(self._seats), self.dice())

    def record(self, table: Table) -> str:
        """Return the record of a finished game."""
        if self._format == 1:
            names = self._seats.names()
            scribe = Scribe(self._game, self._settings, len(self._seats), self.dice(), names)
            return scribe.write_all(table.log)
        return self._chain().record(table)

    def newest_link(self, table: Table, actors: list[Seat]) -> Link | None:
        """Return the newest link of the record's chain that may be published; format 1 has none.

        `actors` are the seats that everybody sees to act.
        """
        return None if self._format == 1 else self._chain().newest(table, actors)

    def forget_links(self) -> None:
        """Rebuild the chain when it is next needed: a move was taken back."""
        self._links = None

    def _chain(self) -> Links:
        if self._links is None:
            self._links = Links(self._scribe())
        return self._links

    def _scribe(self) -> Scribe:
        seats = len(self._seats)
        given = self.contributions.recorded(self.persons, seats)
        return Scribe(self._game, self._settings, seats, self.dice(), self._names, given)
