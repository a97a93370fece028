"""One draw from several urns, of which the last has the lowest prior and is best."""

from cosca.core.buffers import Outcomes, Spans
from cosca.core.evaluator import Evaluator, Priors
from cosca.core.names import BIT, CHANCE_BIT
from cosca.core.state import State

URNS = 6
NONE = -1


class Urns(State):
    """Seat 0 draws one of ten lots from an urn; some of them win, and else seat 1 wins."""

    def __init__(self, winning: tuple[int, ...], urn: int = NONE, won: int = 0) -> None:
        self.seats = 2
        self.winning = winning
        self.urn = urn
        self.won = won

    def acting(self) -> int:
        """Return who chooses, then chance."""
        if self.won:
            return 0
        return BIT[0] if self.urn == NONE else CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Fill in all urns."""
        legal.clear()
        legal.add(0, URNS - 1)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Fill in all lots, equally likely."""
        outcomes.clear()
        for lot in range(10):
            outcomes.add(lot, 1)

    def apply(self, seat: int, action: int) -> None:
        """Apply one action."""
        if seat < 0:
            self.won = BIT[action >= self.winning[self.urn]]
        else:
            self.urn = action

    def ending(self) -> int:
        """Return whether it is over."""
        return int(self.won > 0)

    def winners(self) -> int:
        """Return who has won."""
        return self.won

    def copy(self) -> "Urns":
        """Return an equal, independent state."""
        return Urns(self.winning, self.urn, self.won)


class FirstUrnEvaluator(Evaluator):
    """An evaluator that prefers the first urn, and each later one much less."""

    def __init__(self) -> None:
        super().__init__(None)

    def information_key(self, state: State, seat: int) -> int:
        """Return a key of everything: nothing is hidden."""
        assert isinstance(state, Urns)
        return state.urn + 1

    def fill_priors(self, state: State, seat: int, legal: Spans, moves: Priors) -> None:
        """Fill in priors, each a third of the one before."""
        moves.clear()
        for urn in range(URNS):
            moves.add(urn, 3.0**-urn)
