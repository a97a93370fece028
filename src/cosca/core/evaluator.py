"""What a search asks of a game: information keys, priors, playout actions and values.

The base class answers for any game through its contract; a game writes its own, compiled, where it
can do better and faster. An evaluator is handed a whole state, but answers for a seat only from
what that seat knows: the state is a sampled world, not the true one.
"""

from hashlib import blake2b
from typing import Any

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.dice import Dice
from cosca.core.names import Action, Seat
from cosca.core.playout import nth_action, play_random_action, resolve_chance_once
from cosca.core.state import State

CHANCE_BIT = names.CHANCE_BIT
MASK64 = 0xFFFFFFFFFFFFFFFF
HASH_MULTIPLIER = 0x9E3779B97F4A7C15
E = 2.718281828459045
MAX_PRIOR_GAP = 7.0  # a prior is at least e**-7 of the best one
MAX_PLAYOUT = 2000  # decisions; a longer playout is shared by all seats


class Priors:
    """Actions with prior weights; the weights need not add up to one."""

    def __init__(self) -> None:
        self.count = 0
        self.mixed = False  # whether to play a mixed strategy: a hidden commitment
        self.action: list[int] = [0] * 1024
        self.weight: list[float] = [0.0] * 1024

    def clear(self) -> None:
        """Remove all actions."""
        self.count = 0
        self.mixed = False

    def add(self, action: int, weight: float) -> None:
        """Add an action with its weight."""
        self.action[self.count] = action
        self.weight[self.count] = weight
        self.count += 1

    def best(self, dice: Dice) -> Action:
        """Return the action with the highest weight; ties are broken at random."""
        most = self.weight[0]
        equals = 0
        for i in range(self.count):
            if self.weight[i] > most:
                most = self.weight[i]
                equals = 0
            equals += self.weight[i] == most
        nth = dice.below(equals) if equals > 1 else 0
        at = 0
        while nth > 0 or self.weight[at] != most:
            nth -= self.weight[at] == most
            at += 1
        return self.action[at]

    def softmax(self, temperature: float) -> None:
        """Turn estimates into weights: one that is lower by `temperature` weighs about a third."""
        most = self.weight[0]
        for i in range(self.count):
            if self.weight[i] > most:
                most = self.weight[i]
        for i in range(self.count):
            less = (most - self.weight[i]) / temperature
            self.weight[i] = exponential(-(less if less < MAX_PRIOR_GAP else MAX_PRIOR_GAP))


class Values:
    """A state's value for each seat: its expected share of the victory."""

    def __init__(self) -> None:
        self.share: list[float] = [0.0] * 6

    def set_terminal(self, state: State) -> None:
        """Set the values to the result of a finished game."""
        winners = state.winners()
        number = 0
        for seat in range(state.seats):
            number += winners >> seat & 1
        part = 1.0 / (number if number else state.seats)  # an unfinished game is shared by all
        for seat in range(state.seats):
            self.share[seat] = part if number == 0 or winners >> seat & 1 else 0.0


class Evaluator:
    """The evaluator for any game: uniform priors, random playouts."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.opponent_view_period = 8  # every how many worlds one is an opponent's view; 0: never
        self.simulations_per_world = 4  # simulations before another world is sampled
        self.spans = Spans()
        self.priors = Priors()
        self.outcomes = Outcomes()

    def information_key(self, state: State, seat: Seat) -> int:
        """Return a 64-bit key of a seat's information state: equal knowledge, equal key."""
        known = repr(self.game.position(state, seat))
        return int.from_bytes(blake2b(known.encode(), digest_size=8).digest(), "little")

    def prepare(self, position: Any) -> None:
        """Prepare for a position, from which the next worlds are sampled."""

    def resample(self, world: State, seat: Seat, dice: Dice) -> None:
        """Change a world into another, equally likely one that looks the same to the seat.

        Sampling a world is slow; this must be fast. The default leaves the world as it is.
        """

    def fill_priors(self, state: State, seat: Seat, legal: Spans, priors: Priors) -> None:
        """Fill in the actions worth considering, with their prior weights."""
        priors.clear()
        for i in range(legal.count):
            for action in range(legal.first[i], legal.last[i] + 1):
                priors.add(action, 1.0)

    def playout_action(self, state: State, seat: Seat, legal: Spans, dice: Dice) -> Action:
        """Return the action a seat takes in a playout."""
        return nth_action(legal, dice.below(legal.total))

    def fill_values(self, state: State, dice: Dice, values: Values) -> None:
        """Fill in the values of a state; may play the state on."""
        for _ in range(MAX_PLAYOUT):
            acting = state.acting()
            if acting == 0:
                break
            if acting == CHANCE_BIT:
                resolve_chance_once(state, dice, self.outcomes)
            else:
                play_random_action(state, acting, dice, self.spans)
        values.set_terminal(state)


def exponential(power: float) -> float:
    """Return e to a power."""
    return float(E**power)


def mix_hash(key: int, number: int) -> int:
    """Return a 64-bit hash of a key and one more number."""
    key = ((key ^ (number & MASK64)) * HASH_MULTIPLIER) & MASK64
    return key ^ (key >> 29)
