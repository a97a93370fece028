"""`cosca bots`: list the bots of a game, with a sentence about each."""

from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cosca.bots.characters import CHARACTERS, LEVELS
from cosca.bots.roster import description_key, plain_bots
from cosca.cli.options import GameName
from cosca.core.game import Game
from cosca.words import say


@click.command()
@click.argument("game", type=GameName())
def command(game: Game[Any, Any]) -> None:
    """List the bots that play GAME: first the characters, then the plain bots."""
    table = Table.grid(padding=(0, 2))
    for name, who in CHARACTERS.items():
        level = say("character.level", {"level": who.level, "most": max(LEVELS)})
        table.add_row(Text(name, "bold"), Text(level, "dim"), say(description_key(game, name), {}))
    table.add_row()
    for name in plain_bots(game):
        table.add_row(Text(name, "bold"), "", say(description_key(game, name), {}))
    Console(highlight=False).print(table)
