"""Running soaks: pieces in processes, each noted in the ledger as it ends."""

import contextlib
import logging
import multiprocessing
import signal
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

from tests.soak.ledger import Ledger, commit
from tests.soak.soaks import Soak

Result = tuple[int, float, str]
"""Of a piece: how many units it did, in how many seconds, and how it failed if it did."""


def run(ledger: Ledger, soaks: Sequence[Soak], workers: int, minutes: float | None = None) -> int:
    """Run pieces until every soak has reached its target; return how many failed."""
    at = commit()
    until = time.monotonic() + minutes * 60 if minutes else float("inf")
    failures = 0
    with _workers(workers) as pool:
        for soak in soaks:
            failures += _soak(pool, workers, ledger, soak, at, until)
    return failures


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
            pending[pool.submit(_piece, soak, piece)] = piece
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


def _piece(soak: Soak, piece: int) -> Result:
    """Run one piece in a process of the pool."""
    began = time.monotonic()
    try:
        units = soak.run(piece)
        assert units > 0, "it looked at nothing, so it would never end"
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
