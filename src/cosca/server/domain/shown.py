"""What each seat, and a spectator, is shown of a game: its visible position and its events."""

from typing import Any

from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import SPECTATOR, Seat
from cosca.core.position import Fields, Position
from cosca.match.table import Table


class Shown:
    """What may be seen now. It is computed once for all viewers, until something happens."""

    def __init__(self, game: Game[Any, Any], seats: int, *, aids_memory: bool) -> None:
        self._game = game
        self.aids_memory = aids_memory
        """Whether what was shown for a moment can be read again later."""
        self.table: Table | None = None
        """The game; None until the cards are dealt."""
        self.fresh = [0] * seats
        """Each seat's first event since its last move; transient events before it are gone."""
        self._positions: dict[Seat, Position] = {}
        self._private_fields: dict[Seat, Fields] = {}
        self._public_fields: Fields = {}
        self.derived: dict[Any, Any] = {}
        """What callers have computed from it, such as encoded messages; cleared with the rest."""

    def playing(self) -> Table:
        """Return the game in progress, or over."""
        if self.table is None:
            raise Refused("web.not_begun")
        return self.table

    def clear(self) -> None:
        """Forget what was computed: something happens."""
        self._positions.clear()
        self._private_fields.clear()
        self.derived.clear()
        self._public_fields = {}

    def position(self, seat: Seat) -> Position:
        """Return what a seat, or a spectator, sees now."""
        if seat not in self._positions:
            public, private = self.public_fields(), self.private_fields(seat)
            self._positions[seat] = self._game.combine(public, private)
        return self._positions[seat]

    def public_fields(self) -> Fields:
        """Return the part of all visible positions that everybody sees."""
        if not self._public_fields:
            self._public_fields = self.playing().public_fields()
        return self._public_fields

    def private_fields(self, seat: Seat) -> Fields:
        """Return the part of a visible position that only that seat, or a spectator, sees."""
        if seat not in self._private_fields:
            self._private_fields[seat] = self.playing().private_fields(seat)
        return self._private_fields[seat]

    def events(self, seat: Seat, since: int = 0) -> list[Event]:
        """Return what a seat, or a spectator, may read of what has happened since an event."""
        events = self.table.events[since:] if self.table else []
        return [event for event in events if self.may_read(event, seat)]

    def may_read(self, event: Event, seat: Seat) -> bool:
        """Return whether a viewer may read an event; transient ones are only seen."""
        return event.is_for(seat) and (self.aids_memory or not event.is_transient)

    def sights(self, seat: Seat) -> list[Event]:
        """Return what a seat sees until its next move, and then has to remember."""
        if self.table is None or seat == SPECTATOR or self.aids_memory:
            return []
        events = self.table.events[self.fresh[seat] :]
        return [event for event in events if event.is_transient and event.is_for(seat)]
