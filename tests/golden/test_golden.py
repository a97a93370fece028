"""The golden stories replay to the same text."""

import re
from pathlib import Path

import pytest

from cosca.catalog import GAMES
from cosca.testing.golden import retell

HERE = Path(__file__).parent
STORIES = sorted(HERE.glob("*/*.txt"))
VILLAGE = HERE / "vendetta" / "3-seats-original.txt"
EVERYONE_ACTS = HERE / "omerta" / "4-seats-every-character.txt"
ALLIANCE = HERE / "sicilianos" / "4-seats-an-alliance.txt"
THREE_BUSINESSES = HERE / "sicilianos" / "3-seats-three-businesses.txt"


@pytest.mark.parametrize("path", STORIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_stories_replay_to_the_same_text(path: Path) -> None:
    story = path.read_text(encoding="utf-8")
    assert retell(story) == story


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_three_stories_short_enough_to_read(name: str) -> None:
    stories = [path for path in STORIES if path.parent.name == name]
    assert len(stories) == 3
    assert all(path.stat().st_size <= 40_000 for path in stories)


def test_a_story_with_another_card_does_not_come_out_the_same() -> None:
    story = VILLAGE.read_text(encoding="utf-8")
    assert "card 7 " in story
    changed = story.replace("card 7 ", "card 8 ", 1)
    with pytest.raises(ValueError, match="illegal step"):
        retell(changed)


def test_a_story_with_another_sentence_does_not_come_out_the_same() -> None:
    story = VILLAGE.read_text(encoding="utf-8")
    changed = story.replace("collects one mafioso", "collects 2 mafiosi", 1)
    assert changed != story
    assert retell(changed) == story


@pytest.mark.parametrize(
    "sentence",
    [
        "and stops the action.",
        "Wrong!",
        "The driver only takes bottles",
        "The discard pile is shuffled",
        "change places.",
        "is shuffled.",
        "gets a card.",
        "gets rid of card",
        "with place",
        "Mamma stays with",
        "misses a turn.",
        "The patrol blocks",
        "The patrol leaves",
        "discards a witness.",
        "discards an alibi.",
        "calls Omerta!",
    ],
)
def test_in_one_story_of_omerta_everybody_acts(sentence: str) -> None:
    assert sentence in EVERYONE_ACTS.read_text(encoding="utf-8")


def passage(*lines: str) -> str:
    """Return consecutive sentences of a story."""
    return "\n".join(" " * 8 + line for line in lines)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ("Ciraldo and Alvano, allies, win the war for the green family with 12.",),
            id="an alliance wins",
        ),
        pytest.param(
            ("Alvano sets off the bomb and blows up the blue 1 of Fusetti.",),
            id="a bodyguard is hit",
        ),
        pytest.param(
            (
                "Alvano turns up the red 6.",
                "Ciraldo turns up the green 6.",
                "Nobody wins the war. Every side ties with another",
            ),
            id="all are equal",
        ),
        pytest.param(("Alvano wins. Alvano has no black money left",), id="money decides"),
    ],
)
def test_in_one_story_of_sicilianos_there_is_something_of_everything(
    lines: tuple[str, ...],
) -> None:
    assert passage(*lines) in ALLIANCE.read_text(encoding="utf-8")


def test_in_that_story_a_tie_falls_to_the_next_weaker() -> None:
    story = ALLIANCE.read_text(encoding="utf-8")
    tie = passage(
        "Alvano turns up the red 9.",
        "Ciraldo turns up the green 9.",
        "Fusetti turns up the blue 4.",
    )
    war = story.partition(tie)[2].partition(" in all.")[0]
    assert "turns up" not in war
    assert "Fusetti wins the war for the blue family with 4." in war


def test_in_that_story_of_two_opposite_defectors_one_alone_is_asked() -> None:
    story = ALLIANCE.read_text(encoding="utf-8")
    both = passage("Alvano turns up the red 8.", "Ciraldo turns up the green 8.")
    war = story.partition(both)[2].partition(" win the war ")[0]
    assert "Alvano’s defector goes over to Ciraldo." in war
    assert "Ciraldo’s defector" not in war


def test_one_story_of_sicilianos_is_won_by_three_businesses_of_a_colour() -> None:
    story = THREE_BUSINESSES.read_text(encoding="utf-8")
    winner = re.search(r"(\w+) owns all three \w+ businesses\.", story)
    assert winner
    shown = re.findall(rf"{winner[1]} shows the (\w+) ", story)
    assert 3 in [shown.count(colour) for colour in shown]


def test_at_one_story_of_sicilianos_six_sit() -> None:
    story = (HERE / "sicilianos" / "6-seats-original.txt").read_text(encoding="utf-8")
    assert story.startswith("Sicilianos, rules 1, 6 seats, original")
    for boss in ("Alvano", "Ciraldo", "Fusetti", "Lanzone", "Maringo", "Tornese"):
        assert f"\n{boss} " in story
