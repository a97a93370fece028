"""The case of a game: what the laws cannot know, and must not ask of its own code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cosca import words
from cosca.core.dice import Dice
from cosca.core.errors import Param
from cosca.core.events import Listing
from cosca.core.game import Game
from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.testing.walks import LAST_ROUND, LIMIT, Log, TableSetup, Walk, table_setups


class Say(Protocol):
    """Returns the sentence for a key, filled, in a language."""

    def __call__(
        self, key: str, params: Mapping[str, Param | Listing], language: str = ..., /
    ) -> str:
        """Return the sentence."""
        ...


@dataclass(frozen=True, kw_only=True)
class Case:
    """A game, with what its rulebook says about it."""

    game: Game[Any, Any]
    actions: int
    """How many action numbers there are, counted from 0."""
    has_secrets: bool
    """Whether a seat may ever know something another may not."""
    pieces: Callable[[Any], object]
    """Counts everything in a state that can neither be created nor lost."""
    twins: Callable[[Walk, Seat, Dice], list[Log]]
    """Returns logs that differ from a walk's only in what that seat, or a spectator, may not know.

    They follow the section "What a player may know" of the rules, not `position.py`. All of them,
    or a random selection where there are too many.
    """
    plain_events: frozenset[str]
    """The events that need no reason: what a player chose, and what chance turned up."""
    holdings: Callable[[Any, Seat], object]
    """Returns all that a seat has in a state and can be given or lose: pieces, points, the win."""
    dealing: frozenset[str] = frozenset()
    """The purposes for which chance deals to everyone alike, so that nobody asks why."""
    rules: frozenset[str] = frozenset()
    """The ids of its rules, for a game whose rulebook is not among the files of the games."""
    house_rules: Sequence[Mapping[str, str]] = ()
    """Options to try besides the editions, each with the default number of seats."""
    short: Mapping[str, str] = field(default_factory=dict)
    """Options set everywhere, besides the last round, so that games do not take too long."""
    say: Say = words.say
    languages: Sequence[str] = words.LANGUAGES

    def table_setups(self) -> list[TableSetup]:
        """Return every edition with every number of seats, then the house rules."""
        return table_setups(self.game, self.house_rules, {LIMIT: LAST_ROUND, **self.short})


def viewers(walk: Walk) -> tuple[Seat, ...]:
    """Return everyone who may look: each seat, and a spectator."""
    return (*range(walk.setup.seats), SPECTATOR)


def invalid_seats(walk: Walk) -> tuple[int, ...]:
    """Return numbers that are not seats of this table."""
    return (CHANCE, SPECTATOR, -3, walk.setup.seats, 99)
