"""Each rule of Omerta except the characters, proved at a table set up in one line."""

import pytest

from cosca.core.names import CHANCE, SPECTATOR
from cosca.games.omerta import pieces
from cosca.games.omerta.beliefs import Beliefs
from cosca.games.omerta.game import GAME
from cosca.games.omerta.notation import LETTERS, parse_state
from cosca.games.omerta.position import FACE_DOWN, NO_ANSWER, UNKNOWN, position
from cosca.words import sentences
from tests.games.omerta.story import (
    C,
    H,
    L,
    Story,
    T,
    called,
    dealt,
    discards,
    drawable,
    kinds,
    moves,
    new,
    odds,
    phase,
    pile,
    refused,
    row,
    rule,
    safe,
    scores,
    seen,
    totals,
)

# --- What there is ---------------------------------------------------------------------------


@rule("O-M1")
@pytest.mark.parametrize("copies", pieces.DECK_NAMES)
def test_there_are_four_bottles_of_each_number(copies: str) -> None:
    state = Story(new(copies=copies)).play("start c").state
    assert state.chance_outcomes()[:10] == [(kind, 4) for kind in range(10)]


@rule("O-M1", "O-M2")
@pytest.mark.parametrize(
    ("card", "worth"),
    [
        *((str(number), number) for number in range(1, 11)),
        *(("henchman", 15), ("lady", 15), ("mole", 15), ("traitor", 20), ("assassin", 15)),
        *(("driver", 20), ("safecracker", 15), ("witness", 10), ("alibi", 0)),
        *(("mamma", 15), ("patrol", 15)),
    ],
)
def test_a_card_in_a_row_costs_what_it_is_worth(card: str, worth: int) -> None:
    assert called(c="", l=card, h="5,6") == [0, worth, 11]


@rule("O-M3")
@pytest.mark.parametrize(
    ("copies", "characters"),
    [("standard", [2] * 9 + [1, 1]), ("pairs", [2] * 11), ("singles", [1] * 11)],
)
def test_how_many_of_each_character_there_are(copies: str, characters: list[int]) -> None:
    state = Story(new(copies=copies)).play("start c").state
    assert [weight for _, weight in state.chance_outcomes()[10:]] == characters
    assert state.pile_count == 40 + sum(characters)


@rule("O-M3")
def test_the_usual_deck_has_sixty_cards() -> None:
    assert dealt().state.pile_count == 60 - 16


@rule("O-M4")
def test_five_gangsters_are_the_faces_of_the_players() -> None:
    faces = ["Capone", "Luciano", "Hill", "Torrio", "Moran"]
    assert [sentences()[f"omerta.seat.{seat}"] for seat in range(5)] == faces
    assert [name[0].lower() for name in faces] == list(LETTERS)


# --- Setting up ------------------------------------------------------------------------------


@rule("O-S1", "O-M4")
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_fair_lot_chooses_who_starts_the_first_game(seats: int) -> None:
    assert new(seats).chance_outcomes() == [(seat, 1) for seat in range(seats)]


@rule("O-S1")
def test_a_player_who_is_drawn_has_the_first_turn() -> None:
    story = dealt(start="h").play("c peek 1 2", "l peek 1 2", "h peek 1 2")
    assert story.state.actors() == (H,)
    assert story.events_for(SPECTATOR, "starts") == [(H,)]


@rule("O-S1")
def test_the_highest_total_starts_the_next_game() -> None:
    story = Story("start=c row1=1 row2=9 row3=2 totals=20.4.30").play("c omerta")
    assert (totals(story.state), story.state.start) == ([20, 13, 32], H)
    assert story.events_for(L, "game") == [(2, 3, H)]


@rule("O-S1")
@pytest.mark.parametrize(("last", "starts"), [("c", L), ("l", T), ("h", T), ("t", L)])
def test_of_equals_the_first_after_the_last_start_player_starts(last: str, starts: int) -> None:
    line = f"seats=4 start={last} row1=1 row2=9 row3=2 row4=9 totals=0.20.0.20"
    assert Story(line).play("c omerta").state.start == starts


@rule("O-S1")
def test_the_last_start_player_comes_last_among_equals() -> None:
    line = "start={} row1=1 row2=9 row3=2 totals=29.20.0"
    assert Story(line.format("c")).play("c omerta").state.start == L
    assert Story(line.format("l")).play("c omerta").state.start == C


@rule("O-S2")
@pytest.mark.parametrize("seats", GAME.seats)
def test_everyone_gets_four_cards_and_the_safe_four_more(seats: int) -> None:
    state = dealt(seats).state
    assert state.length[:seats] == [4] * seats
    assert row(state, C) == "1,2,3,4"
    assert row(state, L) == "5,6,7,8"
    assert state.pile_count == 60 - 4 * seats - 4
    assert state.discarded == 0
    assert phase(state) == "window"


@rule("O-S2")
def test_the_safe_is_dealt_after_the_rows() -> None:
    assert safe(dealt(3).state) == "3,4,5,6"


@rule("O-S2")
@pytest.mark.parametrize("first", ["none", "up"])
def test_nobody_sees_what_is_dealt_face_down(first: str) -> None:
    story = dealt(first_discard=first)
    for seat in (C, L, H, SPECTATOR):
        there = position(story.state, seat)
        assert {card for cards in there.rows for card in cards} == {FACE_DOWN}
        assert set(there.safe) == {FACE_DOWN}
        assert {track.kind for track in there.learnt.tracks} == {UNKNOWN}
        assert story.events_for(seat, "dealt") == story.events_for(seat, "dealt_safe") == []


