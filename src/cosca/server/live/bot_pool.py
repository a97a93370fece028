"""Bots choose their moves in processes of their own, so that nobody at a table waits for them."""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, Protocol, TypeVar

from cosca.bots import consigliere
from cosca.bots.consigliere import Advice
from cosca.bots.roster import find_bot
from cosca.bots.win_chances import Shares, own_win_chances
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server.live.fair_queue import FairQueue, Owner
from cosca.server.telemetry.metrics import Histogram

T = TypeVar("T")

NICE: Final = 5
"""The niceness of the bots' processes: people wait for the server itself."""


class Bots(Protocol):
    """What a table asks bots for: a pool of processes, or a turn in the queue for one."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return what a bot does in a position."""
        ...

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises in a position, after the steps of a move begun."""
        ...

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat, from what that seat knows."""
        ...


def choose(game: str, bot: str, position: Position, seed: int) -> Action:
    """Return what a bot does. It gets a position and dice, and nothing else."""
    return int(find_bot(find(game), bot)(position, Dice(seed)))


def advise(game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
    """Return what the consigliere advises. He gets a position and the own steps, nothing else."""
    return consigliere.advise(find(game), position, begun=begun)


def estimate(game: str, positions: Sequence[Position]) -> Shares:
    """Estimate the win chance of each position's seat, from what that seat knows."""
    return own_win_chances(find(game), positions)


class BotPool:
    """A pool of processes in which bots think. They are started when first needed."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return what a bot does in a position, with dice of its own."""
        return await self._run(choose, game, bot, position, seed)

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises in a position, after the steps of a move begun."""
        return await self._run(advise, game, position, begun)

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat, from what that seat knows."""
        return await self._run(estimate, game, positions)

    async def _run(self, task: Callable[..., T], *args: Any) -> T:
        """Run a task in the pool; if its process is killed, run it again in a new pool."""
        while True:
            pool = self._pool = self._pool or self._start()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, task, *args)
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # a fork would copy sockets and threads
        return ProcessPoolExecutor(self._workers, context, initializer=_begin)

    def close(self) -> None:
        """End all processes."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


class QueuedBots:
    """The bots of one owner, which take turns with those of other owners; the wait is measured."""

    def __init__(self, bots: Bots, queue: FairQueue, owner: Owner, thinking: Histogram) -> None:
        self._bots = bots
        self._queue = queue
        self._owner = owner
        self._thinking = thinking

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return what a bot does in a position, with dice of its own."""
        began = time.perf_counter()
        try:
            async with self._queue.turn(self._owner):
                return await self._bots.choose(game, bot, position, seed)
        finally:
            self._thinking.observe(time.perf_counter() - began)

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises in a position, after the steps of a move begun."""
        async with self._queue.turn(self._owner):
            return await self._bots.advise(game, position, begun)

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat, from what that seat knows."""
        async with self._queue.turn(self._owner):
            return await self._bots.estimate(game, positions)


def _begin() -> None:
    """Leave Ctrl-C to the server, which ends its pool itself, unless it was killed."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """End this process when the server is gone: nobody waits for its result any more."""
    server = multiprocessing.parent_process()
    if server:
        server.join()
        os._exit(0)
