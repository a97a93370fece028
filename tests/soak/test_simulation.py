"""Thousands of seeds more, with everything that can go wrong at a table."""

import pytest

from tests.simulation.world import World

SEED = 1_000_000
"""Far from the seeds of the quick tests."""
CHUNKS, SEEDS = 100, 50


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_what_must_hold_holds_for_thousands_of_seeds(chunk: int) -> None:
    for seed in range(SEED + chunk * SEEDS, SEED + (chunk + 1) * SEEDS):
        try:
            World(seed).run()
        except Exception as error:
            error.add_note(f"python -m tests.simulation {seed} --trace")
            raise