@rule("O-S2")
def test_the_host_may_let_the_discard_pile_start_with_a_card() -> None:
    story = dealt(first_discard="up")
    assert discards(story.state) == "7"
    assert story.events_for(SPECTATOR, "first_discard") == [(6,)]
    assert story.state.pile_count == 60 - 17
    story.play("c peek 1 2", "l peek 1 2", "h peek 1 2")
    assert moves(story.state, C) == ["omerta", "draw", "take"]


@rule("O-S2")
def test_a_character_that_starts_the_discard_pile_does_nothing() -> None:
    story = Story(new(first_discard="up")).play("start c")
    for number in range(16):
        story.play(f"deal {number % 10 + 1}")
    story.play("deal lady", "c peek 1 2", "l peek 1 2", "h peek 1 2")
    assert (phase(story.state), story.state.active, discards(story.state)) == ("turn", C, "lady")


@rule("O-S2")
def test_a_bottle_that_starts_the_discard_pile_opens_no_window() -> None:
    story = dealt(first_discard="up").play("c peek 1 2", "l peek 1 2", "h peek 1 2")
    assert phase(story.state) == "turn"


@rule("O-S3")
def test_all_choose_at_once_any_two_of_their_cards() -> None:
    state = dealt().state
    assert state.actors() == (C, L, H)
    pairs = ["1 2", "1 3", "1 4", "2 3", "2 4", "3 4"]
    for seat in range(3):
        assert moves(state, seat) == [f"peek {pair}" for pair in pairs]


@rule("O-S3")
def test_the_owner_alone_sees_what_the_two_cards_are() -> None:
    story = dealt().play("h peek 1 2", "c peek 1 3", "l peek 2 4")
    state = story.state
    assert position(state, C).rows[C] == (0, FACE_DOWN, 2, FACE_DOWN)
    assert position(state, L).rows[L] == (FACE_DOWN, 5, FACE_DOWN, 7)
    assert seen(state, H, H) == kinds("9,10,?,?")
    for seat in (L, H, SPECTATOR):
        assert seen(state, seat, C) == [UNKNOWN] * 4
        assert set(position(state, seat).rows[C]) == {FACE_DOWN}
    assert story.events_for(C, "saw") == [(C, 1, 0), (C, 3, 2)]
    assert story.events_for(SPECTATOR, "saw") == []


@rule("O-S3")
def test_everybody_sees_which_two_cards() -> None:
    story = dealt().play("h peek 1 2", "c peek 1 3", "l peek 2 4")
    for seat in (C, L, H, SPECTATOR):
        assert story.events_for(seat, "peeked") == [(C, 1, 3), (L, 2, 4), (H, 1, 2)]


@rule("O-S3")
def test_nobody_looks_before_all_have_chosen() -> None:
    story = dealt().play("c peek 1 3")
    assert seen(story.state, C, C) == [UNKNOWN] * 4
    assert story.events_for(L, "picks") == []
    assert story.state.actors() == (L, H)


@rule("O-S3")
def test_the_two_cards_are_put_back_when_the_first_turn_begins() -> None:
    story = dealt().play("c peek 1 3", "l peek 2 4", "h peek 1 2", "c draw")
    assert set(position(story.state, C).rows[C]) == {FACE_DOWN}
    assert seen(story.state, C, C) == kinds("1,?,3,?")


@rule("O-S3")
def test_two_different_cards_are_looked_at_and_no_single_one() -> None:
    state = dealt().state
    assert refused(state, "c peek 2 2") == "omerta.no_such_pair"
    assert refused(state, "c 2") == "omerta.peek_at_two"
    assert refused(state, "c -") == "omerta.peek_at_two"


# --- A turn ----------------------------------------------------------------------------------


@rule("O-1", "O-2", "O-20")
def test_a_turn_begins_with_a_call_or_with_a_card() -> None:
    assert moves(parse_state("row1=7,3 discards=5"), C) == ["omerta", "draw", "take"]
    assert moves(parse_state("row1=7,3"), C) == ["omerta", "draw"]


@rule("O-1", "O-20")
def test_a_player_who_has_taken_a_card_may_not_call_any_more() -> None:
    story = Story("row1=7,3 discards=5")
    assert refused(story.play("c draw", "draw 8").state, "c omerta") == "omerta.place_it"
    taken = Story("row1=7,3 discards=5").play("c take")
    assert refused(taken.state, "c omerta") == "omerta.must_replace"


@rule("O-1", "O-20")
def test_nobody_calls_in_the_turn_of_another() -> None:
    assert refused(parse_state("row1=7 row2=1 active=c"), "l omerta") == "not_your_turn"


@rule("O-1")
@pytest.mark.parametrize(
    ("turns", "active", "may"), [(2, "h", False), (3, "c", True), (4, "l", True), (5, "h", True)]
)
def test_the_host_may_set_the_first_turn_for_calls(turns: int, active: str, may: bool) -> None:
    state = parse_state(f"first_call=2 turns={turns} active={active} row1=1 row2=1 row3=1")
    assert ("omerta" in moves(state, LETTERS.index(active))) == may
    if not may:
        assert refused(state, f"{active} omerta") == "omerta.too_early"


@rule("O-1")
def test_the_first_turn_for_calls_is_counted_from_the_start_player() -> None:
    story = Story("first_call=2 start=l active=l row1=10 row2=10 row3=10")
    for seat in "lhc":
        assert "omerta" not in moves(story.state, LETTERS.index(seat))
        story.play(f"{seat} draw", "draw 1", f"{seat} discard", "nobody")
    assert "omerta" in moves(story.state, L)


