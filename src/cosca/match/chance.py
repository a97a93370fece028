"""Chance at a table: what it does next, by whatever dice are on the table."""

from typing import Any, Protocol

from cosca.core.game import Game
from cosca.core.names import Action, pick
from cosca.core.state import State


class DrawSource(Protocol):
    """Whatever decides for chance: fast dice in tests, sealed dice at a real table."""

    def draw(self, purpose: str, among: int, /) -> int:
        """A number from 0 to among - 1, for that purpose."""
        ...


def draw_outcome(game: Game[Any, Any], state: State, dice: DrawSource) -> Action:
    """What chance does now, each outcome as likely as its weight. Changes nothing but the dice."""
    outcomes = state.chance_outcomes()
    total = sum(weight for _, weight in outcomes)
    return pick(outcomes, dice.draw(game.chance_purpose(state), total))
