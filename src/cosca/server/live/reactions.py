"""Who was fastest: hands that reach for a card over lines of different length.

What counts is how long a person took after seeing the card: the time between sending it and hearing
the answer, less what the line takes there and back. The house has measured that itself; no clock of
a browser is believed. Nothing is decided before slower lines had their chance, too. `docs/fair.md`
tells what this can do and what it cannot.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cosca.core.names import Seat

MOST_CREDIT: Final = 0.350
"""Seconds of a line that are taken off at most: who says that theirs is longer, may be lying."""
SLACK: Final = 0.060
HOLD: Final = (0.150, 0.450)
"""Seconds between the first answer and the decision, at least and at most."""
TIE: Final = 0.015
"""Seconds that nobody can tell apart: the lot decides."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One answer in a race."""

    seat: Seat
    took: float
    """Seconds between showing the card and hearing the answer."""
    trip: float = 0.0
    """Seconds that the line takes there and back, as measured before."""

    @property
    def score(self) -> float:
        """How long the person took, as well as can be known."""
        return self.took - min(max(self.trip, 0.0), MOST_CREDIT)


def hold(trips: Sequence[float]) -> float:
    """How long to wait after the first answer, so that the slowest line can still be first."""
    least, most = HOLD
    return min(most, max(least, max(trips, default=0.0) + SLACK))


def in_order(hands: Sequence[Hand], lot: Callable[[int], int]) -> list[Hand]:
    """The hands, fastest first. Of those within a tie of the fastest left, the lot takes one."""
    left = sorted(hands, key=lambda hand: (hand.score, hand.seat))
    ordered = []
    while left:
        alike = [hand for hand in left if hand.score <= left[0].score + TIE]
        first = alike[lot(len(alike))]
        ordered.append(first)
        left.remove(first)
    return ordered


@dataclass(slots=True)
class Race:
    """One window in which the fastest hand counts: lets answers through in their order.

    Whoever answers waits until it is their turn.
    """

    lot: Callable[[int], int]
    hands: dict[Seat, Hand] = field(default_factory=dict)
    _turns: dict[Seat, "asyncio.Future[None]"] = field(default_factory=dict)
    is_decided: bool = False
    order: list[Hand] = field(default_factory=list)
    """The hands as they were let through, when that is decided."""

    @property
    def has_begun(self) -> bool:
        """Whether somebody has answered."""
        return bool(self._turns)

    def enter(self, hand: Hand) -> "asyncio.Future[None]":
        """An answer. Its turn comes at once if all is decided already."""
        turn = self._turns.get(hand.seat)
        if turn is None:
            turn = asyncio.get_running_loop().create_future()
            self._turns[hand.seat] = turn
            self.hands[hand.seat] = hand
            if self.is_decided:
                turn.set_result(None)
        return turn

    def decide(self) -> None:
        """Let everybody through who has answered, the fastest first."""
        self.is_decided = True
        self.order = in_order(list(self.hands.values()), self.lot)
        for hand in self.order:
            turn = self._turns[hand.seat]
            if not turn.done():
                turn.set_result(None)
