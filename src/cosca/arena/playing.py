"""Playing many bouts in parallel; the number of processes changes nothing but the time."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from itertools import islice
from typing import TypeVar

from cosca.arena.bout import Bout, Clock, PlayedGame, play_bout
from cosca.bots.external import BotProcesses
from cosca.catalog import find

T = TypeVar("T")
Finish = Callable[[Bout, PlayedGame], T]
"""Turns a played game into a result, in the process that played it, so that little is sent."""


def play_all(
    bouts: Iterable[Bout],
    jobs: int,
    finish: Finish[T],
    *,
    at_once: int = 1,
    in_order: bool = False,
    clock: Clock = time.perf_counter,
) -> Iterator[T]:
    """Play all bouts; yield each result as soon as it is there, or in the order given."""
    chunks = _chunks(bouts, at_once)
    if jobs == 1:
        done = _in_sequence(chunks, finish, clock)
    else:
        done = _in_parallel(chunks, jobs, finish, clock)
    for _, results_of_chunk in _sorted(done) if in_order else done:
        yield from results_of_chunk


def _chunks(bouts: Iterable[Bout], size: int) -> Iterator[list[Bout]]:
    """Yield bouts in chunks, created when needed: there may be millions."""
    left = iter(bouts)
    while chunk := list(islice(left, size)):
        yield chunk


Done = Iterator[tuple[int, list[T]]]
"""The number of each finished chunk, with its results."""


def _in_sequence(chunks: Iterable[Sequence[Bout]], finish: Finish[T], clock: Clock) -> Done[T]:
    processes = BotProcesses()
    try:
        for number, chunk in enumerate(chunks):
            yield number, _play_chunk(processes, chunk, finish, clock)
    finally:
        processes.close()


def _in_parallel(
    chunks: Iterable[Sequence[Bout]], jobs: int, finish: Finish[T], clock: Clock
) -> Done[T]:
    """Play in worker processes, each with one chunk running and one queued."""
    with ProcessPoolExecutor(jobs, initializer=_start_worker) as workers:
        pending: dict[Future[list[T]], int] = {}
        try:
            for number, chunk in enumerate(chunks):
                pending[workers.submit(_play_in_worker, chunk, finish, clock)] = number
                if len(pending) >= 2 * jobs:
                    yield from _finished(pending)
            while pending:
                yield from _finished(pending)
        except BaseException:
            for worker in multiprocessing.active_children():
                worker.terminate()  # do not wait for running games
            raise


def _finished(pending: dict[Future[list[T]], int]) -> Done[T]:
    """Yield the chunks that are finished, at least one."""
    for future in wait(pending, return_when=FIRST_COMPLETED).done:
        yield pending.pop(future), future.result()


def _sorted(done: Done[T]) -> Done[T]:
    """Yield the same in order; early chunks wait."""
    early: dict[int, list[T]] = {}
    expected = 0
    for number, results_of_chunk in done:
        early[number] = results_of_chunk
        while expected in early:
            yield expected, early.pop(expected)
            expected += 1


def _play_chunk(
    processes: BotProcesses, chunk: Sequence[Bout], finish: Finish[T], clock: Clock
) -> list[T]:
    results = []
    for bout in chunk:
        game = find(bout.game)
        bots = [processes.bot(game, name, seat) for seat, name in enumerate(bout.bots)]
        results.append(finish(bout, play_bout(bout, bots, clock)))
    return results


# --- In a process of its own ----------------------------------------------------------------------


def _play_in_worker(chunk: Sequence[Bout], finish: Finish[T], clock: Clock) -> list[T]:
    return _play_chunk(_bot_processes(), chunk, finish, clock)


@cache
def _bot_processes() -> BotProcesses:
    """Return the bots of this process; their programs end with it."""
    return BotProcesses()


def _start_worker() -> None:
    """Leave Ctrl-C to the arena, which ends its workers itself, and watch whether it is alive."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_arena, daemon=True).start()


def _end_with_the_arena() -> None:
    """End this worker when the arena has been killed."""
    arena = multiprocessing.parent_process()
    if arena:
        arena.join()
        os._exit(0)
