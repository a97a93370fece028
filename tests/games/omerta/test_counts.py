"""Counts of Omerta, at the limits where one more or one less makes a difference."""

import pytest

from cosca.core.names import CHANCE
from cosca.games.omerta import pieces
from cosca.games.omerta.notation import parse_state
from cosca.games.omerta.rules import State
from tests.games.omerta.story import (
    C,
    H,
    L,
    M,
    Story,
    T,
    dealt,
    discards,
    kinds,
    moves,
    new,
    phase,
    pile,
    played,
    row,
    rule,
)


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


@rule("O-S2", "O-5")
def test_a_new_game_begins_with_one_draw_pile_of_which_nothing_is_known() -> None:
    story = Story("gen=2 pools=" + ".".join(["1"] * 84) + " row1=1 row2=2 row3=3").play("c omerta")
    assert (story.state.game, story.state.gen) == (2, 0)
    assert story.state.pools == [*pieces.DECKS[0], *[0] * 63]


@rule("O-5", "O-8")
def test_without_a_card_to_draw_for_a_penalty_there_is_no_new_draw_pile_either() -> None:
    story = Story(f"row1=7 row2=3 row3=5 {pile('9')}")
    story.play("c draw", "draw 9", "c 1", "l 1", "nobody")
    assert (phase(story.state), discards(story.state)) == ("turn", "7")
    assert (story.state.gen, story.state.pile_count, row(story.state, L)) == (0, 0, "3")


@rule("O-S3", "O-7")
def test_after_the_peek_no_window_is_open_and_no_answer_is_left() -> None:
    story = dealt().play("c peek 1 2", "l peek 3 4", "h peek 1 4")
    state = story.state
    assert (state.window, state.asked, state.answered) == (pieces.NO_WINDOW, 0, 0)
    assert state.answer[:3] == [pieces.PASS] * 3
    story.play("c draw", "draw 7", "c discard")
    assert (state.window, state.reached, state.settled) == (pieces.SNAPPING, 0, 0)


@rule("O-3", "O-7")
def test_while_a_window_is_open_nobody_looks_at_cards() -> None:
    story = Story("row1=7 row2=3 row3=5").play("c draw", "draw 9", "c 1")
    assert phase(story.state) == "window"
    assert not story.state.showing


@rule("O-7", "O-11")
def test_when_nobody_has_reached_there_is_one_thing_that_can_follow() -> None:
    story = Story("row1=7 row2=3 row3=5").play("c draw", "draw 9", "c 1")
    for seat in (C, L, H):
        story.do(seat, pieces.PASS)
    assert story.state.chance_outcomes() == [(pieces.NEXT, 1)]


@rule("O-3")
def test_a_replaced_card_is_turned_up_and_nothing_else_can_happen() -> None:
    story = Story("row1=7 row2=3 row3=5").play("c draw", "draw 9")
    story.do(C, pieces.SLOT)
    assert (phase(story.state), story.state.chance_outcomes()) == ("turn_up", [(0, 1)])


@rule("O-11")
def test_sealed_the_lot_keeps_the_others_in_the_order_in_which_they_reached() -> None:
    line = "sealed=1 seats=5 row1=9 row2=8 row3=2 row4=3 row5=4"
    story = Story(line).play("c draw", "draw 7", "c discard")
    story.play("l 1", "h 1", "t 1", "m 1", "c -", "settle m", "penalty 1")
    assert story.state.order[:4] == [M, L, H, T]
    assert story.state.chance_outcomes() == [(L, 1), (H, 1), (T, 1)]


@rule("O-8", "O-10")
def test_after_the_last_who_reached_was_wrong_the_turn_is_over_at_once() -> None:
    story = Story("row1=9 row2=8 row3=2").play("c draw", "draw 7", "c discard", "l 1", "nobody")
    story.do(CHANCE, 0)
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-14", "O-17")
@pytest.mark.parametrize("character", ["mole", "driver"])
def test_one_free_card_is_enough_for_mole_and_driver(character: str) -> None:
    story = Story("row1=1 row2=3,4 row3=5,6").play("c draw", f"draw {character}", "c discard")
    assert moves(story.state, C) == ["-", "1"]
    story.do(C, pieces.SLOT)
    assert phase(story.state) in ("look", "lay")


@rule("O-13")
def test_capone_alone_is_target_enough() -> None:
    story = Story("active=l row1=1,2 row2=3,4 row3=5").play("l draw", "draw lady", "l discard")
    assert moves(story.state, L) == ["-", "on c"]


@rule("O-12", "O-19m")
def test_a_player_who_sits_last_and_has_a_mamma_is_left_out_when_cards_are_swapped() -> None:
    story = played("henchman", "seats=4 row1=1 row2=3 row3=5 row4=7 mamma=-1.-1.-1.0")
    assert moves(story.state, C) == ["-", "swap c", "swap l"]


@rule("O-15")
def test_at_a_table_of_five_any_two_opponents_or_one_may_be_given_cards() -> None:
    line = "seats=5 row1=1 row2=2 row3=3 row4=4 row5=5"
    givers = [("c", "lhtm"), ("m", "clht")]
    for giver, others in givers:
        story = played("traitor", f"{line} active={giver}")
        seat = story.state.active
        assert len(story.state.legal_actions(seat)) == 1 + 4 + 6
        assert {f"give {other} {other}" for other in others} <= set(moves(story.state, seat))


