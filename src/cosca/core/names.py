"""The integer vocabulary of the house: seats, actions, and who is not a seat."""

from collections.abc import Iterable
from typing import Final, TypeAlias

Seat: TypeAlias = int
"""A place at the table, counted clockwise from 0. A player sits there."""

Action: TypeAlias = int
"""The smallest step of a game, a number from 0 on. What it means is the game's."""

CHANCE: Final = -1
"""The seat that shuffles, deals and rolls."""

SPECTATOR: Final = -2
"""Whoever watches and sits nowhere: knows what is public."""

ALL_SEATS: Final = -1
"""In place of one seat, where all are meant."""

BIT: Final = [1, 2, 4, 8, 16, 32]
"""One bit a seat, looked up: a shift by a C integer is only 32 bits wide."""

CHANCE_BIT: Final = 64
"""Stands for chance in a set of seats."""


def pick(weighted: Iterable[tuple[Action, int]], roll: int) -> Action:
    """The action that a roll below the sum of all weights stands for."""
    for action, weight in weighted:
        if roll < weight:
            return action
        roll -= weight
    raise ValueError("the roll is not below the sum of the weights")
