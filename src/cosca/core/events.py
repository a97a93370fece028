"""Events: what happened, as a key with parameters, and who may know about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from cosca.core.errors import Param
from cosca.core.names import Action, Seat

EVERYONE: Final = None
"""The audience of a public event."""
Listing: TypeAlias = tuple[Param, ...] | tuple[tuple[Param, Param], ...]
"""Several values for one place of a sentence: names, or names each with a figure."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something happened: a sentence with the figures of this table, and the rule behind it.

    Records leave it out, because it follows from the rules and the actions.
    """

    key: str
    """Which sentence it is; `say` returns it."""
    params: Mapping[str, Param | Listing]
    """What fills the sentence."""
    rule: str
    """The id of the rule in the game's rulebook, such as `V-9`."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. The language files hold the sentence for its key."""

    key: str
    """Which sentence it is; `say` returns it."""
    params: Mapping[str, Param]
    """What fills the sentence."""
    audience: frozenset[Seat] | None = EVERYONE
    """The seats that may know; an empty set is seen in the record after the game only."""
    is_transient: bool = False
    """Whether it is shown for a moment only, so that players have to remember it."""
    reason: Reason | None = None
    """Why it happened, with the audience of the event; None if a player or chance chose it."""

    def is_for(self, seat: Seat) -> bool:
        """Return whether a seat, or a spectator, may know about it."""
        return self.audience is None or seat in self.audience


def no_unspoken_events(state: object, seat: Seat, action: Action) -> list[Event]:
    """Return nothing, for games whose events already say all that a referee needs."""
    return []
