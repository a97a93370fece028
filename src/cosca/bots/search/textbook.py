"""The search as it stands in textbooks, to measure ours against."""

from typing import Any

from cosca.core.dice import Dice
from cosca.core.instinct import Instinct
from cosca.core.names import Seat
from cosca.core.state import State


class Textbook(Instinct):
    """Knows of a game only who knows what: all moves are alike, and playouts are random."""

    def __init__(self, instinct: Instinct) -> None:
        super().__init__(instinct.game)
        self.of_game = instinct
        self.stays = instinct.stays

    def prepare(self, position: Any) -> None:
        """Worlds are as the game says."""
        self.of_game.prepare(position)

    def reshuffle(self, world: State, seat: Seat, dice: Dice) -> None:
        """Worlds are as the game says."""
        self.of_game.reshuffle(world, seat, dice)

    def view(self, state: State, seat: Seat) -> int:
        """What a seat knows, as the game says it."""
        return self.of_game.view(state, seat)
