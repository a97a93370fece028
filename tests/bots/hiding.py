"""A game of one coin, small enough to be solved on paper.

Seat 0 hides it left or right, seat 1 looks on one side. Who looks on the wrong side loses; who
looks right wins, but on the right side only every other time. Each seat should choose the left in
one game of three; then seat 0 wins two of three.
"""

from cosca.core.buffers import Outcomes, Spans
from cosca.core.evaluator import Evaluator, Priors
from cosca.core.names import BIT, CHANCE_BIT
from cosca.core.state import State

LEFT = 0
RIGHT = 1
NOWHERE = -1


class Hiding(State):
    """Where the coin is, and where it was looked for."""

    def __init__(self, coin: int = NOWHERE, look: int = NOWHERE, won: int = 0) -> None:
        self.seats = 2
        self.coin = coin
        self.look = look
        self.won = won

    def acting(self) -> int:
        """Hide, look, and perhaps a lot."""
        if self.won:
            return 0
        if self.look == NOWHERE:
            return BIT[self.coin != NOWHERE]
        return CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Left or right."""
        legal.clear()
        legal.add(LEFT, RIGHT)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Either may win."""
        outcomes.clear()
        outcomes.add(0, 1)
        outcomes.add(1, 1)

    def apply(self, seat: int, action: int) -> None:
        """One step."""
        if seat < 0:
            self.won = BIT[action]
        elif self.coin == NOWHERE:
            self.coin = action
        else:
            self.look = action
            if self.coin != self.look:
                self.won = BIT[0]
            elif self.coin == LEFT:
                self.won = BIT[1]

    def ending(self) -> int:
        """Over or not."""
        return int(self.won > 0)

    def winners(self) -> int:
        """Who has won."""
        return self.won

    def copy(self) -> "Hiding":
        """Another state, equal and independent."""
        return Hiding(self.coin, self.look, self.won)


class Bluffer(Evaluator):
    """Nobody knows more than whose turn it is, and everybody must not be read."""

    def __init__(self) -> None:
        super().__init__(None)

    def information_key(self, state: State, seat: int) -> int:
        """Each seat always knows the same: nothing."""
        return 7

    def fill_priors(self, state: State, seat: int, legal: Spans, moves: Priors) -> None:
        """Both sides, mixed."""
        super().fill_priors(state, seat, legal, moves)
        moves.mixed = True
