"""Wars of Sicilianos, pass by pass, from the first card to the business."""

import pytest

from tests.games.sicilianos.story import (
    Story,
    asked,
    businesses,
    hand,
    laundered,
    money,
    moves,
    phase,
    refused,
    rule,
    stack,
    table,
    war,
    winner,
)

TWO_EACH = [2, 2, 2, 2, 2]


# --- Joining ------------------------------------------------------------------------------------


@rule("S-7")
def test_a_player_who_joins_brings_a_colour_that_is_not_in_this_war_yet() -> None:
    story = Story("hand1=r7 hand2=r3,g4 hand3=g9,b1").play("1 r7 5")
    assert asked(story.state) == (2, "join")
    assert moves(story.state) == ["-", "g4"]
    story.play("2 g4 10")
    assert moves(story.state) == ["-", "b1"]


@rule("S-7")
def test_a_player_who_passes_or_cannot_join_stays_out() -> None:
    story = Story("hand1=r7 hand2=r3 hand3=g9").play("1 r7 5")
    assert asked(story.state) == (3, "join")
    story.play("3 -")
    assert table(story.state) == [[7], [], []]
    assert winner(story.state) == (1, "red")
    assert money(story.state, 3) == TWO_EACH


@rule("S-7")
def test_a_player_who_has_no_note_cannot_join() -> None:
    story = Story("hand1=r7 hand2=g3 hand3=b9 money2=0.0.0.0.0").play("1 r7 5")
    assert asked(story.state) == (3, "join")


@rule("S-7")
def test_the_opener_wins_if_nobody_joins() -> None:
    assert winner(war("r2", "-", "-").state) == (1, "red")


@rule("S-8")
def test_cards_lie_face_down_until_all_have_answered() -> None:
    story = Story("hand1=r7 hand2=g4 hand3=b9").play("1 r7 5", "2 g4 5")
    assert table(story.state) == [[], [], []]
    assert list(story.state.face_down[:3]) == [7, 4, 0]
    story.play("3 b9 5")
    assert table(story.state) == [[7], [4], [9]]


# --- Defectors ----------------------------------------------------------------------------------


@rule("S-9", "S-M2")
def test_a_defector_may_go_over_to_the_second_colour() -> None:
    story = war("r8", "g3", "b9")
    assert asked(story.state) == (1, "defect")
    assert moves(story.state) == ["-", "defect"]
    story.play("1 defect")
    assert (story.state.joined[0], story.state.joined_by[1]) == (1, 0)
    assert [story.state.strength(seat) for seat in range(3)] == [0, 7, 9]


@rule("S-9")
def test_a_defector_that_stays_counts_eight() -> None:
    story = war("r8", "g3", "b7").play("1 -")
    assert [story.state.strength(seat) for seat in range(3)] == [8, 3, 7]


@rule("S-9")
@pytest.mark.parametrize("entries", [("r8", "b3", "y4"), ("r7", "g3", "b4")])
def test_without_the_second_colour_or_the_card_there_is_nothing_to_choose(
    entries: tuple[str, ...],
) -> None:
    assert phase(war(*entries).state) == "shop"


@rule("S-9")
def test_a_player_who_has_defected_lays_no_more_cards() -> None:
    story = war("r8", "g3", "b9", hand1="r2", hand2="g2").play("1 defect")
    assert asked(story.state) == (2, "lay")


@rule("S-9")
def test_a_defector_that_stays_may_lay_further_cards() -> None:
    story = war("r8", "g3", "-", hand1="r2").play("1 -")
    assert (asked(story.state), moves(story.state)) == ((1, "lay"), ["-", "r2"])
    story.play("1 r2")
    assert table(story.state) == [[8, 2], [3], []]


@rule("S-9")
@pytest.mark.parametrize(("opener", "then"), [(1, 3), (2, 1), (3, 1), (4, 3)])
def test_defectors_are_asked_from_the_opener_on(opener: int, then: int) -> None:
    story = war("r8", "g3", "b8", "y4", line=f"active={opener}")
    first = 4 - then
    assert asked(story.state) == (first, "defect")
    story.play(f"{first} -")
    assert asked(story.state) == (then, "defect")


