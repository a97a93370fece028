"""Many games among bots, each decided by the seed and its own number alone."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

from cosca.bots.roster import find_bot
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import CHANCE, CHANCE_BIT
from cosca.core.options import Settings
from cosca.core.playout import random_actor
from cosca.match.chance import drawn
from cosca.match.record import Scribe
from cosca.match.sealed import SealedDice, pack
from cosca.match.table import Step

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

    def dice(self, number: int) -> SealedDice:
        """The sealed dice of a game: those of its deal, with a seed anybody can work out."""
        deal = f"{self.seed}-{self.deal(number)}"
        seed = hashlib.sha256(pack("cosca/simulation/1", deal)).digest()
        return SealedDice(f"simulation-{deal}", seed, {})


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went."""

    log: list[Step]
    rounds: int
    shares: list[float]
    ending: str

    @property
    def decisions(self) -> int:
        """How many steps were not of chance."""
        return sum(seat != CHANCE for seat, _ in self.log)


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
    dice = simulation.dice(number)
    minds = Dice(simulation.seed, number)  # apart, so that no thought can change the deal
    state = game.new(simulation.settings, simulation.seats)
    log: list[Step] = []
    while acting := state.acting():
        if acting == CHANCE_BIT:
            seat, action = CHANCE, drawn(game, state, dice)
        else:
            seat = random_actor(acting, minds)
            action = bots[seat](game.position(state, seat), minds)
        state.apply(seat, action)
        log.append((seat, action))
    ending = game.endings[state.ending()]
    return Played(log, game.round(state), state.returns(), ending)


def record(simulation: Simulation, number: int, played: Played) -> str:
    """The record of a game of a simulation."""
    scribe = Scribe(
        find(simulation.game),
        simulation.settings,
        simulation.seats,
        simulation.dice(number),
        simulation.seating(number),
    )
    return scribe.whole(played.log)


def _play_some(simulation: Simulation, numbers: range, out: Path | None) -> list[Played]:
    """Play some games, and write their records where they are wanted."""
    some = [play(simulation, number) for number in numbers]
    if out is not None:
        for number, played in zip(numbers, some, strict=True):
            file = out / record_name(simulation, number)
            file.write_text(record(simulation, number, played), encoding="utf-8", newline="\n")
    return some


def record_name(simulation: Simulation, number: int) -> str:
    """The name of the file with the record of a game; games count from 1 here."""
    return f"{simulation.game}-{number + 1:06d}.jsonl"


def simulate(
    simulation: Simulation, games: int, jobs: int, out: Path | None = None
) -> Iterator[Tally]:
    """Play that many games; the tally so far after each few. Jobs change nothing but the time."""
    tally = Tally(simulation.seats)
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    with ProcessPoolExecutor(jobs) as workers:
        done = workers.map(_play_some, repeat(simulation), chunks, repeat(out))
        for numbers, some in zip(chunks, done, strict=True):
            for number, played in zip(numbers, some, strict=True):
                tally.add(played, simulation.seating(number))
            yield tally