@rule("O-2")
def test_a_card_from_the_draw_pile_is_seen_by_its_taker_alone() -> None:
    story = Story("row1=7,3").play("c draw", "draw 8")
    assert position(story.state, C).held == 7
    assert story.events_for(C, "drew") == [(C, 7)]
    for seat in (L, H, SPECTATOR):
        assert position(story.state, seat).held == FACE_DOWN
        assert UNKNOWN in {track.kind for track in position(story.state, seat).learnt.tracks}
        assert story.events_for(seat, "drew") == []
        assert story.events_for(seat, "draws") == [(C,)]


@rule("O-2")
def test_a_card_from_the_discard_pile_is_seen_by_all() -> None:
    story = Story("row1=7,3 discards=4,8").play("c take")
    for seat in (C, L, H, SPECTATOR):
        assert position(story.state, seat).held == 7
        assert story.events_for(seat, "takes") == [(C, 7)]
    assert discards(story.state) == "4"


@rule("O-2")
def test_every_card_left_in_the_draw_pile_is_as_likely() -> None:
    story = Story("row1=7,7,7 row2=lady safe=3 discards=7,9,mamma").play("c draw")
    left = dict(story.state.chance_outcomes())
    assert 6 not in left
    assert left[2] == left[8] == 3
    assert (left[0], left[pieces.LADY], left[pieces.MOLE]) == (4, 1, 2)
    assert pieces.MAMMA not in left


@rule("O-2")
def test_turns_go_clockwise() -> None:
    story = Story("seats=4 active=h row1=10 row2=10 row3=10 row4=10")
    for seat in "htcl":
        assert story.state.actors() == (LETTERS.index(seat),)
        story.play(f"{seat} draw", "draw 1", f"{seat} discard", "nobody")
    assert story.state.actors() == (H,)


@rule("O-2")
def test_a_character_from_the_discard_pile_does_nothing_until_it_is_discarded_again() -> None:
    story = Story("row1=7,3 row2=10,10 row3=10 discards=lady").play("c take", "c 1")
    assert (phase(story.state), discards(story.state)) == ("window", "7")
    story.play("nobody", "l draw", "draw alibi", "l discard", "h draw", "draw witness", "h discard")
    story.play("c draw", "draw 5", "c 1")
    assert (phase(story.state), story.state.top()) == ("use", pieces.LADY)
    assert moves(story.state, C) == ["-", "on l"]


@rule("O-3")
def test_the_taken_card_goes_into_the_row_and_the_old_one_onto_the_discard_pile() -> None:
    story = Story("row1=7,3,2 row2=10 row3=10").play("c draw", "draw 8", "c 2")
    assert (row(story.state, C), discards(story.state)) == ("7,8,2", "3")
    assert story.events_for(SPECTATOR, "replaces") == [(C, 2)]
    assert story.events_for(SPECTATOR, "turned_up") == [(C, 2)]


@rule("O-3")
def test_nobody_looks_at_the_replaced_card_before_it_lies_face_up() -> None:
    story = Story("row1=7,3,2").play("c draw", "draw 8")
    story.do(C, pieces.SLOT + 1)
    for seat in (C, L, SPECTATOR):
        there = position(story.state, seat)
        assert there.held == FACE_DOWN
        assert there.learnt.by_number()[there.learnt.held].kind == UNKNOWN
        assert there.discarded == 0
    assert story.state.actors() == (CHANCE,)


@rule("O-3")
def test_a_choice_of_the_place_is_not_taken_back() -> None:
    story = Story("row1=7,3,2").play("c draw", "draw 8")
    story.do(C, pieces.SLOT + 1)
    assert story.state.legal_actions(C) == []
    assert refused(story.state, "c 1") == "omerta.window_closed"


@rule("O-3")
def test_the_new_card_is_known_to_its_owner_and_to_nobody_else() -> None:
    story = Story("row1=7,3,2 row2=9 row3=9").play("c draw", "draw 8", "c 2")
    assert seen(story.state, C, C) == kinds("?,8,?")
    assert seen(story.state, L, C) == kinds("?,?,?")


@rule("O-2", "O-3")
def test_a_card_from_the_discard_pile_is_known_to_all_in_its_new_place() -> None:
    story = Story("row1=7,3,2 row2=9 row3=9 discards=8").play("c take", "c 2")
    for seat in (C, L, H, SPECTATOR):
        assert seen(story.state, seat, C) == kinds("?,8,?")
        assert position(story.state, seat).rows[C] == (FACE_DOWN,) * 3


@rule("O-4")
def test_a_card_from_the_draw_pile_may_be_discarded_at_once() -> None:
    story = Story("row1=7,3 row2=10 row3=10").play("c draw", "draw 8")
    assert moves(story.state, C) == ["discard", "1", "2"]
    story.play("c discard")
    assert (row(story.state, C), discards(story.state)) == ("7,3", "8")


@rule("O-4")
def test_a_card_from_the_discard_pile_must_replace_one() -> None:
    story = Story("row1=7,3 discards=8").play("c take")
    assert moves(story.state, C) == ["1", "2"]
    assert refused(story.state, "c discard") == "omerta.must_replace"


# --- The draw pile runs out ------------------------------------------------------------------


@rule("O-5")
def test_an_empty_draw_pile_is_left_empty_until_a_card_is_needed() -> None:
    story = Story(f"row1=10 row2=10 row3=10 discards=2,3 {pile('4')}")
    story.play("c draw", "draw 4", "c discard", "nobody")
    assert (story.state.pile_count, discards(story.state)) == (0, "2,3,4")
    assert moves(story.state, L) == ["omerta", "draw", "take"]
    story.play("l take", "l 1", "nobody")
    assert (story.state.pile_count, discards(story.state)) == (0, "2,3,10")
    assert story.events_for(SPECTATOR, "reshuffled") == []