@rule("S-9")
def test_only_cards_of_the_first_pass_defect() -> None:
    story = war("r2", "g3", "-", hand1="r8").play("1 r8")
    assert phase(story.state) == "shop"
    assert table(story.state)[0] == [2, 8]


@rule("S-9")
def test_in_a_ring_a_joined_family_cannot_defect() -> None:
    story = war("r8", "g8", "b3", line="defectors=ring").play("1 defect")
    assert asked(story.state) == (2, "share")
    assert story.state.joined[1] == -1


@rule("S-9")
def test_in_a_ring_nobody_joins_a_family_that_has_defected() -> None:
    story = war("g8", "b3", "r8", line="defectors=ring").play("1 defect")
    assert phase(story.state) == "shop"
    assert story.state.joined[2] == -1


@rule("S-10")
@pytest.mark.parametrize("answer", ["defect", "-"])
def test_of_two_opposite_defectors_the_nearer_to_the_opener_alone_may_choose(answer: str) -> None:
    story = war("b3", "g8", "r8")
    assert asked(story.state) == (2, "defect")
    story.play(f"2 {answer}")
    assert phase(story.state) != "defect"


# --- Bombs --------------------------------------------------------------------------------------


@rule("S-11", "S-M3")
def test_a_bomb_hits_one_card_of_a_colour_it_shows() -> None:
    story = war("r5", "b9", "g7")
    assert asked(story.state) == (1, "bomb")
    assert moves(story.state) == ["-", "b9"]
    story.play("1 b9")
    assert table(story.state) == [[], [], [7]]


@rule("S-11")
def test_a_bomb_that_is_kept_counts_five() -> None:
    story = war("r5", "b4", "-").play("1 -")
    assert winner(story.state) == (1, "red")


@rule("S-11")
@pytest.mark.parametrize("answer", ["-", "r2"])
def test_a_bomb_that_was_kept_does_not_go_off_in_a_later_pass(answer: str) -> None:
    story = war("r5", "b9", "-", hand1="r2", hand2="b3").play("1 -", f"1 {answer}", "2 b3")
    assert winner(story.state) == (2, "blue")


@rule("S-11")
@pytest.mark.parametrize(("opener", "first"), [(1, 1), (2, 2), (3, 1)])
def test_bombs_are_asked_from_the_opener_on(opener: int, first: int) -> None:
    story = war("r5", "b5", "p9", line=f"active={opener}")
    assert asked(story.state) == (first, "bomb")
    story.play(f"{first} -")
    assert asked(story.state) == (3 - first, "bomb")


@rule("S-11")
def test_a_bomb_without_a_target_counts_five() -> None:
    assert phase(war("r5", "g4", "p3").state) == "shop"


@rule("S-11")
def test_bombs_go_off_in_player_order_and_one_that_is_hit_does_not() -> None:
    story = war("r5", "b5", "p9")
    assert asked(story.state) == (1, "bomb")
    story.play("1 b5")
    assert table(story.state) == [[], [], [9]]
    assert phase(story.state) == "shop"


@rule("S-11")
def test_a_bomb_may_hit_cards_of_earlier_passes() -> None:
    story = war("r2", "b9", "-", hand1="r5", hand2="b3").play("1 r5", "2 b3")
    assert moves(story.state) == ["-", "b3", "b9"]


@rule("S-11")
def test_a_bomb_may_hit_an_ally() -> None:
    story = war("b8", "y5", "r3", line="bombs=all").play("1 defect")
    assert asked(story.state) == (2, "bomb")
    assert moves(story.state) == ["-", "r3", "b8"]


@rule("S-12", "S-M4")
def test_a_bodyguard_goes_first() -> None:
    story = war("r2", "b1", "y7", hand1="r5", hand2="b11").play("1 r5", "2 b11")
    assert moves(story.state) == ["-", "b1", "y7"]


