"""What is counted in Sicilianos, where one more or one less would decide otherwise."""

import pytest

from cosca.games.sicilianos import pieces
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.rules import State

rule = pytest.mark.rule


@rule("S-S1", "S-S2", "S-M1", "S-M6")
def test_before_the_lot_all_cards_are_in_their_stacks_and_everybody_has_two_of_each_note() -> None:
    options = [3, 0, 0, 0, 10]
    turn = [pieces.PHASE_START, 0, -1, -1, 0, 0, 0, 0, -1, -1, 0, 0, -1, -1, *[-1] * 3, *[-1] * 2]
    money = [0] * 6 + [0] * 6 + [2] * 15 + [0] * 15
    cards = [0] * 36 + [2**11 - 1] * 6 + [11] * 6 + [0] * 66
    businesses = [-1] * 18 + [-1] * 18
    war = [-1] * 6 + [-1] * 6 + [0] * 6 + [-1] * 6 + [-1] * 6 + [0] * 6 + [0] * 6 + [0] * 6
    war += [0] * 66
    records = [0] * 6 + [*[0] * 6, 11] * 6
    assert State(3).ints() == [*options, *turn, *money, *cards, *businesses, *war, *records]
    assert GAME.new(GAME.settings("", {}), 3).ints() == State(3).ints()
    assert list(State(3).hand_size) == [0] * 6


@rule("S-M1")
def test_of_each_colour_as_much_is_remembered_as_was_promised() -> None:
    state = State(6)
    assert len(state.deed) == len(state.value) == pieces.COLOURS * pieces.EVENTS
