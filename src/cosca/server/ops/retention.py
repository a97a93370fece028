"""Delete tables that had no activity for some days, if the host wants that.

A clock that is wrong by weeks would make every table old at once. So time that passes in one jump
longer than a house is usually closed does not count: no table ages by it.
"""

import contextlib
import logging
from typing import Final

from cosca.core.errors import Refused
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.telemetry.logs import log_event

SWEEP_INTERVAL: Final = 3600.0
"""Seconds between two sweeps, and from the start to the first."""
HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
"""Milliseconds."""
MAX_CLOSED: Final = 7 * DAY
"""The longest time a house is expected to be closed; at most half of the retention time."""
BATCH: Final = 100
"""Tables deleted in one transaction, so that moves can be written in between."""


class Retention:
    """Deletes inactive tables, but never one that somebody has open, here or in another process."""

    def __init__(self, house: House, clock: Clock, keep_days: int | None) -> None:
        self._house = house
        self._clock = clock
        self._keep = None if keep_days is None else keep_days * DAY

    async def run(self) -> None:
        """Sweep every hour, first after an hour: the host can correct a wrong clock before."""
        with contextlib.suppress(Refused):  # the disk failed; the next sweep looks again
            await self.check_clock()
        while True:
            await self._clock.sleep(SWEEP_INTERVAL)
            with contextlib.suppress(Refused):  # the disk failed, and the store has logged it
                await self.sweep()

    async def check_clock(self) -> int:
        """Log a jump of the wall clock; return the milliseconds by which no table has aged."""
        now = self._clock.date()
        tolerance = MAX_CLOSED if self._keep is None else min(MAX_CLOSED, self._keep // 2)
        jump = await self._house.store.clocks.observe_wall_clock(now, tolerance)
        if jump.by:
            log_event("clock_jumped", logging.WARNING, hours=round(jump.by / HOUR))
        if self._keep is None or now >= jump.jumped + self._keep:
            return 0  # a table from before the jump is old even without it
        return jump.skipped

    async def sweep(self) -> int:
        """Save which tables are open, delete what is old, and return how many tables that were."""
        skipped = await self.check_clock()
        await self._house.store.tables.touch(self._house.loaded(), self._house.dates.date())
        await self._house.store.refusals.expire(self._house.dates.date())
        if self._keep is None:
            return 0
        return await self._delete(self._clock.date() - self._keep - skipped)

    async def _delete(self, before: int) -> int:
        """Delete all tables without activity since a date; return how many."""
        deleted = 0
        while codes := await self._house.store.tables.delete_inactive(before, BATCH):
            for code in codes:
                await self._house.drop(code)
            deleted += len(codes)
        if deleted:
            log_event("tables_deleted", number=deleted)
        return deleted
