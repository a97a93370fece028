"""The search as it stands in textbooks, to measure ours against."""

from typing import Any

from cosca.core.dice import Dice
from cosca.core.evaluator import Evaluator
from cosca.core.names import Seat
from cosca.core.state import State


class Textbook(Evaluator):
    """Knows of a game only who knows what: all moves are alike, and playouts are random."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.game)
        self.of_game = evaluator
        self.simulations_per_world = evaluator.simulations_per_world

    def prepare(self, position: Any) -> None:
        """Worlds are as the game says."""
        self.of_game.prepare(position)

    def resample(self, world: State, seat: Seat, dice: Dice) -> None:
        """Worlds are as the game says."""
        self.of_game.resample(world, seat, dice)

    def information_key(self, state: State, seat: Seat) -> int:
        """What a seat knows, as the game says it."""
        return self.of_game.information_key(state, seat)
