"""The log of a live table: the one place where entries are committed.

No process owns a table. Two that append at the same place collide in the store; the later one reads
what it has missed and judges again. The entries of bots, timers and the deal have ids derived from
the table and the turn, so that none is appended twice.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.server.domain import log_entries, quotas
from cosca.server.domain.log_entries import LogEntry, decode_entry, encode_entry, listed_by
from cosca.server.domain.room import Room
from cosca.server.live.clock import Clock
from cosca.server.live.house_clock import HouseClock
from cosca.server.storage.store import Store
from cosca.server.storage.values import Collision, NewEntry
from cosca.server.telemetry.logs import log_event
from cosca.server.telemetry.metrics import Metrics

T = TypeVar("T")


class TableLog:
    """Appends to the log of a table, and applies to its room what is in the log."""

    def __init__(
        self, room: Room, store: Store, dates: HouseClock, clock: Clock, metrics: Metrics
    ) -> None:
        self.room = room
        self.granted: dict[str, str] = {}
        """The digest of each command that was granted, by its id."""
        self.refusals: dict[str, tuple[str, bytes]] = {}
        """The digest of each command that was refused and the answer, by its id."""
        self._store = store
        self._dates = dates
        self._clock = clock
        self._metrics = metrics

    async def commit(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """Judge and append until no other process has appended in between."""
        while True:
            try:
                return await attempt()
            except Collision:
                await self.catch_up()

    def date(self) -> int:
        """Return the date of the next entry: never before the last, whatever the clock says."""
        return max(self._dates.date(), self.room.last)

    async def append(
        self, entry: LogEntry, command_id: str, digest: str = "", owner: str = ""
    ) -> None:
        """Append an entry that was judged just now, and apply it to the room."""
        room = self.room
        if room.is_full:
            raise Refused("web.table_full", most=quotas.ENTRIES)
        body, listed = encode_entry(entry), listed_by(entry)
        await self._store.logs.append(
            NewEntry(room.code, room.length, command_id, digest, body, owner, entry.at, listed)
        )
        self.granted[command_id] = digest
        if isinstance(entry, log_entries.Moved):
            self._metrics.moves.add(self._clock.now())
        stage = room.stage
        room.apply(entry, trusted=True)
        if room.stage == "over" != stage:
            log_event("table_over", table=room.deal.alias, game=room.game.name)

    async def refuse(self, owner: str, command_id: str, digest: str, answer: bytes) -> None:
        """Keep a refusal for an hour, so that a copy of the command gets the same answer.

        After that the command is judged as if it were new. That does no harm: a refusal changes
        nothing, a granted command is kept for ever and so done once, and a browser resends only
        what was not answered, so it cannot matter whether the first copy was refused or lost.
        A spectator's refusal is not kept: it follows from having no seat, not from the state of
        the game, so a copy gets the same answer anyway.
        """
        store, room = self._store, self.room
        if room.seats.of(owner) == SPECTATOR and not room.seats.is_host(owner):
            await store.logs.check_new(room.code, room.length, command_id)
            return
        at = self._dates.date()
        forgotten = await store.refusals.add(room.code, room.length, command_id, digest, answer, at)
        for each in forgotten:
            self.refusals.pop(each, None)
        self.refusals[command_id] = (digest, answer)

    async def catch_up(self) -> None:
        """Read what other processes have appended meanwhile."""
        for entry in await self._store.logs.entries(self.room.code, self.room.length):
            self.room.apply(decode_entry(entry.body))
            self.granted[entry.command_id] = entry.digest
        self.refusals = await self._store.refusals.of_table(self.room.code)
