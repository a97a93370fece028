"""What is counted in Omerta, where one more or one less would decide otherwise."""

import pytest

from cosca.games.omerta import pieces
from cosca.games.omerta.notation import parse_state
from cosca.games.omerta.rules import State
from tests.games.omerta.story import new, rule


@rule("O-S1", "O-S2")
def test_before_the_first_game_nothing_is_dealt_and_nobody_is_at_turn() -> None:
    options = [3, 0, 3, 0, 0, 0, 0, 1, 0]
    match = [pieces.PHASE_START, 0, 0, -1, -1, 0, -1, 0, 0]
    turn = [-1, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0]
    seat = [0, 0, -1, pieces.PASS, -1, 0]
    cards = [-1] * 4 + [-1] * 4 + [0] * pieces.KINDS + [0] * pieces.KINDS * pieces.PILES
    assert State(3).ints() == [*options, *match, *turn, *seat * 3, *cards]
    assert new(3).ints() == State(3).ints()


@rule("O-M1", "O-5", "O-6")
def test_there_is_room_for_all_cards_in_the_discards_and_for_all_but_the_safe_in_a_row() -> None:
    state = State(5)
    cards = max(sum(deck) for deck in pieces.DECKS)
    assert len(state.discards) == cards
    assert [len(row) for row in state.row] == [cards - pieces.SAFE] * 5
    assert len(state.order) == len(state.answer) == len(state.mamma) == 5
    of_tracks = [state.kind, state.place, state.seen, state.shown, state.since, state.origin]
    of_tracks += [state.into, state.pile_of, state.watcher, state.watches]
    assert {len(numbers) for numbers in of_tracks} == {pieces.TRACKS}


@rule("O-2")
@pytest.mark.parametrize(("turns", "counted"), [(126, 126), (127, 127), (128, 127)])
def test_when_a_card_was_seen_is_counted_up_to_turn_127(turns: int, counted: int) -> None:
    assert parse_state(f"turns={turns}").now() == counted
