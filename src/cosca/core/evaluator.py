"""What a player feels without thinking: the start of every search, and its end.

A search asks four things of a game: what a seat knows, which moves come to mind, what is done by
habit, and what a state promises. The class here answers for any game, by what its contract says;
a game writes its own, compiled, where it can do better and faster. What is asked of a seat is
answered from what it knows, though a whole state is handed in: a sampled world, not the truth.
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
MAX_PRIOR_GAP = 7.0  # so unlikely, and no more, is what looks worst
MAX_PLAYOUT = 2000  # decisions of a playout; one that goes on for ever is nobody's


class Priors:
    """What comes to mind, each with a weight; the weights need not add up to anything."""

    def __init__(self) -> None:
        self.count = 0
        self.mixed = False  # whether it is better not to be read: a hidden commitment
        self.action: list[int] = [0] * 1024
        self.weight: list[float] = [0.0] * 1024

    def clear(self) -> None:
        """Nothing comes to mind."""
        self.count = 0
        self.mixed = False

    def add(self, action: int, weight: float) -> None:
        """One more action."""
        self.action[self.count] = action
        self.weight[self.count] = weight
        self.count += 1

    def best(self, dice: Dice) -> Action:
        """The action of the highest weight; of equals any."""
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
        """Make weights of prices: one that is lower by `temperature` counts about a third."""
        most = self.weight[0]
        for i in range(self.count):
            if self.weight[i] > most:
                most = self.weight[i]
        for i in range(self.count):
            less = (most - self.weight[i]) / temperature
            self.weight[i] = exponential(-(less if less < MAX_PRIOR_GAP else MAX_PRIOR_GAP))


class Values:
    """What a state promises: of each seat the share of the victory."""

    def __init__(self) -> None:
        self.share: list[float] = [0.0] * 6

    def set_terminal(self, state: State) -> None:
        """The victory is shared out."""
        winners = state.winners()
        number = 0
        for seat in range(state.seats):
            number += winners >> seat & 1
        part = 1.0 / (number if number else state.seats)  # what has no end is nobody's
        for seat in range(state.seats):
            self.share[seat] = part if number == 0 or winners >> seat & 1 else 0.0


class Evaluator:
    """Plays any game: all moves are alike, and a state promises what random play makes of it."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.opponent_view_period = (
            8  # one world of so many is another seat's; none where nothing is hidden
        )
        self.simulations_per_world = (
            4  # simulations in one sampled world, before another one is sampled
        )
        self.spans = Spans()
        self.priors = Priors()
        self.outcomes = Outcomes()

    def information_key(self, state: State, seat: Seat) -> int:
        """A number for what a seat knows: 64 bits, the same whenever it knows the same."""
        told = repr(self.game.position(state, seat))
        return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "little")

    def prepare(self, position: Any) -> None:
        """Look at what a seat knows, from which the next worlds are sampled."""

    def resample(self, world: State, seat: Seat, dice: Dice) -> None:
        """Make of a world another that is as likely, and looks the same to the seat.

        Sampling takes a while; this must not. Where it is not written the world stays as it is.
        """

    def fill_priors(self, state: State, seat: Seat, legal: Spans, priors: Priors) -> None:
        """Put in the moves worth a thought, with how good each looks."""
        priors.clear()
        for i in range(legal.count):
            for action in range(legal.first[i], legal.last[i] + 1):
                priors.add(action, 1.0)

    def playout_action(self, state: State, seat: Seat, legal: Spans, dice: Dice) -> Action:
        """What is done without thinking."""
        return nth_action(legal, dice.below(legal.total))

    def fill_values(self, state: State, dice: Dice, values: Values) -> None:
        """Put in what a state promises; the state may be played on."""
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
    """E to a power."""
    return float(E**power)


def mix_hash(key: int, number: int) -> int:
    """Another number of 64 bits, by what has been stirred in."""
    key = ((key ^ (number & MASK64)) * HASH_MULTIPLIER) & MASK64
    return key ^ (key >> 29)