@rule("O-5")
def test_all_discards_become_the_new_draw_pile() -> None:
    story = Story(f"row1=10 row2=10 row3=10 discards=2,3,4,4 {pile()}").play("c draw")
    assert story.state.chance_outcomes() == [(1, 1), (2, 1), (3, 2)]
    assert discards(story.state) == ""
    assert story.events_for(SPECTATOR, "reshuffled") == [(4,)]


@rule("O-5", "O-15")
def test_a_reshuffle_of_a_single_card_is_announced_too() -> None:
    story = Story(f"row1=10 row2=9 row3=10 discards=2 {pile('traitor', '3')}")
    story.play("c draw", "draw traitor", "c discard", "c give l h", "nobody", "gift 3")
    assert story.events_for(SPECTATOR, "reshuffled") == [(1,)]


@rule("O-5")
def test_a_single_discard_may_be_drawn_again() -> None:
    story = Story(f"row1=10 row2=10 row3=10 discards=4 {pile()}")
    story.play("c draw", "draw 4", "c discard", "nobody")
    assert (story.state.pile_count, discards(story.state)) == (0, "4")


@rule("O-5", "O-8")
def test_a_discard_with_an_open_window_stays_out_of_the_new_pile() -> None:
    story = Story(f"row1=10 row2=9 row3=10 discards=2,3 {pile('4')}")
    story.play("c draw", "draw 4", "c discard", "l 1", "nobody")
    assert (phase(story.state), drawable(story.state), discards(story.state)) == (
        "penalty",
        "2,3",
        "4",
    )


@rule("O-5", "O-15")
def test_a_discard_with_an_open_action_stays_out_of_the_new_pile() -> None:
    story = Story(f"row1=10 row2=9 row3=10 discards=2,3 {pile('traitor')}")
    story.play("c draw", "draw traitor", "c discard", "c give l h", "nobody")
    assert (phase(story.state), drawable(story.state)) == ("gift", "2,3")
    assert discards(story.state) == "traitor"


@rule("O-5", "O-15")
def test_the_pile_may_run_out_between_two_gifts() -> None:
    story = Story(f"row1=10 row2=9 row3=10 discards=2,4 {pile('traitor', '3')}")
    story.play("c draw", "draw traitor", "c discard", "c give l h", "nobody", "gift 3")
    assert story.events_for(SPECTATOR, "reshuffled") == [(2,)]
    assert (drawable(story.state), discards(story.state)) == ("2,4", "traitor")
    story.play("gift 2")
    assert (row(story.state, L), row(story.state, H)) == ("9,3", "10,2")


@rule("O-5", "O-8")
def test_without_a_card_to_draw_there_is_no_penalty() -> None:
    story = Story(f"row1=10 row2=9 row3=10 {pile('4')}")
    story.play("c draw", "draw 4", "c discard", "l 1", "nobody")
    assert (row(story.state, L), discards(story.state)) == ("9", "4")
    assert story.events_for(SPECTATOR, "wrong") == [(L, 1, 8)]
    assert story.events_for(SPECTATOR, "no_penalty") == [(L,)]
    assert story.state.actors() == (L,)


@rule("O-5", "O-15")
def test_without_two_cards_to_draw_there_is_no_gift() -> None:
    story = Story(f"row1=10 row2=9 row3=10 {pile('traitor', '3')}")
    story.play("c draw", "draw traitor", "c discard")
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-5", "O-15", "O-16")
def test_a_penalty_may_leave_too_few_cards_for_the_gifts() -> None:
    story = Story(f"row1=10 row2=9 row3=10 {pile('traitor', '3', '4')}")
    story.play("c draw", "draw traitor", "c discard", "c give l h", "l 1", "nobody", "penalty 3")
    assert (row(story.state, L), row(story.state, H)) == ("9,3", "10")
    assert story.events_for(SPECTATOR, "no_gifts") == [(C,)]
    assert (phase(story.state), story.state.active, story.state.pile_count) == ("turn", L, 1)


@rule("O-5")
def test_with_no_card_at_all_one_may_only_call_or_pass() -> None:
    story = Story(f"row1=10 row2=9 row3=10 {pile()}")
    assert moves(story.state, C) == ["-", "omerta"]
    story.play("c -")
    assert story.state.actors() == (L,)
    assert story.events_for(SPECTATOR, "nothing_to_take") == [(C,)]
    early = parse_state(f"first_call=2 row1=10 row2=9 row3=10 {pile()}")
    assert moves(early, C) == ["-"]


@rule("O-5")
def test_as_long_as_there_is_a_card_nobody_passes() -> None:
    assert refused(parse_state("row1=10"), "c -") == "omerta.take_a_card"
    assert refused(parse_state(f"row1=10 discards=4 {pile()}"), "c -") == "omerta.take_a_card"


@rule("O-2")
def test_nobody_takes_from_an_empty_discard_pile() -> None:
    assert refused(parse_state("row1=10"), "c take") == "omerta.no_discard"


# --- Rows shrink and grow --------------------------------------------------------------------


@rule("O-6", "O-7")
def test_a_row_may_shrink_to_nothing_and_its_owner_only_draws_and_discards() -> None:
    story = Story("row1=9 row2=7 row3=10").play("c draw", "draw 7", "c discard", "l 1", "nobody")
    assert row(story.state, L) == ""
    assert moves(story.state, L) == ["omerta", "draw"]
    assert refused(story.state, "l take") == "omerta.nothing_to_replace"
    story.play("l draw", "draw 3")
    assert moves(story.state, L) == ["discard"]
    story.play("l discard")
    assert story.state.actors() == (C, H)


