"""Sentences for people who touch pieces contain no notation, and no English in other languages."""

import re

import pytest

from cosca.catalog import GAMES
from cosca.words import LANGUAGES, own_sentences

TYPED_PARTS = ("play.", "typed.", "ask.", "option.", "letter.", "short.", "rules")
"""What is read by people who type: examples, the notation, and options on the command line."""
TYPED_KEYS = ("bad_move", "bad_state", "no_such_trustee", "no_call_in_time")
"""Refusals of what only a keyboard can produce."""
NOTATION = re.compile(
    r"\b[rgbypoclhtm]\d+\b"  # r7, c2
    r"|\d\s*(?:>|<>)|<>"  # 2>10, c4<>l2
    r"|\b(?:peek|swap|watch|give|look|from|into) [a-z]?\d"  # peek 1 3
    r"|for example|zum Beispiel|par exemple|per esempio"
)
COMMANDS = re.compile(
    r"\b(?:draw|take|discard|pass|peek|swap|watch|give|roll|look|into|with|defect|money|business"
    r"|laundry|antiques|red|green|blue|yellow|purple)\b"
)
"""What is typed, in English."""


def sentences_for_touch(language: str) -> dict[str, str]:
    """Return the sentences of all games that people read who play with mouse or finger."""
    found = {}
    for key, text in own_sentences(language).items():
        game, _, rest = key.partition(".")
        is_typed = rest.startswith(TYPED_PARTS) or rest in TYPED_KEYS
        if game in GAMES and not is_typed:
            found[key] = re.sub(r"\{[a-z_]+[|}][^ ]*|\{[a-z_]+, plural,", "", text)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_for_people_contains_notation(language: str) -> None:
    texts = sentences_for_touch(language)
    assert len(texts) > 500
    assert {key: text for key, text in texts.items() if NOTATION.search(text)} == {}


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_no_sentence_contains_what_is_typed_in_english(language: str) -> None:
    texts = sentences_for_touch(language)
    assert {key: text for key, text in texts.items() if COMMANDS.search(text)} == {}
