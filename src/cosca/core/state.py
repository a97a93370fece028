"""A game in progress, and the doors through which it is asked and moved.

The methods of the first part are the contract: every game's `State` writes all of them, and
compiled they are plain C calls. The second part makes lists of them for Python. Neither checks what
it is given: outsiders come in through `match.Table.submit`.

A game that has no `.pxd` yet runs beside a compiled core, at the speed of Python: a C call then
arrives at the methods here, and they pass it on. What such a game raises inside a C call cannot
travel on; Python reports it on stderr, and pytest as an error.
"""

from collections.abc import Callable
from types import MethodType
from typing import Any

from cosca.core.buffers import Outcomes, Spans
from cosca.core.names import CHANCE, CHANCE_BIT, Action, Seat

# Made once, because making them again is most of the time a Python caller spends.
SEATS: list[tuple[Seat, ...]] = [
    tuple(seat for seat in range(6) if bits >> seat & 1) for bits in range(CHANCE_BIT)
]
SEATS.append((CHANCE,))
NUMBERS: list[Action] = list(range(1024))  # no game has more action numbers
LEGAL = Spans()


def in_python(state: "State", name: str) -> Callable[..., Any]:
    """A method of the contract as a game without a `.pxd` writes it: C calls do not see it."""
    method = getattr(type(state), name, None)
    if method is None or method is State.__dict__.get(name):
        raise NotImplementedError(f"{type(state).__name__} does not write {name}()")
    return MethodType(method, state)


class State:
    """Everything that is true at the table, in a handful of integers."""

    seats: int

    # --- The contract: each game writes these -------------------------------------------------

    def acting(self) -> int:
        """Who may act now, one bit a seat; CHANCE_BIT when chance does; 0 when the game is over."""
        return int(in_python(self, "acting")())

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Put in what that seat may do now, ascending; nothing if it may not act."""
        in_python(self, "fill_legal")(seat, legal)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Put in what chance may do now, ascending."""
        in_python(self, "fill_chance")(outcomes)

    def apply(self, seat: int, action: int) -> None:
        """Do one legal action of a seat, or of chance. Trusts its caller."""
        in_python(self, "apply")(seat, action)

    def ending(self) -> int:
        """0 while the game goes on, then the number of the reason it ended."""
        return int(in_python(self, "ending")())

    def winners(self) -> int:
        """The seats that have won, one bit each."""
        return int(in_python(self, "winners")())

    def copy(self) -> "State":
        """Another state, equal and independent."""
        raise NotImplementedError

    def ints(self) -> list[int]:
        """The whole state as a list of integers: equal states, equal lists."""
        raise NotImplementedError

    def load(self, ints: list[int]) -> None:
        """Become the state that `ints` was taken from."""
        raise NotImplementedError

    # --- The same as lists, for Python --------------------------------------------------------

    def actors(self) -> tuple[Seat, ...]:
        """Who may act now: seats, or chance alone, or nobody when the game is over."""
        return SEATS[self.acting()]

    def legal_actions(self, seat: Seat) -> list[Action]:
        """What that seat may do now, ascending."""
        self.fill_legal(seat, LEGAL)
        actions: list[Action] = []
        for i in range(LEGAL.count):
            for action in range(LEGAL.first[i], LEGAL.last[i] + 1):
                actions.append(NUMBERS[action])
        return actions

    def chance_outcomes(self) -> list[tuple[Action, int]]:
        """What chance may do now, with weights."""
        outcomes = Outcomes()
        self.fill_chance(outcomes)
        return [(outcomes.action[i], outcomes.weight[i]) for i in range(outcomes.count)]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ending() != 0

    def returns(self) -> list[float]:
        """Each seat's share of the victory: 1 for a sole winner, 1/k for k who share it."""
        won = [self.winners() >> seat & 1 for seat in range(self.seats)]
        return [share / (sum(won) or 1) for share in won]
