"""Every language says the same, with the same words to fill in."""

import re

import pytest

from cosca import words
from cosca.testing.case import LANGUAGES

HOLE = re.compile(r"\{(\w+)[},]")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_has_its_sentence_in_every_language(language: str) -> None:
    ours, theirs = words.sentences(), words.sentences(language)
    assert set(theirs) == set(ours)
    for key, text in ours.items():
        assert set(HOLE.findall(theirs[key])) == set(HOLE.findall(text)), key
