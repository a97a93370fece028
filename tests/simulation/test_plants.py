"""The simulation finds what is wrong: bugs that were planted, and bugs that were there."""

import pytest

from tests.simulation.plants import (
    Plant,
    forgetful,
    found,
    hasty,
    merciless,
    refunding,
    telltale,
)

SEEDS = range(50)


@pytest.mark.parametrize("plant", [hasty, forgetful, telltale, refunding, merciless])
def test_a_planted_bug_is_found(plant: Plant) -> None:
    assert found(plant, SEEDS) is not None
