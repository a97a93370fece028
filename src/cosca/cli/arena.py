"""`cosca arena`: compare bots on the same deals, or compare house rules."""

import json
import os
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from cosca.arena.arena import complete_deals, merge, play_contest
from cosca.arena.balance import variants
from cosca.arena.contest import Contest
from cosca.arena.figures import Json, report
from cosca.arena.folder import refuse_folder, write
from cosca.arena.page import arena_page, balance_page
from cosca.arena.parquet import check as check_parquet
from cosca.arena.parquet import write_parquet
from cosca.arena.result import Result
from cosca.arena.speed import with_round_limit
from cosca.bots.external import check_bot
from cosca.bots.roster import default_bot
from cosca.catalog import find
from cosca.cli.help import localize_help
from cosca.cli.options import GameName, WholeNumber, bots_option, edition_options, seats_option
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.testing.traceability import rules_of_events
from cosca.words import say

REPORT = "report"
"""File name of a report, without .json or .html."""


class Deals(click.ParamType[range]):
    """A number of deals, `K`, or a range of them, `A:B`."""

    name = "deals"

    def convert(self, value: Any, param: Any, ctx: Any) -> range:
        if isinstance(value, range):
            return value
        first, colon, last = str(value).rpartition(":")
        try:
            deals = range(int(first) if colon else 0, int(last))
        except ValueError:
            deals = range(0)
        if not deals or deals.start < 0 or deals.stop > 10**9:
            raise Refused("arena.bad_deals", deals=str(value)[:40])
        return deals


