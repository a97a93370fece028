"""Bots think in processes of their own, so that nobody at a table waits for them."""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cosca.bots.consigliere import Advice, advise
from cosca.bots.roster import find_bot
from cosca.bots.win_chances import Shares, own_win_chances
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server.live.fair_queue import FairQueue, Owner
from cosca.server.telemetry.metrics import Histogram

if TYPE_CHECKING:  # the crew is one of them
    from cosca.server.live.table import Thinkers

T = TypeVar("T")

NICE: Final = 5
"""How far who thinks stands back where people wait for the house itself."""


def choose(game: str, bot: str, position: Position, seed: int) -> Action:
    """What a bot does. It is handed a position, and nothing else."""
    return int(find_bot(find(game), bot)(position, Dice(seed)))


def counsel(game: str, position: Position) -> Advice:
    """What the consigliere says. He is handed a position, and nothing else."""
    return advise(find(game), position)


def weigh(game: str, positions: Sequence[Position]) -> Shares:
    """What the seats of some positions can think of their own chances."""
    return own_win_chances(find(game), positions)


class Crew:
    """Processes that think for the house. They are begun when first needed."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """What a bot does in a position, with dice of its own."""
        return await self._ask(choose, game, bot, position, seed)

    async def counsel(self, game: str, position: Position) -> Advice:
        """What the consigliere says about a position."""
        return await self._ask(counsel, game, position)

    async def weigh(self, game: str, positions: Sequence[Position]) -> Shares:
        """What the seats of some positions can think of their own chances."""
        return await self._ask(weigh, game, positions)

    async def _ask(self, task: Callable[..., T], *words: Any) -> T:
        """Let somebody think. If the process is killed meanwhile, somebody else thinks again."""
        while True:
            pool = self._pool = self._pool or self._begun()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, task, *words)
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None

    def _begun(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # a fork would copy sockets and threads
        return ProcessPoolExecutor(self._workers, context, initializer=_begin)

    def close(self) -> None:
        """Send everybody home."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


class InTurn:
    """The same thinkers as one owner has them: in turn with others; the wait is measured."""

    def __init__(
        self, crew: "Thinkers", queue: FairQueue, owner: Owner, thinking: Histogram
    ) -> None:
        self._crew = crew
        self._queue = queue
        self._owner = owner
        self._thinking = thinking

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """What a bot does in a position, with dice of its own."""
        began = time.perf_counter()
        try:
            async with self._queue.turn(self._owner):
                return await self._crew.choose(game, bot, position, seed)
        finally:
            self._thinking.observe(time.perf_counter() - began)

    async def counsel(self, game: str, position: Position) -> Advice:
        """What the consigliere says about a position."""
        async with self._queue.turn(self._owner):
            return await self._crew.counsel(game, position)

    async def weigh(self, game: str, positions: Sequence[Position]) -> Shares:
        """What the seats of some positions can think of their own chances."""
        async with self._queue.turn(self._owner):
            return await self._crew.weigh(game, positions)


def _begin() -> None:
    """Ctrl-C is for the house, which sends its crew home itself, unless it was killed."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_house, daemon=True).start()


def _end_with_the_house() -> None:
    """Nobody thinks for a house that is no more: what was asked would be waited for for ever."""
    house = multiprocessing.parent_process()
    if house:
        house.join()
        os._exit(0)
