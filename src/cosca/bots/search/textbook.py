"""The search as it stands in textbooks, to measure ours against."""

from cosca.core.instinct import Instinct
from cosca.core.names import Seat
from cosca.core.state import State


class Textbook(Instinct):
    """Knows of a game only who knows what: all moves are alike, and playouts are random."""

    def __init__(self, instinct: Instinct) -> None:
        super().__init__(instinct.game)
        self.of_game = instinct

    def view(self, state: State, seat: Seat) -> int:
        """What a seat knows, as the game says it."""
        return self.of_game.view(state, seat)