@rule("O-6")
def test_a_row_closes_up_and_a_patrol_stays_on_its_card() -> None:
    story = Story("row1=10 row2=1,5,3:w1/2,4 row3=9,9")
    story.play("c draw", "draw 5", "c discard", "l 2", "nobody")
    assert row(story.state, L) == "1,3,4"
    assert position(story.state, C).patrols == ((L, 1, C, 1),)
    assert moves(story.play("l draw", "draw 8").state, L) == ["discard", "1", "3"]


@rule("O-6")
def test_what_is_known_of_a_card_moves_with_it_when_the_row_closes_up() -> None:
    story = Story("row1=10 row2=1,5,3:s2,4:s1 row3=9")
    story.play("c draw", "draw 5", "c discard", "l 2", "nobody")
    assert seen(story.state, L, L) == kinds("?,3,?")
    assert seen(story.state, C, L) == kinds("?,?,4")


@rule("O-6", "O-8")
def test_new_cards_join_on_the_right_without_limit() -> None:
    long = ",".join(str(number) for number in range(1, 11)) + ",1,2,3,4"
    story = Story(f"row1=10 row2={long} row3=9")
    story.play("c draw", "draw 5", "c discard", "l 1", "nobody", "penalty 6")
    assert row(story.state, L) == f"{long},6"
    story.play("l draw", "draw alibi", "l 15")
    assert row(story.state, L) == f"{long},alibi"


# --- Snap ------------------------------------------------------------------------------------


@rule("O-7")
def test_a_discarded_bottle_lets_everyone_lay_down_the_same_number() -> None:
    story = Story("row1=9,3 row2=7,2 row3=10").play("c draw", "draw 7", "c discard")
    assert story.state.actors() == (C, L, H)
    assert moves(story.state, C) == moves(story.state, L) == ["-", "1", "2"]
    story.play("l 1", "nobody")
    assert (row(story.state, L), discards(story.state)) == ("2", "7,7")
    assert story.events_for(SPECTATOR, "snapped") == [(L, 1, 6)]
    assert story.state.actors() == (L,)


@rule("O-7", "O-3")
def test_a_replaced_bottle_opens_a_window_too() -> None:
    story = Story("row1=9,3 row2=7,3 row3=10").play("c draw", "draw 7", "c 2", "l 2", "nobody")
    assert (row(story.state, C), row(story.state, L)) == ("9,7", "7")


@rule("O-7")
def test_the_active_player_may_lay_down_the_other_card_of_a_pair() -> None:
    story = Story("row1=3,9,3 row2=7 row3=10").play("c draw", "draw 7", "c 1", "c 3", "nobody")
    assert (row(story.state, C), discards(story.state)) == ("7,9", "3,3")


@rule("O-7", "O-3")
def test_the_active_player_may_lay_down_the_card_just_placed() -> None:
    story = Story("row1=3,9 row2=7 row3=10").play("c draw", "draw 3", "c 1", "c 1", "nobody")
    assert (row(story.state, C), discards(story.state)) == ("9", "3,3")


@rule("O-7")
def test_if_nobody_lays_a_card_the_turn_ends() -> None:
    story = Story("row1=9 row2=7 row3=10").play("c draw", "draw 7", "c discard", "nobody")
    assert (discards(story.state), story.state.actors()) == ("7", (L,))


@rule("O-7")
@pytest.mark.parametrize("character", ["witness", "alibi", "assassin"])
def test_a_discarded_character_opens_no_such_window(character: str) -> None:
    story = Story(f"row1=9 row2={character} row3=10")
    story.play("c draw", f"draw {character}", "c discard")
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-7", "O-6")
def test_a_player_who_has_no_card_is_not_asked() -> None:
    story = Story("row1= row2=7 row3=").play("c draw", "draw 7", "c discard")
    assert story.state.actors() == (L,)
    none = Story("row1= row2= row3=").play("c draw", "draw 7", "c discard")
    assert (phase(none.state), none.state.active) == ("turn", L)


@rule("O-7")
def test_only_the_fastest_counts() -> None:
    story = Story("row1=9 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard")
    story.play("h 1", "l 1", "nobody")
    assert (row(story.state, L), row(story.state, H)) == ("7,1", "2")
    assert discards(story.state) == "7,7"
    assert story.events_for(SPECTATOR, "too_slow") == [(L, 1)]


@rule("O-8")
def test_a_wrong_card_is_seen_by_all_and_costs_a_penalty_card() -> None:
    story = Story("row1=9 row2=8,1 row3=7").play("c draw", "draw 7", "c discard", "l 1", "nobody")
    assert (phase(story.state), story.state.receiver) == ("penalty", L)
    for seat in (C, L, H, SPECTATOR):
        assert position(story.state, seat).rows[L] == (7, FACE_DOWN)
        assert story.events_for(seat, "wrong") == [(L, 1, 7)]
    story.play("penalty 2")
    assert row(story.state, L) == "8,1,2"
    assert seen(story.state, C, L) == kinds("8,?,?")
    assert seen(story.state, L, L) == kinds("8,?,?")
    assert story.events_for(L, "penalty") == [(L,)]
    assert story.events_for(L, "penalty_card") == []
    assert discards(story.state) == "7"


@rule("O-8")
def test_a_character_is_a_wrong_card_for_a_bottle() -> None:
    story = Story("row1=9 row2=lady row3=7").play("c draw", "draw 7", "c discard", "l 1", "nobody")
    assert phase(story.state) == "penalty"


