"""Capo: what he does at a table, and how he fares."""

import pytest

from cosca.arena.simulation import Simulation, play
from cosca.core.dice import Dice
from cosca.games.sicilianos import heuristic
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.notation import format_move
from cosca.games.sicilianos.position import position
from cosca.games.sicilianos.rules import State
from tests.games.sicilianos.story import Story, rolled, rule, war


def best(story: Story) -> str:
    """The move a capo likes best, in notation."""
    state = story.state
    return format_move(heuristic.candidates(position(state, state.mover))[0])


# --- Wars ---------------------------------------------------------------------------------------


@rule("S-6")
@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("hand1=r8-11 hand2=g4,b3 hand3=y2,p5", "r8 50"),
        ("hand1=r2,g1 hand2=b9-11,y4 hand3=y9,p10-11,o4", "roll"),
        ("hand1=r6 hand2=g3,g4 hand3=b3,b2", "roll"),
        ("hand1=r6 hand2=g3,g4 hand3=b3,b2 red_shops=laundry/1,antiques/1", "r6 5"),
        ("hand1=r1-3,g1-3,b1-2,y1-2 hand2=p9-11,o7 hand3=o8-11", "r1 5"),
    ],
    ids=["strong", "weak", "alone", "third business", "full hand"],
)
def test_a_capo_opens_a_war_only_if_it_pays_or_must_be(line: str, move: str) -> None:
    assert best(Story(line)) == move


@rule("S-7", "S-17")
@pytest.mark.parametrize(
    ("line", "opening", "move"),
    [
        ("hand1=r3 hand2=g9-11 hand3=b2", "1 r3 5", "g9 50"),
        ("hand1=r3-11 hand2=g2 hand3=b2", "1 r11 5", "-"),
        ("hand1=r3 hand2=g11 hand3=r5", "1 r3 5", "g11 50"),
        ("hand1=r3 hand2=g2 hand3=b2 money1=0.0.0.0.1", "1 r3 50", "g2 50"),
    ],
    ids=["strong", "hopeless", "one card is enough", "the game ends anyway"],
)
def test_a_capo_joins_with_much_if_it_looks_good(line: str, opening: str, move: str) -> None:
    assert best(Story(line).play(opening)) == move


@rule("S-6")
def test_the_likelier_a_war_is_won_the_more_is_staked() -> None:
    stakes = []
    for first, more in (("g3", ""), ("g7", ",g4"), ("g11", ",g10")):
        story = Story(f"hand1=r4 hand2={first}{more} hand3=b2,y3").play("1 r4 5", f"2 {first}")
        stakes.append(int(best(story)))
    assert stakes == sorted(stakes)
    assert (stakes[0], stakes[-1]) == (5, 50)


@rule("S-23")
def test_a_capo_keeps_the_third_business_from_another() -> None:
    line = "hand1=r11,r10 hand2=g5 hand3=b2"
    assert best(Story(line).play("1 r11 5")) == "-"
    threat = Story(f"{line} red_shops=laundry/1,antiques/1").play("1 r11 5")
    assert best(threat) == "g5 5"
    gone = Story(f"{line} red_shops=laundry/1,antiques/1,restaurant/3").play("1 r11 5")
    assert best(gone) == "-"


@rule("S-24")
@pytest.mark.parametrize(
    ("laundered", "move"), [("300.0.0", "r10 50"), ("0.600.0", "roll")], ids=["ahead", "behind"]
)
def test_a_capo_ends_the_game_when_he_is_ahead(laundered: str, move: str) -> None:
    line = "hand1=r9-11 hand2=g3,g4 hand3=b3,b2 money1=0.0.0.0.1"
    assert best(Story(f"{line} laundered={laundered}")) == move


@rule("S-14")
@pytest.mark.parametrize(
    ("story", "move"),
    [
        (war("r9", "g3", "-", hand1="r2,r10"), "-"),
        (war("r2", "g11", "b10", hand1="r3", hand2="g9,g10"), "-"),
        (war("r5", "g7", "-", hand1="r3,r10"), "r3"),
        (war("r4", "g7", "-", hand1="r3,r6,r10"), "r6"),
    ],
    ids=["won already", "lost already", "a small card is enough", "no more than it takes"],
)
def test_a_capo_lays_no_more_than_it_takes(story: Story, move: str) -> None:
    assert best(story) == move


@rule("S-9")
@pytest.mark.parametrize(
    ("entries", "move"),
    [(("r8", "g3", "b2"), "-"), (("r8", "g8", "b9"), "defect")],
    ids=["he wins alone", "together they win"],
)
def test_a_defector_goes_over_if_it_gains(entries: tuple[str, ...], move: str) -> None:
    assert best(war(*entries)) == move


