"""Moves as people type and read them: in their own language, and always in English too."""

from typing import Any

from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.move import Move
from cosca.core.typed import show_notation
from cosca.words import say, sentences
from cosca.words.typed import to_notation


def read_move(game: Game[Any, Any], text: str) -> Move:
    """Return the move that somebody typed, in notation or in the words of the language."""
    try:
        return game.parse_move(text)
    except Refused as refused:
        try:
            return game.parse_move(to_notation(game.name, text))
        except Refused:
            raise refused from None


def show_move(game: Game[Any, Any], move: Move) -> str:
    """Return a move as somebody may type it in the current language."""
    return show_text(game, game.format_move(move))


def show_text(game: Game[Any, Any], notation: str) -> str:
    """Return a move in notation as somebody may type it in the current language."""
    table = f"{game.name}.typed."
    words = {key.removeprefix(table) for key in sentences() if key.startswith(table)}
    return show_notation(notation, game.name, words, say)


def example_moves(game: Game[Any, Any]) -> list[str]:
    """Return some moves as they may be typed in the current language."""
    return say(f"{game.name}.play.examples", {}).split(" | ")


def list_examples(game: Game[Any, Any]) -> str:
    """Return these moves as part of a sentence."""
    *others, last = example_moves(game)
    return ", ".join(others) + say("play.or", {}) + last
