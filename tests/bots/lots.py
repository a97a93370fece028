"""One draw from several urns, of which the last looks worst and is best."""

from cosca.core.buffers import Outcomes, Spans
from cosca.core.evaluator import Evaluator, Priors
from cosca.core.names import BIT, CHANCE_BIT
from cosca.core.state import State

URNS = 6
NONE = -1


class Lots(State):
    """Seat 0 takes a lot of ten from an urn; so many of them win, and seat 1 has the rest."""

    def __init__(self, winning: tuple[int, ...], urn: int = NONE, won: int = 0) -> None:
        self.seats = 2
        self.winning = winning
        self.urn = urn
        self.won = won

    def acting(self) -> int:
        """Choose, and draw."""
        if self.won:
            return 0
        return BIT[0] if self.urn == NONE else CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Any urn."""
        legal.clear()
        legal.add(0, URNS - 1)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Each lot is as likely."""
        outcomes.clear()
        for lot in range(10):
            outcomes.add(lot, 1)

    def apply(self, seat: int, action: int) -> None:
        """One step."""
        if seat < 0:
            self.won = BIT[action >= self.winning[self.urn]]
        else:
            self.urn = action

    def ending(self) -> int:
        """Over or not."""
        return int(self.won > 0)

    def winners(self) -> int:
        """Who has won."""
        return self.won

    def copy(self) -> "Lots":
        """The same once more."""
        return Lots(self.winning, self.urn, self.won)


class Charmed(Evaluator):
    """Likes the first urn, and each that follows much less."""

    def __init__(self) -> None:
        super().__init__(None)

    def information_key(self, state: State, seat: int) -> int:
        """All is known."""
        assert isinstance(state, Lots)
        return state.urn + 1

    def fill_priors(self, state: State, seat: int, legal: Spans, moves: Priors) -> None:
        """Each a third as good as the one before."""
        moves.clear()
        for urn in range(URNS):
            moves.add(urn, 3.0**-urn)
