"""The goal of Sicilianos: businesses, money and what ends the game."""

import pytest
from hypothesis import given, settings

from cosca.core.drawing import Goal
from cosca.core.names import SPECTATOR
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.pieces import COLOURS, KINDS, NOTE_WORTH, NOTES
from cosca.games.sicilianos.position import position
from cosca.games.sicilianos.rules import State
from cosca.testing.strategies import walks
from cosca.testing.walks import Walk
from cosca.words import say
from tests.laws.sicilianos import CASE


def goal_of(state: State) -> Goal:
    return GAME.render_layout(position(state, SPECTATOR), GAME.settings(), say).goal


def amount(thousands: int) -> str:
    return f"{thousands},000" if thousands else "0"


@pytest.mark.rule("S-23", "S-24", "S-25", "S-28")
@settings(deadline=None)
@given(walk=walks(CASE))
def test_the_figures_are_those_of_the_rules(walk: Walk) -> None:
    state: State = walk.end()  # type: ignore[assignment]
    goal = goal_of(state)
    colour, laundered, black, *total = goal.figures
    notes = [state.notes[seat * NOTES : (seat + 1) * NOTES] for seat in range(state.seats)]
    dark = [sum(a * b for a, b in zip(held, NOTE_WORTH, strict=True)) for held in notes]
    assert black.values == [amount(sum) for sum in dark]
    assert laundered.values == [amount(sum) for sum in state.laundered[: state.seats]]
    owners = [state.owner[at * KINDS : (at + 1) * KINDS] for at in range(COLOURS)]
    assert colour.target == "3"
    assert colour.values == [
        str(max(list(each).count(seat) for each in owners)) for seat in range(state.seats)
    ]
    assert len(total) == state.is_over
    for figure in total:
        assert figure.values == [amount(sum) for sum in state.money[: state.seats]]
    worth = [clean - sum for clean, sum in zip(state.laundered[: state.seats], dark, strict=True)]
    if not state.is_over and goal.leaders:
        assert all(worth[leader] == max(worth) for leader in goal.leaders)


def test_nobody_leads_at_the_start() -> None:
    goal = goal_of(GAME.initial_state(GAME.settings(), 4))
    assert goal.leaders == []
    assert goal.figures[2].values == ["250,000"] * 4
    assert "no black money left" in " ".join(goal.details)