@rule("O-8")
def test_everyone_answers_once_in_a_window() -> None:
    story = Story("row1=9 row2=8,7 row3=7").play("c draw", "draw 7", "c discard", "l 1")
    assert story.state.legal_actions(L) == []
    assert refused(story.state, "l 2") == "omerta.answered"
    assert refused(story.state, "l -") == "omerta.answered"
    passed = Story("row1=9 row2=8,7 row3=7").play("c draw", "draw 7", "c discard", "l -")
    assert refused(passed.state, "l 2") == "omerta.answered"


@rule("O-9")
@pytest.mark.parametrize("card", ["7", "8", "lady"])
def test_a_player_who_was_slower_takes_the_card_back_unseen_and_unpunished(card: str) -> None:
    story = Story(f"row1=9 row2={card},1 row3=7,2").play("c draw", "draw 7", "c discard")
    story.play("h 1", "l 1", "nobody")
    assert (row(story.state, L), phase(story.state)) == (f"{card},1", "turn")
    for seat in (C, L, H, SPECTATOR):
        assert seen(story.state, seat, L) == kinds("?,?")
        assert story.events_for(seat, "too_slow") == [(L, 1)]


@rule("O-9")
def test_nobody_can_tell_who_has_answered_while_a_window_is_open() -> None:
    story = Story("row1=9 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard")
    before = {seat: position(story.state, seat) for seat in (C, H, SPECTATOR)}
    story.play("l 1")
    assert {seat: position(story.state, seat) for seat in (C, H, SPECTATOR)} == before
    assert position(story.state, L).answer == pieces.SLOT
    assert story.events_for(L, "reaches") == [(L, 1)]
    assert story.events_for(C, "reaches") == story.events_for(SPECTATOR, "reaches") == []


@rule("O-9")
def test_nobody_can_tell_the_last_answer_before_the_first_card_is_turned_up() -> None:
    story = Story("row1=9 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard", "c -", "l 1")
    before = position(story.state, SPECTATOR)
    story.do(H, pieces.SLOT)
    assert story.state.actors() == (CHANCE,)
    assert position(story.state, SPECTATOR) == before
    assert position(story.state, SPECTATOR).answer == NO_ANSWER


@rule("O-9")
def test_a_player_who_did_not_reach_stays_unknown_for_ever() -> None:
    story = Story("row1=9 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard", "h 1", "nobody")
    assert story.events_for(L, "stays_put") == [(L,)]
    assert story.events_for(C, "stays_put") == [(C,)]
    assert story.events_for(SPECTATOR, "stays_put") == []


@rule("O-9")
def test_after_the_window_is_closed_it_is_too_late() -> None:
    story = Story("row1=9 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard", "nobody")
    assert refused(story.state, "h 1") == "omerta.window_closed"
    assert refused(story.state, "h -") == "not_your_turn"


@rule("O-10")
def test_after_a_wrong_card_the_window_stays_open_for_the_others() -> None:
    story = Story("row1=9 row2=8,1 row3=7,2").play("c draw", "draw 7", "c discard")
    story.play("l 1", "h 1", "nobody", "penalty 3")
    assert (row(story.state, L), row(story.state, H)) == ("8,1,3", "2")
    assert discards(story.state) == "7,7"


@rule("O-10", "O-8")
def test_all_who_are_wrong_one_after_another_are_punished() -> None:
    story = Story("row1=9 row2=8,1 row3=6,2").play("c draw", "draw 7", "c discard")
    story.play("h 1", "l 1", "c 1", "penalty 3", "penalty 4", "penalty 5")
    assert [row(story.state, seat) for seat in range(3)] == ["9,5", "8,1,4", "6,2,3"]
    assert story.state.actors() == (L,)


@rule("O-10", "O-9")
def test_wrong_then_right_then_too_slow() -> None:
    story = Story("seats=4 row1=9 row2=8 row3=7 row4=6").play("c draw", "draw 7", "c discard")
    story.play("l 1", "h 1", "t 1", "nobody", "penalty 3")
    assert [row(story.state, seat) for seat in range(4)] == ["9", "8,3", "", "6"]
    assert seen(story.state, C, T) == kinds("?")
    assert story.events_for(SPECTATOR, "too_slow") == [(T, 1)]


@rule("O-10")
def test_the_card_laid_down_opens_no_window() -> None:
    story = Story("row1=7 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard")
    story.play("h 1", "nobody")
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-11")
def test_live_the_first_answer_is_the_fastest() -> None:
    for first, second in (("l", "h"), ("h", "l")):
        story = Story("row1=9 row2=7,1 row3=7,2").play("c draw", "draw 7", "c discard")
        story.play("c -", f"{first} 1")
        story.do(LETTERS.index(second), pieces.SLOT)
        assert story.state.chance_outcomes() == [(LETTERS.index(first), 1)]


@rule("O-11")
def test_sealed_a_lot_decides_among_all_who_reached() -> None:
    line = "sealed=1 seats=4 row1=9 row2=7,1 row3=7,2 row4=7,3"
    story = Story(line).play("c draw", "draw 7", "c discard", "t 1", "l 1", "h 1", "c -")
    assert story.state.chance_outcomes() == [(L, 1), (H, 1), (T, 1)]
    story.play("settle h")
    assert [row(story.state, seat) for seat in range(4)] == ["9", "7,1", "2", "7,3"]
    assert sorted(story.events_for(SPECTATOR, "too_slow")) == [(L, 1), (T, 1)]


@rule("O-11", "O-10")
def test_sealed_the_lot_goes_on_among_the_rest_after_a_wrong_card() -> None:
    line = "sealed=1 seats=4 row1=9 row2=8 row3=7,2 row4=7,3"
    story = Story(line).play("c draw", "draw 7", "c discard", "t 1", "l 1", "h 1", "c -")
    story.play("settle l", "penalty 1")
    assert story.state.chance_outcomes() == [(H, 1), (T, 1)]
    story.play("settle t")
    assert [row(story.state, seat) for seat in range(4)] == ["9", "8,1", "7,2", "3"]


