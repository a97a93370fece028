"""Each character of Omerta, proved at a table set up in one line."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.games.omerta import pieces
from cosca.games.omerta.notation import LETTERS, parse_state
from cosca.games.omerta.pieces import KIND_NAMES
from cosca.games.omerta.position import FACE_DOWN, NO_CARD, UNKNOWN, position
from cosca.games.omerta.rules import State
from tests.games.omerta.story import (
    TABLE,
    C,
    H,
    L,
    Story,
    T,
    discards,
    drawable,
    kinds,
    moves,
    new,
    phase,
    pile,
    played,
    refused,
    row,
    rows,
    rule,
    safe,
    scores,
    seen,
)

STOPPABLE = {
    "traitor": "give l h",
    "henchman": "l1<>h2",
    "lady": "on l",
    "patrol": "watch l2",
    "mamma": "on l",
}
USABLE = (*STOPPABLE, "mole", "driver", "safecracker")


def patrols(state: State) -> list[tuple[int, ...]]:
    """Whose card, which place, who laid it there, for how many more turns."""
    return list(position(state, SPECTATOR).patrols)


def mammas(state: State) -> list[int]:
    """Who laid a mamma on whom."""
    return state.mamma[: state.seats]


# --- When they act ---------------------------------------------------------------------------


@rule("O-2", "O-4", "O-12", "O-13", "O-14", "O-15", "O-17", "O-18", "O-19m", "O-19p")
@pytest.mark.parametrize("character", USABLE)
def test_a_drawn_character_acts_when_it_is_discarded_at_once(character: str) -> None:
    story = Story(TABLE).play("c draw", f"draw {character}", "c discard")
    assert (phase(story.state), story.state.actors()) == ("use", (C,))
    assert len(story.state.legal_actions(C)) > 1


@rule("O-3", "O-12", "O-13", "O-14", "O-15", "O-17", "O-18", "O-19m", "O-19p")
@pytest.mark.parametrize("character", USABLE)
def test_a_character_acts_when_it_is_replaced(character: str) -> None:
    story = Story(f"row1=1,{character} row2=3,4 row3=5,6 safe=7,8,9,10")
    story.play("c draw", "draw 1", "c 2")
    assert (phase(story.state), discards(story.state)) == ("use", character)


@rule("O-12", "O-13", "O-14", "O-15", "O-17", "O-18", "O-19m", "O-19p", "O-16")
@pytest.mark.parametrize("character", USABLE)
def test_whoever_declines_opens_no_window(character: str) -> None:
    story = played(character).play("c -")
    assert rows(story.state) == ["1,2", "3,4", "5,6"]
    assert discards(story.state) == character
    assert (phase(story.state), story.state.active) == ("turn", L)
    assert story.events_for(SPECTATOR, "declines") == [(C, KIND_NAMES.index(character))]


@rule("O-19", "O-16")
@pytest.mark.parametrize("character", ["witness", "alibi", "assassin"])
def test_witness_alibi_and_assassin_do_nothing_when_discarded(character: str) -> None:
    story = Story(TABLE).play("c draw", f"draw {character}", "c discard")
    assert (phase(story.state), story.state.active) == ("turn", L)
    assert (rows(story.state), discards(story.state)) == (["1,2", "3,4", "5,6"], character)
    replaced = Story(f"row1={character} row2=3 row3=5").play("c draw", "draw 1", "c 1")
    assert (phase(replaced.state), replaced.state.active) == ("turn", L)


@rule("O-6", "O-12", "O-13", "O-14", "O-17", "O-19p")
@pytest.mark.parametrize(
    ("character", "line"),
    [
        ("mole", "row1= row2=3 row3=5"),
        ("mole", "row1=1:w2/2 row2=3 row3=5"),
        ("driver", "row1= row2=3 row3=5"),
        ("lady", "row1=1,2 row2=3 row3="),
        ("lady", "row1=1,2 row2=3,4:w1/2 row3="),
        ("patrol", "row1=1,2 row2= row3="),
        ("henchman", "row1=1,2 row2= row3="),
        ("henchman", "row1=1,2 row2=3 row3= mamma=-1.2.-1"),
        ("henchman", "row1= row2=3:w1/2 row3=5"),
        ("traitor", "copies=pairs row1=1 row2=3 row3=5 mamma=-1.2.1"),
    ],
)
def test_without_a_target_the_turn_is_over(character: str, line: str) -> None:
    story = Story(line).play("c draw", f"draw {character}", "c discard")
    assert story.state.top() in (KIND_NAMES.index(character), pieces.MAMMA)
    assert phase(story.state) == "turn"
    assert story.state.active != C


# --- Henchman --------------------------------------------------------------------------------


@rule("O-12")
def test_the_henchman_swaps_an_own_card_with_one_of_another_player() -> None:
    story = played("henchman").play("c c1<>h2", "nobody")
    assert rows(story.state) == ["6,2", "3,4", "5,1"]
    assert story.state.actors() == (L,)


@rule("O-12")
def test_the_henchman_swaps_cards_of_two_others() -> None:
    assert rows(played("henchman").play("c l2<>h1", "nobody").state) == ["1,2", "3,5", "4,6"]
    assert rows(played("henchman").play("c h1<>l2", "nobody").state) == ["1,2", "3,5", "4,6"]


@rule("O-12")
def test_a_player_who_has_no_cards_may_still_swap_those_of_two_others() -> None:
    story = played("henchman", "row1= row2=3,4 row3=5,6").play("c l2<>h1", "nobody")
    assert rows(story.state) == ["", "3,5", "4,6"]


@rule("O-12")
def test_everybody_sees_which_cards_are_swapped_and_nobody_what_they_are() -> None:
    story = played("henchman").play("c c1<>h2", "nobody")
    for seat in (C, L, H, SPECTATOR):
        assert story.events_for(seat, "swapped") == [(C, 1, H, 2)]
        assert seen(story.state, seat, C) == seen(story.state, seat, H) == kinds("?,?")


@rule("O-12")
def test_a_player_who_has_seen_a_swapped_card_knows_where_it_went() -> None:
    story = played("henchman", "row1=1:s1,2 row2=3,4 row3=5,6:s4").play("c c1<>h2", "nobody")
    assert (seen(story.state, C, C), seen(story.state, C, H)) == (kinds("?,?"), kinds("?,1"))
    assert (seen(story.state, H, C), seen(story.state, H, H)) == (kinds("6,?"), kinds("?,?"))


@rule("O-12", "O-19m", "O-19p")
def test_the_henchman_leaves_mamma_and_patrol_alone() -> None:
    state = played("henchman", "seats=4 row1=1,2:w2/2 row2=3 row3=5 row4=7 mamma=-1.0.-1.-1").state
    assert moves(state, C) == ["-", "swap c", "swap h"]
    assert refused(state, "c c1<>l1") == "omerta.protected"
    assert refused(state, "c l1<>h1") == "omerta.protected"
    assert refused(state, "c c2<>h1") == "omerta.patrolled"


@rule("O-12", "O-6")
def test_a_swap_needs_two_cards_of_two_players() -> None:
    state = played("henchman", "seats=4 row1=1,2 row2=3,4 row3= row4=5").state
    assert refused(state, "c l1<>l2") == "omerta.wrong_use.10"
    assert refused(state, "c c1<>h1") == "omerta.too_few_cards"
    assert refused(state, "c c3<>l1") == "omerta.no_such_card"
    assert refused(state, "c swap c1") == "omerta.unfinished"
    assert refused(state, "c 1") == "omerta.whose_card"


@rule("O-12", "O-19p")
def test_a_patrol_stays_on_its_card_beside_a_swapped_one() -> None:
    story = played("henchman", "row1=1,2 row2=3:w1/2,4 row3=5,6").play("c c1<>l2", "nobody")
    assert rows(story.state) == ["4,2", "3,1", "5,6"]
    assert patrols(story.state) == [(L, 0, C, 2)]


# --- Lady ------------------------------------------------------------------------------------


def endings(story: Story) -> Iterator[str]:
    """The row of Luciano after all ways in which chance may shuffle it."""
    if phase(story.state) != "shuffle":
        yield row(story.state, L)
        return
    for outcome, weight in story.state.chance_outcomes():
        assert weight == 1
        other = Story(story.state.copy())
        other.do(CHANCE, outcome)
        yield from endings(other)


@rule("O-13")
def test_every_order_of_the_row_is_as_likely() -> None:
    story = played("lady", "row1=1 row2=3,4,5,6 row3=5").play("c on l", "nobody")
    assert Counter(endings(story)) == {",".join(order): 1 for order in permutations("3456")}


@rule("O-13", "O-19p")
def test_a_card_with_a_patrol_stays_where_it_is() -> None:
    story = played("lady", "row1=1 row2=3,4:w1/2,5,6 row3=5").play("c on l", "nobody")
    orders = {f"{a},4,{b},{c}": 1 for a, b, c in permutations("356")}
    assert Counter(endings(story)) == orders
    story.play("shuffle 3", "shuffle 2")
    assert patrols(story.state) == [(L, 1, C, 2)]


@rule("O-13", "O-19p")
def test_what_is_known_of_a_card_with_a_patrol_is_known_after_the_shuffle() -> None:
    story = played("lady", "row1=1 row2=3:s2,4:w1/2:s2,5 row3=5")
    story.play("c on l", "nobody", "shuffle 2")
    assert row(story.state, L) == "5,4,3"
    assert seen(story.state, L, L) == kinds("?,4,?")


@rule("O-13")
def test_nobody_knows_any_longer_where_a_card_of_the_row_lies() -> None:
    story = played("lady", "row1=1 row2=3:s2,4:s63,5 row3=5")
    story.play("c on l", "nobody", "shuffle 1", "shuffle 2")
    assert row(story.state, L) == "3,4,5"
    for seat in (C, L, H, SPECTATOR):
        assert seen(story.state, seat, L) == kinds("?,?,?")
        assert position(story.state, seat).rows[L] == (FACE_DOWN,) * 3
        assert story.events_for(seat, "shuffled") == [(C, L)]
        assert story.events_for(seat, "shuffled_in") == []


@rule("O-13", "O-19m", "O-19p")
def test_a_shuffled_row_is_an_opponents_with_two_free_cards_and_without_a_mamma() -> None:
    line = "seats=5 row1=1,2 row2=3,4 row3=5 row4=5,6 row5=7,8:w1/2 mamma=-1.-1.-1.0.-1"
    state = played("lady", line).state
    assert moves(state, C) == ["-", "on l"]
    assert refused(state, "c on h") == "omerta.too_few_cards"
    assert refused(state, "c on m") == "omerta.too_few_cards"
    assert refused(state, "c on t") == "omerta.protected"
    assert refused(state, "c on c") == "omerta.not_yourself"
    assert refused(played("lady").state, "c on t") == "omerta.no_such_seat"


@rule("O-13", "O-16")
def test_a_penalty_card_of_the_window_is_shuffled_too() -> None:
    story = played("lady").play("c on l", "l 1", "nobody", "penalty 9")
    assert (phase(story.state), row(story.state, L)) == ("shuffle", "3,4,9")
    assert len(story.state.chance_outcomes()) == 3


# --- Mole ------------------------------------------------------------------------------------


@rule("O-14")
def test_the_mole_looks_at_one_own_card() -> None:
    story = played("mole").play("c 2")
    assert position(story.state, C).rows[C] == (FACE_DOWN, 1)
    assert seen(story.state, C, C) == kinds("?,2")
    assert story.events_for(C, "saw") == [(C, 2, 1)]
    for seat in (L, H, SPECTATOR):
        assert seen(story.state, seat, C) == kinds("?,?")
        assert story.events_for(seat, "looks") == [(C, 2)]
        assert story.events_for(seat, "saw") == []
    assert story.state.actors() == (L,)


@rule("O-14")
def test_a_choice_of_the_mole_shows_nothing_before_it_is_made() -> None:
    story = played("mole")
    story.do(C, pieces.SLOT)
    assert seen(story.state, C, C) == kinds("?,?")
    assert story.state.actors() == (CHANCE,)


@rule("O-14")
def test_what_the_mole_saw_is_hidden_when_the_next_turn_begins() -> None:
    story = played("mole").play("c 2", "l draw")
    assert position(story.state, C).rows[C] == (FACE_DOWN, FACE_DOWN)
    assert seen(story.state, C, C) == kinds("?,2")


@rule("O-14", "O-19p")
def test_the_mole_does_not_look_under_a_patrol() -> None:
    state = played("mole", "row1=1:w2/1,2 row2=3 row3=5").state
    assert moves(state, C) == ["-", "2"]
    assert refused(state, "c 1") == "omerta.patrolled"
    assert refused(state, "c 3") == "omerta.no_such_card"


# --- Traitor ---------------------------------------------------------------------------------


@rule("O-15")
def test_the_traitor_gives_two_cards_to_one_or_one_each_to_two() -> None:
    state = played("traitor", "seats=4 row1=1 row2=3 row3=5 row4=7").state
    gifts = ["give l l", "give l h", "give l t", "give h h", "give h t", "give t t"]
    assert moves(state, C) == ["-", *gifts]


@rule("O-15")
def test_gifts_join_the_rows_unseen() -> None:
    story = played("traitor").play("c give l h", "nobody", "gift 9", "gift lady")
    assert rows(story.state) == ["1,2", "3,4,9", "5,6,lady"]
    for seat in (C, L, H, SPECTATOR):
        assert seen(story.state, seat, L) == seen(story.state, seat, H) == kinds("?,?,?")
        assert story.events_for(seat, "gift") == [(L,), (H,)]
        assert story.events_for(seat, "gift_card") == []
    assert story.state.actors() == (L,)
    both = played("traitor").play("c give h", "nobody", "gift 9", "gift lady")
    assert rows(both.state) == ["1,2", "3,4", "5,6,9,lady"]


@rule("O-15", "O-6")
def test_a_player_who_has_no_cards_may_be_given_some() -> None:
    story = played("traitor", "row1= row2= row3=").play("c give l l", "gift 9", "gift 8")
    assert rows(story.state) == ["", "9,8", ""]


@rule("O-15", "O-19m")
def test_the_traitor_gives_nothing_to_himself_or_under_a_mamma() -> None:
    state = played("traitor", f"{TABLE} mamma=-1.0.-1").state
    assert moves(state, C) == ["-", "give h h"]
    assert refused(state, "c give l h") == "omerta.protected"
    assert refused(state, "c give c h") == "omerta.not_yourself"


@rule("O-15")
def test_a_gift_opens_no_window_and_has_no_effect() -> None:
    story = played("traitor").play("c give l", "nobody", "gift mamma", "gift patrol")
    assert (phase(story.state), story.state.active) == ("turn", L)


# --- Assassin --------------------------------------------------------------------------------


@rule("O-16")
@pytest.mark.parametrize("blocker", [L, H, T])
@pytest.mark.parametrize("character", STOPPABLE)
def test_any_opponent_may_stop_it_with_an_assassin_that_lies_on_top(
    character: str, blocker: Seat
) -> None:
    hands = [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]]
    hands[blocker].append("assassin")
    line = " ".join(f"row{i}={','.join(cards)}" for i, cards in enumerate(hands, start=1))
    story = played(character, f"seats=4 {line}").play(f"c {STOPPABLE[character]}")
    assert story.state.actors() == (L, H, T)
    story.play(f"{LETTERS[blocker]} 3", "nobody")
    assert rows(story.state) == ["1,2", "3,4", "5,6", "7,8"]
    assert discards(story.state) == f"{character},assassin"
    assert (mammas(story.state), patrols(story.state)) == ([-1] * 4, [])
    assert story.events_for(SPECTATOR, "blocked") == [(blocker, 3, pieces.ASSASSIN)]
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-16")
@pytest.mark.parametrize("character", STOPPABLE)
def test_the_target_is_named_before_and_the_effect_waits_for_the_answers(character: str) -> None:
    story = played(character).play(f"c {STOPPABLE[character]}")
    key = "plays_traitor_on_two" if character == "traitor" else f"plays_{character}"
    assert len(story.events_for(SPECTATOR, key)) == 1
    assert rows(story.state) == ["1,2", "3,4", "5,6"]
    assert discards(story.state) == character
    assert moves(story.state, L) == ["-", "1", "2"]
    assert story.state.legal_actions(C) == []


@rule("O-16", "O-8")
@pytest.mark.parametrize("character", STOPPABLE)
def test_a_wrong_card_is_punished_and_the_action_goes_on(character: str) -> None:
    story = played(character).play(f"c {STOPPABLE[character]}", "h 1", "nobody")
    assert position(story.state, C).rows[H] == (4, FACE_DOWN)
    assert story.events_for(SPECTATOR, "wrong") == [(H, 1, 4)]
    story.play("penalty 9")
    assert row(story.state, H)[-1] == "9"
    done = {
        "traitor": phase(story.state) == "gift",
        "henchman": rows(story.state) == ["1,2", "6,4", "5,3,9"],
        "lady": phase(story.state) == "shuffle",
        "patrol": patrols(story.state) == [(L, 1, C, 2)],
        "mamma": mammas(story.state) == [-1, C, -1],
    }
    assert done[character]


@rule("O-16", "O-5")
def test_a_wrong_card_stops_nothing_where_there_is_no_penalty_either() -> None:
    story = played("henchman", f"row1=1 row2=3 row3=5 {pile()}").play("c l1<>h1", "h 1", "nobody")
    assert rows(story.state) == ["1", "5", "3"]


@rule("O-16", "O-10")
def test_after_a_wrong_card_another_may_still_stop_it() -> None:
    story = played("mamma", "row1=1 row2=3 row3=assassin").play("c on l", "l 1", "h 1", "penalty 9")
    assert (rows(story.state), discards(story.state)) == (["1", "3,9", ""], "mamma,assassin")
    assert mammas(story.state) == [-1] * 3


@rule("O-16", "O-9")
def test_the_slower_assassin_goes_back_unseen() -> None:
    story = played("lady", "row1=1 row2=assassin,3 row3=assassin").play("c on l", "h 1", "l 1")
    assert (row(story.state, L), discards(story.state)) == ("assassin,3", "lady,assassin")
    assert seen(story.state, C, L) == kinds("?,?")
    assert story.events_for(SPECTATOR, "too_slow") == [(L, 1)]


@rule("O-16", "O-11")
def test_sealed_a_lot_decides_among_assassins_too() -> None:
    story = played("lady", "sealed=1 row1=1 row2=assassin,3 row3=assassin")
    story.play("c on l", "h 1", "l 1")
    assert story.state.chance_outcomes() == [(L, 1), (H, 1)]
    assert row(story.play("settle l").state, H) == "assassin"


@rule("O-16")
@pytest.mark.parametrize(("character", "move"), [("mole", "1"), ("driver", "1"), ("driver", "1 2")])
def test_mole_and_driver_cannot_be_stopped(character: str, move: str) -> None:
    line = "row1=1,2 row2=assassin row3=assassin"
    story = played(character, line).play(f"c {move}")
    assert position(story.state, L).window != "assassin"
    assert story.state.top() != pieces.ASSASSIN


@rule("O-16", "O-18")
def test_the_safecracker_cannot_be_stopped() -> None:
    line = "row1=1,2 row2=assassin row3=assassin safe=7,8,9,10"
    story = played("safecracker", line).play("c look")
    assert (phase(story.state), story.state.actors()) == ("safe", (C,))
    story.play("c 1<>safe 1")
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-16", "O-19m", "O-19p")
def test_no_assassin_from_under_a_mamma_or_a_patrol() -> None:
    line = "seats=4 row1=1 row2=assassin row3=assassin:w1/2,5 row4= mamma=-1.0.-1.-1"
    story = played("henchman", f"copies=pairs {line}").play("c c1<>h2")
    assert story.state.actors() == (H,)
    assert refused(story.state, "h 1") == "omerta.patrolled"
    assert refused(story.state, "l 1") == "not_your_turn"
    assert rows(story.play("nobody").state) == ["5", "assassin", "assassin,1", ""]


@rule("O-16", "O-6")
def test_where_nobody_could_turn_up_a_card_the_action_takes_effect_at_once() -> None:
    story = played("mamma", "row1=assassin row2= row3=").play("c on l")
    assert mammas(story.state) == [-1, C, -1]
    assert story.events_for(SPECTATOR, "mamma_laid") == [(C, L)]


@rule("O-16", "O-8")
def test_an_assassin_is_a_wrong_card_for_a_bottle() -> None:
    story = Story("row1=1 row2=assassin row3=5").play("c draw", "draw 7", "c discard")
    story.play("l 1", "nobody", "penalty 2")
    assert row(story.state, L) == "assassin,2"


@rule("O-16")
def test_a_bottle_that_was_on_the_pile_is_no_answer_to_a_character() -> None:
    story = Story("phase=use discards=7,lady row1=1 row2=7,8 row3=7").play("c on l", "h 1")
    assert phase(story.play("nobody").state) == "penalty"


# --- Driver ----------------------------------------------------------------------------------


@rule("O-17")
def test_the_driver_lays_down_one_or_two_bottles() -> None:
    assert row(played("driver", "row1=1,2,3 row2=9 row3=9").play("c 2").state, C) == "1,3"
    story = played("driver", "row1=1,2,3 row2=9 row3=9").play("c 1 3")
    assert (row(story.state, C), discards(story.state)) == ("2", "driver,1,3")
    assert story.events_for(SPECTATOR, "loads_two") == [(C, 1, 3)]
    assert story.events_for(SPECTATOR, "laid") == [(C, 1, 0), (C, 3, 2)]


@rule("O-17", "O-6")
@pytest.mark.parametrize(("one", "other"), list(permutations("1234", 2)))
def test_just_the_two_named_cards_leave_the_row(one: str, other: str) -> None:
    story = played("driver", "row1=1,2,3,4 row2=9 row3=9").play(f"c {one} {other}")
    assert discards(story.state) == f"driver,{one},{other}"
    assert row(story.state, C) == ",".join(card for card in "1234" if card not in (one, other))


@rule("O-17", "O-10")
@pytest.mark.parametrize(("move", "last"), [("1 3", "3"), ("3 1", "1"), ("2 1", "1"), ("2 3", "3")])
def test_one_window_opens_for_the_last_card_named(move: str, last: str) -> None:
    story = played("driver", "row1=1,2,3 row2=1,2,3 row3=9").play(f"c {move}")
    assert (phase(story.state), story.state.actors()) == ("window", (C, L, H))
    assert discards(story.state) == "driver," + move.replace(" ", ",")
    story.play(f"l {last}", "nobody")
    assert story.events_for(SPECTATOR, "snapped") == [(L, int(last), int(last) - 1)]
    assert story.state.actors() == (L,)


@rule("O-17", "O-10", "O-8")
def test_the_number_of_the_first_card_named_is_wrong() -> None:
    story = played("driver", "row1=1,2,3 row2=1,2,3 row3=9").play("c 1 3", "l 1", "nobody")
    assert phase(story.state) == "penalty"


@rule("O-17", "O-7")
def test_the_player_of_the_driver_may_lay_down_a_third_card_in_the_window() -> None:
    story = played("driver", "row1=1,3,3,8 row2=9 row3=9").play("c 1 2", "c 1", "nobody")
    assert (row(story.state, C), discards(story.state)) == ("8", "driver,1,3,3")


@rule("O-10", "O-17")
@pytest.mark.parametrize("move", ["1 3", "3 1", "2 1"])
def test_where_each_bottle_is_snapped_one_window_follows_another(move: str) -> None:
    one, other = move.split()
    story = played("driver", "snap_each=1 row1=1,2,3 row2=1,2,3 row3=1,2,3").play(f"c {move}")
    assert (phase(story.state), story.state.actors()) == ("window", (C, L, H))
    assert discards(story.state) == f"driver,{one}"
    assert story.events_for(SPECTATOR, "laid") == [(C, int(one), int(one) - 1)]
    assert story.events_for(SPECTATOR, "second_bottle") == [(C, int(other), int(other) - 1)]
    for seat in (C, L, H, SPECTATOR):  # everybody has seen both
        assert position(story.state, seat).held == int(other) - 1
    story.play(f"l {one}", "nobody")
    assert discards(story.state) == f"driver,{one},{one},{other}"
    assert (phase(story.state), story.state.actors()) == ("window", (C, L, H))
    assert story.events_for(SPECTATOR, "second_laid") == [(C, int(other) - 1)]
    assert position(story.state, SPECTATOR).held == NO_CARD
    story.play(f"h {other}", "nobody")
    assert discards(story.state) == f"driver,{one},{one},{other},{other}"
    assert (phase(story.state), story.state.actors()) == ("turn", (L,))


@rule("O-10", "O-8")
def test_a_wrong_card_in_the_first_of_two_windows_is_punished_before_the_second() -> None:
    line = f"snap_each=1 row1=1,3 row2=9,3 row3=9 {pile('10', '9')}"
    story = played("driver", line).play("c 1 2", "l 2", "nobody", "penalty 10")
    assert (phase(story.state), discards(story.state)) == ("window", "driver,1,3")
    assert row(story.state, L) == "9,3,10"
    story.play("l 2", "nobody")
    assert (discards(story.state), story.state.active) == ("driver,1,3,3", L)


@rule("O-10", "O-5")
def test_the_second_bottle_stays_out_of_a_new_draw_pile() -> None:
    story = played("driver", f"snap_each=1 row1=1,3 row2=9,3 row3=9 {pile()}")
    story.play("c 1 2", "l 2", "nobody")
    assert (phase(story.state), drawable(story.state)) == ("penalty", "driver")


@rule("O-10")
def test_if_nobody_could_snap_both_bottles_are_gone_at_once() -> None:
    story = played("driver", "snap_each=1 row1=1,3 row2= row3=").play("c 1 2")
    assert (phase(story.state), discards(story.state)) == ("turn", "driver,1,3")
    assert [event.key for event in story.events][-3:] == [
        "omerta.laid",
        "omerta.second_bottle",
        "omerta.second_laid",
    ]


@rule("O-10")
def test_a_single_bottle_opens_one_window_however_they_are_snapped() -> None:
    story = played("driver", "snap_each=1 row1=1,3 row2=9 row3=9").play("c 1", "nobody")
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-11u")
@pytest.mark.parametrize("character", USABLE)
def test_a_character_may_or_must_be_used(character: str) -> None:
    assert moves(played(character).state, C)[0] == "-"
    state = played(character, f"must_use=1 {TABLE}").state
    assert "-" not in moves(state, C) and moves(state, C)
    assert refused(state, "c -") == "omerta.must_use"
    assert new(use="must").must_use and not new().must_use


@rule("O-11u", "O-17", "O-18")
def test_a_player_who_must_use_a_character_still_chooses_how_far() -> None:
    story = played("driver", f"must_use=1 {TABLE}")
    story.do(C, pieces.SLOT)
    assert moves(story.state, C) == ["-", "2"]
    assert moves(played("safecracker", f"must_use=1 {TABLE}").play("c look").state, C)[0] == "-"


@rule("O-11u")
def test_a_player_who_must_use_a_character_without_a_target_need_not() -> None:
    line = "must_use=1 row1=1,2 row2=3 row3="
    story = Story(line).play("c draw", "draw lady", "c discard")
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-17")
def test_both_cards_are_named_before_any_is_turned_up() -> None:
    story = played("driver", "row1=1,lady,3 row2=9 row3=9")
    before = position(story.state, L).learnt.tracks
    story.do(C, pieces.SLOT)
    assert moves(story.state, C) == ["-", "2", "3"]
    assert position(story.state, L).learnt.tracks == position(story.state, C).learnt.tracks
    assert position(story.state, L).learnt.tracks == before
    assert story.events_for(SPECTATOR, "loads") == []
    story.do(C, pieces.SLOT + 1)
    assert story.state.actors() == (CHANCE,)
    assert row(story.state, C) == "1,lady,3"


@rule("O-17")
def test_the_same_card_is_not_named_twice() -> None:
    assert refused(played("driver").state, "c 1 1") == "omerta.wrong_use.15"


@rule("O-17")
def test_the_only_free_card_needs_no_second_word() -> None:
    story = played("driver", "row1=1:w2/2,2 row2=9 row3=9").play("c 2")
    assert (rows(story.state)[C], discards(story.state)) == ("1", "driver,2")


@rule("O-17", "O-10")
@pytest.mark.parametrize("cards", ["lady,2", "2,lady", "alibi,2", "lady,mole"])
def test_a_character_among_them_brings_all_back_and_costs_a_penalty_card(cards: str) -> None:
    story = played("driver", f"row1={cards},3 row2=2,9 row3=9").play("c 1 2")
    assert (phase(story.state), row(story.state, C)) == ("penalty", f"{cards},3")
    for seat in (C, L, H, SPECTATOR):
        assert position(story.state, seat).rows[C] == (*kinds(cards), FACE_DOWN)
        assert len(story.events_for(seat, "shown")) == 2
    story.play("penalty 8")
    assert (row(story.state, C), discards(story.state)) == (f"{cards},3,8", "driver")
    assert seen(story.state, C, C) == [*kinds(cards), UNKNOWN, UNKNOWN]
    assert (phase(story.state), story.state.active) == ("turn", L)


@rule("O-17", "O-5")
def test_a_mistake_of_the_driver_costs_nothing_where_there_is_no_card() -> None:
    story = played("driver", f"row1=lady,2 row2=9 row3=9 {pile()}").play("c 1")
    assert (row(story.state, C), story.state.actors()) == ("lady,2", (L,))
    assert story.events_for(SPECTATOR, "no_penalty") == [(C,)]


@rule("O-17", "O-5")
def test_the_driver_stays_out_of_the_new_pile_while_it_is_used() -> None:
    story = Story(f"phase=use discards=4,driver row1=lady,2 row2=9 row3=9 {pile()}").play("c 1")
    assert (drawable(story.state), discards(story.state)) == ("4", "driver")


@rule("O-17", "O-19p")
def test_the_driver_takes_no_card_with_a_patrol() -> None:
    state = played("driver", "row1=1,2:w2/2,3 row2=9 row3=9").state
    assert moves(state, C) == ["-", "1", "3"]
    assert refused(state, "c 2") == refused(state, "c 1 2") == "omerta.patrolled"


@rule("O-17", "O-6", "O-19p")
def test_the_row_closes_up_under_a_patrol_when_two_cards_leave() -> None:
    story = played("driver", "row1=1,2,3,4:w2/2,5 row2=9 row3=9").play("c 3 1")
    assert row(story.state, C) == "2,4,5"
    assert patrols(story.state) == [(C, 1, L, 2)]


# --- Safecracker -----------------------------------------------------------------------------


@rule("O-18")
def test_the_safecracker_alone_sees_the_four_cards_of_the_safe() -> None:
    story = played("safecracker").play("c look")
    assert position(story.state, C).safe == (6, 7, 8, 9)
    assert story.events_for(C, "safe_holds") == [(C, 1, 6), (C, 2, 7), (C, 3, 8), (C, 4, 9)]
    for seat in (L, H, SPECTATOR):
        assert position(story.state, seat).safe == (FACE_DOWN,) * 4
        assert story.events_for(seat, "opens_safe") == [(C,)]
        assert story.events_for(seat, "safe_holds") == []


@rule("O-18")
def test_one_card_is_swapped_with_one_of_the_safe() -> None:
    story = played("safecracker").play("c look", "c 2<>safe 3")
    assert (row(story.state, C), safe(story.state)) == ("1,9", "7,8,2,10")
    assert story.state.actors() == (L,)
    for seat in (L, H, SPECTATOR):
        assert story.events_for(seat, "exchanged") == [(C, 2, 3)]
        assert seen(story.state, seat, C) == kinds("?,?")


@rule("O-18")
def test_the_own_card_goes_into_the_safe_unseen() -> None:
    story = played("safecracker").play("c look", "c 2<>safe 3")
    learnt = position(story.state, C).learnt
    assert seen(story.state, C, C) == kinds("?,9")
    assert [learnt.by_number()[card].kind for card in learnt.safe] == kinds("7,8,?,10")


@rule("O-18")
def test_one_may_decline_before_or_after_looking() -> None:
    before = played("safecracker").play("c -")
    assert before.events_for(C, "safe_holds") == []
    after = played("safecracker").play("c look")
    assert moves(after.state, C) == ["-", "1", "2"]
    after.play("c -")
    for story in (before, after):
        assert (row(story.state, C), safe(story.state)) == ("1,2", "7,8,9,10")
        assert story.state.actors() == (L,)
    assert after.events_for(SPECTATOR, "leaves_safe") == [(C,)]


@rule("O-18", "O-6")
@pytest.mark.parametrize("own", ["", "1:w2/2"])
def test_with_no_free_card_looking_is_all(own: str) -> None:
    story = played("safecracker", f"row1={own} row2=3 row3=5 safe=7,8,9,10").play("c look")
    assert len(story.events_for(C, "safe_holds")) == 4
    assert story.state.actors() == (L,)


@rule("O-18", "O-19p")
def test_a_card_with_a_patrol_does_not_go_into_the_safe() -> None:
    line = "row1=1,2:w2/2 row2=3 row3=5 safe=7,8,9,10"
    story = played("safecracker", line).play("c look")
    assert moves(story.state, C) == ["-", "1"]
    assert refused(story.state, "c 2<>safe 1") == "omerta.patrolled"
    assert refused(story.state, "c safe 1") == "omerta.card_then_safe"
    assert refused(story.state, "c 1") == "omerta.card_then_safe"


@rule("O-18")
def test_what_one_saw_in_the_safe_is_followed_into_the_row_of_another() -> None:
    story = Story(f"{TABLE.replace('9,10', '9:s2,10:s2')} phase=use discards=safecracker")
    story.play("c look", "c 1<>safe 3")
    assert seen(story.state, L, C) == kinds("9,?")


# --- Mamma -----------------------------------------------------------------------------------


@rule("O-19m")
def test_mamma_lies_on_any_opponent_without_one_even_without_cards() -> None:
    line = "copies=pairs seats=4 row1=1 row2=3 row3= row4=5 mamma=-1.3.-1.-1"
    state = played("mamma", line).state
    assert moves(state, C) == ["-", "on h", "on t"]
    assert refused(state, "c on l") == "omerta.protected"
    assert refused(state, "c on c") == "omerta.not_yourself"
    assert mammas(Story(state).play("c on h", "nobody").state) == [-1, T, C, -1]


@rule("O-19m", "O-19t")
def test_under_a_mamma_the_turn_is_skipped_for_one_round() -> None:
    story = played("mamma").play("c on l", "nobody")
    assert (mammas(story.state), discards(story.state)) == ([-1, C, -1], "")
    assert story.state.actors() == (H,)
    assert story.events_for(SPECTATOR, "skipped") == [(L,)]
    story.play("h draw", "draw 9", "h discard")
    assert story.state.actors() == (C, H)
    assert refused(story.state, "l 1") == "not_your_turn"
    story.play("nobody")
    assert (story.state.actors(), mammas(story.state)) == ((C,), [-1, C, -1])
    story.play("c draw")
    assert mammas(story.state) == [-1, C, -1]
    story.play("draw 8")
    assert (mammas(story.state), discards(story.state)) == ([-1] * 3, "9,mamma")
    assert story.events_for(SPECTATOR, "mamma_lifted") == [(L,)]
    story.play("c discard")
    assert story.state.actors() == (C, L, H)
    assert story.play("nobody").state.actors() == (L,)


@rule("O-19t", "O-2")
def test_mamma_goes_onto_the_discard_pile_after_a_card_was_taken_from_it() -> None:
    story = Story(f"{TABLE} mamma=-1.0.-1 discards=4,9").play("c take")
    assert (discards(story.state), position(story.state, L).held) == ("4,mamma", 8)
    story.play("c 1")
    assert (discards(story.state), row(story.state, C)) == ("4,mamma,1", "9,2")


@rule("O-19t")
def test_mamma_and_patrol_have_no_effect_when_they_are_lifted() -> None:
    story = Story("row1=1 row2=3 row3=5:w1/1 mamma=-1.0.-1").play("c draw", "draw alibi")
    assert (phase(story.state), discards(story.state)) == ("place", "mamma,patrol")
    story.play("c discard")
    assert (phase(story.state), story.state.actors()) == ("turn", (L,))


@rule("O-19t")
def test_a_lifted_mamma_may_be_taken_and_used_later() -> None:
    story = Story("row1=1 row2=3 row3=5 mamma=-1.0.-1").play("c draw", "draw 8", "c 1", "nobody")
    story.play("l draw", "draw alibi", "l discard")
    assert discards(story.state) == "mamma,1,alibi"


@rule("O-19m", "O-19t")
def test_mamma_is_lifted_if_the_turn_of_who_laid_it_is_skipped() -> None:
    line = "copies=pairs phase=use active=h discards=mamma row1=1 row2=3 row3=5 mamma=-1.0.-1"
    story = Story(line).play("h on c", "nobody")
    assert (mammas(story.state), discards(story.state)) == ([H, -1, -1], "mamma")
    assert story.state.actors() == (L,)
    assert story.events_for(SPECTATOR, "skipped") == [(C,)]
    assert story.events_for(SPECTATOR, "mamma_lifted") == [(L,)]


@rule("O-19m")
def test_two_players_in_a_row_may_be_skipped() -> None:
    line = "copies=pairs seats=4 phase=use active=l discards=mamma row1=1 mamma=-1.-1.0.-1"
    story = Story(line).play("l on t", "nobody")
    assert story.state.actors() == (C,)
    assert story.events_for(SPECTATOR, "skipped") == [(H,), (T,)]


@rule("O-19t", "O-5")
def test_mamma_and_patrol_are_lifted_if_nothing_can_be_taken() -> None:
    story = Story(f"row1=1 row2=3 row3=5:w1/1 mamma=-1.0.-1 {pile()}").play("c -")
    assert discards(story.state) == "mamma,patrol"
    assert (mammas(story.state), patrols(story.state)) == ([-1] * 3, [])
    assert story.events_for(SPECTATOR, "mamma_lifted") == [(L,)]
    assert story.events_for(SPECTATOR, "patrol_lifted") == [(H,)]
    assert story.state.actors() == (L,)


@rule("O-19m", "O-7")
def test_under_a_mamma_nothing_is_laid_down() -> None:
    story = Story(f"{TABLE} mamma=-1.2.-1").play("c draw", "draw 3", "c discard")
    assert story.state.actors() == (C, H)
    assert position(story.state, L).asked == (C, H)


@rule("O-19m", "O-19p")
def test_a_patrol_may_be_laid_on_a_card_of_a_player_under_a_mamma() -> None:
    story = played("patrol", f"{TABLE} mamma=-1.2.-1").play("c watch l1", "nobody")
    assert patrols(story.state) == [(L, 0, C, 2)]


@rule("O-19m", "O-1")
def test_under_a_mamma_nobody_calls() -> None:
    story = Story(f"{TABLE} mamma=-1.2.-1").play("c draw", "draw alibi", "c discard")
    assert story.state.actors() == (H,)
    assert refused(story.state, "l omerta") == "not_your_turn"


# --- Patrol ----------------------------------------------------------------------------------


@rule("O-19p", "O-19t")
def test_a_patrol_lies_on_one_card_of_an_opponent_for_two_rounds() -> None:
    story = played("patrol").play("c watch l2", "nobody")
    assert (patrols(story.state), discards(story.state)) == ([(L, 1, C, 2)], "")
    assert story.events_for(SPECTATOR, "patrol_laid") == [(C, L, 2)]
    drawn = {"c": 1, "l": 8, "h": 9}
    for seat, left in (("l", 2), ("h", 2), ("c", 1), ("l", 1), ("h", 1)):
        story.play(f"{seat} draw", f"draw {drawn[seat]}", f"{seat} discard", "nobody")
        assert patrols(story.state) == [(L, 1, C, left)]
    story.play("c draw")
    assert patrols(story.state) == [(L, 1, C, 1)]
    story.play("draw 1")
    assert (patrols(story.state), discards(story.state)) == ([], "8,9,1,8,9,patrol")
    assert story.events_for(SPECTATOR, "patrol_lifted") == [(L,)]
    story.play("c discard", "nobody")
    assert "omerta" in moves(story.state, L)


@rule("O-19p")
def test_a_patrol_is_laid_on_free_cards_of_opponents_only() -> None:
    state = played("patrol", "copies=pairs row1=1,2 row2=3,4:w3/1 row3=").state
    assert moves(state, C) == ["-", "watch l"]
    assert refused(state, "c watch l2") == "omerta.patrolled"
    assert refused(state, "c watch h1") == "omerta.too_few_cards"
    assert refused(state, "c watch c1") == "omerta.not_yourself"
    assert refused(state, "c watch l") == "omerta.unfinished"
    assert refused(state, "c 1") == "omerta.whose_card"


@rule("O-19p")
def test_a_card_with_a_patrol_is_not_replaced() -> None:
    story = Story("row1=1,2:w2/2,3 row2=3 row3=5 discards=9")
    assert moves(story.play("c draw", "draw 8").state, C) == ["discard", "1", "3"]
    assert refused(story.state, "c 2") == "omerta.patrolled"


@rule("O-19p", "O-7")
def test_a_card_with_a_patrol_is_not_laid_down() -> None:
    story = Story("row1=1 row2=7:w1/2 row3=7:w1/2,5 copies=pairs")
    story.play("c draw", "draw 7", "c discard")
    assert story.state.actors() == (C, H)
    assert moves(story.state, H) == ["-", "2"]
    assert refused(story.state, "h 1") == "omerta.patrolled"


@rule("O-19p", "O-20")
def test_a_player_who_has_a_patrol_on_a_card_cannot_call() -> None:
    state = parse_state("row1=1,2:w2/1 row2=3 row3=5 discards=9")
    assert moves(state, C) == ["draw", "take"]
    assert refused(state, "c omerta") == "omerta.no_call_with_patrol"


@rule("O-19p", "O-6")
def test_with_no_other_card_one_only_draws_and_discards() -> None:
    story = Story("row1=2:w2/1 row2=3 row3=5 discards=9")
    assert moves(story.state, C) == ["draw"]
    assert refused(story.state, "c take") == "omerta.nothing_to_replace"
    assert moves(story.play("c draw", "draw 8").state, C) == ["discard"]


@rule("O-19p", "O-5")
def test_a_player_who_can_neither_call_nor_take_passes() -> None:
    state = parse_state(f"row1=2:w2/1 row2=3 row3=5 {pile()}")
    assert moves(state, C) == ["-"]


@rule("O-19t", "O-19m")
def test_a_skipped_turn_counts_for_the_two_rounds_of_a_patrol() -> None:
    line = "phase=use active=h row1=1 row2=3 row3=5:w1/{} discards=mamma"
    first = Story(line.format(2)).play("h on c", "nobody")
    assert patrols(first.state) == [(H, 0, C, 1)]
    second = Story(line.format(1)).play("h on c", "nobody")
    assert (patrols(second.state), discards(second.state)) == ([], "patrol")


@rule("O-19t")
def test_only_who_laid_a_patrol_makes_its_time_go_by() -> None:
    story = Story("active=l row1=1 row2=3 row3=5:w1/1").play("l draw", "draw 8", "l discard")
    assert patrols(story.state) == [(H, 0, C, 1)]


@rule("O-19t", "O-5")
def test_while_they_lie_mamma_and_patrol_are_in_no_pile() -> None:
    story = Story(f"row1=1 row2=3 row3=5:w2/2 mamma=-1.2.-1 discards=4,4 {pile()}").play("c draw")
    assert drawable(story.state) == "4"
    full = Story("row1=1 row2=3 row3=5:w2/2 mamma=-1.2.-1").play("c draw")
    assert not {"mamma", "patrol"} & set(drawable(full.state).split(","))


@rule("O-19t", "O-M2")
def test_mamma_and_patrol_on_a_row_never_count_as_points() -> None:
    state = Story("row1=1 row2=8:w1/2 row3=9 mamma=-1.-1.0").play("c omerta").state
    assert scores(state) == [0, 8, 9]
