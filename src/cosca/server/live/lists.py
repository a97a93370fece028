"""Lists of tables, made from their summaries: nothing is opened or replayed for a list."""

import contextlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.server.live.clock import Clock
from cosca.server.live.house_clock import until_written
from cosca.server.live.loading import load_room
from cosca.server.live.summary import (
    FORMAT,
    Summary,
    encode_summary,
    read_summary,
    summarize,
)
from cosca.server.storage.store import Store
from cosca.server.storage.values import StoredTable

if TYPE_CHECKING:  # a house has both
    from cosca.server.live.table import LiveTable

MOST_LISTED: Final = 20
MINUTE: Final = 60_000
DAY: Final = 24 * 60 * MINUTE
"""Milliseconds."""
WATCHABLE_FOR: Final = 15 * MINUTE
"""How long a game stays on the list of games to watch after its last move, with nobody there."""
SLOW_WATCHABLE_FOR: Final = 3 * DAY
"""The same for a game with days per move."""
MINE_FOR: Final = 14 * DAY
"""How long a table stays on the list of your tables after anything last happened there."""


class Lists:
    """The tables of a store, with those that are open now as they are now."""

    def __init__(self, store: Store, clock: Clock, open_tables: Mapping[str, "LiveTable"]) -> None:
        self._store = store
        self._clock = clock
        self._open = open_tables

    async def tables_of(self, owners: Sequence[str]) -> list[wire.Listed]:
        """Return the tables of the first owner; it may be the turn of others at the same device.

        Tables at which nothing has happened for long are left out, but not deleted.
        """
        stored = await self._store.tables.of_owner(owners[0], MOST_LISTED)
        return self._listed([table for table in stored if self._is_mine(table)], owners)

    async def tables_to_watch(self) -> list[wire.Listed]:
        """Return the tables being played that their hosts have listed for everybody.

        Tables that everybody has left some time ago are left out.
        """
        stored = await self._store.tables.listed(MOST_LISTED)
        listed = self._listed([table for table in stored if self._is_watchable(table)], [""])
        return [table for table in listed if table.stage == "playing"]

    def _is_watchable(self, stored: StoredTable) -> bool:
        """Return whether somebody is at a table, or something happened there not long ago."""
        live = self._open.get(stored.code)
        if live and live.subscribers.present():
            return True
        return self._age(stored) < (SLOW_WATCHABLE_FOR if self._is_slow(stored) else WATCHABLE_FOR)

    def _is_mine(self, stored: StoredTable) -> bool:
        """Return whether a table is still listed for its players; a slow game is to its end."""
        is_waiting = stored.stage == "playing" and self._is_slow(stored)
        return is_waiting or self._age(stored) < MINE_FOR

    def _is_slow(self, stored: StoredTable) -> bool:
        """Return whether players have days for each move."""
        summary = self.summary(stored)
        return summary is not None and summary.room.pace == "days"

    def _age(self, stored: StoredTable) -> int:
        """Return how long ago something last happened at a table, in milliseconds."""
        live = self._open.get(stored.code)
        summary = None if live else read_summary(stored)
        last = live.room.last if live else summary.last if summary else stored.touched
        return self._clock.date() - last

    def _listed(self, stored: list[StoredTable], owners: Sequence[str]) -> list[wire.Listed]:
        listed = []
        for table in stored:
            live = self._open.get(table.code)
            summary = self.summary(table)
            if summary:  # one of another version, or not filled in yet, cannot be shown
                listed.append(summary.listed(owners, live.subscribers.present() if live else ()))
        return listed

    def summary(self, stored: StoredTable) -> Summary | None:
        """Return the summary of a table: as it is now if it is open, else as it was saved."""
        live = self._open.get(stored.code)
        return summarize(live.room) if live else read_summary(stored)

    async def closed_room(self, code: str, owner: str) -> wire.Room | None:
        """Return a table that is not open as a browser sees it, if its summary is enough.

        It is not before the cards are dealt, when some browsers see more than others.
        """
        stored = None if code in self._open else await self._store.tables.find(code)
        summary = read_summary(stored) if stored else None
        if not (stored and summary and summary.length == stored.length):
            return None
        return summary.seen_by(owner) if summary.room.stage in ("playing", "over") else None

    async def fill_in(self) -> None:
        """Save the summaries that are missing or behind, one after another, the latest first."""
        missing = partial(self._store.tables.without_summary, FORMAT)
        for code in await until_written(self._clock, missing):
            with contextlib.suppress(Refused):  # a table of another version stays as it is
                await until_written(self._clock, partial(self._fill_in, code))

    async def _fill_in(self, code: str) -> None:
        if code not in self._open and await self._store.tables.find(code):
            room, _ = await load_room(self._store, code)
            await self._store.tables.save_summary(encode_summary(room))
