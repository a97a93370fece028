"""`./run bench`: Cosca and its peers in one run, as a table, as JSON, and as a plot."""

import argparse
import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import NoReturn

from bench import peers


class Arguments(argparse.ArgumentParser):
    """Answers what it cannot read with one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say it and leave with 2."""
        self.exit(2, f"{self.prog}: {message}; --help tells what can be asked.\n")


def arguments() -> Arguments:
    """What can be asked for."""
    parser = Arguments(
        prog="bench",
        description="How fast Cosca is, next to its peers; `bench server` measures the house, "
        "`bench web` the client, `bench strength` the bots.",
        allow_abbrev=False,
    )
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    parser.add_argument(
        "--repeats",
        type=repeats,
        default=15,
        metavar="N",
        help="rounds, for the medians (15)",
    )
    parser.add_argument(
        "--seconds", type=seconds, default=0.2, metavar="S", help="length of each sample (0.2)"
    )
    parser.add_argument(
        "--plot", type=svg_file, metavar="FILE", help="draw the medians into an SVG file as well"
    )
    return parser


def repeats(text: str) -> int:
    """A number of rounds."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1000")
    return int(text)


def seconds(text: str) -> float:
    """The length of a sample."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.01 <= value <= 60:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.01 to 60")
    return value


def svg_file(text: str) -> Path:
    """Where the plot goes. Looked at before anything is measured, because that takes a while."""
    file = Path(text)
    if file.suffix != ".svg" or file.is_dir() or not file.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not an .svg file in a directory that exists")
    return file


def main() -> int:
    """Measure, and show what came of it."""
    if sys.argv[1:2] == ["server"]:
        from bench.server.__main__ import main as server

        return server(sys.argv[2:])
    if sys.argv[1:2] == ["web"]:
        from bench.web import main as web

        return web(sys.argv[2:])
    if sys.argv[1:2] == ["strength"]:
        from bench.strength import main as strength

        return strength(sys.argv[2:])
    asked = arguments().parse_args()
    if absent := peers.missing():
        names = ", ".join(absent)
        print(f"bench: {names} not found; `./run bench` installs them.", file=sys.stderr)
        return 2
    # Only now: these need what was just looked for, and --help should need nothing.
    from rich.console import Console
    from rich.progress import track

    from bench import ours, report
    from cosca.catalog import GAMES

    rounds = track(range(asked.repeats), "measuring", console=Console(stderr=True), transient=True)
    taken = report.measure({**peers.measurements(), **ours.measurements()}, rounds, asked.seconds)
    found = report.Report(
        machine=report.machine(),
        compiled=ours.is_compiled(),
        peers=peers.versions(),
        repeats=asked.repeats,
        seconds=asked.seconds,
        medians=report.medians_of(taken),
        ratios=report.ratios_of(taken, GAMES),
        state_bytes=ours.sizes(),
    )
    if asked.plot:
        report.plot(found, asked.plot)
    if asked.json:
        print(json.dumps(asdict(found), indent=2))
    else:
        report.show(found, Console())
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
