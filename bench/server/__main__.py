"""`./run bench server`: 200 tables of Cosca beside 200 of boardgame.io, and idle sockets."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Final

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.report import machine, verdict
from bench.server import measure, scale
from bench.server.measure import Round

MOST_AT_ONCE: Final = 250
"""Tables that each have a move under way at all times."""
HUMAN_SECONDS: Final = 30
BESIDE: Final = 50
"""Tables that are played at the same time as one with bosses."""
RATIO: Final = "server.moves_vs_boardgameio"
AIM: Final = 2.0
SOCKETS: Final = 1000
SOCKET_LIMIT: Final = 40 * 1024
"""The most bytes an idle socket may take."""

LABELS: Final = {
    "boardgameio": "boardgame.io, in memory",
    "cosca.data": "Cosca, views as data, on the disk",
    "cosca.text": "Cosca, views as text, on the disk",
}


@dataclass(frozen=True)
class ServerReport:
    """Everything one run has measured."""

    machine: dict[str, str | int]
    peers: dict[str, str]
    tables: int
    rounds: dict[str, list[Round]]
    medians: dict[str, float]  # moves per CPU-second
    ratios: dict[str, float]
    socket_bytes: float


def main(args: Sequence[str]) -> int:
    """Measure, and show the results."""
    parser = argparse.ArgumentParser(prog="bench server", description=__doc__, allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--repeats", type=int, choices=range(1, 100), default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=3.0, metavar="S")
    parser.add_argument(
        "--tables",
        type=int,
        choices=range(1, 2001),
        default=200,
        metavar="T",
        help="number of tables; more than 250 are played at human pace and compared with fewer",
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the cost of tables at human pace"
    )
    parser.add_argument(
        "--only", choices=[*LABELS, "sockets", "boss"], help="run only this measurement"
    )
    arguments = parser.parse_args(args)
    if arguments.only == "boss":
        return beside_bosses(arguments.json)
    if arguments.tables > MOST_AT_ONCE:
        return human_pace(arguments.tables, arguments.json, arguments.plot)
    wanted = [name for name in LABELS if arguments.only in (None, name)]
    if "boardgameio" in wanted:
        measure.install_peer()
    console = Console(stderr=True)
    turns = track(range(arguments.repeats), "measuring", console=console, transient=True)
    found = report(
        wanted, turns, arguments.tables, arguments.seconds, arguments.only in (None, "sockets")
    )
    if arguments.json:
        print(json.dumps(asdict(found), indent=2))
    else:
        show(found, Console())
    return 0


def human_pace(tables: int, as_json: bool, plot: Path | None) -> int:
    """Measure whether a move costs the same however many play, and for however long."""
    found = scale.measured(tables, HUMAN_SECONDS)
    if plot:
        scale.draw(found, plot)
    if as_json:
        print(json.dumps(asdict(found), indent=2))
    else:
        for table in (scale.scale_table(found), scale.length_table(found)):
            Console().print(table)
    return 0


def beside_bosses(as_json: bool) -> int:
    """Measure whether fifty tables slow down when bosses think at another one."""
    alone, beside = (scale.at_pace(BESIDE, HUMAN_SECONDS, what) for what in ("pace", "boss"))
    if as_json:
        print(json.dumps([asdict(alone), asdict(beside)], indent=2))
    else:
        Console().print(scale.boss_table(alone, beside))
    return 0


def report(
    wanted: Sequence[str], turns: Iterable[int], tables: int, seconds: float, sockets: bool
) -> ServerReport:
    """Measure each server once in every round, so that a slower machine slows all of them."""
    rounds: dict[str, list[Round]] = {name: [] for name in wanted}
    for _ in turns if wanted else ():
        for name, taken in rounds.items():
            taken.append(one_round(name, tables, seconds))
    rates = {name: [taken.moves_per_cpu_second for taken in rounds[name]] for name in wanted}
    return ServerReport(
        machine=machine(),
        peers={"boardgame.io": measure.peer_version()} if "boardgameio" in wanted else {},
        tables=tables,
        rounds=rounds,
        medians={name: median(values) for name, values in rates.items()},
        ratios=ratios(rates),
        socket_bytes=measure.socket_bytes(SOCKETS) if sockets else 0.0,
    )


def one_round(name: str, tables: int, seconds: float) -> Round:
    """Measure one of the servers under load."""
    if name == "boardgameio":
        return measure.boardgameio_round(tables, seconds)
    return measure.cosca_round(name.partition(".")[2], tables, seconds)


def ratios(rates: dict[str, list[float]]) -> dict[str, float]:
    """Return how many times as much Cosca does: the median of the ratios in each round."""
    found = {}
    for name, ours in (("", "cosca.data"), ("_text", "cosca.text")):
        if ours in rates and "boardgameio" in rates:
            pairs = zip(rates[ours], rates["boardgameio"], strict=True)
            found[RATIO + name] = median([mine / yours for mine, yours in pairs])
    return found


# --- The table -----------------------------------------------------------------------------------


def show(found: ServerReport, console: Console) -> None:
    """Print the report."""
    console.print(f"{found.machine['cpu']}, {found.machine['python']}, {found.tables} tables x 4")
    for table in (rounds_table(found), aims_table(found)):
        console.print(table)


def rounds_table(found: ServerReport) -> Table:
    """Return a table of every round of every server."""
    table = Table(title="Under load: each table has a move under way all the time")
    table.add_column("server")
    for heading in ("moves per CPU-s", "moves", "own ack ms", "all views ms", "bytes", "views"):
        table.add_column(heading, justify="right")
    for name, rounds in found.rounds.items():
        for taken in rounds:
            table.add_row(
                LABELS[name],
                f"{taken.moves_per_cpu_second:,.0f}",
                f"{taken.moves:,}",
                "{:.0f} / {:.0f}".format(*taken.own_ms),
                "{:.0f} / {:.0f}".format(*taken.all_ms),
                f"{taken.view_bytes:,.0f}",
                f"{taken.views_per_move:.2f}",
            )
    return table


def aims_table(found: ServerReport) -> Table:
    """Return a table of every ratio and the memory of a socket, with their aims."""
    table = Table(title="Aims")
    for heading in ("figure", "measured", "aim", ""):
        table.add_column(heading)
    for name, ratio in found.ratios.items():
        aim, met = (f">= {AIM:g} x", verdict(ratio >= AIM)) if name == RATIO else ("", "")
        table.add_row(name, f"{ratio:.2f} x", aim, met)
    if found.socket_bytes:
        met = verdict(found.socket_bytes <= SOCKET_LIMIT)
        kib = f"{found.socket_bytes / 1024:.1f} KiB"
        table.add_row(f"one of {SOCKETS} idle sockets", kib, f"<= {SOCKET_LIMIT // 1024} KiB", met)
    return table


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
