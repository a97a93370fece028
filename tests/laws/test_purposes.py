"""Every game has a fixed word for each thing chance decides."""

from importlib import import_module

import pytest

from cosca.catalog import GAMES
from cosca.core.names import CHANCE
from cosca.testing.walks import seeded_walks
from tests.laws.cases import CASES

WALKS = 8
DECISIONS = 200


@pytest.mark.parametrize("name", GAMES)
def test_walks_reach_every_purpose_of_the_table_and_no_other(name: str) -> None:
    found = {
        GAMES[name].chance_purpose(state)
        for setup in CASES[name].table_setups()
        for walk in seeded_walks(setup, WALKS, most=DECISIONS)
        for state in walk.states()
        if state.actors() == (CHANCE,)
    }
    assert found == set(import_module(f"cosca.games.{name}.pieces").PURPOSES.values())
