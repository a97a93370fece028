"""Many games among bots, each decided by the seed and its own number alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from cosca.bots.roster import find_bot
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.core.playout import random_actor, roll

CHUNK = 20
"""Games handed to a worker at once: few enough for a smooth progress bar."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is to be played. Small and plain, so that it can be sent to a worker."""

    game: str
    settings: Settings
    seats: int
    bots: tuple[str, ...]
    """One for each seat in the first game."""
    seed: int
    rotate: bool = False
    """Whether each deal is played once from every seat: the fair way to compare bots."""

    def seating(self, number: int) -> tuple[str, ...]:
        """Which bot sits where in a game."""
        shift = number % self.seats if self.rotate else 0
        return self.bots[-shift:] + self.bots[:-shift] if shift else self.bots

    def deal(self, number: int) -> int:
        """The number of the deal a game is played with."""
        return number // self.seats if self.rotate else number


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went."""

    decisions: int
    rounds: int
    shares: list[float]
    ending: str


@dataclass(slots=True)
class Tally:
    """How many games went, added up."""

    seats: int
    games: int = 0
    decisions: int = 0
    rounds: int = 0
    wins_by_seat: list[float] = field(default_factory=list)
    wins_by_bot: dict[str, float] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, played: Played, seating: Sequence[str]) -> None:
        """Count one more game."""
        self.games += 1
        self.decisions += played.decisions
        self.rounds += played.rounds
        before = self.wins_by_seat or [0.0] * self.seats
        self.wins_by_seat = [a + b for a, b in zip(before, played.shares, strict=True)]
        for bot, share in zip(seating, played.shares, strict=True):
            self.wins_by_bot[bot] = self.wins_by_bot.get(bot, 0.0) + share
        self.reasons[played.ending] += 1


def play(simulation: Simulation, number: int) -> Played:
    """Play one game of a simulation from start to end."""
    game = find(simulation.game)
    bots = [find_bot(game, name) for name in simulation.seating(number)]
    chance = Dice(simulation.seed, 2 * simulation.deal(number))
    minds = Dice(simulation.seed, 2 * number + 1)  # apart, so that no thought can change the deal
    state = game.new(simulation.settings, simulation.seats)
    decisions = 0
    roll(state, chance)
    while acting := state.acting():
        seat: Seat = random_actor(acting, chance)
        state.apply(seat, bots[seat](game.position(state, seat), minds))
        roll(state, chance)
        decisions += 1
    ending = game.endings[state.ending()]
    return Played(decisions, game.round(state), state.returns(), ending)


def _play_some(simulation: Simulation, numbers: range) -> list[Played]:
    return [play(simulation, number) for number in numbers]


def simulate(simulation: Simulation, games: int, jobs: int) -> Iterator[Tally]:
    """Play that many games; the tally so far after each few. Jobs change nothing but the time."""
    tally = Tally(simulation.seats)
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    with ProcessPoolExecutor(jobs) as workers:
        done = workers.map(_play_some, [simulation] * len(chunks), chunks)
        for numbers, some in zip(chunks, done, strict=True):
            for number, played in zip(numbers, some, strict=True):
                tally.add(played, simulation.seating(number))
            yield tally
