"""`cosca rules`: list the rules of a game with the code and tests for each."""

from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from cosca.cli.options import GameName
from cosca.core.game import Game
from cosca.testing.traceability import Rule, rules_of
from cosca.words import say


@click.command()
@click.argument("game", type=GameName())
def command(game: Game[Any, Any]) -> None:
    """Print each rule of GAME, the functions that implement it and the tests that check it."""
    console = Console(highlight=False)
    for rule in rules_of(game).values():
        console.print(Text.assemble((rule.id, "bold"), "  ", rule.text.replace("**", "")))
        for line in _lines(rule):
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))


def _lines(rule: Rule) -> list[str]:
    none = say("rules.none", {})
    functions = ", ".join(dict.fromkeys(rule.functions)) or none
    tests = ", ".join(test.removeprefix("test_").replace("_", " ") for test in rule.tests) or none
    return [f"{say('rules.functions', {})}: {functions}", f"{say('rules.tests', {})}: {tests}"]