@rule("O-17")
@pytest.mark.parametrize("character", ["henchman", "lady", "patrol"])
def test_any_character_among_the_named_cards_is_a_mistake_of_the_driver(character: str) -> None:
    story = played("driver", f"row1=1,{character} row2=3,4 row3=5,6")
    story.play("c 1 2", "penalty 9")
    assert row(story.state, C) == f"1,{character},9"
    assert phase(story.state) == "turn"


@rule("O-S2", "O-S3")
def test_dealt_cards_are_shown_to_nobody() -> None:
    state = dealt().state
    assert not any(state.shown)
    assert not state.showing


@rule("O-S2", "O-19p")
def test_patrols_of_a_game_do_not_lie_in_the_next() -> None:
    story = Story("row1=1 row2=3:w1/2,4 row3=5").play("c omerta")
    for number in range(16):
        story.play(f"deal {number % 10 + 1}")
    rows = [story.state.row[seat][:4] for seat in range(3)]
    assert {story.state.watcher[card] for cards in rows for card in cards} == {-1}


@rule("O-13")
def test_of_eight_shuffles_the_oldest_is_forgotten() -> None:
    line = "row1=5,6 row2=1:o1,2:o1 row3=3,4 gone=2:i1,1:i1 shuffle=7 shuffles=7"
    story = played("lady", line).play("c on h", "nobody", "shuffle 1")
    state = story.state
    assert (state.shuffle, state.shuffles) == (1, 7)
    assert [state.origin[card] for card in state.row[L][:2]] == [0, 0]
    assert [state.origin[card] for card in state.row[H][:2]] == [1, 1]
    gone = [track for track in range(pieces.TRACKS) if state.place[track] == pieces.GONE]
    assert sorted(state.kind[track] for track in gone) == kinds("3,4")


# --- Draw piles, one after another -----------------------------------------------------------


def pools(state: State) -> list[int]:
    """How many cards of each draw pile are not public."""
    kinds = pieces.KINDS
    return [sum(state.pools[kinds * pile : kinds * (pile + 1)]) for pile in range(pieces.PILES)]


def hidden(*piles: int) -> str:
    """The pools of four draw piles, of each so many ones."""
    return "pools=" + ".".join(f"{number}{'.0' * 20}" for number in piles)


@rule("O-13", "O-5")
def test_cards_of_one_draw_pile_that_were_shuffled_stay_cards_of_that_pile() -> None:
    state = parse_state(f"gen=3 {hidden(1, 2, 3, 4)} row1=9:g1 gone=1:i1:g2,1:i1:g2,5:i2:g1")
    assert state.common_pile(1) == 2
    assert pools(state) == [1, 2, 3, 4]


@rule("O-13", "O-5")
def test_of_a_shuffle_with_nothing_hidden_the_draw_pile_is_the_present_one() -> None:
    state = parse_state(f"gen=3 {hidden(1, 2, 3, 4)} gone=1:s63:i1:g2,5:i2:g1")
    assert state.common_pile(1) == 3


@rule("O-13", "O-5")
@pytest.mark.parametrize("gone", ["1:i1:g2,1:i1:g3", "1:i1:g3,1:i1:g2"])
def test_where_cards_of_two_draw_piles_were_shuffled_the_piles_become_one(gone: str) -> None:
    state = parse_state(f"gen=3 {hidden(1, 2, 3, 4)} row1=9:g2 gone={gone},5:i2:g1")
    assert state.common_pile(1) == 3
    assert pools(state) == [1, 2, 0, 7]
    assert state.pile_of[state.row[C][0]] == 3


@rule("O-13", "O-5")
def test_of_two_older_draw_piles_the_first_stays() -> None:
    state = parse_state(f"gen=0 {hidden(1, 2, 3, 4)} gone=1:i1:g2,1:i1:g1")
    assert state.common_pile(1) == 2
    assert pools(state) == [1, 0, 5, 4]


@rule("O-5")
def test_when_a_fifth_draw_pile_is_made_the_two_oldest_become_one() -> None:
    line = f"gen=0 {pile()} {hidden(1, 2, 3, 4)} discards=7,8 row1=9:g1 row2=3:g3 row3=5:g2"
    state = Story(line).play("c draw").state
    assert state.gen == 1
    assert pools(state) == [1, 2, 5, 4]
    assert [state.pile_of[state.row[seat][0]] for seat in (C, L, H)] == [2, 3, 2]


@rule("O-S2", "O-10", "O-11", "O-11u")
@pytest.mark.parametrize("chosen", ["sealed", "snap_each", "must_use", "first_up"])
def test_what_the_host_chose_is_read_back_and_nothing_else(chosen: str) -> None:
    made = State(3, **{chosen: True})
    read = State(3)
    read.load(made.ints())
    for state in (made, read, made.copy()):
        options = ("sealed", "snap_each", "must_use", "first_up")
        assert [option for option in options if getattr(state, option)] == [chosen]


@rule("O-2", "O-19p")
def test_a_patrol_in_the_draw_pile_is_a_card_like_any_other() -> None:
    state = parse_state(f"row1=1 row2=2 row3=3 {pile('patrol')}")
    assert state.pile_count == 1


@rule("O-18", "O-24")
def test_when_the_last_round_is_over_nobody_looks_into_the_safe_any_more() -> None:
    line = "seats=3 games=1 max_rounds=1 turns=2 active=h phase=use discards=safecracker"
    story = Story(f"{line} row1=1,2 row2=3,4 row3=5,6 safe=7,8,9,10").play("h look", "h -")
    state = story.state
    assert state.is_over
    assert [state.shown[card] for card in state.safe] == [0, 0, 0, 0]
    assert [state.seen[card] for card in state.safe] == [1 << H] * 4