@rule("O-11")
def test_the_host_chooses_how_reactions_are_settled() -> None:
    assert new(reactions="sealed").sealed
    assert not new().sealed


# --- Refusals --------------------------------------------------------------------------------


@rule("O-2", "O-7")
def test_nobody_plays_out_of_turn() -> None:
    state = parse_state("row1=9 row2=7 row3=7 discards=5")
    for move in ("draw", "take", "discard", "-", "on h", "give c h", "watch h1", "peek 1 2"):
        assert refused(state, f"l {move}") == "not_your_turn"
    assert refused(state, "l 1") == "omerta.window_closed"


@rule("O-7")
def test_there_must_be_such_a_card() -> None:
    story = Story("row1=9 row2=7 row3=7").play("c draw", "draw 7")
    assert refused(story.state, "c 2") == "omerta.no_such_card"
    assert refused(story.play("c discard").state, "h 2") == "omerta.no_such_card"
    assert refused(story.state, "h omerta") == "omerta.card_or_pass"


# --- Omerta ----------------------------------------------------------------------------------


@rule("O-20")
def test_a_call_ends_the_game_at_once_and_all_rows_are_turned_up() -> None:
    story = Story("row1=1,2 row2=lady,9 row3=4 active=l").play("l omerta")
    shown = [(C, 0), (C, 1), (L, pieces.LADY), (L, 8), (H, 3)]
    assert story.events_for(SPECTATOR, "called") == [(L,)]
    assert story.events_for(SPECTATOR, "shows") == shown
    assert (story.state.game, phase(story.state)) == (2, "deal")


@rule("O-20")
def test_everyone_sees_all_rows_when_the_last_game_is_over() -> None:
    story = Story("game=3 row1=1,2 row2=lady,9 row3=4").play("c omerta")
    assert position(story.state, H).rows == ((0, 1), (pieces.LADY, 8), (3,))
    assert story.state.actors() == ()


@rule("O-21")
@pytest.mark.parametrize(
    ("caller", "scored"),
    [
        ("1", [0, 8, 9]),
        ("7", [0, 8, 9]),
        ("", [0, 8, 9]),
        ("alibi,4,3", [0, 8, 9]),
    ],
)
def test_a_caller_with_seven_or_less_and_nobody_lower_scores_nothing(
    caller: str, scored: list[int]
) -> None:
    assert called(c=caller, l="8", h="9") == scored


@rule("O-21")
def test_the_caller_wins_a_tie() -> None:
    assert called(c="7", l="3,4", h="9") == [0, 7, 9]
    assert called(c="", l="alibi", h="") == [0, 0, 0]
    assert called(c="5", l="2,3", h="5") == [0, 5, 5]


@rule("O-22")
def test_if_somebody_has_fewer_the_caller_pays_twenty_more() -> None:
    assert called(c="7", l="6", h="9") == [27, 0, 9]
    assert called(c="1", l="", h="9") == [21, 0, 9]


@rule("O-22")
def test_a_caller_above_seven_pays_even_as_the_lowest() -> None:
    assert called(c="8", l="9", h="10") == [28, 0, 10]
    assert called(c="8", l="8", h="10") == [28, 0, 10]
    assert called(c="lady", l="driver", h="driver,1") == [35, 0, 21]


@rule("O-22")
def test_all_others_who_share_the_lowest_row_score_nothing() -> None:
    assert called(4, c="9", l="4", h="1,3", t="10") == [29, 0, 0, 10]
    assert called(4, c="9", l="10", h="10", t="10") == [29, 0, 0, 0]


@rule("O-21", "O-22")
@pytest.mark.parametrize(
    ("row1", "row2", "key"),
    [("3", "9", "good_call"), ("3", "2", "bad_call"), ("9", "10", "high_call")],
)
def test_everybody_learns_how_the_call_ended(row1: str, row2: str, key: str) -> None:
    story = Story(f"row1={row1} row2={row2} row3=10").play("c omerta")
    seen = {one: story.events_for(SPECTATOR, one) for one in ("good_call", "bad_call", "high_call")}
    assert {one for one, events in seen.items() if events} == {key}
    assert seen[key] == [(C, int(row1))]


@rule("O-23")
def test_points_are_added_up_from_game_to_game() -> None:
    story = Story("row1=1 row2=9 row3=10 totals=20.4.30").play("c omerta")
    assert totals(story.state) == [20, 13, 40]
    assert (story.state.game, story.state.is_over) == (2, False)


@rule("O-23")
@pytest.mark.parametrize("seats", GAME.seats)
def test_there_are_as_many_games_as_players_or_as_the_host_says(seats: int) -> None:
    assert new(seats).games == seats
    assert new(seats, games="7").games == 7
    line = f"seats={seats} game={seats} row1=1 row2=9 row3=10"
    assert Story(line).play("c omerta").state.is_over
    assert not Story(f"{line} games=10").play("c omerta").state.is_over
    assert Story(f"seats={seats} games=1 row1=1 row2=9 row3=10").play("c omerta").state.is_over


@rule("O-23")
def test_the_lowest_total_wins() -> None:
    state = Story("game=3 row1=1 row2=9 row3=10 totals=14.4.30").play("c omerta").state
    assert totals(state) == [14, 13, 40]
    assert state.returns() == [0.0, 1.0, 0.0]
    assert pieces.ENDINGS[state.ending()] == "totals"


