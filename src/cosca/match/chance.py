"""Resolving chance at a table, with fast or sealed dice."""

from typing import Any, Protocol

from cosca.core.game import Game
from cosca.core.names import Action, pick
from cosca.core.state import State


class DrawSource(Protocol):
    """Decides for chance: fast dice in tests, sealed dice at a real table."""

    def draw(self, purpose: str, among: int, /) -> int:
        """Return a number from 0 to among - 1, for that purpose."""
        ...


def draw_outcome(game: Game[Any, Any], state: State, dice: DrawSource) -> Action:
    """Return what chance does now, by the weights. Changes nothing but the dice."""
    outcomes = state.chance_outcomes()
    total = sum(weight for _, weight in outcomes)
    return pick(outcomes, dice.draw(game.chance_purpose(state), total))
