"""What a guest can read about a game: how to play it here, and its rules."""

from typing import Any

from cosca.core.game import Game
from cosca.words import RULES, say, sentences


def rules(game: Game[Any, Any]) -> str:
    """The rules, as Markdown."""
    return sentences()[f"{game.name}.{RULES}"]


def controls(game: Game[Any, Any]) -> str:
    """How to play it here, as Markdown that fits one screen."""
    notation = say(f"{game.name}.play.notation", {}).strip()
    return say("play.help", {"title": game.title, "notation": notation}).strip()
