"""What happened, as a key with parameters, and who may know of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cosca.core.errors import Param
from cosca.core.names import Action, Seat

EVERYONE: Final = None
"""The audience of what happens in the open."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. The sentence for its key stands in the language files."""

    key: str
    params: Mapping[str, Param]
    audience: frozenset[Seat] | None = EVERYONE
    """What is for nobody, as a card that is dealt face down, is read in the record at the end."""
    is_transient: bool = False
    """Whether it is shown for a moment only: who wants to know later has to remember."""

    def is_for(self, seat: Seat) -> bool:
        """Whether that seat, or a spectator, may know of it."""
        return self.audience is None or seat in self.audience


def no_unspoken_events(state: object, seat: Seat, action: Action) -> list[Event]:
    """For games whose events already say all that a referee needs to know."""
    return []
