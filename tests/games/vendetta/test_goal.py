"""The goal of Vendetta: its figures are those of the rules, for every edition and table."""

import pytest
from hypothesis import given, settings

from cosca.core.drawing import Goal
from cosca.core.names import SPECTATOR
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import parse_state
from cosca.games.vendetta.pieces import DISTRICTS_TO_WIN, POINTS_TO_WIN
from cosca.games.vendetta.position import position
from cosca.games.vendetta.rules import State
from cosca.testing.strategies import walks
from cosca.testing.walks import Walk
from cosca.words import say
from tests.laws.vendetta import CASE


def goal_of(state: State, **changes: str) -> Goal:
    settings = GAME.settings("", changes)
    return GAME.render_layout(position(state, SPECTATOR), settings, say).goal


@pytest.mark.rule("V-15", "V-15e", "V-16", "V-17", "V-18")
@settings(deadline=None)
@given(walk=walks(CASE))
def test_the_figures_are_those_of_the_rules(walk: Walk) -> None:
    state: State = walk.end()  # type: ignore[assignment]
    seats = range(state.seats)
    goal = goal_of(state)
    districts, points, *rest = goal.figures
    now = state.copy()
    now.count_districts()
    assert districts.values == [str(now.controlled[seat]) for seat in seats]
    assert districts.target == str(DISTRICTS_TO_WIN[state.seats])
    assert points.values == [str(state.points[seat]) for seat in seats]
    assert points.target == str(POINTS_TO_WIN[state.seats])
    assert len(rest) == (not state.is_over)
    for figure in rest:
        assert figure.values == [f"+{now.round_points(seat)}" for seat in seats]


MIDDLE = "seats=3 round=2 turn=4 start=2 active=3 men=1:2.0.0,6:12.3.1,13:1.1.0 hands=7.10.4"


@pytest.mark.rule("V-16", "V-18")
def test_the_goal_names_the_numbers_of_this_table() -> None:
    goal = goal_of(parse_state(f"{MIDDLE} points=5.20.0"))
    assert goal.text == "6 districts or 800 points win."
    assert "1 → 1 · 2 → 5 · 3 → 20 · 4 → 75 · 5 → 250 · 6 → 800" in goal.details[1]
    more = GAME.initial_state(GAME.settings("", {"goal": "exceed", "max_rounds": "3"}), 4)
    assert goal_of(more).text == "5 districts or more than 250 points win."
    assert "round 3" in goal_of(more).details[-1]


@pytest.mark.rule("V-15", "V-15e")
def test_the_goal_says_what_holds_a_district() -> None:
    alone, most = (
        goal_of(GAME.initial_state(GAME.settings(edition), 4)).details[0]
        for edition in ("original", "english")
    )
    assert "only your mafiosi" in alone and "the most mafiosi" in most


@pytest.mark.rule("V-16", "V-17", "V-19")
def test_who_leads_counts_the_round_as_if_it_ended_now() -> None:
    assert goal_of(parse_state(f"{MIDDLE} points=5.20.0")).leaders == [1]
    assert goal_of(parse_state(f"{MIDDLE} points=19.20.0")).leaders == [0]  # one more district
    nobody = "seats=3 round=1 turn=1 start=1 active=1 men= hands=10.10.10 points=0.0.0"
    assert goal_of(parse_state(nobody)).leaders == []