@rule("S-13")
def test_bomb_and_victim_go_under_their_stacks() -> None:
    story = war("r5", "b9", "-").play("1 b9")
    assert stack(story.state, "red")[-1] == 5
    assert stack(story.state, "blue")[-1] == 9


# --- Further passes -----------------------------------------------------------------------------


@rule("S-14")
def test_more_cards_are_laid_one_a_pass_until_nobody_lays() -> None:
    story = war("r2", "g3", "-", hand1="r4,r6", hand2="g7")
    assert asked(story.state) == (1, "lay")
    assert moves(story.state) == ["-", "r4", "r6"]
    story.play("1 r4", "2 g7")
    assert table(story.state) == [[2, 4], [3, 7], []]
    story.play("1 r6")
    assert table(story.state) == [[2, 4, 6], [3, 7], []]
    assert winner(story.state) == (1, "red")


@rule("S-14")
def test_a_player_who_passes_plays_no_more_but_stays_in() -> None:
    story = war("r9", "g3", "-", hand1="r4", hand2="g7,g2").play("1 -", "2 g2")
    assert asked(story.state) == (2, "lay")
    story.play("2 -")
    assert winner(story.state) == (1, "red")
    assert refused(war("r9", "g3", "-", hand1="r4,b2").state, "1 b2") == "same_colour"


@rule("S-15")
def test_a_player_who_has_lost_all_cards_may_still_lay() -> None:
    story = war("r5", "b9", "-", hand1="r2", hand2="b3").play("1 b9")
    assert asked(story.state) == (1, "lay")
    story.play("1 -", "2 b3")
    assert winner(story.state) == (2, "blue")


@rule("S-15")
def test_a_side_without_cards_neither_wins_nor_ties() -> None:
    story = war("r5", "b9", "-").play("1 b9")
    assert asked(story.state) == (2, "turn")
    assert laundered(story.state) == [0, 0, 0]


# --- Who wins -----------------------------------------------------------------------------------


@rule("S-16")
def test_the_strongest_family_wins() -> None:
    assert winner(war("r7", "g3", "b9").state) == (3, "blue")


@rule("S-16")
def test_of_equals_none_wins_but_the_next_weaker() -> None:
    assert winner(war("r7", "g7", "b2").state) == (3, "blue")


@rule("S-16")
def test_if_all_are_equal_nobody_wins_and_the_stakes_are_gone() -> None:
    story = war("r7", "g7", "-")
    assert asked(story.state) == (2, "turn")
    assert laundered(story.state) == [0, 0, 0]
    assert money(story.state, 1) == money(story.state, 2) == [1, 2, 2, 2, 2]


@rule("S-17")
def test_the_winner_launders_the_stake_and_as_much_again() -> None:
    story = war("r7 40", "g3 20", "-")
    assert laundered(story.state) == [80, 0, 0]
    assert money(story.state, 2) == [2, 2, 1, 2, 2]


@rule("S-18")
def test_the_winner_takes_one_of_the_businesses_that_are_left() -> None:
    story = war("r7", "g3", "-", line="red_shops=laundry/2")
    assert moves(story.state) == ["restaurant", "antiques"]
    story.play("1 antiques")
    assert businesses(story.state, 1) == ["red antiques"]


@rule("S-18")
def test_with_no_business_left_there_is_none() -> None:
    story = war("r7", "g3", "-", line="red_shops=laundry/2,restaurant/3,antiques/2")
    assert asked(story.state) == (2, "turn")
    assert laundered(story.state) == [10, 0, 0]


@rule("S-19")
@pytest.mark.parametrize(
    ("choice", "buyer", "sums"), [("money", 1, [0, 30, 0]), ("business", 2, [30, 0, 0])]
)
def test_allies_share_stakes_and_business(choice: str, buyer: int, sums: list[int]) -> None:
    story = war("r8 20", "g6 10", "b9").play("1 defect")
    assert asked(story.state) == (2, "share")
    story.play(f"2 {choice}")
    assert winner(story.state) == (buyer, "green")
    assert laundered(story.state) == sums


