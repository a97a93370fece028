"""How a game of Sicilianos ends, and who has won."""

from cosca.games.sicilianos.rules import State
from tests.games.sicilianos.story import Story, phase, rule, scored, war


def money(state: State) -> list[int]:
    """What everybody has when all is counted."""
    return list(state.money[: state.seats])


@rule("S-23")
def test_three_businesses_of_one_colour_win_at_once() -> None:
    line = "red_shops=laundry/1,restaurant/1 laundered=0.500.0"
    story = war("r7", "g3", "-", line=line).tell("1 antiques")
    assert (phase(story.state), story.state.reason, story.state.won) == ("over", 1, 1)


@rule("S-23")
def test_they_go_before_an_empty_purse() -> None:
    line = "red_shops=laundry/1,restaurant/1 money1=1.0.0.0.0 laundered=0.500.0"
    story = war("r7", "g3", "-", line=line).tell("1 antiques")
    assert (story.state.reason, story.state.won) == (1, 1)


@rule("S-24")
def test_a_player_without_black_money_ends_the_game_after_the_war() -> None:
    story = war("r2", "g3", "-", line="money1=1.0.0.0.0")
    assert phase(story.state) == "shop"
    story.tell("2 laundry")
    assert (phase(story.state), story.state.reason) == ("over", 2)


@rule("S-25")
def test_laundered_money_counts_and_black_money_counts_against() -> None:
    assert money(scored("laundered=100.20.0")) == [100, 20, -250]


@rule("S-26")
def test_three_kinds_in_three_colours_bring_fifty() -> None:
    three = "red_shops=laundry/1 blue_shops=restaurant/1 green_shops=antiques/1"
    others = "yellow_shops=laundry/2,restaurant/2,antiques/2"
    assert money(scored(f"{three} {others}"))[:2] == [50, 0]


@rule("S-26")
def test_three_kinds_in_two_colours_bring_nothing() -> None:
    two = "red_shops=laundry/1,restaurant/1 green_shops=antiques/1"
    others = "yellow_shops=laundry/2,restaurant/2 purple_shops=antiques/2"
    assert money(scored(f"{two} {others}"))[:2] == [0, 0]


@rule("S-27")
def test_the_most_of_a_kind_brings_a_hundred_and_equals_nothing() -> None:
    line = "red_shops=laundry/1,restaurant/1 blue_shops=laundry/1,restaurant/2"
    assert money(scored(line))[:2] == [100, 0]


@rule("S-28")
def test_the_most_money_wins() -> None:
    assert scored("laundered=10.20.0").won == 2


@rule("S-28")
def test_of_equals_the_one_with_more_businesses() -> None:
    line = "laundered=20.20.0 red_shops=laundry/1,restaurant/2 blue_shops=restaurant/1,laundry/2"
    assert scored(f"{line} green_shops=antiques/3 yellow_shops=antiques/2,laundry/3").won == 2


@rule("S-28")
def test_who_is_equal_in_both_shares() -> None:
    assert scored("laundered=20.20.0").won == 3


@rule("S-24", "S-16")
def test_the_game_goes_on_while_all_have_black_money() -> None:
    story = Story("hand1=r3 hand2=b3 hand3=g1").tell("1 r3 5", "2 b3 5", "3 -")
    assert phase(story.state) == "turn"
