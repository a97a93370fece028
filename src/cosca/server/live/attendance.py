"""Attendance: a bot plays for people who are absent for long, until they come back."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cosca.core.names import SPECTATOR, Seat
from cosca.server.domain.judge import Judge
from cosca.server.live.clock import Clock

if TYPE_CHECKING:  # a table takes attendance, which acts at the table
    from cosca.server.live.table import LiveTable


class Attendance:
    """Notices who is absent while others wait."""

    def __init__(self, table: "LiveTable", clock: Clock, grace: Mapping[str, float]) -> None:
        self._table = table
        self._room = table.room
        self._clock = clock
        self._grace = grace
        """Seconds a person may be absent while others wait, by the pace of the table."""

    def check(self, arrived: Seat = SPECTATOR) -> None:
        """Give the seat back to somebody who arrives; start to wait for those who are absent."""
        room, tasks = self._room, self._table.tasks
        present = self._table.subscribers.present()
        if arrived in present and room.seats[arrived].until_back:
            tasks.start(f"back:{arrived}", self._welcome_back(arrived))
        if room.stage != "playing" or room.pace.kind not in self._grace:
            return
        for seat in room.seats.players():
            name = f"gone:{seat}"
            if seat in present or room.is_paused:
                tasks.cancel(name)
            elif present:  # where nobody waits there is no hurry
                tasks.start(name, self._replace(seat))

    async def _replace(self, seat: Seat) -> None:
        await self._clock.sleep(self._grace[self._room.pace.kind])
        present = self._table.subscribers.present()
        if present and seat not in present:
            key = f"gone:{seat}:{self._room.length}"
            judge = Judge(self._room)
            await self._table.commit_system_event(key, lambda at: judge.replace_absent(seat, at))

    async def _welcome_back(self, seat: Seat) -> None:
        key = f"back:{seat}:{self._room.length}"
        judge = Judge(self._room)
        await self._table.commit_system_event(key, lambda at: judge.welcome_back(seat, at))