@rule("S-11")
@pytest.mark.parametrize(
    ("story", "move"),
    [
        (war("r5", "b9", "-", hand1="r4"), "b9"),
        (war("r5", "b3", "-"), "-"),
        (war("r5", "b9", "y3", hand1="r4"), "b9"),
        (war("r2", "b9", "-", hand1="r5,r10", hand2="b3,b7").play("1 r5", "2 b3"), "b9"),
    ],
    ids=["it clears the way", "it wins as a 5", "the stronger family", "the stronger card"],
)
def test_a_bomb_goes_off_if_it_gains(story: Story, move: str) -> None:
    assert best(story) == move


# --- What a war brings --------------------------------------------------------------------------


@rule("S-19")
@pytest.mark.parametrize(
    ("notes", "shops", "share"),
    [
        ("50", "", "money"),
        ("5", "", "business"),
        ("50", "green_shops=laundry/1,antiques/1", "business"),
        ("50", "green_shops=laundry/2,antiques/2", "business"),
    ],
    ids=["much money", "little money", "the ally would win", "his third business"],
)
def test_a_capo_takes_the_better_share(notes: str, shops: str, share: str) -> None:
    story = war(f"r8 {notes}", f"g6 {notes}", "b9", line=shops).play("1 defect")
    assert best(story) == share


@rule("S-26", "S-27")
@pytest.mark.parametrize(
    ("shops", "kind"),
    [
        ("blue_shops=laundry/1 green_shops=restaurant/1", "antiques"),
        ("blue_shops=laundry/1 green_shops=laundry/2 yellow_shops=restaurant/1", "antiques"),
        ("blue_shops=laundry/1,restaurant/2 green_shops=antiques/2", "laundry"),
    ],
    ids=["the third kind", "a kind of its own", "one more than the others"],
)
def test_a_capo_takes_the_business_that_brings_most(shops: str, kind: str) -> None:
    assert best(war("r9", line=shops)) == kind


# --- Cards --------------------------------------------------------------------------------------


@rule("S-S3")
def test_the_first_cards_are_drawn_where_a_business_can_be_won() -> None:
    sold = [f"{colour}_shops=laundry/2,restaurant/3,antiques/2" for colour in ("red", "blue")]
    story = Story(f"phase=draft hand1=g3,y4,p5 {' '.join(sold)}")
    assert best(story) == "orange"


@rule("S-4", "S-1")
@pytest.mark.parametrize(
    ("story", "move"),
    [
        (rolled("hand1=r10,r9 hand2=b3", "red", "blue", "one"), "look red"),
        (rolled("hand1=r10,r9 hand2=b3", "green", "blue", "one"), "red"),
        (rolled("hand1=r6-11,b1-3 hand2=g3", "red", "blue", "two"), "red"),
        (
            rolled("red=7,3,9 hand2=r1-2,r4-6,r8,r10-11", "red", "blue", "one").play("1 look red"),
            "r9",
        ),
    ],
    ids=["he may look", "he may not", "room for one", "the best of a stack"],
)
def test_a_capo_adds_to_his_strongest_family(story: Story, move: str) -> None:
    assert best(story) == move


@rule("S-5")
def test_a_capo_steals_the_colour_he_needs() -> None:
    assert best(rolled("hand1=r9,r8 hand2=r3,r4 hand3=b3", "red", "blue", "steal")) == "red"


@rule("S-5")
@pytest.mark.parametrize(("value", "victim"), [(10, "from 2"), (1, "from 3")])
def test_a_capo_remembers_what_was_stolen_from_him(value: int, victim: str) -> None:
    line = f"hand1=r8 hand2=r{value} hand3=r4 red_log=d1:8,d1:{value},d3:4,s2/1:{value}"
    assert best(rolled(line, "red", "red", "steal")) == victim


# --- Of equals any ------------------------------------------------------------------------------


def test_of_equal_moves_any_is_made() -> None:
    there = position(Story(State(3)).play("start 1").state, 0)
    made = {heuristic.capo(there, Dice(seed)) for seed in range(60)}
    assert made == set(there.legal)


# --- How he fares -------------------------------------------------------------------------------


def test_a_capo_beats_those_who_move_at_random() -> None:
    settings, games, bots = GAME.settings("", {}), 24, ("capo", "random", "random")
    simulation = Simulation("sicilianos", settings, 3, bots, seed=8, rotate=True)
    won = 0.0
    for number in range(games):
        shares = play(simulation, number).shares
        won += shares[simulation.seating(number).index("capo")]
    assert won / games > 0.8
