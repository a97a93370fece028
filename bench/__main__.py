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
    """An argument parser that reports errors in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with code 2."""
        self.exit(2, f"{self.prog}: {message}. See --help.\n")


def arguments() -> Arguments:
    """Return the argument parser."""
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
    """Parse a number of rounds."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= 1000):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 1000")
    return int(text)


def seconds(text: str) -> float:
    """Parse the length of a sample."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.01 <= value <= 60:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.01 to 60")
    return value


def svg_file(text: str) -> Path:
    """Parse the path of the plot. Checked first, because measuring takes a while."""
    file = Path(text)
    if file.suffix != ".svg" or file.is_dir() or not file.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is not an .svg file in a directory that exists")
    return file


def main() -> int:
    """Measure, and show the results."""
    if sys.argv[1:2] == ["server"]:
        from bench.server.__main__ import main as server

        return server(sys.argv[2:])
    if sys.argv[1:2] == ["web"]:
        from bench.web import main as web

        return web(sys.argv[2:])
    if sys.argv[1:2] == ["strength"]:
        from bench.strength import main as strength

        return strength(sys.argv[2:])
    options = arguments().parse_args()
    if absent := peers.missing():
        names = ", ".join(absent)
        print(f"bench: {names} not found; `./run bench` installs them.", file=sys.stderr)
        return 2
    # Imported late: these need the packages checked above, and --help should need nothing.
    from rich.console import Console
    from rich.progress import track

    from bench import ours, report
    from cosca.catalog import GAMES

    rounds = track(
        range(options.repeats), "measuring", console=Console(stderr=True), transient=True
    )
    taken = report.measure({**peers.measurements(), **ours.measurements()}, rounds, options.seconds)
    measured = report.Report(
        machine=report.machine(),
        compiled=ours.is_compiled(),
        peers=peers.versions(),
        repeats=options.repeats,
        seconds=options.seconds,
        medians=report.medians_of(taken),
        ratios=report.ratios_of(taken, GAMES),
        state_bytes=ours.sizes(),
    )
    if options.plot:
        report.plot(measured, options.plot)
    if options.json:
        print(json.dumps(asdict(measured), indent=2))
    else:
        report.show(measured, Console())
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
