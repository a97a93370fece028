"""A game of hiding a coin, small enough to be solved on paper."""

from cosca.core.buffers import Outcomes, Spans
from cosca.core.evaluator import Evaluator, Priors
from cosca.core.names import BIT, CHANCE_BIT
from cosca.core.state import State

LEFT = 0
RIGHT = 1
NOWHERE = -1


class Hiding(State):
    """Where the coin is, and where the other seat looked."""

    def __init__(self, coin: int = NOWHERE, look: int = NOWHERE, won: int = 0) -> None:
        self.seats = 2
        self.coin = coin
        self.look = look
        self.won = won

    def acting(self) -> int:
        """Return who hides, who looks, and then perhaps chance."""
        if self.won:
            return 0
        if self.look == NOWHERE:
            return BIT[self.coin != NOWHERE]
        return CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Fill in left and right."""
        legal.clear()
        legal.add(LEFT, RIGHT)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Fill in a fair coin."""
        outcomes.clear()
        outcomes.add(0, 1)
        outcomes.add(1, 1)

    def apply(self, seat: int, action: int) -> None:
        """Apply one action."""
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
        """Return whether it is over."""
        return int(self.won > 0)

    def winners(self) -> int:
        """Return who has won."""
        return self.won

    def copy(self) -> "Hiding":
        """Return an equal, independent state."""
        return Hiding(self.coin, self.look, self.won)


class Bluffer(Evaluator):
    """An evaluator for which nobody knows more than whose turn it is, and play is mixed."""

    def __init__(self) -> None:
        super().__init__(None)

    def information_key(self, state: State, seat: int) -> int:
        """Return the same key always: each seat knows nothing."""
        return 7

    def fill_priors(self, state: State, seat: int, legal: Spans, moves: Priors) -> None:
        """Fill in both sides, for mixed play."""
        super().fill_priors(state, seat, legal, moves)
        moves.mixed = True
