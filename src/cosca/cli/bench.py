"""`cosca bench`: measure how fast the games run on this machine."""

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

import cosca
from cosca.arena.speed import Sample, copy_sample, playout_sample, python_sample, state_bytes
from cosca.catalog import GAMES
from cosca.cli.options import GameName
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.words import say


class Seconds(click.ParamType[float]):
    """A number of seconds from 0.01 to 60."""

    name = "seconds"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0.01 <= seconds <= 60:
            raise Refused("bad_seconds", value=str(value)[:40])
        return seconds


@click.command()
@click.argument("game", type=GameName(), required=False)
@click.option("--seconds", type=Seconds(), default=1.0)
@click.option("--json", "as_json", is_flag=True)
def command(game: Game[Any, Any] | None, seconds: float, as_json: bool) -> None:
    """Measure how fast GAME, or every game, runs on this machine.

    It measures random playouts with and without Python in the loop, and copies of a state.
    `./run bench` in the source tree compares the rates with other engines.
    """
    games = [game] if game else list(GAMES.values())
    measured = {one.name: measure(one, seconds) for one in games}
    if as_json:
        click.echo(json.dumps({"compiled": cosca.is_compiled(), "games": measured}))
    else:
        _print(measured)


def measure(game: Game[Any, Any], seconds: float) -> dict[str, int | None]:
    """Return decisions per second, copies per second, and the size of a state."""
    return {
        "playout_decisions_per_second": _rate(playout_sample(game, seconds)),
        "python_decisions_per_second": _rate(python_sample(game, seconds)),
        "copies_per_second": _rate(copy_sample(game, seconds)),
        "state_bytes": state_bytes(game),
    }


def _rate(sample: Sample) -> int:
    count, seconds = sample
    return round(count / seconds)


def _print(measured: dict[str, dict[str, int | None]]) -> None:
    console = Console()
    how = "compiled" if cosca.is_compiled() else "pure"
    console.print(say(f"bench.{how}", {}))
    table = Table(box=None, pad_edge=False)
    table.add_column(say("bench.game", {}))
    for key in next(iter(measured.values())):
        table.add_column(say(f"bench.{key}", {}), justify="right")
    for name, rates in measured.items():
        table.add_row(name, *("-" if rate is None else f"{rate:,}" for rate in rates.values()))
    console.print(table)
