"""How long tables are kept: for ever, or until nothing has happened at them for some days.

A clock that is wrong by weeks would make every table old at once. So a stretch of time that is
longer than a house is usually closed does not count: no table gets older by it.
"""

import contextlib
import logging
from typing import Final

from cosca.core.errors import Refused
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.telemetry.logs import note

EVERY: Final = 3600.0
"""Seconds between two looks, and until the first."""
DAY: Final = 86_400_000
"""Milliseconds."""
CLOSED: Final = 7 * DAY
"""A house may be closed for so long; where tables are kept for less than twice that, for half."""
AT_ONCE: Final = 100
"""So many tables are deleted in one transaction: moves are to be written in between."""


class Retention:
    """Deletes old tables; never one that somebody is at, in this process or another."""

    def __init__(self, house: House, clock: Clock, keep_days: int | None) -> None:
        self._house = house
        self._clock = clock
        self._keep = None if keep_days is None else keep_days * DAY

    async def run(self) -> None:
        """Look now and then, for ever; not at once, so that a wrong clock can be put right."""
        with contextlib.suppress(Refused):  # the disk is full, say: then it is seen in an hour
            await self.see_clock()
        while True:
            await self._clock.sleep(EVERY)
            with contextlib.suppress(Refused):  # the store has said so
                await self.sweep()

    async def see_clock(self) -> int:
        """Note what the clock says, and warn if it has jumped: how much of the past is no age."""
        now = self._clock.date()
        most = CLOSED if self._keep is None else min(CLOSED, self._keep // 2)
        jump = await self._house.store.clocks.observe_wall_clock(now, most)
        if jump.by:
            note("clock_jumped", logging.WARNING, hours=round(jump.by / 3_600_000))
        if self._keep is None or now >= jump.jumped + self._keep:
            return 0  # whatever was there before the jump is old without it
        return jump.skipped

    async def sweep(self) -> int:
        """Note at which tables somebody is, and delete what is old: how many tables."""
        skipped = await self.see_clock()
        await self._house.store.tables.touch(self._house.loaded(), self._house.date())
        await self._house.store.refusals.expire(self._house.date())
        if self._keep is None:
            return 0
        return await self._delete(self._clock.date() - self._keep - skipped)

    async def _delete(self, before: int) -> int:
        deleted = 0
        while codes := await self._house.store.tables.delete_inactive(before, AT_ONCE):
            for code in codes:
                await self._house.drop(code)
            deleted += len(codes)
        if deleted:
            note("tables_deleted", number=deleted)
        return deleted
