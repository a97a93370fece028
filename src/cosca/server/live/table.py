"""A live table: one that somebody is at, or where bots play.

Whatever happens at it goes one way: judge, append to the log, acknowledge, broadcast.
"""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR, Seat
from cosca.server import wire
from cosca.server.domain import commands, log_entries
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.room import Room
from cosca.server.live.attendance import Attendance
from cosca.server.live.automation import Automation
from cosca.server.live.bot_pool import Bots
from cosca.server.live.previews import Question, hint, preview
from cosca.server.live.reactions import Reactions
from cosca.server.live.subscribers import RoundTrip, Send, Subscribers, not_measured
from cosca.server.live.summary import SummaryWriter
from cosca.server.live.table_log import TableLog
from cosca.server.live.tasks import Tasks
from cosca.server.live.views import ViewFormat
from cosca.words import LANGUAGE, say, spoken

if TYPE_CHECKING:  # a house has tables, and a table belongs to a house
    from cosca.server.live.house import House

SAVE_SUMMARY: Final = "mark"


def refusal(id: str, reason: Refused, rule: str = "") -> bytes:
    """Encode the answer to a command that is refused, with the rule of the game that it breaks."""
    text = say(reason.key, reason.params)
    return wire.write(wire.Refused(id=id, key=reason.key, text=text, rule=rule))


