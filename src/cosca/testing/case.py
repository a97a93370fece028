"""What a game brings to be tested: what the laws cannot know, and must not ask of its own code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from cosca import words
from cosca.core.dice import Dice
from cosca.core.errors import Param
from cosca.core.game import Game
from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.testing.walks import LAST_ROUND, LIMIT, Log, TableSetup, Walk, table_setups


class Say(Protocol):
    """The sentence for a key, filled, in a language."""

    def __call__(self, key: str, params: Mapping[str, Param], language: str = ..., /) -> str:
        """Say it."""
        ...


@dataclass(frozen=True, kw_only=True)
class Case:
    """A game, and what is known of it from its rulebook alone."""

    game: Game[Any, Any]
    actions: int
    """How many action numbers there are, counted from 0."""
    has_secrets: bool
    """Whether a seat may ever know what another may not."""
    pieces: Callable[[Any], object]
    """What a state has of everything that can neither be made nor lost, counted one by one."""
    twins: Callable[[Walk, Seat, Dice], list[Log]]
    """Logs that differ from a walk's only in what that seat, or a spectator, may not know.

    They come from the section "What a player may know" of the rules, not from `position.py`. All of
    them, or, where they are too many, some by lot.
    """
    house_rules: Sequence[Mapping[str, str]] = ()
    """Options to be tried beside the editions, each with the usual number of seats."""
    short: Mapping[str, str] = field(default_factory=dict)
    """What is set everywhere, beside the last round, so that games do not take too long."""
    say: Say = words.say
    languages: Sequence[str] = words.LANGUAGES

    def table_setups(self) -> list[TableSetup]:
        """Every edition with every number of seats, then the house rules."""
        return table_setups(self.game, self.house_rules, {LIMIT: LAST_ROUND, **self.short})


def viewers(walk: Walk) -> tuple[Seat, ...]:
    """Everybody who may look: each seat, and a spectator."""
    return (*range(walk.setup.seats), SPECTATOR)


def invalid_seats(walk: Walk) -> tuple[int, ...]:
    """Numbers that are no seat at this table."""
    return (CHANCE, SPECTATOR, -3, walk.setup.seats, 99)
