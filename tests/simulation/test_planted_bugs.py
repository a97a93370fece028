"""The simulation finds bugs that are planted on purpose."""

import pytest

from tests.simulation.planted_bugs import (
    PlantedBug,
    forgetful,
    found,
    hasty,
    merciless,
    refunding,
    telltale,
)

SEEDS = range(50)


@pytest.mark.parametrize("bug", [hasty, forgetful, telltale, refunding, merciless])
def test_a_planted_bug_is_found(bug: PlantedBug) -> None:
    assert found(bug, SEEDS) is not None
