"""Along the golden stories every state survives copying, writing and reading."""

from pathlib import Path
from typing import Any

import pytest

from cosca.core.buffers import Outcomes, Spans
from cosca.core.names import CHANCE, SPECTATOR
from cosca.core.state import State
from cosca.testing.golden import parse_story

STORIES = sorted(Path(__file__).parent.glob("*/*.txt"))
EVERY = 7  # steps
LEGAL = Spans()  # used again and again, as in search
OUTCOMES = Outcomes()
story = pytest.mark.parametrize("path", STORIES, ids=lambda path: f"{path.parent.name}/{path.stem}")


def answers(state: State) -> list[Any]:
    """Return all answers of a state."""
    found: list[Any] = [state.ints(), state.actors(), state.ending(), state.winners()]
    for seat in (CHANCE, SPECTATOR, *range(state.seats + 1)):
        state.fill_legal(seat, LEGAL)
        choices = state.legal_actions(seat)
        assert LEGAL.total == len(choices)
        found.append(choices)
    if state.actors() == (CHANCE,):
        state.fill_chance(OUTCOMES)
        weights = OUTCOMES.weight[: OUTCOMES.count]
        found.append(list(zip(OUTCOMES.action, weights, strict=False)))
        assert OUTCOMES.total == sum(weights)
    return found


def twins(state: State, *others: State) -> list[State]:
    """Return a copy of a state and others loaded from it; all must answer alike."""
    for other in others:
        other.load(state.ints())
    made = [state.copy(), *others]
    assert all(answers(other) == answers(state) for other in made)
    return made


@story
def test_copies_and_states_that_are_read_back_go_on_as_the_first(path: Path) -> None:
    game, settings, seats, log = parse_story(path.read_text(encoding="utf-8"))
    state = game.new(settings, seats)
    old = state.copy()
    others: list[State] = []
    for number, step in enumerate(log):
        if number % EVERY == 0:
            assert all(answers(other) == answers(state) for other in others)
            others = twins(state, game.new(game.settings("", {}), game.seats[0]), old)
            old = state.copy()
        for one in (state, *others):
            one.apply(*step)
    assert state.is_over
    assert all(answers(other) == answers(state) for other in others)
    twins(state, game.new(settings, seats), old)
