"""Cosca measured: every game of the catalog, through the contract alone."""

import json
import os
import subprocess
import sys
from functools import partial
from typing import Any

from bench.sample import Measurement
from cosca import is_compiled
from cosca.arena.speed import Sample, copy_sample, playout_sample, python_sample, state_bytes
from cosca.catalog import GAMES
from cosca.core.game import Game

__all__ = ["is_compiled", "measurements", "sizes"]


def measurements() -> dict[str, Measurement]:
    """Every measurement of ours, by name."""
    return {
        f"{name}.{what}": partial(sample, game)
        for name, game in GAMES.items()
        for what, sample in {
            "playout": playout_sample,
            "python": python_sample,
            "copy": copy_sample,
            "pure": pure_sample,
        }.items()
    }


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
