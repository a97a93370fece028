"""The ranking of a finished game: who came where, and the figures that decided it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cosca.core.names import Seat
from cosca.core.state import State


class Ranked(NamedTuple):
    """The place of one seat in the ranking of a finished game."""

    place: int
    """1 for the winners; seats that are tied have the same place."""
    seat: Seat
    figures: Mapping[str, int]
    """The figures that decided it, by key, the most important first; every seat has the same."""


def rank(
    state: State,
    figures: Callable[[Seat], Mapping[str, int]],
    merit: Callable[[Seat], Sequence[int]],
) -> list[Ranked]:
    """Rank the seats of a finished game: the winners first, then by merit, the highest first."""

    def strength(seat: Seat) -> tuple[bool, Sequence[int]]:
        has_won = bool(state.winners() >> seat & 1)
        return has_won, () if has_won else merit(seat)

    order = sorted(range(state.seats), key=strength, reverse=True)
    strengths = [strength(seat) for seat in order]
    return [
        Ranked(strengths.index(strengths[at]) + 1, seat, figures(seat))
        for at, seat in enumerate(order)
    ]