class LiveTable:
    """A table in this process: its room, its log, its subscribers, and what goes on there."""

    def __init__(self, house: "House", room: Room) -> None:
        self.house = house
        self.room = room
        self.users = 0
        """How many connections and requests need the table now."""
        self.is_closed = False
        self.log = TableLog(room, house.store, house.dates, house.clock, house.metrics)
        self.summary = SummaryWriter(room, house.store, house.dates)
        self.attendance = Attendance(self, house.clock, house.grace)
        self.subscribers = Subscribers(room, self.attendance.check)
        self.tasks = Tasks(
            house.clock,
            alias=lambda: room.deal.alias,
            on_retry=self.broadcast_and_schedule,
            on_done=lambda: house.release(self),
        )
        self.reactions = Reactions(room, house.clock, self.subscribers, self.tasks)
        self.automation = Automation(self)
        self._lock = asyncio.Lock()
        self._handling: set[asyncio.Task[None]] = set()
        self._arrangement = -1
        """The arrangement of the room for which attendance was last taken."""
        self._clocks_wait = False
        """Whether clocks wait until the time in which no house ran is refunded."""

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.users and not self.tasks and not self._handling

    @property
    def is_unwatched(self) -> bool:
        """Whether only bots play and nobody watches: then they wait until somebody does."""
        return not self.room.seats.players() and not self.subscribers

    def bots(self) -> Bots:
        """Return the bots of this table, which take turns with those of other owners."""
        return self.house.bots_of(self.house.origins.owner(self.room))

    # --- Connections ------------------------------------------------------------------------------

    def connect(
        self,
        owner: str,
        format: ViewFormat,
        send: Send,
        round_trip: RoundTrip = not_measured,
        local_players: Collection[str] = (),
        language: str = LANGUAGE,
    ) -> None:
        """Subscribe a browser, with all who play at the same device."""
        self.reactions.note_window()
        was_unwatched = self.is_unwatched
        self.subscribers.add(owner, format, send, round_trip, local_players, language)
        if was_unwatched:
            self.broadcast_and_schedule()

    def disconnect(self, send: Send) -> None:
        """Unsubscribe a browser."""
        if self.subscribers.remove(send):
            self.attendance.check()
            if not self.is_closed:  # a reaction window may have waited for somebody
                self.broadcast_and_schedule()

    # --- Commands ---------------------------------------------------------------------------------

    async def handle_command(self, owner: str, command: commands.Command, answer: Send) -> None:
        """Grant or refuse a command, once, however often it comes; then broadcast.

        If the browser goes away meanwhile, what is being appended is finished for the others.
        """
        task = asyncio.create_task(self._handle(owner, command, answer))
        self._handling.add(task)
        task.add_done_callback(self._handled)
        await asyncio.shield(task)

    def _handled(self, task: asyncio.Task[None]) -> None:
        self._handling.discard(task)
        self.house.release(self)

    async def _handle(self, owner: str, command: commands.Command, answer: Send) -> None:
        if isinstance(command, commands.Move):
            await self.reactions.wait_for_turn(self.room.seats.of(owner), command.actions)
        async with self._lock:
            try:
                await self._refund_time()
                message = await self.log.commit(lambda: self._grant(owner, command))
            except Refused as reason:
                message = self._refusal(command.id, reason)
            answer(message)
            self.broadcast_and_schedule()

    async def _grant(self, owner: str, command: commands.Command) -> bytes:
        """Judge a command and append what follows; return the answer."""
        command_id = f"{owner[:16]}:{command.id}"
        digest = hashlib.sha256(wire.write(command)).hexdigest()[:16]
        first_answer = self._first_answer(command_id, digest, command)
        if first_answer:
            return first_answer
        present = self.subscribers.present()
        try:
            entry = Judge(self.room).command(owner, command, present, self.log.date())
        except Refused as reason:
            answer = self._refusal(command.id, reason)
            await self.log.refuse(owner, command_id, digest, answer)
            return answer
        if isinstance(entry, log_entries.Continued):
            await self.house.open_rematch(self.room)
        await self.log.append(entry, command_id, digest)
        return self._done(command)

    def _first_answer(self, command_id: str, digest: str, command: commands.Command) -> bytes:
        """Return the answer to a command that came before; nothing if it is new."""
        if command_id in self.log.refusals:
            first, answer = self.log.refusals[command_id]
        elif command_id in self.log.granted:
            first, answer = self.log.granted[command_id], self._done(command)
        else:
            return b""
        if first != digest:
            raise Refused("web.command_reused")
        return answer

    def _done(self, command: commands.Command) -> bytes:
        """Return the answer to a command that was granted, the same at any later time."""
        code = self.room.rematch if isinstance(command, commands.Rematch) else ""
        return wire.write(wire.Done(id=command.id, code=code))

    def _refusal(self, id: str, reason: Refused) -> bytes:
        return refusal(id, reason, self.room.game.rule_of_refusal.get(reason.key, ""))

    async def answer_question(self, owner: str, question: Question, format: ViewFormat) -> bytes:
        """Answer a command that changes nothing in the log."""
        viewer = self.subscribers.viewer(owner, format, spoken())
        try:
            if isinstance(question, commands.Ping):
                return wire.write(wire.Pong(id=question.id, now=self.house.dates.date()))
            if isinstance(question, commands.HoldReactions | commands.Ready):
                self.reactions.pace(viewer.seat, question)
                self.broadcast_and_schedule()
                return self._done(question)
            if isinstance(question, commands.Hint):
                return wire.write(await hint(self.room, viewer.seat, question, self.bots()))
            return wire.write(preview(self.room, viewer, question))
        except Refused as reason:
            return self._refusal(question.id, reason)

    # --- Seats ------------------------------------------------------------------------------------

    async def sit_down(self, owner: str, name: str, seat: Seat | None) -> wire.Place:
        """Take an open seat, and return the token of its own link."""
        token = secrets.token_urlsafe(32)

        async def attempt() -> wire.Place:
            taken = self.room.seats.of(owner)
            if taken != SPECTATOR:
                return wire.Place(code=self.room.code, seat=taken, token="")
            at = self.log.date()
            entry = Judge(self.room).sit_down(owner, name, hashed(token), at, seat)
            await self.log.append(entry, f"sit:{secrets.token_hex(8)}", owner=owner)
            return wire.Place(code=self.room.code, seat=entry.seat, token=token)

        async with self._lock:
            await self._refund_time()
            place = await self.log.commit(attempt)
            self.broadcast_and_schedule()
        return place

    async def claim(self, owner: str, token: str) -> wire.Place:
        """Come back to a seat by its own link."""

        async def attempt() -> wire.Place:
            entry = Judge(self.room).claim(owner, hashed(token), self.log.date())
            if owner not in self.room.seats[entry.seat].owners:
                await self.log.append(entry, f"claim:{secrets.token_hex(8)}", owner=owner)
            return wire.Place(code=self.room.code, seat=entry.seat, token="")

        async with self._lock:
            await self._refund_time()
            place = await self.log.commit(attempt)
            self.broadcast_and_schedule()
        return place

    # --- What the server does itself --------------------------------------------------------------

    async def commit_system_event(
        self, key: str, judge: Callable[[int], LogEntry], seat: Seat = SPECTATOR
    ) -> None:
        """Append what the server does itself, unless it is done or its moment is over."""

        async def attempt() -> None:
            is_over = seat != SPECTATOR and not self.automation.is_now(seat, key)
            if key in self.log.granted or is_over:
                return
            try:
                entry = judge(self.log.date())
            except Refused:  # somebody else plays the seat now, or the cards are dealt
                return
            await self.log.append(entry, key)

        async with self._lock:
            await self._refund_time()
            await self.log.commit(attempt)
            self.tasks.finish(key)
            self.broadcast_and_schedule()

    def resume_clocks(self) -> None:
        """Go on with the game; the time in which no house ran counts for nobody.

        If something was appended since this house opened, another house did: its clocks have run.
        """
        room = self.room
        self._clocks_wait = room.has_running_clocks and room.last < self.house.dates.begun
        self.broadcast_and_schedule()

    async def _resume_clocks(self) -> None:
        async with self._lock:
            await self._refund_time()
            self.broadcast_and_schedule()

    async def _refund_time(self) -> None:
        """Append, before anything else, that no house ran for a while."""

        async def attempt() -> None:
            heartbeat = self.house.dates.last_heartbeat
            try:
                entry = Judge(self.room).resume_clocks(heartbeat, self.log.date())
            except Refused:  # no time was lost, or the game is over
                return
            await self.log.append(entry, f"woken:{self.room.length}")

        if self._clocks_wait:
            await self.log.commit(attempt)
            self._clocks_wait = False

    def broadcast_and_schedule(self) -> None:
        """Send everybody what has changed for them, and start what the server does next."""
        self.reactions.note_window()
        self.reactions.publish()
        self.subscribers.broadcast()
        if self._arrangement != self.room.arrangement:
            self._arrangement = self.room.arrangement
            self.attendance.check()
            if not self.summary.is_saved:
                self.save_summary_soon()
        if self._clocks_wait:
            self.tasks.start("woken", self._resume_clocks())
        else:
            self.automation.schedule()

    def save_summary_soon(self) -> None:
        """Save the summary in a task of its own: no command waits for it."""
        self.tasks.start(SAVE_SUMMARY, self.summary.save())

    async def catch_up(self) -> None:
        """Read what other processes have appended, and broadcast it."""
        async with self._lock:
            await self.log.catch_up()
            self.broadcast_and_schedule()

    # --- Closing ----------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Finish all commands; who reacted fastest is decided now."""
        self.reactions.settle()
        await asyncio.gather(*self._handling, return_exceptions=True)

    async def close(self) -> None:
        """Finish all commands, and stop whatever else is going on."""
        self.is_closed = True
        await self.settle()
        was_saving = self.tasks.is_running(SAVE_SUMMARY)
        await self.tasks.cancel_all()
        if was_saving or not self.summary.is_saved:
            with contextlib.suppress(Refused):  # the disk fails: it is saved when next opened
                await self.summary.save()
