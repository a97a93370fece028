"""The fair queue: so many jobs run at once, and those who wait take turns by owner.

An owner is who causes the work: a network, and within it a browser. However many jobs somebody has
queued, another waits for one of them, not for all.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import TypeAlias

Owner: TypeAlias = tuple[str, str]
"""The network somebody comes from, if it is known, and the browser."""
Waiting: TypeAlias = "asyncio.Future[None]"


class FairQueue:
    """Lets a number of jobs run at once; the owners of the others take turns."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._ring = Ring()

    @contextlib.asynccontextmanager
    async def turn(self, owner: Owner) -> AsyncIterator[None]:
        """Wait for a turn, and have it as long as the block runs."""
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
            if not waiting.cancelled():  # its turn had come just then: the next one has it
                self._next()
            raise

    def _next(self) -> None:
        """Give the turn to whoever is next and still waits."""
        while self._ring:
            waiting = self._ring.take()
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1


class Ring:
    """Waiting jobs in a ring of owners: who was served goes to the back, with all that is left."""

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
        """Take the next job: of each owner one, and then again."""
        if self._jobs:
            return self._jobs.popleft()
        name = next(iter(self._inner))
        ring = self._inner.pop(name)
        waiting = ring.take()
        if ring:
            self._inner[name] = ring
        return waiting
