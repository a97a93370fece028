"""Kuhn poker as it should be keeps every law."""

import sys
from itertools import permutations

import pytest

from cosca.core.dice import Dice
from cosca.core.names import CHANCE
from cosca.core.playout import playout
from cosca.core.state import State as Base
from cosca.testing.laws import RULE_LAWS, Law
from cosca.testing.reason_laws import REASON_LAWS
from cosca.testing.secrecy import SECRECY_LAWS, WORLD_LAWS
from cosca.testing.table_laws import TABLE_LAWS
from cosca.testing.walks import Walk, seeded_walks
from tests.kuhn.case import CASE
from tests.kuhn.rules import State

SETUPS = {setup.name: setup for setup in CASE.table_setups()}


class Unwritten(Base):
    """A game with nothing in it."""


LAWS = [*RULE_LAWS, *REASON_LAWS, *TABLE_LAWS, *WORLD_LAWS, *SECRECY_LAWS]


@pytest.mark.parametrize("name", SETUPS)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_law(law: Law, name: str) -> None:
    for walk in seeded_walks(SETUPS[name], 4):
        assert law(CASE, walk) > 0


@pytest.mark.parametrize("name", SETUPS)
def test_a_spectator_cannot_tell_the_24_deals_apart_until_cards_are_shown(name: str) -> None:
    setup = SETUPS[name]
    dealt = Walk(setup, ((CHANCE, 0), (CHANCE, 1), (CHANCE, 2)))
    assert len(CASE.twins(dealt, -2, Dice(0))) == len(list(permutations(range(4), 3))) - 1
    assert len(CASE.twins(dealt, 0, Dice(0))) == 5
    shown = dealt.with_log((*dealt.log, (0, 0), (1, 0), (2, 0)))
    assert CASE.twins(shown, 0, Dice(0)) == CASE.twins(shown, -2, Dice(0)) == []


def test_a_folded_card_is_shown_only_where_the_table_says_so() -> None:
    bets = ((0, 1), (1, 1), (2, 0))
    unseen = [
        len(CASE.twins(Walk(setup, ((CHANCE, 3), (CHANCE, 1), (CHANCE, 2), *bets)), 0, Dice(0)))
        for setup in SETUPS.values()
    ]
    assert unseen == [1, 0]


def test_a_missing_contract_method_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    errors: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: errors.append(report.exc_value))
    try:
        Unwritten().actors()
    except NotImplementedError as error:  # compiled, it cannot travel through C
        errors.append(error)
    assert [str(error) for error in errors] == ["Unwritten does not implement acting()"]


def test_a_game_without_a_pxd_runs_beside_a_compiled_core() -> None:
    state = State()
    assert playout(state, Dice(1)) in range(3, 6)
    assert state.is_over and sum(state.returns()) == 1
