"""The rules of a game and the help for the terminal, as Markdown."""

from typing import Any

from cosca.core.game import Game
from cosca.core.options import Settings
from cosca.match.primer_text import primer_markdown
from cosca.words import RULES, say, sentences


def rules(game: Game[Any, Any], settings: Settings, seats: int) -> str:
    """Return the rules as Markdown: one page for this table, then the whole rulebook."""
    return primer_markdown(game, settings, seats) + "\n" + sentences()[f"{game.name}.{RULES}"]


def controls(game: Game[Any, Any]) -> str:
    """Return the keys, commands and notation as Markdown that fits one screen."""
    notation = say(f"{game.name}.play.notation", {}).strip()
    return say("play.help", {"title": game.title, "notation": notation}).strip()
