"""`./run soak`: the long tests, in pieces that can be stopped and resumed."""

import argparse
import os
import sys
from collections.abc import Sequence

from tests.mutants import __main__ as mutants
from tests.soak.ledger import Ledger
from tests.soak.running import run
from tests.soak.soaks import SOAKS, Soak


def main(words: Sequence[str]) -> int:
    """Run the requested soaks; exit with 1 if any failed, 2 for invalid arguments."""
    if words[:1] == ["mutants"]:
        return mutants.main(words[1:])
    asked = _parser().parse_args(words)
    unknown = [name for name in asked.names if name not in SOAKS]
    if unknown:
        print(f"Unknown soak “{unknown[0]}”. Choose {', '.join(SOAKS)}.", file=sys.stderr)
        return 2
    soaks = [SOAKS[name] for name in asked.names or SOAKS]
    if asked.piece is not None:
        return _repeat(soaks, asked.piece)
    ledger = Ledger()
    if asked.list:
        _show(ledger, soaks)
        return 0
    if not asked.resume:
        ledger.forget(soaks)
    failures = run(ledger, soaks, asked.workers, asked.minutes)
    _show(ledger, soaks)
    return int(failures > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./run soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="which soaks; all if none is named")
    parser.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    parser.add_argument(
        "--minutes", type=float, help="begin no further piece after so many minutes"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes to use")
    parser.add_argument("--piece", type=int, help="run one piece of one soak again")
    parser.add_argument("--list", action="store_true", help="show what there is, and how far it is")
    return parser


def _repeat(soaks: Sequence[Soak], piece: int) -> int:
    """Run one piece in this process, for a debugger or a trace."""
    if len(soaks) != 1:
        print("Name the one soak whose piece you want to run again.", file=sys.stderr)
        return 2
    print(f"{soaks[0].run(piece):,} {soaks[0].unit}")
    return 0


def _show(ledger: Ledger, soaks: Sequence[Soak]) -> None:
    for soak in soaks:
        print(f"{soak.name:20} {ledger.done(soak):>9,} of {soak.target:>9,} {soak.unit}")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
