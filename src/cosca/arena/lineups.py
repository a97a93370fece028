"""Lineups in which all bots meet equally often, in an order that stays even."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from typing import Final

from cosca.core.dice import Dice
from cosca.core.errors import Refused

Lineup = tuple[str, ...]

MOST: Final = 1_001
"""The most lineups: fourteen bots at four seats."""


@cache
def lineups(bots: Lineup, seats: int, seed: int) -> tuple[Lineup, ...]:
    """Return all lineups in turn; over all of them, each two bots meet equally often.

    Bots named more than once form one lineup as they are. Of more bots than seats all combinations
    play; of fewer, each sits at least once, and the remaining seats rotate.
    """
    if len(set(bots)) < len(bots) or len(bots) == seats:
        if len(bots) != seats:
            raise Refused("arena.bots_for_seats", bots=len(bots), seats=seats)
        return (bots,)
    if len(bots) < seats:
        more = combinations_with_replacement(bots, seats - len(bots))
        found = [tuple(sorted((*bots, *rest), key=bots.index)) for rest in more]
    else:
        if comb(len(bots), seats) > MOST:
            raise Refused("arena.too_many_bots", bots=len(bots), seats=seats)
        found = list(combinations(bots, seats))
    return tuple(_evenly(_shuffled(found, Dice(seed, len(bots)))))


def _shuffled(lineups: Sequence[Lineup], dice: Dice) -> list[Lineup]:
    left = list(lineups)
    return [left.pop(dice.below(len(left))) for _ in lineups]


def _evenly(left: list[Lineup]) -> list[Lineup]:
    """Order lineups so that bots that have met least meet next; any part is nearly even."""
    met: dict[tuple[str, str], int] = {}
    order = []
    while left:
        best = min(left, key=lambda lineup: sum(met.get(pair, 0) ** 2 for pair in _pairs(lineup)))
        left.remove(best)
        order.append(best)
        for pair in _pairs(best):
            met[pair] = met.get(pair, 0) + 1
    return order


def _pairs(lineup: Lineup) -> list[tuple[str, str]]:
    return [pair for pair in combinations(lineup, 2) if pair[0] != pair[1]]


@cache
def seatings(lineup: Lineup, seed: int) -> tuple[Lineup, ...]:
    """Return the ways a lineup can sit around a table, so that neighbours vary too."""
    first, *others = lineup
    found = dict.fromkeys((first, *rest) for rest in permutations(others))
    return tuple(_shuffled(list(found), Dice(seed, len(lineup))))
