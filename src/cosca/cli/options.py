"""Options that several commands share: game, edition, house rules, bots, seats and seed."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from cosca.bots.roster import roster
from cosca.catalog import GAMES, find
from cosca.core.errors import Refused
from cosca.core.game import Game

F = TypeVar("F", bound=Callable[..., Any])


class GameName(click.ParamType[Game[Any, Any]]):
    """The name of a game, converted to the game."""

    name = "game"

    def convert(self, value: Any, param: Any, ctx: Any) -> Game[Any, Any]:
        return value if isinstance(value, Game) else find(value)

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in GAMES if name.startswith(incomplete)]


class WholeNumber(click.ParamType[int]):
    """A whole number in a range, with an error message of our own."""

    name = "number"

    def __init__(self, least: int, most: int = 2**63) -> None:
        self.least = least
        self.most = most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        option = param.opts[0].lstrip("-") if param else "number"
        try:
            number = int(value)
        except ValueError:
            raise Refused("not_a_number", option=option, value=str(value)[:40]) from None
        if not self.least <= number <= self.most:
            bounds = {"least": str(self.least), "most": str(self.most)}  # as they are typed
            raise Refused("number_out_of_range", option=option, value=str(number), **bounds)
        return number


def _game_of_line() -> Game[Any, Any]:
    """Return the game that a line to complete names, or the first one.

    Click does not know it: it reads nothing of a line that ends with the name of an option.
    """
    words = os.environ.get("COMP_WORDS", "").split()
    return next((GAMES[word] for word in words if word in GAMES), next(iter(GAMES.values())))


def _complete_edition(ctx: Any, param: Any, incomplete: str) -> list[str]:
    game = _game_of_line()
    return [name for name in game.editions if name.startswith(incomplete)]


def _complete_bots(ctx: Any, param: Any, incomplete: str) -> list[str]:
    game = _game_of_line()
    named, _, last = incomplete.rpartition(",")
    before = f"{named}," if named else ""
    return [before + name for name in roster(game) if name.startswith(last)]


def _complete_changes(ctx: Any, param: Any, incomplete: str) -> list[str]:
    game = _game_of_line()
    changes = [
        f"{option.key}={value}"
        for option in game.options
        if not isinstance(option.values, range)
        for value in option.values
    ]
    changes += [f"{option.key}=" for option in game.options if isinstance(option.values, range)]
    return [change for change in changes if change.startswith(incomplete)]


def _parse_changes(ctx: Any, param: Any, words: tuple[str, ...]) -> dict[str, str]:
    """Return the house rules given as `--set key=value`."""
    changes: dict[str, str] = {}
    if ctx and ctx.resilient_parsing:  # a shell asks for completions of an unfinished line
        return changes
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise Refused("bad_change", text=word[:40])
        changes[key] = value
    return changes


def edition_options(command: F) -> F:
    """Add the options `--edition` and `--set` to a command."""
    command = click.option(
        "--set",
        "changes",
        metavar="OPTION=VALUE",
        multiple=True,
        callback=_parse_changes,
        shell_complete=_complete_changes,
    )(command)
    return click.option(
        "--edition",
        metavar="NAME",
        default="",
        shell_complete=_complete_edition,
    )(command)


bots_option = click.option("--bots", metavar="NAME,…", default="", shell_complete=_complete_bots)
"""Names of bots: one for all seats, or one for each."""
seats_option = click.option("--seats", type=WholeNumber(1, 99), default=None)
seed_option = click.option(
    "--seed",
    type=WholeNumber(0, 2**64 - 1),
    default=None,
)
