"""The goal of Omerta: totals, and of the rows only what the table shows now."""

import pytest
from hypothesis import given, settings

from cosca.core.drawing import Goal
from cosca.games.omerta.game import GAME
from cosca.games.omerta.pieces import WORTH
from cosca.games.omerta.position import FACE_DOWN, position
from cosca.games.omerta.rules import State
from cosca.testing.strategies import walks
from cosca.testing.walks import Walk
from cosca.words import say
from tests.games.omerta.story import Story
from tests.games.omerta.test_layout import TABLE
from tests.laws.omerta import CASE


def goal_of(state: State, seat: int = 0, **changes: str) -> Goal:
    return GAME.render_layout(position(state, seat), GAME.settings("", changes), say).goal


@pytest.mark.rule("O-23")
@settings(deadline=None)
@given(walk=walks(CASE))
def test_the_figures_are_those_of_the_rules(walk: Walk) -> None:
    state: State = walk.end()  # type: ignore[assignment]
    for seat in range(state.seats):
        goal = goal_of(state, seat)
        row, total = goal.figures
        seen = position(state, seat)
        assert total.values == [str(each) for each in seen.totals]
        for cards, value in zip(seen.rows, row.values, strict=True):
            shown = [WORTH[kind] for kind in cards if kind != FACE_DOWN]
            hidden = len(cards) - len(shown)
            assert value == " + ".join(
                ([str(sum(shown))] if shown or not hidden else [])
                + ([f"{hidden} face down"] if hidden else [])
            )
        lowest = min(seen.totals)
        if not state.is_over and goal.leaders:
            assert all(seen.totals[leader] == lowest for leader in goal.leaders)


def test_only_the_memory_aid_adds_what_was_seen_before() -> None:
    state = Story(TABLE).state
    own = goal_of(state).figures[0].values[0]
    aided = goal_of(state, memory="aided").figures[0].values[0]
    assert own == "2 face down"
    assert aided == "7 + 1 face down"


@pytest.mark.rule("O-1", "O-21", "O-22", "O-23", "O-24")
def test_the_goal_says_when_to_call_and_what_a_wrong_call_costs() -> None:
    settings = GAME.settings("", {"games": "1", "first_call": "3", "max_rounds": "9"})
    goal = goal_of(GAME.initial_state(settings, 4))
    assert goal.text == "The lowest total wins. Call at 7 or less."
    details = " ".join(goal.details)
    for part in ("one game", "7 or less", "20 points", "turn 3", "9 rounds"):
        assert part in details
    assert goal.leaders == []
