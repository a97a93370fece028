"""The results of the measurements: medians, ratios, a table, JSON and a plot."""

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.sample import Measurement, Sample

LABELS = {
    "openspiel.playout": "OpenSpiel hearts, C++, after the deal",
    "openspiel.ismcts": "OpenSpiel hearts, ISMCTS in C++, simulations",
    "pyspiel.python": "OpenSpiel hearts from Python",
    "pyspiel.python_after_deal": "OpenSpiel hearts from Python, after the deal",
    "pyspiel.copy": "OpenSpiel hearts, clone",
    "rlcard.uno": "RLCard uno, stepped",
    "rlcard.uno_run": "RLCard uno, its own runner",
    "catanatron.catan": "Catanatron",
}
OUR_LABELS = {
    "playout": "playouts",
    "python": "from Python",
    "copy": "copy",
    "pure": "playouts, pure Python",
    "ismcts": "search, simulations",
    "ismcts_one_core": "search, simulations, one core by the wall clock",
    "ismcts_two_cores": "search, simulations, two cores by the wall clock",
}

RATIOS = {
    "playout_vs_openspiel": ("playout", "openspiel.playout"),
    "ismcts_vs_openspiel": ("ismcts", "openspiel.ismcts"),
    "python_vs_pyspiel": ("python", "pyspiel.python"),
    "python_vs_pyspiel_after_deal": ("python", "pyspiel.python_after_deal"),
    "copy_vs_pyspiel": ("copy", "pyspiel.copy"),
    "two_cores_vs_one": ("ismcts_two_cores", "ismcts_one_core"),
    "pure_vs_rlcard": ("pure", "rlcard.uno_run"),
    "pure_vs_rlcard_stepped": ("pure", "rlcard.uno"),
}
"""A measurement of ours, with one of a peer or another of ours of the same game."""

AIMS = {
    "vendetta.playout_vs_openspiel": 2.0,
    "vendetta.python_vs_pyspiel": 3.0,
    "vendetta.copy_vs_pyspiel": 5.0,
    "vendetta.pure_vs_rlcard": 5.0,
    "omerta.playout_vs_openspiel": 1.0,
    "omerta.python_vs_pyspiel": 2.0,
    "sicilianos.playout_vs_openspiel": 1.0,
    "sicilianos.python_vs_pyspiel": 2.0,
    "vendetta.ismcts_vs_openspiel": 1.5,
    "omerta.ismcts_vs_openspiel": 1.5,
    "sicilianos.ismcts_vs_openspiel": 1.5,
    "vendetta.two_cores_vs_one": 1.6,
    "omerta.two_cores_vs_one": 1.6,
    "sicilianos.two_cores_vs_one": 1.6,
}
"""How many times faster than a peer a game should be."""

STATE_LIMITS = {"vendetta": 1024, "omerta": 2048, "sicilianos": 2048}
"""The largest size of one state, in bytes."""


@dataclass(frozen=True)
class Report:
    """Everything one run has measured."""

    machine: dict[str, str | int]
    compiled: bool
    peers: dict[str, str]
    repeats: int
    seconds: float
    medians: dict[str, float]  # seconds for a copy, decisions a second for all else
    ratios: dict[str, float]
    state_bytes: dict[str, int]


def measure(
    measurements: Mapping[str, Measurement], rounds: Iterable[int], seconds: float
) -> dict[str, list[float]]:
    """Take every measurement once in each round, so that a slower machine slows all of them."""
    taken: dict[str, list[float]] = {name: [] for name in side_by_side(measurements)}
    for _ in rounds:
        for name in taken:
            taken[name].append(worth(name, measurements[name](seconds)))
    return taken


def side_by_side(names: Iterable[str]) -> list[str]:
    """Order measurements so that those compared are taken next to each other."""
    theirs = dict(reversed(RATIOS.values()))
    return sorted(names, key=lambda name: (theirs.get(name.partition(".")[2], name), name))


