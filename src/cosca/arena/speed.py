"""How fast a game runs, measured through the contract alone: decisions a second, time of a copy.

Chance steps take time but are not counted: only decisions of players are.
"""

import sys
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any, TypeAlias

from cosca import is_compiled
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.core.playout import playout, resolve_chance
from cosca.core.state import State

Sample: TypeAlias = tuple[int, float]
"""A number of decisions (or copies), and the seconds they took."""

SEED = 20_250_101
SEATS = 4
"""As many seats as in hearts, which we compare with; the nearest number if a game has no four."""
MAX_ROUNDS = "200"
"""The round limit if none is set: players who only pass would never finish."""

# Processor time rather than wall time: everything measured here runs on one core and never waits,
# so time that other programs take from that core should not count.
clock = process_time


def with_round_limit(game: Game[Any, Any], changes: Mapping[str, str]) -> dict[str, str]:
    """Return the host's changes, and a round limit if the game has that option."""
    limit = {"max_rounds": MAX_ROUNDS} if "max_rounds" in game.settings() else {}
    return {**limit, **changes}


def repeat(batch: Callable[[], Sample], seconds: float) -> Sample:
    """Run a batch once to warm up, then until that much time has been measured."""
    batch()
    count, spent = 0, 0.0
    while spent < seconds:
        more, took = batch()
        count += more
        spent += took
    return count, spent


def playout_sample(game: Game[Any, Any], seconds: float) -> Sample:
    """Measure random games from the first decision to the end, entirely in C where compiled."""
    dice = Dice(SEED)
    dealt = [_dealt(game, dice) for _ in range(100 if is_compiled() else 2)]

    def batch() -> Sample:
        games = [state.copy() for state in dealt]
        began = clock()
        decisions = sum([playout(state, dice) for state in games])
        return decisions, clock() - began

    return repeat(batch, seconds)


def python_sample(game: Game[Any, Any], seconds: float) -> Sample:
    """Measure random games with every decision made in Python."""
    dice = Dice(SEED)
    opening = _new(game)
    below = dice.below

    def batch() -> Sample:
        decisions = 0
        began = clock()
        state = opening.copy()
        actors, legal, apply = state.actors, state.legal_actions, state.apply
        resolve_chance(state, dice)
        while seats := actors():
            seat = seats[0] if len(seats) == 1 else seats[below(len(seats))]
            actions = legal(seat)
            apply(seat, actions[below(len(actions))])
            resolve_chance(state, dice)
            decisions += 1
        return decisions, clock() - began

    return repeat(batch, seconds)


def copy_sample(game: Game[Any, Any], seconds: float) -> Sample:
    """Measure copies of a half-played game."""
    return copies(_half_played(game).copy, seconds)


def copies(copy: Callable[[], object], seconds: float) -> Sample:
    """Measure many calls of a copy function."""

    def batch() -> Sample:
        began = clock()
        for _ in range(10_000):
            copy()
        return 10_000, clock() - began

    return repeat(batch, seconds)


def state_bytes(game: Game[Any, Any]) -> int | None:
    """Return the size of one state; None in pure Python, where a state is many objects."""
    return sys.getsizeof(_new(game)) if is_compiled() else None


def _new(game: Game[Any, Any]) -> State:
    seats = min(max(SEATS, game.seats[0]), game.seats[-1])
    state: State = game.new(
        game.settings("", with_round_limit(game, game.random_play_options)), seats
    )
    return state


def _dealt(game: Game[Any, Any], dice: Dice) -> State:
    """Return a game at its first decision."""
    state = _new(game)
    resolve_chance(state, dice)
    return state


def _half_played(game: Game[Any, Any]) -> State:
    """Return the middle of a random game, found by playing it twice."""
    length = _play(_new(game), sys.maxsize)
    state = _new(game)
    _play(state, length // 2)
    return state


def _play(state: State, most: int) -> int:
    """Play at random for at most so many decisions; return how many there were."""
    dice = Dice(SEED)
    decisions = 0
    resolve_chance(state, dice)
    while decisions < most and (seats := state.actors()):
        seat = seats[dice.below(len(seats))]
        actions = state.legal_actions(seat)
        state.apply(seat, actions[dice.below(len(actions))])
        resolve_chance(state, dice)
        decisions += 1
    return decisions
