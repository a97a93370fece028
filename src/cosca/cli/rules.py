"""`cosca rules`: list the rules of a game with the code and tests for each."""

from typing import Any

import click
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from cosca.cli.options import GameName
from cosca.core.game import Game
from cosca.match.primer_text import primer_markdown
from cosca.testing.traceability import Rule, rules_of
from cosca.words import say


@click.command()
@click.argument("game", type=GameName())
def command(game: Game[Any, Any]) -> None:
    """Print the rules of GAME on one page, then each rule with its functions and tests."""
    console = Console(highlight=False)
    console.print(Markdown(primer_markdown(game, game.settings(), game.default_seats)))
    for rule in rules_of(game).values():
        console.print(Text.assemble((rule.id, "bold"), "  ", rule.text.replace("**", "")))
        for line in _lines(rule):
            console.print(Padding(Text(line, style="dim"), (0, 0, 0, 4)))


def _lines(rule: Rule) -> list[str]:
    none = say("rules.none", {})
    functions = ", ".join(dict.fromkeys(rule.functions)) or none
    tests = ", ".join(test.removeprefix("test_").replace("_", " ") for test in rule.tests) or none
    return [f"{say('rules.functions', {})}: {functions}", f"{say('rules.tests', {})}: {tests}"]
