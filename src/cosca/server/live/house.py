"""The house: all tables that are open in this process."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from cosca.catalog import find
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.sealed import SEED_BYTES
from cosca.server import wire
from cosca.server.domain.clocks import GRACE
from cosca.server.domain.identifiers import code_from, hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, encode_entry, listed_by
from cosca.server.domain.opening import (
    NewTable,
    next_opening,
    next_seats,
    opening,
    starting,
)
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live.bot_pool import Bots, QueuedBots
from cosca.server.live.clock import Clock
from cosca.server.live.fair_queue import FairQueue, Owner
from cosca.server.live.house_clock import HouseClock, until_written
from cosca.server.live.idle_rooms import IdleRoom, IdleRooms
from cosca.server.live.lists import Lists
from cosca.server.live.loading import load_room
from cosca.server.live.origins import Origins
from cosca.server.live.summary import FORMAT, encode_summary
from cosca.server.live.table import LiveTable
from cosca.server.live.tasks import RETRY_SECONDS
from cosca.server.storage.store import Store
from cosca.server.storage.values import Collision, NewEntry
from cosca.server.telemetry.logs import log_event
from cosca.server.telemetry.metrics import Metrics

POLL_SECONDS: Final = 0.25
"""Seconds between looks at what other processes have written."""
LATENCY_SECONDS: Final = 5.0
"""Seconds between broadcasts of the round trips."""
MOST_RESUMED: Final = 10_000

log = logging.getLogger("cosca.server")


class House:
    """All tables of one process."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        clock: Clock,
        bot_seconds: float = 0.7,
        grace: Mapping[str, float] = GRACE,
        metrics: Metrics | None = None,
        queue: FairQueue | None = None,
    ) -> None:
        self.store = store
        self.bots = bots
        self.clock = clock
        self.bot_seconds = bot_seconds
        """Seconds a bot takes for a step, so that people can follow."""
        self.grace = grace
        """Seconds a person may be absent while others wait, by the pace of the table."""
        self.metrics = metrics or Metrics()
        self.metrics.add_gauge("cosca_tables", "Tables in memory.", lambda: len(self._tables))
        self.on_deleted: list[Callable[[str], None]] = []
        """Called with the code of a table that was deleted."""
        self.on_foreign_write: list[Callable[[], Awaitable[None]]] = []
        """Called when another process has written to the store."""
        self.dates = HouseClock(clock, store)
        self.origins = Origins()
        self._queue = queue or FairQueue(1)
        self._idle = IdleRooms()
        self._tables: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self.lists = Lists(store, clock, self._tables)

    # --- Tables -----------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def table(self, code: str) -> AsyncIterator[LiveTable]:
        """Open a table for as long as the caller needs it."""
        live = self._tables.get(code) or await self._load(code)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self.release(live)

    async def _load(self, code: str) -> LiveTable:
        """Load a table from its log; all who ask at the same time get the same one."""
        if code not in self._opening:
            self._opening[code] = asyncio.create_task(self._read(code))
            self._opening[code].add_done_callback(_retrieve_exception)
        try:
            live = await asyncio.shield(self._opening[code])
        finally:
            self._opening.pop(code, None)
        if code not in self._tables:
            self._tables[code] = live
            live.resume_clocks()
        return self._tables[code]

    async def _read(self, code: str) -> LiveTable:
        await self.dates.read_last_heartbeat()
        stored = await self.store.tables.find(code)
        idle = self._idle.take(code, stored.length) if stored else None
        room, granted = (
            (idle.room, dict(idle.granted)) if idle else await load_room(self.store, code)
        )
        live = LiveTable(self, room)
        live.log.granted = granted
        if stored and stored.summary_format == FORMAT:
            live.summary.saved_length = stored.summary_length
        live.log.refusals = await self.store.refusals.of_table(code)
        return live

    def release(self, live: LiveTable) -> None:
        """Let go of a table that nobody needs and where nothing is going on."""
        if not live.is_idle or self._tables.get(live.room.code) is not live:
            return
        if not live.summary.is_saved and not live.is_closed:  # and then it is released
            live.save_summary_soon()
            return
        del self._tables[live.room.code]
        self._idle.put(IdleRoom(live.room, live.log.granted))

    def loaded(self) -> list[str]:
        """Return the codes of the tables that are open."""
        return list(self._tables)

    def bots_of(self, owner: Owner) -> Bots:
        """Return the bots of an owner, which take turns with those of others."""
        return QueuedBots(self.bots, self._queue, owner, self.metrics.bot_wait)

    def check_may_open(self, owner: str, network: str) -> None:
        """Refuse another table to somebody who has too many in progress."""
        self.origins.check(owner, network, (live.room for live in self._tables.values()))

    # --- Opening and deleting ---------------------------------------------------------------------

    async def open(self, owner: str, wanted: NewTable, network: str = "") -> wire.Place:
        """Open a new table, and give its host a seat if the host wants one."""
        await self.dates.read_last_heartbeat()
        code = code_from(secrets.token_bytes(32))
        self.origins.note(code, network)
        at = self.dates.date()
        seed = secrets.token_bytes(SEED_BYTES)
        opened = opening(find(wanted.game), wanted, code=code, host=owner, seed=seed, at=at)
        entries: list[LogEntry] = [opened]
        token, seat = "", SPECTATOR
        if "you" in wanted.seats:
            seat = wanted.seats.index("you")
            token = secrets.token_urlsafe(32)
            judge = Judge(Room(opened))
            entries.append(judge.sit_down(owner, wanted.name, hashed(token), at, seat))
        if wanted.start:
            entries += starting(find(wanted.game), at, has_people=seat != SPECTATOR)
        await self._create(code, entries, owner)
        if wanted.start:
            await self._touch(code)
        return wire.Place(code=code, seat=seat, token=token)

    async def open_rematch(self, room: Room) -> None:
        """Open the table of a rematch, unless it is open already."""
        at = self.dates.date()
        opened = next_opening(room, secrets.token_bytes(SEED_BYTES), at)
        self.origins.note(opened.code, self.origins.network(room.code))
        entries = [opened, *next_seats(room, at)]
        starts_now = room.seats.host_plays_bots()
        if starts_now:
            entries += starting(room.game, at, has_people=bool(room.seats.persons()))
        with contextlib.suppress(Collision):  # another process was first: the same table
            await self._create(opened.code, entries, "")
        if starts_now:
            await self._touch(opened.code)

    async def _create(self, code: str, entries: list[LogEntry], owner: str) -> None:
        """Write the first entries of a table, all or none."""
        room = room_from_log(entries)
        new = [
            NewEntry(
                code=code,
                seq=seq,
                command_id=f"open:{seq}",
                digest="",
                body=encode_entry(entry),
                owner=getattr(entry, "owner", owner),
                at=entry.at,
                listed=listed_by(entry),
            )
            for seq, entry in enumerate(entries)
        ]
        await self.store.logs.create(new, encode_summary(room, entries[0].at))
        log_event("table_opened", table=room.deal.alias, game=room.game.name, seats=len(room.seats))

    async def delete(self, code: str) -> None:
        """Delete a table, and close it for all who are at it."""
        await self.store.tables.delete(code)
        await self.drop(code)

    async def drop(self, code: str) -> None:
        """Close a table that was deleted."""
        self._idle.drop(code)
        live = self._tables.pop(code, None)
        if live:
            for call in self.on_deleted:
                call(code)
            await live.close()

    # --- Background work --------------------------------------------------------------------------

    async def run_clocks(self) -> None:
        """Resume all games with clocks, then write heartbeats while a clock runs."""
        await until_written(self.clock, self.dates.read_last_heartbeat)
        await self.resume_games()
        await self.dates.write_heartbeats(self._has_running_clocks)

    def _has_running_clocks(self) -> bool:
        return any(live.room.has_running_clocks for live in self._tables.values())

    async def resume_games(self) -> None:
        """Open all tables where a game is in progress, so that clocks and bots go on."""
        playing = partial(self.store.tables.in_stage, "playing", MOST_RESUMED)
        for stored in await until_written(self.clock, playing):
            with contextlib.suppress(Refused):  # a table of another version stays as it is
                await until_written(self.clock, partial(self._touch, stored.code))

    async def _touch(self, code: str) -> None:
        """Open a table for a moment: whatever has to happen there is started."""
        async with self.table(code):
            pass

    async def watch_store(self) -> None:
        """Look for what other processes write, for ever."""
        retrying = partial(until_written, self.clock)
        seen = await retrying(self.store.change_counter)
        while True:
            await self.clock.sleep(POLL_SECONDS)
            now = await retrying(self.store.change_counter)
            if now != seen:
                seen = now
                for code in await retrying(lambda: self.store.tables.missing(self.loaded())):
                    await self.drop(code)
                for live in list(self._tables.values()):
                    await retrying(live.catch_up)
                for call in self.on_foreign_write:
                    await retrying(call)

    async def send_latencies(self) -> None:
        """Broadcast the round trips at all tables, for ever."""
        while True:
            await self.clock.sleep(LATENCY_SECONDS)
            for live in list(self._tables.values()):
                live.subscribers.send_latencies()
                await asyncio.sleep(0)  # a thousand tables at once would keep everybody waiting

    async def supervise(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run background work; log an error, and start the work again."""
        while True:
            try:
                return await work()
            except Exception:
                log.exception("work_failed")
            await self.clock.sleep(RETRY_SECONDS)

    # --- Closing ----------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Answer all commands that have come so far; nobody's time runs any more."""
        tables = list(self._tables.values())
        await asyncio.gather(self.dates.stop(), *(live.settle() for live in tables))

    async def close(self) -> None:
        """Close all tables; the next house finds them as they were."""
        await self.dates.stop()
        await asyncio.gather(*(live.close() for live in list(self._tables.values())))


def _retrieve_exception(task: "asyncio.Task[LiveTable]") -> None:
    """Retrieve an exception that nobody waits for any more, or asyncio would complain."""
    if not task.cancelled():
        task.exception()
