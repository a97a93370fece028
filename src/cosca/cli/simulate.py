"""`cosca simulate`: let bots play many games and print statistics."""

import json
import os
import secrets
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from cosca.arena.interval import wilson
from cosca.arena.simulation import Simulation, Tally, record_name, simulate
from cosca.arena.speed import with_round_limit
from cosca.bots.external import check_bot
from cosca.bots.roster import default_bot
from cosca.cli.options import (
    GameName,
    WholeNumber,
    bots_option,
    edition_options,
    seats_option,
    seed_option,
)
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.words import say


@click.command()
@click.argument("game", type=GameName())
@seats_option
@click.option("--games", type=WholeNumber(1, 10**9), default=100)
@seed_option
@edition_options
@bots_option
@click.option("--rotate", is_flag=True)
@click.option("--jobs", type=WholeNumber(1, 999), default=None)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=None,
)
@click.option("--json", "as_json", is_flag=True)
def command(
    game: Game[Any, Any],
    seats: int | None,
    games: int,
    seed: int | None,
    edition: str,
    changes: dict[str, str],
    bots: str,
    rotate: bool,
    jobs: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Let bots play many games of GAME and print statistics.

    The same seed gives the same games, whatever the number of processes.
    """
    seats = seats if seats is not None else game.default_seats
    settings = game.settings(edition, with_round_limit(game, changes))
    game.check(settings, seats)
    simulation = Simulation(
        game=game.name,
        settings=settings,
        seats=seats,
        bots=assign_bots(game, bots, seats),
        seed=seed if seed is not None else secrets.randbits(32),
        rotate=rotate,
    )
    if out is not None:
        _prepare_folder(out, simulation, games)
    began = time.perf_counter()
    tally = _play_with_progress(simulation, games, jobs or os.cpu_count() or 1, out)
    report = _report(game, simulation, tally, time.perf_counter() - began)
    if as_json:
        click.echo(json.dumps(report))
    else:
        _print(game, report)


def assign_bots(game: Game[Any, Any], names: str, seats: int) -> tuple[str, ...]:
    """Return the bot for each seat: one name for all seats, or one for each."""
    bots = tuple(name.strip() for name in names.split(",")) if names else (default_bot(game),)
    for name in bots:
        check_bot(game, name)
    if len(bots) == 1:
        return bots * seats
    if len(bots) != seats:
        raise Refused("bots_for_seats", bots=len(bots), seats=seats)
    return bots


def _prepare_folder(out: Path, simulation: Simulation, games: int) -> None:
    """Create the folder for the records; refuse to overwrite existing ones."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        there = {file.name for file in out.iterdir()}
    except OSError as error:
        raise Refused("bad_folder", folder=str(out), reason=error.strerror or "") from None
    for number in range(games):
        if (name := record_name(simulation.bout(number))) in there:
            raise Refused("record_there", folder=str(out), name=name)


def _play_with_progress(simulation: Simulation, games: int, jobs: int, out: Path | None) -> Tally:
    """Play the games, with a progress bar if stderr is a terminal."""
    console = Console(stderr=True)
    steps: Iterator[Tally] = simulate(simulation, games, jobs, out)
    watched = track(steps, "Playing", games, console=console, disable=not console.is_terminal)
    return deque(watched, maxlen=1)[0]


def _report(
    game: Game[Any, Any], simulation: Simulation, tally: Tally, seconds: float
) -> dict[str, Any]:
    return {
        "game": game.name,
        "edition": game.edition_of(simulation.settings),
        "options": dict(simulation.settings),
        "seats": simulation.seats,
        "bots": list(simulation.bots),
        "rotate": simulation.rotate,
        "seed": simulation.seed,
        "games": tally.games,
        "decisions": tally.decisions,
        "rounds_mean": tally.rounds / tally.games,
        "wins_by_seat": tally.wins_by_seat,
        "wins_by_bot": dict(tally.wins_by_bot),
        "reasons": dict(sorted(tally.reasons.items())),
        "seconds": round(seconds, 3),
    }


def _print(game: Game[Any, Any], report: dict[str, Any]) -> None:
    """Print the statistics as a table."""
    console = Console()
    console.print(say("simulate.title", {"title": game.title, "games": report["games"]}))
    table = Table(box=None, pad_edge=False)
    for heading in ("seat", "bot", "won", "percent"):
        table.add_column(
            say(f"simulate.{heading}", {}),
            justify="left" if heading in ("seat", "bot") else "right",
        )
    for seat, wins in enumerate(report["wins_by_seat"]):
        name = say(f"{game.name}.seat.{seat}", {})
        bot = say("simulate.rotating", {}) if report["rotate"] else report["bots"][seat]
        table.add_row(name, bot, f"{wins:g}", f"{100 * wins / report['games']:.1f}")
    console.print(table)
    if len(report["wins_by_bot"]) > 1:
        for bot, wins in report["wins_by_bot"].items():
            low, high = wilson(wins, report["games"])
            params = {"bot": bot, "won": f"{100 * wins / report['games']:.1f}"}
            params |= {"low": f"{100 * low:.1f}", "high": f"{100 * high:.1f}"}
            console.print(say("simulate.by_bot", params))
    reasons = ", ".join(f"{reason} {count}" for reason, count in report["reasons"].items())
    console.print(
        say(
            "simulate.summary",
            {
                "reasons": reasons,
                "rounds": f"{report['rounds_mean']:.1f}",
                "decisions": report["decisions"],
                "seconds": f"{report['seconds']:.1f}",
                "seed": str(report["seed"]),
            },
        )
    )
