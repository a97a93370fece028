"""The golden stories come out as they were told."""

from pathlib import Path

import pytest

from cosca.catalog import GAMES
from cosca.testing.golden import retell

HERE = Path(__file__).parent
STORIES = sorted(HERE.glob("*/*.txt"))
VILLAGE = HERE / "vendetta" / "3-seats-original.txt"
EVERYONE_ACTS = HERE / "omerta" / "4-seats-every-character.txt"


@pytest.mark.parametrize("path", STORIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_story_comes_out_the_same_when_it_is_played_again(path: Path) -> None:
    told = path.read_text(encoding="utf-8")
    assert retell(told) == told


@pytest.mark.parametrize("name", GAMES)
def test_every_game_tells_three_stories_short_enough_to_read(name: str) -> None:
    stories = [path for path in STORIES if path.parent.name == name]
    assert len(stories) == 3
    assert all(path.stat().st_size <= 40_000 for path in stories)


def test_a_story_with_another_card_does_not_come_out_the_same() -> None:
    told = VILLAGE.read_text(encoding="utf-8")
    assert "card 7 " in told
    changed = told.replace("card 7 ", "card 8 ", 1)
    with pytest.raises(ValueError, match="no such step"):
        retell(changed)


def test_a_story_with_another_sentence_does_not_come_out_the_same() -> None:
    told = VILLAGE.read_text(encoding="utf-8")
    changed = told.replace("collects one mafioso", "collects 2 mafiosi", 1)
    assert changed != told
    assert retell(changed) == told


@pytest.mark.parametrize(
    "sentence",
    [
        "and stops it.",
        "That is wrong.",
        "The driver takes bottles only",
        "The discards are shuffled",
        "change places.",
        "is shuffled.",
        "gets a card.",
        "gets rid of card",
        "with place",
        "Mamma stays with",
        "misses a turn.",
        "The patrol guards",
        "The patrol leaves",
        "discards a witness.",
        "discards an alibi.",
        "calls Omerta!",
    ],
)
def test_in_one_story_of_omerta_everybody_acts(sentence: str) -> None:
    assert sentence in EVERYONE_ACTS.read_text(encoding="utf-8")
