"""Every refusal of a game cites a rule of its rulebook."""

from typing import Any

import pytest

from cosca import words
from cosca.catalog import GAMES
from cosca.core.game import Game
from cosca.testing.traceability import rules_of


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_refusal_names_a_rule_that_stands_in_the_rulebook(game: Game[Any, Any]) -> None:
    assert set(game.rule_of_refusal) <= set(words.sentences())
    assert set(game.rule_of_refusal.values()) <= set(rules_of(game))
