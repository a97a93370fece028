"""The integers every game uses: seats, actions, and the players that are not seats."""

from collections.abc import Iterable
from typing import Final, TypeAlias

Seat: TypeAlias = int
"""A place at the table, counted clockwise from 0."""

Action: TypeAlias = int
"""The smallest step of a game, a number from 0; its meaning is up to the game."""

CHANCE: Final = -1
"""The seat that shuffles, deals and rolls."""

SPECTATOR: Final = -2
"""Someone who watches without a seat, and knows only what is public."""

ALL_SEATS: Final = -1
"""Stands for all seats where otherwise one seat is given."""

BIT: Final = [1, 2, 4, 8, 16, 32]
"""The bit of each seat, as a table: a shift by a C integer is only 32 bits wide."""

CHANCE_BIT: Final = 64
"""Stands for chance in a bit set of seats."""


def pick(weighted: Iterable[tuple[Action, int]], roll: int) -> Action:
    """Return the action that a roll below the sum of all weights selects."""
    for action, weight in weighted:
        if roll < weight:
            return action
        roll -= weight
    raise ValueError("the roll is not below the sum of the weights")
