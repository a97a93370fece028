"""The order of reactions over connections of different latency: who was fastest.

What counts is how long a person took after seeing the card: the time between sending it and
receiving the answer, less the round trip of the connection. The server has measured that itself; no
browser's clock is believed. Nothing is decided before slower connections had their chance, too.
`docs/fair.md` explains what this can do and what it cannot.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cosca.core.names import Seat

MOST_CREDIT: Final = 0.350
"""Seconds of round trip that are subtracted at most: a longer one may be pretended."""
SLACK: Final = 0.060
HOLD: Final = (0.150, 0.450)
"""Seconds between the first answer and the decision, at least and at most."""
TIE: Final = 0.015
"""Seconds too short to tell two reactions apart: a lot decides."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """One answer in a reaction window."""

    seat: Seat
    took: float
    """Seconds between showing the card and receiving the answer."""
    round_trip: float = 0.0
    """Seconds that a message takes to the browser and back, as measured before."""

    @property
    def score(self) -> float:
        """How long the person took, as well as can be known."""
        return self.took - min(max(self.round_trip, 0.0), MOST_CREDIT)


def hold_seconds(round_trips: Sequence[float]) -> float:
    """Return how long to wait after the first answer, so that the slowest connection can win."""
    least, most = HOLD
    return min(most, max(least, max(round_trips, default=0.0) + SLACK))


def in_order(reactions: Sequence[Reaction], lot: Callable[[int], int]) -> list[Reaction]:
    """Return the reactions, fastest first. Among those that tie with the fastest a lot decides."""
    left = sorted(reactions, key=lambda reaction: (reaction.score, reaction.seat))
    ordered = []
    while left:
        tied = [reaction for reaction in left if reaction.score <= left[0].score + TIE]
        first = tied[lot(len(tied))]
        ordered.append(first)
        left.remove(first)
    return ordered
