"""What a seat can think of its chances, from what it knows; and the moves that decided a game.

In worlds that may be true all play on by habit, and it is counted who wins how much. Seats know
different things, so their chances need not add up to one: each is what that seat could think.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final, TypeAlias

from cosca.core.dice import Dice
from cosca.core.evaluator import Values
from cosca.core.game import Game
from cosca.core.names import Seat
from cosca.core.position import Position

WORLDS: Final = 4
SIMULATIONS: Final = 200
MOMENTS: Final = 120
"""Of a longer game so many moments are looked at, evenly."""
CLOSER: Final = 3
"""Between so many of them every move is looked at: where chances changed most."""
DECIDING: Final = 5
"""So many moves are told that decided a game, at most."""
CHANGE: Final = 0.08
"""A move that changed less has decided nothing."""

Shares: TypeAlias = tuple[float, ...]
Curve: TypeAlias = Mapping[int, Shares]
"""After so many moves, what each seat could think that it has of the victory."""


def position_dice(position: Position) -> Dice:
    """Dice made from what a seat knows: the same wherever it knows the same."""
    digest = blake2b(repr(position).encode(), digest_size=8).digest()
    return Dice(int.from_bytes(digest, "big"))


def win_chances(game: Game[Any, Any], position: Position, simulations: int = SIMULATIONS) -> Shares:
    """What each seat has of the victory, as far as the seat of a position can tell."""
    dice = position_dice(position)
    evaluator = game.evaluator(game)
    values = Values()
    evaluator.prepare(position)
    world = game.sample(position, dice)
    whole = [0.0] * world.seats
    for number in range(1, simulations + 1):
        state = world.copy()
        evaluator.resample(state, position.seat, dice)
        if state.acting():
            evaluator.fill_values(state, dice, values)
        else:
            values.set_terminal(state)
        for seat in range(world.seats):
            whole[seat] += values.share[seat]
        if number % (simulations // WORLDS) == 0 and number < simulations:
            world = game.sample(position, dice)
    return tuple(share / simulations for share in whole)


def own_win_chances(
    game: Game[Any, Any], positions: Sequence[Position], simulations: int = SIMULATIONS
) -> Shares:
    """What each seat can think of its own chance; of each there is the position."""
    return tuple(win_chances(game, position, simulations)[position.seat] for position in positions)


# --- Looking back -----------------------------------------------------------------------------


def sampled_plies(moves: int) -> list[int]:
    """The moments of a game that are looked at: after how many moves, from none to all."""
    steps = min(moves, MOMENTS - 1)
    return sorted({round(step * moves / steps) for step in range(steps + 1)}) if steps else [0]


def plies_to_refine(curve: Curve) -> list[int]:
    """The moments to be looked at besides: each move where the most changed."""
    known = sorted(curve)
    gaps = [(a, b) for a, b in pairwise(known) if b > a + 1]
    gaps.sort(key=lambda gap: -_change(curve[gap[0]], curve[gap[1]]))
    return sorted(number for a, b in gaps[:CLOSER] for number in range(a + 1, b))


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that decided: after it a seat had other chances than before."""

    number: int
    seat: Seat
    """Whose chance changed most."""
    before: float
    after: float


def turning_points(curve: Curve) -> list[TurningPoint]:
    """The moves that decided a game, in the order in which they were made."""
    found = []
    for number in sorted(curve):
        if number - 1 in curve and _change(curve[number - 1], curve[number]) >= CHANGE:
            found.append(number)
    found.sort(key=lambda number: -_change(curve[number - 1], curve[number]))
    return [_turning_point(curve, number) for number in sorted(found[:DECIDING])]


def _turning_point(curve: Curve, number: int) -> TurningPoint:
    before, after = curve[number - 1], curve[number]
    seat = max(range(len(after)), key=lambda seat: abs(after[seat] - before[seat]))
    return TurningPoint(number, seat, before[seat], after[seat])


def _change(before: Shares, after: Shares) -> float:
    """How much chance has gone from some seats to others."""
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2
