"""Cosca measured: every game of the catalog, through the contract alone.

Our games are played from an empty table to the end. The time has all the chance steps in it, the
count has only decisions.

`python -m bench.ours GAME SECONDS` measures random playouts once and prints the sample as JSON; the
comparison starts it in a process of its own to see the sources run without their compiled twins.
"""

import json
import os
import subprocess
import sys
from random import Random

from cosca.catalog import GAMES

from bench.sample import Measurement, Sample, clock, copies, repeat
from cosca.core import state as state_module
from cosca.core.dice import Dice
from cosca.core.playout import playouts, roll
from cosca.core.state import State

SEED = 20_250_101
SEATS = 4
"""As many as play hearts; the nearest number where a game does not take four."""


def is_compiled() -> bool:
    """Whether the rules that run here are compiled."""
    return not str(state_module.__file__).endswith(".py")


def measurements() -> dict[str, Measurement]:
    """Every measurement of ours, by name."""
    return {name: measure for game in GAMES for name, measure in measurements_of(game).items()}


def measurements_of(game: str) -> dict[str, Measurement]:
    """The measurements of one game, by name."""
    return {
        f"{game}.playout": lambda seconds: playout(game, seconds),
        f"{game}.python": lambda seconds: python(game, seconds),
        f"{game}.copy": lambda seconds: copy(game, seconds),
        f"{game}.pure": lambda seconds: pure(game, seconds),
    }


def state_bytes() -> dict[str, int]:
    """The size of one state of each game; only a compiled one is a single piece of memory."""
    return {game: sys.getsizeof(start(game)) for game in GAMES} if is_compiled() else {}


def start(game: str) -> State:
    """A game about to begin."""
    descriptor = GAMES[game]
    seats = min(max(SEATS, min(descriptor.seats)), max(descriptor.seats))
    return descriptor.new(descriptor.editions[descriptor.default_edition], seats)


def playout(game: str, seconds: float) -> Sample:
    """Random games from start to end with no Python in between, where compiled."""
    state, dice = start(game), Dice(SEED)
    games = 200 if is_compiled() else 1

    def batch() -> Sample:
        began = clock()
        decisions = playouts(state, dice, games)
        return decisions, clock() - began

    return repeat(batch, seconds)


def python(game: str, seconds: float) -> Sample:
    """Random games with every decision taken in Python, and chance rolled by one compiled call."""
    opening, dice = start(game), Dice(SEED)
    random = Random(SEED).random

    def batch() -> Sample:
        decisions = 0
        began = clock()
        state = opening.copy()
        actors, legal, apply = state.actors, state.legal, state.apply
        roll(state, dice)
        while seats := actors():
            seat = seats[0] if len(seats) == 1 else seats[int(random() * len(seats))]
            actions = legal(seat)
            apply(seat, actions[int(random() * len(actions))])
            roll(state, dice)
            decisions += 1
        return decisions, clock() - began

    return repeat(batch, seconds)


def copy(game: str, seconds: float) -> Sample:
    """Copies of a game that is half played."""
    return copies(half_played(game).copy, seconds)


def half_played(game: str) -> State:
    """The middle of a random game, found by playing it once to the end and once half of that."""
    length = len(play(start(game), sys.maxsize))
    state = start(game)
    play(state, length // 2)
    return state


def play(state: State, most: int) -> list[int]:
    """Play at random for at most so many decisions; what was done."""
    rng, dice = Random(SEED), Dice(SEED)
    done: list[int] = []
    roll(state, dice)
    while len(done) < most and (seats := state.actors()):
        seat = rng.choice(seats)
        action = rng.choice(state.legal(seat))
        state.apply(seat, action)
        roll(state, dice)
        done.append(action)
    return done


def pure(game: str, seconds: float) -> Sample:
    """Random games from start to end in a process that uses nothing but the plain sources."""
    environment = {**os.environ, "COSCA_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "bench.ours", game, str(seconds)]
    told = json.loads(subprocess.check_output(command, env=environment))
    if told["compiled"]:
        raise RuntimeError("COSCA_PURE=1 was asked for, and compiled rules ran all the same")
    return told["decisions"], told["seconds"]


def main() -> None:
    """Measure random playouts once, in this process."""
    game, seconds = sys.argv[1], float(sys.argv[2])
    decisions, spent = playout(game, seconds)
    print(json.dumps({"compiled": is_compiled(), "decisions": decisions, "seconds": spent}))


if __name__ == "__main__":
    main()