def medians_of(taken: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the median of each measurement."""
    return {name: median(values) for name, values in taken.items()}


def worth(name: str, sample: Sample) -> float:
    """Return seconds for one copy, or decisions a second for anything else."""
    count, seconds = sample
    return seconds / count if is_time(name) else count / seconds


def is_time(name: str) -> bool:
    """Return whether less is better."""
    return name.endswith(".copy")


def ratios_of(taken: Mapping[str, Sequence[float]], games: Iterable[str]) -> dict[str, float]:
    """Return how many times faster each game is: the median of the ratios in each round."""
    ratios = {}
    for game in games:
        for ratio, (ours, theirs) in RATIOS.items():
            other = theirs if theirs in taken else f"{game}.{theirs}"
            rounds = zip(taken[f"{game}.{ours}"], taken[other], strict=True)
            ratios[f"{game}.{ratio}"] = median(
                [yours / mine if is_time(theirs) else mine / yours for mine, yours in rounds]
            )
    return ratios


def machine() -> dict[str, str | int]:
    """Return what it ran on, without anything that identifies its owner."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def cpu_model() -> str:
    """Return the name of the processor, as far as it can be found."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


# --- The table ------------------------------------------------------------------------------


def show(report: Report, console: Console) -> None:
    """Print the report."""
    console.print(f"{report.machine['cpu']}, {report.machine['python']}, one core")
    if not report.compiled:
        console.print("Cosca runs pure here, not compiled: the aims are for compiled rules.")
    console.print(speed_table(report.medians))
    console.print(ratio_table(report.ratios, report.state_bytes))


def speed_table(medians: Mapping[str, float]) -> Table:
    """Return a table of all medians, the fastest of each kind first."""
    table = Table(title="Decisions or simulations a second, and the time of a copy")
    table.add_column("what")
    table.add_column("median", justify="right")
    rates = sorted((name for name in medians if not is_time(name)), key=medians.__getitem__)
    times = sorted((name for name in medians if is_time(name)), key=medians.__getitem__)
    for name in reversed(rates):
        table.add_row(label(name), f"{medians[name]:,.0f} /s")
    for name in times:
        table.add_row(label(name), f"{medians[name] * 1e9:,.0f} ns")
    return table


def ratio_table(ratios: Mapping[str, float], state_bytes: Mapping[str, int]) -> Table:
    """Return a table of all ratios and state sizes beside their aims."""
    table = Table(title="How many times faster")
    table.add_column("ratio")
    table.add_column("measured", justify="right")
    table.add_column("aim", justify="right")
    table.add_column("")
    for name, ratio in ratios.items():
        aim = AIMS.get(name)
        met = "" if aim is None else verdict(ratio >= aim)
        table.add_row(name, f"{ratio:.2f} x", "" if aim is None else f">= {aim:g} x", met)
    for game, size in state_bytes.items():
        limit = STATE_LIMITS[game]
        table.add_row(f"{game}, one state", f"{size} B", f"<= {limit} B", verdict(size <= limit))
    return table


def verdict(met: bool) -> str:
    """Return a word for whether an aim is met."""
    return "yes" if met else "NO"


def label(name: str) -> str:
    """Return the label of a measurement."""
    if name in LABELS:
        return LABELS[name]
    game, _, what = name.partition(".")
    return f"Cosca {game}, {OUR_LABELS[what]}"


# --- The plot -------------------------------------------------------------------------------


def plot(report: Report, file: Path) -> None:
    """Draw the medians as bars: decisions a second above, copies below."""
    import matplotlib

    matplotlib.use("svg")
    # Text stays text, and the same figures give the same file.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "cosca", "font.size": 9})
    from matplotlib import pyplot

    times = {name: value * 1e9 for name, value in report.medians.items() if is_time(name)}
    rates = {name: value for name, value in report.medians.items() if not is_time(name)}
    height = 1.6 + 0.3 * len(report.medians)
    figure, (above, below) = pyplot.subplots(
        2, 1, figsize=(8, height), height_ratios=[len(rates), len(times)], layout="constrained"
    )
    bars(above, rates, "decisions or simulations a second (more is better, logarithmic)")
    above.set_xscale("log")
    above.set_xlim(left=1000)
    bars(below, times, "nanoseconds for a copy (less is better)")
    how = "compiled" if report.compiled else "pure Python"
    where = f"{report.machine['cpu']}, one core, {report.machine['python']}"
    figure.suptitle(f"Cosca ({how}) and its peers: {where}")
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)


def bars(axes: Any, values: Mapping[str, float], title: str) -> None:
    """Draw one bar for each value, the largest at the top, ours in another colour."""
    names = sorted(values, key=values.__getitem__)
    colours = ["#9aa5b1" if name in LABELS else "#a3262a" for name in names]
    lengths = [values[name] for name in names]
    drawn = axes.barh([label(name) for name in names], lengths, color=colours)
    axes.bar_label(drawn, labels=[f"{length:,.0f}" for length in lengths], padding=3)
    axes.set_xlabel(title)
    axes.margins(x=0.2)
    axes.spines[["top", "right"]].set_visible(False)
