"""The ranking of a finished game in words."""

from collections.abc import Sequence
from typing import Any

from cosca.core.game import Game
from cosca.core.names import Seat
from cosca.core.ranking import Ranked
from cosca.words import say


def figure_label(game: Game[Any, Any], key: str) -> str:
    """Return the name of a figure, such as "Districts"."""
    return say(f"{game.name}.figure.{key}.name", {})


def figure_text(game: Game[Any, Any], key: str, number: int) -> str:
    """Return the value of a figure, as people write it."""
    return say(f"{game.name}.figure.{key}.value", {"number": number})


def ranking_lines(game: Game[Any, Any], ranking: Sequence[Ranked]) -> list[str]:
    """Return a line for each seat of a finished game: its place and what decided it."""
    return [_line(game, ranked) for ranked in ranking]


def _line(game: Game[Any, Any], ranked: Ranked) -> str:
    figures = [
        say("ranking.figure", {"label": figure_label(game, key), "text": figure_text(game, key, n)})
        for key, n in ranked.figures.items()
    ]
    return say(
        "ranking.line",
        {
            "place": ranked.place,
            "name": seat_name(game, ranked.seat),
            "figures": say("ranking.and", {}).join(figures),
        },
    )


def seat_name(game: Game[Any, Any], seat: Seat) -> str:
    """Return the name of a seat in its game."""
    return say(f"{game.name}.seat.{seat}", {})
