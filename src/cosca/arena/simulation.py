"""Many games among bots, each determined by the seed and its number alone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter

from cosca.arena.bout import Bout, PlayedGame, play_bout, record_of
from cosca.arena.playing import play_all
from cosca.bots.roster import find_bot
from cosca.catalog import find
from cosca.core.options import Settings

CHUNK = 20
"""Games sent to a worker at once: few enough for a smooth progress bar."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The games to play."""

    game: str
    settings: Settings
    seats: int
    bots: tuple[str, ...]
    """One for each seat in the first game."""
    seed: int
    rotate: bool = False
    """Whether each deal is played once from every seat: the fair way to compare bots."""

    def seating(self, number: int) -> tuple[str, ...]:
        """Return which bot sits where in a game."""
        return rotated(self.bots, number % self.seats if self.rotate else 0)

    def bout(self, number: int) -> Bout:
        """Return one of the games, counted from 0."""
        return Bout(
            game=self.game,
            settings=self.settings,
            seed=self.seed,
            number=number,
            deal=number // self.seats if self.rotate else number,
            bots=self.seating(number),
        )


def rotated(bots: Sequence[str], turns: int) -> tuple[str, ...]:
    """Return the same bots, each moved on by so many seats."""
    return (*bots[len(bots) - turns :], *bots[: len(bots) - turns])


@dataclass(slots=True)
class Tally:
    """Running totals over many games."""

    seats: int
    games: int = 0
    decisions: int = 0
    rounds: int = 0
    wins_by_seat: list[float] = field(default_factory=list)
    wins_by_bot: dict[str, float] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, played: PlayedGame, bots: Sequence[str]) -> None:
        """Count one more game."""
        self.games += 1
        self.decisions += sum(played.decisions(seat) for seat in range(self.seats))
        self.rounds += played.rounds
        before = self.wins_by_seat or [0.0] * self.seats
        self.wins_by_seat = [a + b for a, b in zip(before, played.shares, strict=True)]
        for bot, share in zip(bots, played.shares, strict=True):
            self.wins_by_bot[bot] = self.wins_by_bot.get(bot, 0.0) + share
        self.reasons[played.ending] += 1


def play(simulation: Simulation, number: int) -> PlayedGame:
    """Play one game of a simulation with built-in bots, in this process."""
    bout = simulation.bout(number)
    bots = [find_bot(find(bout.game), name) for name in bout.bots]
    return play_bout(bout, bots, perf_counter)


def record(simulation: Simulation, number: int, played: PlayedGame) -> str:
    """Return the record of a game of a simulation."""
    return record_of(simulation.bout(number), played)


def _finish(bout: Bout, played: PlayedGame, out: Path | None) -> tuple[Bout, PlayedGame]:
    """Write the record of a game if a folder is given."""
    if out is not None:
        file = out / record_name(bout)
        file.write_text(record_of(bout, played), encoding="utf-8", newline="\n")
    return bout, played


def record_name(bout: Bout) -> str:
    """Return the file name for the record of a game; games count from 1 here."""
    return f"{bout.game}-{bout.number + 1:06d}.jsonl"


def simulate(
    simulation: Simulation, games: int, jobs: int, out: Path | None = None
) -> Iterator[Tally]:
    """Play that many games; yield the tally after each. Jobs change nothing but the time."""
    tally = Tally(simulation.seats)
    bouts = (simulation.bout(number) for number in range(games))
    finish = partial(_finish, out=out)
    for bout, played in play_all(bouts, jobs, finish, at_once=CHUNK, in_order=True):
        tally.add(played, bout.bots)
        yield tally
