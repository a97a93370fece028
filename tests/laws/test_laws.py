"""Every game of the catalog keeps every law, with every number of seats and in every edition."""

from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosca.catalog import GAMES
from cosca.testing.laws import RULE_LAWS, Law
from cosca.testing.reason_laws import REASON_LAWS
from cosca.testing.secrecy import SECRECY_LAWS, WORLD_LAWS
from cosca.testing.strategies import walks
from cosca.testing.table_laws import TABLE_LAWS
from cosca.testing.walks import seeded_walks
from tests.laws.cases import CASES, SETUPS

WALKS = 4
"""One with each policy."""
DECISIONS = 100
"""Where walks of games stop that need not end."""
LAWS = [*RULE_LAWS, *REASON_LAWS, *TABLE_LAWS, *WORLD_LAWS]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_catalog_has_a_case(name: str) -> None:
    assert find_spec(f"tests.laws.{name}"), f"write tests/laws/{name}.py, see vendetta.py there"
    assert CASES[name].game is GAMES[name]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", SETUPS)
def test_every_game_keeps_the_law(name: str, law: Law) -> None:
    case, setup = SETUPS[name]
    most = {} if setup.must_end else {"most": DECISIONS}
    assert sum(law(case, walk) for walk in seeded_walks(setup, WALKS, **most)) > 0


@pytest.mark.parametrize("law", SECRECY_LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", SETUPS)
def test_nobody_learns_what_they_may_not_know(name: str, law: Law) -> None:
    case, setup = SETUPS[name]
    compared = sum(law(case, walk) for walk in seeded_walks(setup, WALKS, most=DECISIONS))
    assert (compared > 0) == case.has_secrets


@pytest.mark.parametrize("name", GAMES)
@settings(derandomize=True, max_examples=25, deadline=None, database=None)
@given(data=st.data())
def test_short_walks_of_any_choices_keep_the_laws(name: str, data: st.DataObject) -> None:
    walk = data.draw(walks(CASES[name]))
    for law in (*RULE_LAWS, *REASON_LAWS):
        if law.__name__ != "the_game_ends":  # these are cut short
            law(CASES[name], walk)
