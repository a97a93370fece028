"""What a question means: every key is used and names a rule, in every language."""

from typing import Any

import pytest

from cosca.catalog import GAMES
from cosca.core.game import Game
from cosca.games.omerta import drawing as omerta
from cosca.games.sicilianos import drawing as sicilianos
from cosca.testing.traceability import rules_of
from cosca.words import LANGUAGES, sentences

RULES_OF_QUESTIONS = {
    "vendetta": {"turn": "V-9"},
    "omerta": omerta.RULE_OF_QUESTION,
    "sicilianos": sicilianos.RULE_OF_QUESTION,
}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_meaning_belongs_to_a_question_and_names_a_rule(game: Game[Any, Any]) -> None:
    start = f"{game.name}.meaning."
    for language in LANGUAGES:
        keys = {key.removeprefix(start) for key in sentences(language) if key.startswith(start)}
        assert keys == set(RULES_OF_QUESTIONS[game.name])
    assert set(RULES_OF_QUESTIONS[game.name].values()) <= set(rules_of(game))
