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


class Lists:
    """The tables of a store, with those that are open now as they are now."""

    def __init__(self, store: Store, clock: Clock, open_tables: Mapping[str, "LiveTable"]) -> None:
        self._store = store
        self._clock = clock
        self._open = open_tables

    async def tables_of(self, owners: Sequence[str]) -> list[wire.Listed]:
        """Return the tables of the first owner; it may be the turn of others at the same device."""
        return self._listed(await self._store.tables.of_owner(owners[0], MOST_LISTED), owners)

    async def tables_to_watch(self) -> list[wire.Listed]:
        """Return the tables being played that their hosts have listed for everybody."""
        listed = self._listed(await self._store.tables.listed(MOST_LISTED), [""])
        return [table for table in listed if table.stage == "playing"]

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
