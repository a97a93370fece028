"""Cosca measured: every game of the catalog, through the contract alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from time import perf_counter
from typing import Any

from bench.sample import Measurement, clock, repeat
from cosca import is_compiled
from cosca.arena.speed import (
    SEATS,
    SEED,
    Sample,
    copy_sample,
    playout_sample,
    python_sample,
    state_bytes,
    with_round_limit,
)
from cosca.bots.roster import BOSS_BUDGET, default_bot, find_bot
from cosca.bots.search.budget import Budget
from cosca.bots.search.search_bot import SearchBot
from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.core.playout import random_actor, resolve_chance

__all__ = ["is_compiled", "measurements", "sizes"]

SIMULATIONS = 2_000
"""For one decision, as many as OpenSpiel's search is given."""


def measurements() -> dict[str, Measurement]:
    """Every measurement of ours, by name."""
    samples: dict[str, Callable[[Game[Any, Any], float], Sample]] = {
        "playout": playout_sample,
        "python": python_sample,
        "copy": copy_sample,
        "pure": pure_sample,
        "ismcts": search_sample,
        "ismcts_one_core": partial(core_sample, cores=1),
        "ismcts_two_cores": partial(core_sample, cores=2),
    }
    return {
        f"{name}.{what}": partial(sample, game)
        for name, game in GAMES.items()
        for what, sample in samples.items()
    }


def search_sample(game: Game[Any, Any], seconds: float) -> Sample:
    """Simulations of the boss's search on one core, the sampling of worlds among them."""
    return searched(game, seconds, clock, Budget(simulations=SIMULATIONS))


def core_sample(game: Game[Any, Any], seconds: float, cores: int) -> Sample:
    """As long as the boss thinks, by the clock on the wall: it alone tells what a core adds."""
    return searched(game, seconds, perf_counter, Budget(seconds=BOSS_BUDGET.seconds, cores=cores))


def searched(
    game: Game[Any, Any], seconds: float, watch: Callable[[], float], budget: Budget
) -> Sample:
    """Search some positions of games among the game's own bots."""
    positions = middle_positions(game.name)

    def batch() -> Sample:
        done = 0
        began = watch()
        for position in positions:
            search, _ = SearchBot(game, budget).run_search(
                position, Dice(SEED), until_decided=False
            )
            done += search.simulations
        return done, watch() - began

    return repeat(batch, seconds)


@cache
def middle_positions(name: str) -> list[Any]:
    """What whoever is to act knows in four games for four, each somewhat further on."""
    game = GAMES[name]
    bot = find_bot(game, default_bot(game))
    found = []
    for decisions in (10, 40, 80, 120):
        state = game.new(game.settings("", with_round_limit(game, {})), SEATS)
        dice = Dice(SEED, decisions)
        position = None
        while decisions > 0 or position is None or len(position.legal) < 2:
            if position is not None:
                state.apply(position.seat, bot(position, dice))
            resolve_chance(state, dice)
            seat = random_actor(state.acting(), dice)
            position = game.position(state, seat)
            decisions -= 1
        found.append(position)
    return found


def sizes() -> dict[str, int]:
    """The size of one state of each game; none where the rules do not run compiled."""
    return {name: size for name, game in GAMES.items() if (size := state_bytes(game)) is not None}


def pure_sample(game: Game[Any, Any], seconds: float) -> Sample:
    """Random games in a process of its own that uses nothing but the plain sources."""
    environment = {**os.environ, "COSCA_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "cosca.cli", "bench", game.name, "--json"]
    told = json.loads(
        subprocess.check_output([*command, "--seconds", str(seconds)], env=environment)
    )
    if told["compiled"]:
        raise RuntimeError("COSCA_PURE=1 was asked for, and compiled rules ran all the same")
    return int(told["games"][game.name]["playout_decisions_per_second"]), 1.0
