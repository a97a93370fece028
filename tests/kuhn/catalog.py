"""Kuhn poker in the catalog, for tests of what the house does with a hidden card."""

import pytest

from cosca import words
from cosca.catalog import GAMES
from tests.kuhn.case import WORDS
from tests.kuhn.game import GAME

NAMES = ("Ann", "Bob", "Cleo")


def add_to_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the game and its texts to the catalog for one test."""
    known = {
        **words.sentences(),
        **{f"{GAME.name}.{key}": text for key, text in WORDS.items()},
        **{f"{GAME.name}.seat.{seat}": name for seat, name in enumerate(NAMES)},
    }
    monkeypatch.setitem(GAMES, GAME.name, GAME)
    monkeypatch.setattr(words, "sentences", lambda language=words.LANGUAGE: known)