class ArenaCommand(click.Command):
    """The command `cosca arena GAME`, with `cosca arena merge` as a subcommand."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> click.Context:
        if args[:1] == [merge_command.name]:
            merge_help = localize_help(
                merge_command, "help.merge", click.Context(merge_command, parent)
            )
            return merge_help.make_context(f"{info_name} merge", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


out_option = click.option("--out", type=click.Path(path_type=Path), default=None)
parquet_option = click.option("--parquet", is_flag=True)
json_option = click.option("--json", "as_json", is_flag=True)


@click.command(cls=ArenaCommand)
@click.argument("game", type=GameName())
@bots_option
@seats_option
@click.option("--deals", type=Deals(), metavar="K|A:B", default="100")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=1)
@edition_options
@click.option("--jobs", type=WholeNumber(1, 999), default=None)
@out_option
@click.option("--balance", is_flag=True)
@parquet_option
@json_option
def command(
    game: Game[Any, Any],
    bots: str,
    seats: int | None,
    deals: range,
    seed: int,
    edition: str,
    changes: dict[str, str],
    jobs: int | None,
    out: Path | None,
    balance: bool,
    parquet: bool,
    as_json: bool,
) -> None:
    """Compare bots of GAME, or its house rules."""
    _check(out, parquet)
    seats = game.default_seats if seats is None else seats
    names = _bot_names(game, bots, seats, balance)
    jobs = jobs or os.cpu_count() or 1
    bound = with_round_limit(game, changes)
    rules = {edition: dict(game.settings(edition, bound))}
    if balance:
        rules = variants(game, edition, bound)
    contests = {
        name: Contest.of(game, settings, seats, names, seed) for name, settings in rules.items()
    }
    folders = {name: out / name if out and balance else out for name in contests}
    played = _play_with_progress(contests, deals, jobs, folders)
    reports = {name: report(contests[name], results) for name, results in played.items()}
    if balance:
        _output_balance(reports, out, parquet, as_json)
    else:
        _output_report(next(iter(reports.values())), out, parquet, as_json)


@click.command("merge")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@out_option
@parquet_option
@json_option
def merge_command(
    folders: tuple[Path, ...], out: Path | None, parquet: bool, as_json: bool
) -> None:
    """Combine the games of several arena folders into one folder with one report."""
    if out is None:
        raise Refused("arena.no_out")
    _check(out, parquet)
    contest, results = merge(folders, out)
    _output_report(report(contest, complete_deals(contest, results)), out, parquet, as_json)


def _check(out: Path | None, parquet: bool) -> None:
    """Check before the first game that the results can be written."""
    if parquet:
        if out is None:
            raise Refused("arena.no_out")
        check_parquet()


def _bot_names(game: Game[Any, Any], bots: str, seats: int, balance: bool) -> tuple[str, ...]:
    """Return the bots to compare: those named, or the default ones for this kind of arena."""
    if bots:
        names = tuple(name.strip() for name in bots.split(","))
    elif balance:
        names = (default_bot(game),)
    else:
        names = ("random", *game.heuristic_bots)
    for name in names:
        check_bot(game, name)
    return names * seats if len(names) == 1 else names


# --- Playing --------------------------------------------------------------------------------------


def _play_with_progress(
    contests: dict[str, Contest], deals: range, jobs: int, folders: dict[str, Path | None]
) -> dict[str, list[Result]]:
    """Play all contests, with a progress bar if stderr is a terminal."""
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    played = {}
    with bar:
        for name, contest in contests.items():
            task = bar.add_task(name or contest.game, total=len(deals) * contest.rotations)
            results = []
            for result in play_contest(contest, deals, jobs, folders[name]):
                results.append(result)
                bar.advance(task, result.deal in deals)
            played[name] = complete_deals(contest, results)
    return played


# --- Output ---------------------------------------------------------------------------------------


def _output_report(figures: Json, out: Path | None, parquet: bool, as_json: bool) -> None:
    if out is not None:
        rules = rules_of_events(find(figures["game"]))
        _write(out, figures, arena_page(figures, rules))
        if parquet:
            write_parquet(out)
    if as_json:
        click.echo(json.dumps(figures))
    else:
        _print(figures)
        _print_path(out)


def _output_balance(
    reports: dict[str, Json], out: Path | None, parquet: bool, as_json: bool
) -> None:
    if out is not None:
        rules = rules_of_events(find(next(iter(reports.values()))["game"]))
        _write(out, reports, balance_page(reports, rules))
        for name in reports if parquet else ():
            write_parquet(out / name)
    if as_json:
        click.echo(json.dumps(reports))
    else:
        _print_balance(reports)
        _print_path(out)


def _write(out: Path, figures: Json, page: str) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse_folder(out, error)
    write(out / f"{REPORT}.json", (json.dumps(figures, indent=1) + "\n").encode())
    write(out / f"{REPORT}.html", page.encode())


def _print_path(out: Path | None) -> None:
    if out is not None:
        click.echo(say("arena.written", {"path": str(out / f"{REPORT}.html")}))


def _share(interval: dict[str, float]) -> str:
    return _format_interval(interval, 100, 1)


def _number(interval: dict[str, float]) -> str:
    return _format_interval(interval, 1, 1)


def _format_interval(interval: dict[str, float], times: int, digits: int) -> str:
    """Format a value and its interval, multiplied by `times`."""
    keys = ("value", "low", "high")
    return say("arena.interval", {key: f"{times * interval[key]:.{digits}f}" for key in keys})


def _print(figures: Json) -> None:
    """Print the results of the bots as a table."""
    console = Console()
    game = find(figures["game"])
    params = {"title": game.title, "games": figures["games"], "deals": figures["deals"]}
    console.print(say("arena.title", params))
    table = Table(box=None, pad_edge=False)
    table.add_column(say("arena.bot", {}))
    for heading in ("won", "rating", "rank", "margin", "time"):
        table.add_column(say(f"arena.{heading}", {}), justify="right")
    for bot in sorted(figures["bots"], key=lambda bot: -bot["win_share"]["value"]):
        table.add_row(
            bot["name"],
            _share(bot["win_share"]),
            f"{bot['rating']['value']:.1f}",
            f"{bot['mean_rank']['value']:.2f}",
            f"{bot['margin']['value']:.1f}",
            f"{1000 * figures['time']['seconds_per_move'][bot['name']]:.3f}",
        )
    console.print(table)
    par = f"{100 / figures['seats']:.1f}"
    rate = f"{figures['time']['decisions_per_second']:.0f}"
    console.print(say("arena.summary", {"par": par, "rate": rate, "seed": str(figures["seed"])}))


def _print_balance(reports: dict[str, Json]) -> None:
    """Print the results of each set of house rules as a table."""
    console = Console()
    first = next(iter(reports.values()))
    title = find(first["game"]).title
    params = {"title": title, "bots": ", ".join(bot["name"] for bot in first["bots"])}
    console.print(say("arena.balance_title", params))
    table = Table(box=None, pad_edge=False)
    table.add_column(say("arena.rules", {}), overflow="fold")
    for heading in ("first", "rounds", "comebacks", "changes", "decided"):
        table.add_column(say(f"arena.{heading}", {}), justify="right")
    for name, figures in reports.items():
        columns = [
            _share(figures["by_order"][0]),
            _number(figures["rounds"]["mean"]),
            _share(figures["comebacks"]),
            _number(figures["lead_changes"]),
            _share(figures["decided_after"]),
        ]
        table.add_row(name, *(column.replace(" ", "\n", 1) for column in columns))
    console.print(table)
    par = f"{100 / first['seats']:.1f}"
    console.print(say("arena.balance_summary", {"par": par, "games": first["games"]}))
