"""Win chances as each seat can estimate them, and the moves that decided a game.

Worlds consistent with what the seat knows are played on, and the shares of the victory are
averaged. Seats know different things, so their chances need not add up to one.
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
"""How many plies of a longer game are evaluated at first, evenly spaced."""
CLOSER: Final = 3
"""How many gaps between them are evaluated ply by ply: those with the largest changes."""
DECIDING: Final = 3
"""The most turning points that are reported."""
CLOSE: Final = 12
"""So many plies apart or fewer, a rise and a fall of one seat cancel each other."""
CHANGE: Final = 0.08
"""The smallest change of chances that makes a ply a turning point."""

Shares: TypeAlias = tuple[float, ...]
Curve: TypeAlias = Mapping[int, Shares]
"""For a number of plies, the chance that each seat could see for itself."""


def position_dice(position: Position) -> Dice:
    """Return dice seeded by a position: the same wherever a seat knows the same."""
    digest = blake2b(repr(position).encode(), digest_size=8).digest()
    return Dice(int.from_bytes(digest, "big"))


def win_chances(game: Game[Any, Any], position: Position, simulations: int = SIMULATIONS) -> Shares:
    """Return each seat's expected share of the victory, as the seat of a position sees it.

    The game is played on from sampled states, as often as `simulations` says.
    """
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
    """Return what each seat estimates as its own chance, given one position for each."""
    return tuple(win_chances(game, position, simulations)[position.seat] for position in positions)


# --- Looking back -----------------------------------------------------------------------------


def sampled_plies(moves: int) -> list[int]:
    """Return the numbers of plies after which a game is evaluated, from none to all."""
    steps = min(moves, MOMENTS - 1)
    return sorted({round(step * moves / steps) for step in range(steps + 1)}) if steps else [0]


def plies_to_refine(curve: Curve) -> list[int]:
    """Return further numbers of plies to evaluate: every one where the chances changed most."""
    known = sorted(curve)
    gaps = [(a, b) for a, b in pairwise(known) if b > a + 1]
    gaps.sort(key=lambda gap: -_change(curve[gap[0]], curve[gap[1]]))
    return sorted(number for a, b in gaps[:CLOSER] for number in range(a + 1, b))


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A ply that changed the chances of a seat decisively."""

    number: int
    seat: Seat
    """The seat whose chance changed most."""
    before: float
    after: float

    @property
    def is_rise(self) -> bool:
        """Whether the seat gained."""
        return self.after > self.before

    def cancels(self, other: "TurningPoint") -> bool:
        """Return whether one takes back what the other brought: the same seat, soon after."""
        is_close = abs(self.number - other.number) <= CLOSE
        return is_close and self.seat == other.seat and self.is_rise != other.is_rise


def turning_points(curve: Curve) -> list[TurningPoint]:
    """Return the turning points of a game, in order: the largest changes, none taken back.

    Of a rise and a fall of one seat that are close together, only the larger one is reported.
    """
    decisive = []
    for number in sorted(curve):
        if number - 1 in curve and _change(curve[number - 1], curve[number]) >= CHANGE:
            decisive.append(number)
    decisive.sort(key=lambda number: -_change(curve[number - 1], curve[number]))
    found: list[TurningPoint] = []
    for number in decisive:
        turn = _turning_point(curve, number)
        if len(found) < DECIDING and not any(turn.cancels(other) for other in found):
            found.append(turn)
    return sorted(found, key=lambda turn: turn.number)


def _turning_point(curve: Curve, number: int) -> TurningPoint:
    before, after = curve[number - 1], curve[number]
    seat = max(range(len(after)), key=lambda seat: abs(after[seat] - before[seat]))
    return TurningPoint(number, seat, before[seat], after[seat])


def _change(before: Shares, after: Shares) -> float:
    """Return how much chance moved from some seats to others."""
    return sum(abs(one - other) for one, other in zip(before, after, strict=True)) / 2
