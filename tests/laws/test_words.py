"""Every language says the same, with the same words to fill in."""

import re
from typing import Any

import pytest

from cosca import words
from cosca.catalog import GAMES
from cosca.core.game import Game
from cosca.testing.case import LANGUAGES
from cosca.testing.traceability import rules_of

HOLE = re.compile(r"\{(\w+)[},]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_has_its_sentence_in_every_language(language: str) -> None:
    ours, theirs = words.sentences(), words.sentences(language)
    assert set(theirs) == set(ours)
    for key, text in ours.items():
        assert set(HOLE.findall(theirs[key])) == set(HOLE.findall(text)), key


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_refusal_names_a_rule_that_stands_in_the_rulebook(game: Game[Any, Any]) -> None:
    ours, book = words.sentences(), set(rules_of(game))
    assert set(game.behind) <= set(ours)
    assert set(game.behind.values()) <= book
