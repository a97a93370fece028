"""The laws find leaks planted in Omerta: in reaction windows and under cards."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cosca.core.events import Event
from cosca.core.names import Action, Seat
from cosca.games.omerta import events, pieces
from cosca.games.omerta.game import GAME
from cosca.games.omerta.position import Position, position
from cosca.games.omerta.rules import State
from cosca.testing.secrecy import twins_look_the_same
from cosca.testing.walks import TableSetup, seeded_walks
from tests.laws.omerta import CASE


def who_has_answered(state: State, seat: Seat) -> Position:
    """The seats that still have to answer are visible."""
    return replace(position(state, seat), actors=state.actors())


def what_was_answered(state: State, seat: Seat) -> Position:
    """The answers of an open window lie open."""
    return replace(position(state, seat), named=tuple(state.answer[:4]))


def the_next_card(state: State, seat: Seat) -> Position:
    """What is left in the draw pile is counted by looking at it."""
    return replace(position(state, seat), receiver=sum(k * n for k, n in enumerate(state.pile)))


def what_came_out_of_a_shuffle(state: State, seat: Seat) -> Position:
    """After a shuffle the number of dealt cards reveals the first card of each row."""
    first = [state.kind[state.row[other][0]] for other in range(state.seats) if state.length[other]]
    return replace(position(state, seat), dealt=sum(first) if state.shuffles else state.dealt)


POSITIONS: dict[str, Callable[[State, Seat], Position]] = {
    leak.__name__: leak
    for leak in (
        who_has_answered,
        what_was_answered,
        the_next_card,
        what_came_out_of_a_shuffle,
    )
}


def visible_to_all(before: State, seat: Seat, action: Action) -> list[Event]:
    """Every event is for everybody."""
    return [Event(event.key, event.params) for event in events.events(before, seat, action)]


def look(**changes: object) -> None:
    """Take walks until the law finds something."""
    game = replace(GAME, **changes)  # type: ignore[arg-type] # each plant fits its field
    leaky = replace(CASE, game=game)
    settings = GAME.settings("", {"games": "1", "first_call": "3", "max_rounds": "3"})
    for walk in seeded_walks(TableSetup(game, settings, 3, "leaky"), 8, most=60):
        twins_look_the_same(leaky, walk)


@pytest.mark.parametrize("leak", POSITIONS.values(), ids=list(POSITIONS))
def test_a_leaking_position_is_found(leak: Callable[[State, Seat], Position]) -> None:
    with pytest.raises(AssertionError, match="can tell two games apart"):
        look(position=leak)


def test_a_leaking_event_is_found() -> None:
    with pytest.raises(AssertionError, match="can tell two games apart by the events"):
        look(events=visible_to_all)


@pytest.mark.parametrize("answer", [pieces.PASS, pieces.SLOT])
def test_a_preview_does_not_reveal_that_nobody_else_is_asked(answer: int) -> None:
    rows = "row1=1,2 row2=3,4 row3=5,6 discards=3 phase=window window=snap asked=7"
    last, first = (GAME.parse_state(f"{rows} {more}") for more in ("answered=6", ""))
    last.apply(0, answer)
    first.apply(0, answer)
    assert last.actors() != first.actors()
    assert position(last, 0) == position(first, 0)
