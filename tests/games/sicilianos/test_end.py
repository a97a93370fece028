"""How a game of Sicilianos ends, and who has won."""

import pytest

from cosca.games.sicilianos.rules import State
from tests.games.sicilianos.story import Story, laundered, phase, rule, scored, war


def money(state: State) -> list[int]:
    """What everybody has when all is counted."""
    return list(state.money[: state.seats])


@rule("S-23")
def test_three_businesses_of_one_colour_win_at_once() -> None:
    line = "red_shops=laundry/1,restaurant/1 laundered=0.500.0"
    story = war("r7", "g3", "-", line=line).play("1 antiques")
    assert (phase(story.state), story.state.reason, story.state.won) == ("over", 1, 1)


@rule("S-23")
def test_they_go_before_an_empty_purse() -> None:
    line = "red_shops=laundry/1,restaurant/1 money1=1.0.0.0.0 laundered=0.500.0"
    story = war("r7", "g3", "-", line=line).play("1 antiques")
    assert (story.state.reason, story.state.won) == (1, 1)


@rule("S-24")
def test_a_player_without_black_money_ends_the_game_after_the_war() -> None:
    story = war("r2", "g3", "-", line="money1=1.0.0.0.0")
    assert phase(story.state) == "shop"
    story.play("2 laundry")
    assert (phase(story.state), story.state.reason) == ("over", 2)


@rule("S-24")
@pytest.mark.parametrize("broke", [1, 2, 3])
@pytest.mark.parametrize("winner", [1, 2, 3])
def test_the_last_note_ends_the_game_whether_it_wins_or_loses(broke: int, winner: int) -> None:
    entries = [f"{colour}{9 if seat == winner else seat}" for seat, colour in enumerate("rgb", 1)]
    story = war(*entries, line=f"money{broke}=1.0.0.0.0").play(f"{winner} laundry")
    assert (phase(story.state), story.state.reason) == ("over", 2)
    assert laundered(story.state) == [10 * (seat == winner) for seat in (1, 2, 3)]


@rule("S-25")
def test_laundered_money_counts_and_black_money_counts_against() -> None:
    assert money(scored("laundered=100.20.0")) == [100, 20, -250]


@rule("S-26")
def test_three_kinds_in_three_colours_bring_fifty() -> None:
    three = "red_shops=laundry/1 blue_shops=restaurant/1 green_shops=antiques/1"
    others = "yellow_shops=laundry/2,restaurant/2,antiques/2"
    assert money(scored(f"{three} {others}"))[:2] == [50, 0]


@rule("S-26")
@pytest.mark.parametrize("other", ["laundry", "restaurant", "antiques"])
def test_three_kinds_in_two_colours_bring_nothing(other: str) -> None:
    kinds = ["laundry", "restaurant", "antiques"]
    kinds.remove(other)
    two = f"red_shops={kinds[0]}/1,{kinds[1]}/1 green_shops={other}/1"
    others = f"yellow_shops={kinds[0]}/2,{kinds[1]}/2 purple_shops={other}/2"
    assert money(scored(f"{two} {others}"))[:2] == [0, 0]


@rule("S-26")
def test_two_such_sets_bring_fifty_once() -> None:
    one = "red_shops=laundry/1,antiques/2 blue_shops=laundry/1,antiques/2"
    two = "green_shops=restaurant/1,laundry/2 yellow_shops=restaurant/1,laundry/2"
    three = "purple_shops=antiques/1,restaurant/2 orange_shops=antiques/1,restaurant/2"
    assert money(scored(f"{one} {two} {three}"))[:2] == [50, 50]


@rule("S-27")
def test_the_most_of_a_kind_brings_a_hundred_and_equals_nothing() -> None:
    line = "red_shops=laundry/1,restaurant/1 blue_shops=laundry/1,restaurant/2"
    assert money(scored(line))[:2] == [100, 0]


@rule("S-27")
@pytest.mark.parametrize("owners", ["1122", "31122", "11223"])
def test_a_tie_at_two_each_brings_nothing(owners: str) -> None:
    colours = ("red", "green", "blue", "yellow", "purple")
    shops = zip(colours, owners, strict=False)
    line = " ".join(f"{colour}_shops=laundry/{owner}" for colour, owner in shops)
    assert money(scored(line)) == [0, 0, -250]


@rule("S-28")
def test_the_most_money_wins() -> None:
    assert scored("laundered=10.20.0").won == 2


@rule("S-28")
@pytest.mark.parametrize("more", [1, 2])
def test_of_equals_the_one_with_more_businesses(more: int) -> None:
    two = f"red_shops=laundry/{more} green_shops=laundry/{more} blue_shops=laundry/{3 - more}"
    rival = "yellow_shops=laundry/3 purple_shops=laundry/3"  # so that nobody has the most
    end = scored(f"laundered=20.20.0 {two} {rival}")
    assert money(end)[:2] == [20, 20]
    assert end.won == more  # one bit a seat: of the first 1, of the second 2


@rule("S-28")
def test_a_player_who_is_equal_in_both_shares() -> None:
    assert scored("laundered=20.20.0").won == 3


@rule("S-24", "S-16")
def test_the_game_goes_on_while_all_have_black_money() -> None:
    story = Story("hand1=r3 hand2=b3 hand3=g1").play("1 r3 5", "2 b3 5", "3 -")
    assert phase(story.state) == "turn"