@rule("S-19")
def test_without_a_business_the_owner_takes_both_stakes() -> None:
    shops = "green_shops=laundry/1,restaurant/3,antiques/1"
    story = war("r8 20", "g6 10", "b9", line=shops).play("1 defect")
    assert laundered(story.state) == [0, 30, 0]
    assert asked(story.state) == (2, "turn")


@rule("S-20")
def test_if_the_defector_is_blown_up_the_family_wins_alone() -> None:
    story = war("r8", "g6 20", "p5").play("1 defect", "3 r8")
    assert winner(story.state) == (2, "green")
    assert laundered(story.state) == [0, 40, 0]


@rule("S-20")
def test_if_the_family_is_blown_up_the_defector_wins_alone_in_its_colour() -> None:
    story = war("r8 20", "g6", "p5").play("1 defect", "3 g6")
    assert winner(story.state) == (1, "green")
    assert laundered(story.state) == [40, 0, 0]


@rule("S-21")
def test_all_cards_go_under_their_stacks_in_the_order_laid() -> None:
    story = war("r2", "g3", "-", hand1="r9", hand2="g1").play("1 r9", "2 g1", "1 laundry")
    assert stack(story.state, "red")[-2:] == [2, 9]
    assert stack(story.state, "green")[-2:] == [3, 1]
    assert table(story.state) == [[], [], []]
    assert hand(story.state, 1) == ""


@rule("S-22")
def test_the_left_neighbour_of_the_opener_is_next() -> None:
    story = war("r2", "g3", "-").play("2 laundry")
    assert asked(story.state) == (2, "turn")


# --- Several things at once ---------------------------------------------------------------------


@rule("S-9", "S-11")
def test_defectors_choose_before_bombs_go_off() -> None:
    story = war("b5", "p8", "o3")
    assert asked(story.state) == (2, "defect")
    story.play("2 defect")
    assert (asked(story.state), moves(story.state)) == ((1, "bomb"), ["-", "p8", "o3"])


@rule("S-10")
def test_nearer_is_counted_from_the_opener_not_from_the_first_seat() -> None:
    assert asked(war("r8", "b3", "g8", line="active=3").state) == (3, "defect")
    assert asked(war("r8", "g8", "b3", line="active=2").state) == (2, "defect")


@rule("S-12")
def test_the_bodyguard_of_an_ally_protects_nobody_else() -> None:
    story = war("r8", "g1", "p5").play("1 defect")
    assert moves(story.state) == ["-", "r8", "g1"]


@rule("S-13", "S-21")
def test_what_was_blown_up_lies_above_what_comes_later() -> None:
    story = war("r5", "b9", "-", hand1="r2", hand2="b3").play("1 b9", "1 r2", "2 b3", "2 laundry")
    assert stack(story.state, "blue")[-2:] == [9, 3]
    assert stack(story.state, "red")[-2:] == [5, 2]


@rule("S-14")
def test_the_opener_may_pass_and_the_others_go_on() -> None:
    story = war("r9", "g3", "b2", hand1="r4", hand2="g7", hand3="b11")
    assert winner(story.play("1 -", "2 g7", "3 b11").state) == (3, "blue")


@rule("S-16")
def test_an_alliance_may_tie_and_ties_may_come_on_several_levels() -> None:
    assert asked(war("r8", "g3", "b7").play("1 defect").state) == (2, "turn")
    assert winner(war("r9", "g9", "b4", "y4", "p2").state) == (5, "purple")
    assert asked(war("r9", "g9", "b4", "y4").state) == (2, "turn")


@rule("S-20")
def test_if_both_allies_are_blown_up_neither_wins() -> None:
    story = war("r8", "g6", "p5", "o5").play("1 defect", "3 g6", "4 r8")
    assert asked(story.state) == (2, "turn")


@rule("S-19", "S-23")
def test_an_ally_may_win_by_the_third_business() -> None:
    story = war("r8", "g6", "b9", line="green_shops=laundry/1,restaurant/1")
    story.play("1 defect", "2 money", "1 antiques")
    assert (story.state.reason, story.state.won) == (1, 1)
