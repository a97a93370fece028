"""The house: all tables that somebody is at, and the lists of all that there are."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

import msgspec

from cosca.bots.roster import default_bot
from cosca.catalog import find
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.match.sealed import SEED_BYTES
from cosca.server import wire
from cosca.server.domain import log_entries
from cosca.server.domain.clocks import GRACE
from cosca.server.domain.identifiers import code_from, hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry, encode_entry, listed_by
from cosca.server.domain.opening import NewTable, next_opening, next_seats, opening
from cosca.server.domain.room import Room, room_from_log
from cosca.server.live.bot_pool import InTurn
from cosca.server.live.clock import Clock
from cosca.server.live.fair_queue import FairQueue, Owner
from cosca.server.live.idle_rooms import Rested, Resting
from cosca.server.live.origins import Origins
from cosca.server.live.summary import FORMAT, Summary, mark_of, read_summary, summarize
from cosca.server.live.table import AGAIN, LiveTable, Thinkers
from cosca.server.storage.store import Store
from cosca.server.storage.values import Collision, NewEntry, StoredTable
from cosca.server.telemetry.logs import note
from cosca.server.telemetry.metrics import Metrics

T = TypeVar("T")

WATCH: Final = 0.25
"""Seconds between looks at what other processes have written."""
BEAT: Final = 2.0
"""Seconds between two heartbeats while a clock runs: after a kill, so much is given back too."""
MEASURE: Final = 5.0
"""Seconds between tellings of how long the lines are."""
MOST_ROUSED: Final = 10_000
MOST_LISTED: Final = 20

log = logging.getLogger("cosca.server")


class House:
    """All tables of one process."""

    def __init__(
        self,
        store: Store,
        crew: Thinkers,
        clock: Clock,
        pace: float = 0.7,
        grace: Mapping[str, float] = GRACE,
        metrics: Metrics | None = None,
        queue: FairQueue | None = None,
    ) -> None:
        self.store = store
        self.crew = crew
        self.clock = clock
        self.pace = pace
        """Seconds a bot takes for a step, so that people can follow."""
        self.grace = grace
        """Seconds somebody may be gone while others wait, by the pace of the table."""
        self.metrics = metrics or Metrics()
        self.metrics.watch("cosca_tables", "Tables somebody is at.", lambda: len(self._tables))
        self.when_gone: list[Callable[[str], None]] = []
        """Whom to tell that a table was deleted."""
        self.when_news: list[Callable[[], Awaitable[None]]] = []
        """Whom to tell that another process has written."""
        self.is_closing = False
        self.last_heartbeat = 0
        """When a house last ran before this one."""
        self._opened = clock.date()
        self._ahead = 0
        """Milliseconds by which this house is ahead of the clock on the wall."""
        self._knows_heartbeat = False
        self._runs_clocks = False
        self.origins = Origins()
        self._queue = queue or FairQueue(1)
        self._resting = Resting()
        self._tables: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}

    # --- Time -------------------------------------------------------------------------------------

    def date(self) -> int:
        """The date of this house: that of the wall, but never before the last heartbeat."""
        return self.clock.date() + self._ahead

    @property
    def begun(self) -> int:
        """When this house was opened."""
        return self._opened + self._ahead

    async def _know_heartbeat(self) -> None:
        """Read when a house last ran; this one writes no heartbeat before it knows that."""
        if not self._knows_heartbeat:
            last = await self.store.clocks.last_heartbeat()
            self._knows_heartbeat = True
            self.last_heartbeat = last
            self._ahead = max(0, last - self._opened)

    async def run_clocks(self) -> None:
        """Resume all clocks, and then write heartbeats while one runs, until the house closes."""
        await self._insist(self._know_heartbeat)
        await self.rouse()
        self._runs_clocks = True
        while not self.is_closing:
            if any(live.room.has_running_clocks for live in self._tables.values()):
                await self._insist(partial(self.store.clocks.save_heartbeat, self.date()))
            await self.clock.sleep(BEAT)

    async def _stop_clocks(self) -> None:
        """Write the last heartbeat: nobody's time runs while the house closes."""
        if self.is_closing:
            return
        self.is_closing = True
        if self._runs_clocks:
            with contextlib.suppress(Refused):  # the disk fails: then the one before was the last
                await self.store.clocks.save_heartbeat(self.date())

    # --- Tables -----------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def table(self, code: str) -> AsyncIterator[LiveTable]:
        """A table, as long as somebody needs it."""
        live = self._tables.get(code) or await self._load(code)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self.forget(live)

    async def _load(self, code: str) -> LiveTable:
        """A table from its log; who asks at the same time gets the same one."""
        if code not in self._opening:
            self._opening[code] = asyncio.create_task(self._read(code))
            self._opening[code].add_done_callback(_looked_at)
        try:
            live = await asyncio.shield(self._opening[code])
        finally:
            self._opening.pop(code, None)
        if code not in self._tables:
            self._tables[code] = live
            live.rouse()
        return self._tables[code]

    async def _read(self, code: str) -> LiveTable:
        await self._know_heartbeat()
        listed = await self.store.tables.find(code)
        rested = self._resting.take(code, listed.length) if listed else None
        live = self._revived(rested) if rested else await self._replayed(code)
        if listed and listed.summary_format == FORMAT:
            live.marked = listed.summary_length
        live.refusals = await self.store.refusals.of_table(code)
        return live

    def _revived(self, rested: Rested) -> LiveTable:
        live = LiveTable(self, rested.room)
        live.commands = dict(rested.commands)
        return live

    async def _replayed(self, code: str) -> LiveTable:
        entries = await self.store.logs.entries(code)
        if not entries:
            raise Refused("web.no_table", code=code)
        try:
            read = [decode_entry(body) for _, _, body in entries]
        except msgspec.DecodeError:  # a line of a newer Cosca
            raise Refused("web.other_version", code=code) from None
        room = await asyncio.to_thread(room_from_log, read)
        live = LiveTable(self, room)
        live.commands = {key: digest for key, digest, _ in entries}
        return live

    async def rouse(self) -> None:
        """Let go on, when the house is opened, all games whose clocks were running."""
        playing = partial(self.store.tables.in_stage, "playing", MOST_ROUSED)
        for listed in await self._insist(playing):
            with contextlib.suppress(Refused):  # a table of another version waits for that
                await self._insist(partial(self._look_in, listed.code))

    async def _look_in(self, code: str) -> None:
        async with self.table(code):  # to be open is to be roused
            pass

    async def _insist(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask the store again and again, as long as the disk fails."""
        while True:
            try:
                return await ask()
            except Refused as reason:
                if reason.key != "web.not_written":
                    raise
                await self.clock.sleep(AGAIN)

    def forget(self, live: LiveTable) -> None:
        """Let go of a table that nobody is at and where nothing is going on."""
        if not live.is_idle or self._tables.get(live.room.code) is not live:
            return
        if not live.is_marked and not live.is_closed:  # and then it is let go
            live.mark_later()
            return
        del self._tables[live.room.code]
        self._resting.put(Rested(live.room, live.commands))

    def thinkers(self, owner: Owner) -> Thinkers:
        """Return who thinks for the bots of an owner, in turn with those of others."""
        return InTurn(self.crew, self._queue, owner, self.metrics.thinking)

    def check_may_open(self, owner: str, network: str) -> None:
        """Refuse another table to who has too many in progress."""
        self.origins.check(owner, network, (live.room for live in self._tables.values()))

    async def open(self, owner: str, wanted: NewTable, network: str = "") -> wire.Place:
        """Open a table, and give its host a seat if the host wants one."""
        await self._know_heartbeat()
        code = code_from(secrets.token_bytes(32))
        self.origins.note(code, network)
        at = self.date()
        game = find(wanted.game)
        seed = secrets.token_bytes(SEED_BYTES)
        line = opening(game, wanted, code=code, host=owner, seed=seed, at=at)
        room = Room(line)
        log_: list[LogEntry] = [line]
        token, seat = "", SPECTATOR
        if "you" in wanted.seats:
            seat = wanted.seats.index("you")
            token = secrets.token_urlsafe(32)
            sat = Judge(room).sit_down(owner, wanted.name, hashed(token), at, seat)
            room.apply(sat)
            log_.append(sat)
        if wanted.start:
            log_.append(log_entries.Started(at=at, bot=default_bot(room.game)))
            if seat == SPECTATOR:  # among bots nobody contributes
                log_ += [log_entries.CommitmentsClosed(at=at), log_entries.Dealt(at=at)]
        await self._write_all(code, log_, owner, room_from_log(log_))
        if wanted.start:
            await self._look_in(code)
        return wire.Place(code=code, seat=seat, token=token)

    async def open_next(self, room: Room) -> None:
        """Open the table at which a game goes on, unless it is open already."""
        at = self.date()
        opened = next_opening(room, secrets.token_bytes(SEED_BYTES), at)
        self.origins.note(opened.code, self.origins.network(room.code))
        log_ = [opened, *next_seats(room, at)]
        with contextlib.suppress(Collision):
            await self._write_all(opened.code, log_, "", room_from_log(log_))

    async def _write_all(self, code: str, log_: list[LogEntry], owner: str, room: Room) -> None:
        """Write the first lines of a table, all or none."""
        owners = [getattr(line, "owner", owner) for line in log_]
        appends = [
            NewEntry(
                code,
                seq,
                f"open:{seq}",
                "",
                encode_entry(line),
                owners[seq],
                line.at,
                listed_by(line),
            )
            for seq, line in enumerate(log_)
        ]
        await self.store.logs.create(appends, mark_of(room, log_[0].at))
        note("table_opened", table=room.deal.alias, game=room.game.name, seats=len(room.seats))

    # --- Tables that are no more ------------------------------------------------------------------

    def loaded(self) -> list[str]:
        """The codes of the tables that somebody is at."""
        return list(self._tables)

    async def remove(self, code: str) -> None:
        """Delete a table; whoever is at it is told."""
        await self.store.tables.delete(code)
        await self.drop(code)

    async def drop(self, code: str) -> None:
        """Let go of a table that was deleted."""
        self._resting.drop(code)
        live = self._tables.pop(code, None)
        if live:
            for tell in self.when_gone:
                tell(code)
            await live.close()

    # --- Lists ------------------------------------------------------------------------------------

    async def tables_of(self, owners: Sequence[str]) -> list[wire.Listed]:
        """The tables at which the first has a seat; it may be the turn of the others beside."""
        return self._told(await self.store.tables.of_owner(owners[0], MOST_LISTED), owners)

    async def tables_to_watch(self) -> list[wire.Listed]:
        """The tables being played that their hosts show to everybody."""
        told = self._told(await self.store.tables.listed(MOST_LISTED), [""])
        return [table for table in told if table.stage == "playing"]

    def _told(self, listed: list[StoredTable], owners: Sequence[str]) -> list[wire.Listed]:
        """Make a list of summaries. Nothing is opened or replayed for a list."""
        told = []
        for entry in listed:
            live = self._tables.get(entry.code)
            summary = self.summary(entry)
            if summary:  # one of another version, or not filled in yet, cannot be shown
                told.append(summary.listed(owners, live.audience.here() if live else ()))
        return told

    def summary(self, listed: StoredTable) -> Summary | None:
        """Return the summary of a table: as it is now if somebody is at it, else as it was kept."""
        live = self._tables.get(listed.code)
        return summarize(live.room) if live else read_summary(listed)

    async def seen(self, code: str, owner: str) -> wire.Room | None:
        """Return a table that nobody is at as a browser sees it, if its summary tells all of it.

        Before the game is dealt there is more to tell to some browsers than to others.
        """
        listed = None if code in self._tables else await self.store.tables.find(code)
        summary = read_summary(listed) if listed else None
        if not (listed and summary and summary.length == listed.length):
            return None
        return summary.seen_by(owner) if summary.room.stage in ("playing", "over") else None

    async def fill_in(self) -> None:
        """Write the summaries that are missing or behind, one after another, the latest first."""
        for code in await self._insist(partial(self.store.tables.without_summary, FORMAT)):
            with contextlib.suppress(Refused):  # a table of another version waits for that
                await self._insist(partial(self._fill_in, code))

    async def _fill_in(self, code: str) -> None:
        listed = await self.store.tables.find(code)
        if listed and code not in self._tables:  # who is at it sees to it
            room = (await self._replayed(code)).room
            await self.store.tables.save_summary(mark_of(room))

    # --- Other processes --------------------------------------------------------------------------

    async def watch(self) -> None:
        """Look for what other processes write, for ever."""
        version = await self._insist(self.store.change_counter)
        while True:
            await self.clock.sleep(WATCH)
            now = await self._insist(self.store.change_counter)
            if now != version:
                version = now
                for code in await self._insist(lambda: self.store.tables.missing(self.loaded())):
                    await self.drop(code)
                for live in list(self._tables.values()):
                    await self._insist(live.catch_up)
                for tell in self.when_news:
                    await self._insist(tell)

    async def keep_on(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work beside all tables; a fault ends one round of it, and is told."""
        while True:
            try:
                return await work()
            except Exception:
                log.exception("work_failed")
            await self.clock.sleep(AGAIN)

    async def measure(self) -> None:
        """Tell at all tables how long the lines are, for ever."""
        while True:
            await self.clock.sleep(MEASURE)
            for live in list(self._tables.values()):
                live.audience.tell_trips()
                await asyncio.sleep(0)  # a thousand tables at once would keep everybody waiting

    async def settle(self) -> None:
        """Answer all that people have asked for so far; nobody's time runs any more."""
        tables = list(self._tables.values())
        await asyncio.gather(self._stop_clocks(), *(live.settle() for live in tables))

    async def close(self) -> None:
        """Close all tables; whoever comes again finds them as they were."""
        await self._stop_clocks()
        await asyncio.gather(*(live.close() for live in list(self._tables.values())))


def _looked_at(task: "asyncio.Task[LiveTable]") -> None:
    """If nobody waits any more, it is no matter why a table could not be read."""
    if not task.cancelled():
        task.exception()
