"""The search as in textbooks, as a baseline for ours."""

from typing import Any

from cosca.core.dice import Dice
from cosca.core.evaluator import Evaluator
from cosca.core.names import Seat
from cosca.core.state import State


class Textbook(Evaluator):
    """Uses of a game only who knows what: uniform priors and random playouts."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator.game)
        self.of_game = evaluator
        self.simulations_per_world = evaluator.simulations_per_world

    def prepare(self, position: Any) -> None:
        """Prepare the game's own evaluator."""
        self.of_game.prepare(position)

    def resample(self, world: State, seat: Seat, dice: Dice) -> None:
        """Resample the world as the game does."""
        self.of_game.resample(world, seat, dice)

    def information_key(self, state: State, seat: Seat) -> int:
        """Return the game's own information key."""
        return self.of_game.information_key(state, seat)
