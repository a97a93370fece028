"""The state of a game, and how it is queried and changed.

The methods of the first part are the contract: every game's `State` implements all of them, and
compiled they are plain C calls. The second part returns lists, for Python. Neither part checks its
arguments: moves from outside go through `match.Table.submit`.

A game without a `.pxd` can run beside a compiled core, at the speed of Python: a C call then
reaches the methods here, which call the game's Python methods. An exception raised in such a call
cannot be passed on; Python reports it on stderr, and pytest as an error.
"""

from collections.abc import Callable
from types import MethodType
from typing import Any

from cosca.core.buffers import Outcomes, Spans
from cosca.core.names import CHANCE, CHANCE_BIT, Action, Seat

# Made once: creating them again would take most of the time of a Python caller.
SEATS: list[tuple[Seat, ...]] = [
    tuple(seat for seat in range(6) if bits >> seat & 1) for bits in range(CHANCE_BIT)
]
SEATS.append((CHANCE,))
NUMBERS: list[Action] = list(range(1024))  # no game has more action numbers
LEGAL = Spans()


def in_python(state: "State", name: str) -> Callable[..., Any]:
    """Return a contract method as a game without a `.pxd` writes it, which C calls do not see."""
    method = getattr(type(state), name, None)
    if method is None or method is State.__dict__.get(name):
        raise NotImplementedError(f"{type(state).__name__} does not implement {name}()")
    return MethodType(method, state)


class State:
    """Everything that is true at the table, in a handful of integers."""

    seats: int

    # --- The contract: each game implements these---------------------------------------------

    def acting(self) -> int:
        """Return who may act, one bit a seat; CHANCE_BIT for chance, 0 when the game is over."""
        return int(in_python(self, "acting")())

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Fill in the seat's legal actions, ascending; none if it may not act."""
        in_python(self, "fill_legal")(seat, legal)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Fill in the outcomes of chance, ascending."""
        in_python(self, "fill_chance")(outcomes)

    def apply(self, seat: int, action: int) -> None:
        """Take one legal action of a seat, or of chance. Does not check that it is legal."""
        in_python(self, "apply")(seat, action)

    def ending(self) -> int:
        """Return 0 while the game goes on, then the number of the reason it ended."""
        return int(in_python(self, "ending")())

    def winners(self) -> int:
        """Return the seats that have won, one bit each."""
        return int(in_python(self, "winners")())

    def copy(self) -> "State":
        """Return an equal, independent state."""
        raise NotImplementedError

    def ints(self) -> list[int]:
        """Return the whole state as integers: equal states give equal lists."""
        raise NotImplementedError

    def load(self, ints: list[int]) -> None:
        """Become the state that `ints` was taken from."""
        raise NotImplementedError

    # --- The same as lists, for Python --------------------------------------------------------

    def actors(self) -> tuple[Seat, ...]:
        """Return who may act: seats, or chance alone, or nobody when the game is over."""
        return SEATS[self.acting()]

    def legal_actions(self, seat: Seat) -> list[Action]:
        """Return the legal actions of a seat, ascending."""
        self.fill_legal(seat, LEGAL)
        actions: list[Action] = []
        for i in range(LEGAL.count):
            for action in range(LEGAL.first[i], LEGAL.last[i] + 1):
                actions.append(NUMBERS[action])
        return actions

    def chance_outcomes(self) -> list[tuple[Action, int]]:
        """Return the possible outcomes of chance with their weights."""
        outcomes = Outcomes()
        self.fill_chance(outcomes)
        return [(outcomes.action[i], outcomes.weight[i]) for i in range(outcomes.count)]

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.ending() != 0

    def returns(self) -> list[float]:
        """Return each seat's share of the victory: 1 for a sole winner, 1/k for k winners."""
        won = [self.winners() >> seat & 1 for seat in range(self.seats)]
        return [share / (sum(won) or 1) for share in won]
