"""What the server does at a table by itself: bots play, time runs out, the cards are dealt."""

import asyncio
import hashlib
from typing import TYPE_CHECKING

from cosca.bots.roster import find_bot, reaction_time
from cosca.core.names import Seat
from cosca.core.position import Position
from cosca.server import wire
from cosca.server.domain.contributions import COMMIT_SECONDS, REVEAL_SECONDS
from cosca.server.domain.judge import Judge
from cosca.server.live.reactions import REACTION_TIMEOUT

if TYPE_CHECKING:  # a table has its automation, which acts at the table
    from cosca.server.live.table import LiveTable


class Automation:
    """Schedules what happens at a table without a command from anybody.

    The ids under which it commits are derived from what the seat sees. They are the same in every
    process, so that nothing is done twice.
    """

    def __init__(self, table: "LiveTable") -> None:
        self._table = table
        self._room = table.room
        self._house = table.house

    def schedule(self) -> None:
        """Start the tasks that the room waits for now; those that run already go on."""
        room, tasks = self._room, self._table.tasks
        if room.stage == "sealing":
            self._schedule_deal()
        is_waiting = self._table.reactions.is_waiting
        for seat in () if self._table.is_unwatched or is_waiting else room.bots_to_act():
            key = f"bot:{seat}:{self.moment(seat)}"
            tasks.start(key, self._play_bot(seat, key))
        for seat in () if is_waiting else room.pending_reactions():
            key = f"still:{seat}:{self.moment(seat)}"
            tasks.start(key, self._pass_on_timeout(seat, key))
        for seat in room.actors() if room.pace.has_clocks else ():
            until = room.deadline(seat)
            if until is not None:
                key = f"overdue:{until}:{seat}:{self.moment(seat)}"
                tasks.start(key, self._time_out(seat, until, key))

    def moment(self, seat: Seat) -> str:
        """Return an id of the moment at which a seat may act, by what it sees."""
        seen = wire.write(self._room.shown.position(seat).visible_fields())
        return f"{self._room.moves[seat]}:{hashlib.sha256(seen).hexdigest()[:16]}"

    def is_now(self, seat: Seat, key: str) -> bool:
        """Whether the moment that a key was made for is still there."""
        return self._room.stage == "playing" and key.endswith(f":{seat}:{self.moment(seat)}")

    # --- The deal ---------------------------------------------------------------------------------

    def _schedule_deal(self) -> None:
        """End the phase of the deal: at once if all contributions are in, else when time is up."""
        waits = bool(self._room.awaited())
        if self._room.deal.contributions.phase == "commit":
            delay = COMMIT_SECONDS if waits else 0.0
            self._table.tasks.start(f"close:{waits}", self._close_commitments(delay))
        else:
            delay = REVEAL_SECONDS if waits else 0.0
            self._table.tasks.start(f"deal:{waits}", self._deal(delay))

    async def _close_commitments(self, delay: float) -> None:
        if delay:
            await self._house.clock.sleep(delay)
        judge = Judge(self._room)
        await self._table.commit_system_event("commitments_closed", judge.close_commitments)

    async def _deal(self, delay: float) -> None:
        if delay:
            await self._house.clock.sleep(delay)
        await self._table.commit_system_event("deal", Judge(self._room).deal)

    # --- Time -------------------------------------------------------------------------------------

    async def _time_out(self, seat: Seat, until: int, key: str) -> None:
        dates = self._house.dates
        left = until - dates.date()
        while left > 0:
            await self._house.clock.sleep(left / 1000)
            left = until - dates.date()
        if dates.is_stopped:  # nobody can move any more; the next server refunds the time
            return
        judge = Judge(self._room)
        await self._table.commit_system_event(key, lambda at: judge.time_out(seat, at), seat)

    async def _pass_on_timeout(self, seat: Seat, key: str) -> None:
        await self._house.clock.sleep(REACTION_TIMEOUT)
        judge = Judge(self._room)
        await self._table.commit_system_event(key, lambda at: judge.pass_on_timeout(seat, at), seat)

    # --- Bots -------------------------------------------------------------------------------------

    async def _play_bot(self, seat: Seat, key: str) -> None:
        room = self._room
        bot = room.seats[seat].bot
        position = room.position(seat)
        seed = int.from_bytes(room.deal.secret(key)[:8], "big")
        action, _ = await asyncio.gather(
            self._table.bots().choose(room.game.name, bot, position, seed),
            self._house.clock.sleep(self._bot_seconds(bot, position, seed)),
        )
        await self._table.reactions.wait_for_turn(seat, [action], bot)
        judge = Judge(room)
        await self._table.commit_system_event(
            key, lambda at: judge.move(seat, [action], at, bot), seat
        )

    def _bot_seconds(self, bot: str, position: Position, seed: int) -> float:
        """Return how long a bot takes at least, so that people can follow what happens."""
        if self._room.game.is_race(position):
            luck = 0.667 + seed % 667 / 1000
            return luck * reaction_time(find_bot(self._room.game, bot))
        return self._house.bot_seconds if self._room.seats.persons() else 0.0
