"""The dates of a house, and the heartbeats from which the next one knows how long none ran."""

import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from cosca.core.errors import Refused
from cosca.server.live.clock import Clock
from cosca.server.live.tasks import RETRY_SECONDS
from cosca.server.storage.store import Store

T = TypeVar("T")

HEARTBEAT_SECONDS: Final = 2.0
"""Seconds between heartbeats while a clock runs; a kill refunds at most this much thinking."""


async def until_written(clock: Clock, call: Callable[[], Awaitable[T]]) -> T:
    """Call the store again and again, as long as the disk fails."""
    while True:
        try:
            return await call()
        except Refused as reason:
            if reason.key != "web.not_written":
                raise
            await clock.sleep(RETRY_SECONDS)


class HouseClock:
    """Returns the date of the wall clock, but never one before the last heartbeat of any house."""

    def __init__(self, clock: Clock, store: Store) -> None:
        self._clock = clock
        self._store = store
        self.last_heartbeat = 0
        """When a house last ran before this one."""
        self.is_stopped = False
        """Whether the house is closing: nobody's time runs any more."""
        self._opened = clock.date()
        self._ahead = 0
        """Milliseconds by which this house is ahead of the wall clock."""
        self._knows_last = False
        self._writes = False

    def date(self) -> int:
        """Return the date, in milliseconds since 1970."""
        return self._clock.date() + self._ahead

    @property
    def begun(self) -> int:
        """When this house was opened."""
        return self._opened + self._ahead

    async def read_last_heartbeat(self) -> None:
        """Read when a house last ran; this one writes no heartbeat before it knows that."""
        if not self._knows_last:
            last = await self._store.clocks.last_heartbeat()
            self._knows_last = True
            self.last_heartbeat = last
            self._ahead = max(0, last - self._opened)

    async def write_heartbeats(self, is_needed: Callable[[], bool]) -> None:
        """Write heartbeats while one is needed, until the house closes."""
        self._writes = True
        while not self.is_stopped:
            if is_needed():
                save = partial(self._store.clocks.save_heartbeat, self.date())
                await until_written(self._clock, save)
            await self._clock.sleep(HEARTBEAT_SECONDS)

    async def stop(self) -> None:
        """Write the last heartbeat: nobody's time runs while the house closes."""
        if self.is_stopped:
            return
        self.is_stopped = True
        if self._writes:
            with contextlib.suppress(Refused):  # the disk fails: then the one before was the last
                await self._store.clocks.save_heartbeat(self.date())
