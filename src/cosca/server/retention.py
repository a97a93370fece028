"""How long tables are kept: for ever, or until nothing has happened at them for some days."""

import contextlib
from typing import Final

from cosca.core.errors import Refused
from cosca.server.clock import Clock
from cosca.server.house import House
from cosca.server.logs import note

EVERY: Final = 3600.0
"""Seconds between two looks."""
DAY: Final = 86_400_000
"""Milliseconds."""
AT_ONCE: Final = 100
"""So many tables are deleted in one transaction: moves are to be written in between."""


class Retention:
    """Deletes old tables; never one that somebody is at, in this process or another."""

    def __init__(self, house: House, clock: Clock, keep_days: int | None) -> None:
        self._house = house
        self._clock = clock
        self._keep_days = keep_days

    async def run(self) -> None:
        """Look now and then, for ever."""
        while True:
            with contextlib.suppress(Refused):  # the disk is full, say: the store has said so
                await self.sweep()
            await self._clock.sleep(EVERY)

    async def sweep(self) -> int:
        """Note at which tables somebody is, and delete what is old: how many tables."""
        now = self._clock.date()
        await self._house.store.touch(self._house.loaded(), now)
        if self._keep_days is None:
            return 0
        return await self._delete(now - self._keep_days * DAY)

    async def _delete(self, before: int) -> int:
        deleted = 0
        while codes := await self._house.store.sweep(before, AT_ONCE):
            for code in codes:
                await self._house.drop(code)
            deleted += len(codes)
        if deleted:
            note("tables_deleted", number=deleted)
        return deleted
