"""Measurements of Cosca: every game of the catalog, through the contract alone."""

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
    """Return all measurements of Cosca, by name."""
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
    """Measure simulations of the boss's search on one core, including the sampling of worlds."""
    return searched(game, seconds, clock, Budget(simulations=SIMULATIONS))


def core_sample(game: Game[Any, Any], seconds: float, cores: int) -> Sample:
    """Measure the boss's search in wall time, the only way to see what another core adds."""
    return searched(game, seconds, perf_counter, Budget(seconds=BOSS_BUDGET.seconds, cores=cores))


def searched(
    game: Game[Any, Any], seconds: float, timer: Callable[[], float], budget: Budget
) -> Sample:
    """Measure searches of positions from games among the game's own bots."""
    positions = middle_positions(game.name)

    def batch() -> Sample:
        done = 0
        began = timer()
        for position in positions:
            search, _ = SearchBot(game, budget).run_search(
                position, Dice(SEED), until_decided=False
            )
            done += search.simulations
        return done, timer() - began

    return repeat(batch, seconds)


@cache
def middle_positions(name: str) -> list[Any]:
    """Return positions from four games for four, each a little later in the game."""
    game = GAMES[name]
    bot = find_bot(game, default_bot(game))
    positions = []
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
        positions.append(position)
    return positions


def sizes() -> dict[str, int]:
    """Return the size of one state of each game; nothing where the rules are not compiled."""
    return {name: size for name, game in GAMES.items() if (size := state_bytes(game)) is not None}


def pure_sample(game: Game[Any, Any], seconds: float) -> Sample:
    """Measure random games in a separate process that uses only the plain sources."""
    environment = {**os.environ, "COSCA_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "cosca.cli", "bench", game.name, "--json"]
    report = json.loads(
        subprocess.check_output([*command, "--seconds", str(seconds)], env=environment)
    )
    if report["compiled"]:
        raise RuntimeError("COSCA_PURE=1 was set, but the rules ran compiled")
    return int(report["games"][game.name]["playout_decisions_per_second"]), 1.0
