"""Many bouts, played by as many processes as wanted: they change nothing but the time."""

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
"""What is made of a game right where it was played, so that little has to travel."""


def play_all(
    bouts: Iterable[Bout],
    jobs: int,
    finish: Finish[T],
    *,
    at_once: int = 1,
    in_order: bool = False,
    clock: Clock = time.perf_counter,
) -> Iterator[T]:
    """Play all bouts; what is made of each as soon as it is there, or in the order asked for."""
    chunks = _chunks(bouts, at_once)
    if jobs == 1:
        done = _one_by_one(chunks, finish, clock)
    else:
        done = _side_by_side(chunks, jobs, finish, clock)
    for _, some in _sorted(done) if in_order else done:
        yield from some


def _chunks(bouts: Iterable[Bout], size: int) -> Iterator[list[Bout]]:
    """So many at a time, made when they are needed: there may be millions."""
    left = iter(bouts)
    while chunk := list(islice(left, size)):
        yield chunk


Done = Iterator[tuple[int, list[T]]]
"""The number of each chunk that is done, and what was made of it."""


def _one_by_one(chunks: Iterable[Sequence[Bout]], finish: Finish[T], clock: Clock) -> Done[T]:
    company = BotProcesses()
    try:
        for number, chunk in enumerate(chunks):
            yield number, _played(company, chunk, finish, clock)
    finally:
        company.close()


def _side_by_side(
    chunks: Iterable[Sequence[Bout]], jobs: int, finish: Finish[T], clock: Clock
) -> Done[T]:
    """Each process has one chunk, and one is ready for it: what is asked can still be stopped."""
    with ProcessPoolExecutor(jobs, initializer=_begin) as workers:
        asked: dict[Future[list[T]], int] = {}
        try:
            for number, chunk in enumerate(chunks):
                asked[workers.submit(_played_here, chunk, finish, clock)] = number
                if len(asked) >= 2 * jobs:
                    yield from _finished(asked)
            while asked:
                yield from _finished(asked)
        except BaseException:
            for worker in multiprocessing.active_children():
                worker.terminate()  # what is being played is not waited for
            raise


def _finished(asked: dict[Future[list[T]], int]) -> Done[T]:
    """What is done now, at least one chunk."""
    for future in wait(asked, return_when=FIRST_COMPLETED).done:
        yield asked.pop(future), future.result()


def _sorted(done: Done[T]) -> Done[T]:
    """The same in order: what comes early waits."""
    early: dict[int, list[T]] = {}
    expected = 0
    for number, some in done:
        early[number] = some
        while expected in early:
            yield expected, early.pop(expected)
            expected += 1


def _played(
    company: BotProcesses, chunk: Sequence[Bout], finish: Finish[T], clock: Clock
) -> list[T]:
    made = []
    for bout in chunk:
        game = find(bout.game)
        bots = [company.bot(game, name, seat) for seat, name in enumerate(bout.bots)]
        made.append(finish(bout, play_bout(bout, bots, clock)))
    return made


# --- In a process of its own ----------------------------------------------------------------------


def _played_here(chunk: Sequence[Bout], finish: Finish[T], clock: Clock) -> list[T]:
    return _played(_company(), chunk, finish, clock)


@cache
def _company() -> BotProcesses:
    """The bots of this process; their programs end when it does and they hear no more."""
    return BotProcesses()


def _begin() -> None:
    """Ctrl-C is for the arena, which sends its workers home itself, unless it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_arena, daemon=True).start()


def _end_with_the_arena() -> None:
    """Nobody plays for an arena that was killed."""
    arena = multiprocessing.parent_process()
    if arena:
        arena.join()
        os._exit(0)
