"""`./run soak`: the long tests, in pieces that can be stopped and taken up again.

./run soak                     run all of them from the beginning
./run soak --resume            go on where the last run stopped
./run soak kills twins-omerta  run only these; --resume and --minutes work here too
./run soak seeds --piece 17    run one piece again, and see how it fails
./run soak --list              show what there is, and how far it is
"""

import argparse
import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from tests.soak.ledger import Ledger, commit
from tests.soak.soaks import SOAKS, Soak

Result = tuple[int, float, str]
"""Of a piece: how many units it did, in how many seconds, and how it failed if it did."""


def main(words: Sequence[str]) -> int:
    """Run what is asked for; the exit code is 1 if anything failed, 2 if it cannot be asked for."""
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
    return _run(ledger, soaks, asked.workers, asked.minutes)


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
    """Run one piece here, so that a debugger or a trace can look at it."""
    if len(soaks) != 1:
        print("Name the one soak whose piece you want to run again.", file=sys.stderr)
        return 2
    print(f"{soaks[0].run(piece):,} {soaks[0].unit}")
    return 0


def _show(ledger: Ledger, soaks: Sequence[Soak]) -> None:
    for soak in soaks:
        print(f"{soak.name:20} {ledger.done(soak):>9,} of {soak.target:>9,} {soak.unit}")


def _run(ledger: Ledger, soaks: Sequence[Soak], workers: int, minutes: float | None) -> int:
    """Run pieces until every soak has reached its target, and note each as it ends."""
    at = commit()
    until = time.monotonic() + minutes * 60 if minutes else float("inf")
    failures = 0
    with _workers(workers) as pool:
        for soak in soaks:
            failures += _soak(pool, workers, ledger, soak, at, until)
    _show(ledger, soaks)
    return int(failures > 0)


def _soak(
    pool: ProcessPoolExecutor, workers: int, ledger: Ledger, soak: Soak, at: str, until: float
) -> int:
    """Run one soak to its target, or until its first failure; return how many pieces failed."""
    pending: dict[Future[Result], int] = {}
    pieces = _pieces(ledger.pieces(soak))
    failures = 0
    while True:
        while len(pending) < workers and not failures and time.monotonic() < until:
            if ledger.done(soak) + len(pending) * _usual_size(ledger, soak) >= soak.target:
                break
            piece = next(pieces)
            pending[pool.submit(_piece, soak.name, piece)] = piece
        if not pending:
            return failures
        for future in wait(pending, return_when=FIRST_COMPLETED).done:
            piece = pending.pop(future)
            units, seconds, failure = future.result()
            if failure:
                failures += 1
                ledger.failed(soak, at, piece)
                print(f"{soak.name}, piece {piece}, failed:\n{failure}", flush=True)
                print(f"Repeat it with ./run soak {soak.name} --piece {piece}", flush=True)
            else:
                ledger.passed(soak, at, piece, units, seconds)
                print(f"{soak.name}: {ledger.done(soak):,} of {soak.target:,}", flush=True)


def _pieces(known: set[int]) -> Iterator[int]:
    """Return the numbers of the pieces that were not done yet."""
    piece = 0
    while True:
        if piece not in known:
            yield piece
        piece += 1


def _usual_size(ledger: Ledger, soak: Soak) -> float:
    """Return how many units a piece brings, so that none is begun that is not needed."""
    pieces = len(ledger.pieces(soak))
    return ledger.done(soak) / pieces if pieces else 0.0


def _piece(name: str, piece: int) -> Result:
    """Run one piece in a process of the pool."""
    began = time.monotonic()
    try:
        units = SOAKS[name].run(piece)
    except Exception:
        return 0, time.monotonic() - began, traceback.format_exc()
    return units, time.monotonic() - began, ""


@contextlib.contextmanager
def _workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """Give a pool of processes that ends at once at Ctrl-C: what passed is in the ledger."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(number, context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the command itself, and be quiet: disks that fail here fail on purpose."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