@rule("O-23")
def test_equals_share_the_victory() -> None:
    story = Story("game=3 row1=1 row2=9 row3=10 totals=13.4.30").play("c omerta")
    assert story.state.returns() == [0.5, 0.5, 0.0]
    assert story.events_for(SPECTATOR, "shared") == [(C,), (L,)]
    assert refused(story.state, "c draw") == "game_over"


@rule("O-23", "O-S2")
def test_nothing_is_left_of_a_game_when_the_next_begins() -> None:
    line = "copies=pairs row1=1:s1 row2=9:w1/2 row3=10 mamma=-1.-1.0 discards=3,lady shuffle=2"
    state = Story(line).play("c omerta").state
    assert state.pile_count == 62
    assert (state.discarded, state.length[:3], state.mamma[:3]) == (0, [0] * 3, [-1] * 3)
    assert state.patrols[:3] == [0] * 3
    assert position(state, C).learnt.tracks == ()


@rule("O-24")
def test_after_the_last_round_the_game_ends_uncalled() -> None:
    story = Story("max_rounds=2 turns=5 active=h row1=9 row2=4 row3=10")
    story.play("h draw", "draw alibi", "h discard")
    assert (scores(story.state), story.state.game) == ([9, 0, 10], 2)
    assert story.events_for(SPECTATOR, "uncalled") == [()]


@rule("O-24")
def test_of_an_uncalled_game_all_lowest_rows_score_nothing_and_nobody_is_fined() -> None:
    story = Story("max_rounds=1 turns=2 active=h row1=9 row2=10 row3=9,alibi")
    story.play("h draw", "draw witness", "h discard")
    assert scores(story.state) == [0, 10, 0]


@rule("O-24")
def test_before_the_last_turn_of_the_last_round_the_game_goes_on() -> None:
    story = Story("max_rounds=2 turns=4 active=l row1=9 row2=4 row3=10")
    story.play("l draw", "draw alibi", "l discard")
    assert story.state.actors() == (H,)
    assert "omerta" in moves(story.state, H)


@rule("O-24", "O-7")
def test_the_window_of_the_last_discard_is_still_played() -> None:
    story = Story("max_rounds=1 turns=2 active=h row1=9 row2=4 row3=10")
    story.play("h draw", "draw 9", "h discard", "c 1", "nobody")
    assert scores(story.state) == [0, 4, 10]


@rule("O-24", "O-19m")
def test_a_skipped_turn_counts_for_the_last_round() -> None:
    story = Story("max_rounds=2 turns=4 active=l mamma=-1.-1.0 row1=9 row2=4 row3=10")
    story.play("l draw", "draw alibi", "l discard")
    assert (scores(story.state), story.state.game) == ([9, 0, 10], 2)


@rule("O-24")
def test_without_the_option_a_game_may_go_on_for_ever() -> None:
    story = Story("turns=9999 active=c row1=9 row2=4 row3=10")
    story.play("c draw", "draw alibi", "c discard")
    assert (story.state.actors(), story.state.turns) == ((L,), 10_000)


# --- What you may know -----------------------------------------------------------------------


@rule("O-S2", "O-S3")
def test_a_card_never_seen_is_any_of_those_that_were_not_seen_either() -> None:
    story = dealt().play("c peek 1 2", "l peek 1 2", "h peek 1 2")
    of_capone = odds(position(story.state, C), H, 0)
    assert of_capone[:3] == pytest.approx([3 / 58, 3 / 58, 4 / 58])
    assert of_capone[pieces.MAMMA] == pytest.approx(1 / 58)
    assert odds(position(story.state, SPECTATOR), H, 0)[0] == pytest.approx(4 / 60)
    assert odds(position(story.state, H), H, 0)[8] == 1


@rule("O-2", "O-3")
def test_the_own_card_is_known_where_it_was_put_and_public_cards_are_no_longer_likely() -> None:
    story = Story("row1=1,2 row2=3,4 row3=5,6 safe=7,7,8,8").play("c draw", "draw lady", "c 1")
    story.play("nobody")
    own, other = position(story.state, C), position(story.state, L)
    assert odds(own, C, 0)[pieces.LADY] == 1
    assert odds(own, H, 0)[pieces.LADY] == pytest.approx(1 / 58)
    assert odds(other, C, 0)[pieces.LADY] == pytest.approx(2 / 59)
    assert odds(other, H, 0)[0] == pytest.approx(3 / 59)


@rule("O-5")
def test_of_a_new_draw_pile_everybody_knows_what_is_in_it() -> None:
    story = Story(f"copies=singles row1=1,2 row2=3,4 row3=5,6 discards=7,7,8 {pile()}")
    story.play("c draw", "draw 7", "c 1")
    story.play("nobody", "l draw", "draw 8", "l 1")
    there = position(story.state, H)
    assert odds(there, C, 0)[6:8] == pytest.approx([2 / 3, 1 / 3])
    assert odds(there, L, 0)[6:8] == pytest.approx([2 / 3, 1 / 3])
    assert Beliefs(there.learnt).next_card()[6:8] == pytest.approx([2 / 3, 1 / 3])
    assert odds(position(story.state, C), L, 0)[6:8] == pytest.approx([1 / 2, 1 / 2])


@rule("O-9", "O-8")
def test_a_wrong_card_and_its_penalty_are_separate_events() -> None:
    story = Story("row1=9 row2=8,1 row3=7").play("c draw", "draw 7", "c discard", "l 1", "nobody")
    story.play("penalty 8")
    there = position(story.state, C)
    assert odds(there, L, 0)[7] == 1
    assert odds(there, L, 2)[7] == pytest.approx(3 / 58)
