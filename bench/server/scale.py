"""Whether a move costs the same at many tables as at few, and late in a game as early."""

import json
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from rich.table import Table

from bench.server.measure import paths
from bench.server.processes import (
    LOAD_CORE,
    SERVER_CORE,
    MeasuredProcess,
    free_port,
    running,
    wait_for,
)

FEW: Final = (50, 200)
PACE: Final = 0.7
LONG_TABLES, LONG_MOVES = 20, 500
STEP: Final = 50


@dataclass(frozen=True)
class Scale:
    """The results of a number of tables at human pace."""

    tables: int
    moves_per_second: float
    cpu_share: float
    """The share of one core used by the server without its bots."""
    waiting_share: float
    """The share of time in which the server was ready but others had its core."""
    cpu_ms_per_move: float
    own_ms: list[float]
    """From a move to its acknowledgement: median and 99th percentile."""
    all_ms: list[float]
    """From a move to the last view of its effect."""
    resident: int
    thinking: dict[float, int]
    """How many bots answered, by the upper bound in seconds."""


@dataclass(frozen=True)
class Growth:
    """How the cost of a move grows."""

    scales: list[Scale]
    by_length: list[float]
    """Milliseconds of CPU for a move: of the first fifty of a game, of the next, and so on."""


def measured(tables: int, seconds: int) -> Growth:
    """Take all measurements."""
    numbers = [*(few for few in FEW if few < tables), tables]
    return Growth([at_pace(number, seconds) for number in numbers], by_length())


@contextmanager
def house(store: Path, port: int, pace: float) -> Iterator[MeasuredProcess]:
    """Run a server with an empty store on disk."""
    arguments = [str(store), str(port), str(pace)]
    with running(
        [sys.executable, "-m", "bench.server.house", *arguments], SERVER_CORE, paths()
    ) as one:
        wait_for(port)
        yield one


@contextmanager
def people(server: MeasuredProcess, port: int, *arguments: object) -> Iterator[MeasuredProcess]:
    """Run people at its tables, all seated."""
    texts = [str(each) for each in (port, server.process.pid, *arguments)]
    command = [sys.executable, "-m", "bench.server.human", *texts]
    with running(command, LOAD_CORE, paths()) as load:
        assert load.read_line() == "ready"
        yield load


def at_pace(tables: int, seconds: int, what: str = "pace") -> Scale:
    """Measure some tables for some seconds, with or without one more table of bosses."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="cosca-bench-") as place:
        store = Path(place, "tables.db")
        with (
            house(store, port, PACE) as server,
            people(server, port, what, tables, seconds) as load,
        ):
            load.resume()
            assert load.read_line() == "warm"
            before, thought = entries_in(store), thinking_at(port)
            measured: dict[str, Any] = json.loads(load.read_line())
            moves = entries_in(store) - before
            resident = server.resident()
            thinking = {most: n - thought[most] for most, n in thinking_at(port).items()}
    return Scale(
        tables=tables,
        moves_per_second=moves / measured["seconds"],
        cpu_share=measured["cpu_seconds"] / measured["seconds"],
        waiting_share=measured["waited"] / measured["seconds"],
        cpu_ms_per_move=measured["cpu_seconds"] / moves * 1000,
        own_ms=measured["own_ms"],
        all_ms=measured["all_ms"],
        resident=resident,
        thinking=thinking,
    )


def thinking_at(port: int) -> dict[float, int]:
    """Return how many bots answered within each bound in seconds, from the server's metrics."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        found = re.findall(
            r'thinking_seconds_bucket\{le="([0-9.]+)"\} (\d+)', answer.read().decode()
        )
    return {float(seconds): int(number) for seconds, number in found}


def entries_in(store: Path) -> int:
    """Return how many log entries are stored: only moves by then."""
    with closing(sqlite3.connect(store)) as file:
        return int(file.execute("SELECT count(*) FROM lines").fetchone()[0])


def by_length() -> list[float]:
    """Measure what a move costs as a game gets longer."""
    port = free_port()
    with (
        tempfile.TemporaryDirectory(prefix="cosca-bench-") as place,
        house(Path(place, "tables.db"), port, 0) as server,
        people(server, port, "length", LONG_TABLES, LONG_MOVES) as load,
    ):
        load.resume()
        return [float(cost) for cost in json.loads(load.read_line())]


# --- The tables and the plot -------------------------------------------------------------------


def scale_table(found: Growth) -> Table:
    """Return a table of the cost of many tables."""
    table = Table(title="At human pace: two people who think and two bots at each table")
    headings = (
        "tables",
        "moves/s",
        "CPU",
        "no core",
        "CPU ms a move",
        "own ack ms",
        "all views ms",
        "MiB",
    )
    for heading in headings:
        table.add_column(heading, justify="right")
    for scale in found.scales:
        table.add_row(
            f"{scale.tables:,}",
            f"{scale.moves_per_second:.0f}",
            f"{scale.cpu_share:.0%}",
            f"{scale.waiting_share:.0%}",
            f"{scale.cpu_ms_per_move:.2f}",
            "{:.1f} / {:.1f}".format(*scale.own_ms),
            "{:.1f} / {:.1f}".format(*scale.all_ms),
            f"{scale.resident / 2**20:.0f}",
        )
    return table


AT_ONCE: Final = 0.1
"""Seconds within which every bot without search answers."""
ANSWERS: Final = 0.5
"""Seconds within which a boss that thinks for 0.25 must answer."""


def boss_table(alone: Scale, beside: Scale) -> Table:
    """Return a table of what bosses at one more table cost others, and whether they are on time."""
    table = Table(title=f"{alone.tables} tables at human pace, and one more against three bosses")
    for heading in ("", "own ack ms", "all views ms", "boss answers", "within 0.5 s"):
        table.add_column(heading, justify="right")
    for name, scale in (("alone", alone), ("beside bosses", beside)):
        bosses = max(scale.thinking.values()) - scale.thinking[AT_ONCE]
        late = max(scale.thinking.values()) - scale.thinking[ANSWERS]
        table.add_row(
            name,
            "{:.1f} / {:.1f}".format(*scale.own_ms),
            "{:.1f} / {:.1f}".format(*scale.all_ms),
            f"{bosses}",
            f"{bosses - late}",
        )
    ratio = beside.own_ms[1] / alone.own_ms[1]
    table.caption = f"the 99th of 100 acknowledgements takes {ratio:.2f} times as long (aim 2)"
    return table


def length_table(found: Growth) -> Table:
    """Return a table of the cost of long games."""
    table = Table(title="As a game gets longer: four people, no thinking")
    table.add_column("moves")
    table.add_column("CPU ms a move", justify="right")
    for number, cost in enumerate(found.by_length):
        table.add_row(f"{number * STEP + 1}-{(number + 1) * STEP}", f"{cost:.2f}")
    return table


def draw(found: Growth, file: Path) -> None:
    """Draw both as a picture."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "cosca"
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    left.plot([s.tables for s in found.scales], [s.cpu_ms_per_move for s in found.scales], "o-")
    left.set(xlabel="tables", ylabel="CPU ms a move", title="At human pace")
    middles = [(number + 0.5) * STEP for number in range(len(found.by_length))]
    right.plot(middles, found.by_length, "o-")
    right.set(xlabel="moves of the game before", ylabel="CPU ms a move", title="As a game goes on")
    for axes in (left, right):
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    figure.savefig(file, metadata={"Date": None})
