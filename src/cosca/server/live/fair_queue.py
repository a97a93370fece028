"""The fair queue: a fixed number of jobs run at once, and the owners of waiting jobs take turns.

An owner is what causes the work: a network, and within it a browser. However many jobs one owner
has queued, another waits for one of them, not for all.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import TypeAlias

Owner: TypeAlias = tuple[str, str]
"""A network, if it is known, and a browser."""
Waiting: TypeAlias = "asyncio.Future[None]"


class FairQueue:
    """Lets a number of jobs run at once; the owners of the others take turns."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._ring = Ring()

    @contextlib.asynccontextmanager
    async def turn(self, owner: Owner) -> AsyncIterator[None]:
        """Wait for a turn, and hold it while the block runs."""
        await self._wait(owner)
        try:
            yield
        finally:
            self._next()

    async def _wait(self, owner: Owner) -> None:
        if self._free:
            self._free -= 1
            return
        waiting: Waiting = asyncio.get_running_loop().create_future()
        self._ring.put(owner, waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():  # its turn had just come: pass it on
                self._next()
            raise

    def _next(self) -> None:
        """Give the turn to the next job that still waits."""
        while self._ring:
            waiting = self._ring.take()
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1


class Ring:
    """Waiting jobs in a ring of owners: an owner that was served goes to the back."""

    def __init__(self) -> None:
        self._inner: dict[str, Ring] = {}
        self._jobs: deque[Waiting] = deque()

    def __bool__(self) -> bool:
        return bool(self._inner or self._jobs)

    def put(self, owner: Sequence[str], waiting: Waiting) -> None:
        """Add a job to those of its owner."""
        if not owner:
            self._jobs.append(waiting)
            return
        self._inner.setdefault(owner[0], Ring()).put(owner[1:], waiting)

    def take(self) -> Waiting:
        """Take the next job: one of each owner in turn."""
        if self._jobs:
            return self._jobs.popleft()
        name = next(iter(self._inner))
        ring = self._inner.pop(name)
        waiting = ring.take()
        if ring:
            self._inner[name] = ring
        return waiting
