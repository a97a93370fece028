"""A live table: one that somebody is at. One move is: judge, write down, acknowledge, tell.

No process owns a table. Two that write at once collide in the store; the later one reads what it
has missed and judges again. What bots, timers and dice do has ids made from the table and the turn,
so that doing it twice is doing it once.
"""

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from cosca.bots.consigliere import Advice, describe_move, format_reason
from cosca.bots.roster import find_bot, reaction_time
from cosca.bots.win_chances import Shares
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import SPECTATOR, Action, Seat
from cosca.core.position import Position
from cosca.server import wire
from cosca.server.domain import commands, log_entries, quotas
from cosca.server.domain.contributions import COMMIT_SECONDS, REVEAL_SECONDS
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry, encode_entry, listed_by
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.audience import Audience, Sink, Trip, no_trip
from cosca.server.live.reactions import HOLD, Hand, Race, hold
from cosca.server.live.summary import mark_of
from cosca.server.live.views import Style
from cosca.server.storage.values import Collision, NewEntry
from cosca.server.telemetry.logs import note
from cosca.words import LANGUAGE, say, spoken

if TYPE_CHECKING:  # the house has tables, and a table is in a house
    from cosca.server.live.house import House

STILL: Final = views.RACE + HOLD[1]
"""Seconds after which a hand in a race has kept still: one that came in time may be held."""
MARK: Final = "mark"
AGAIN: Final = 1.0
"""Seconds until the house tries again what it could not write down."""

Question = commands.Think | commands.Read | commands.Try | commands.Hint | commands.Ping
"""A command that changes nothing."""


class Thinkers(Protocol):
    """Whoever thinks for the bots: processes at a real house."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """What a bot does in a position."""
        ...

    async def counsel(self, game: str, position: Position) -> Advice:
        """What the consigliere says about a position."""
        ...

    async def weigh(self, game: str, positions: Sequence[Position]) -> Shares:
        """What the seats of some positions can think of their own chances."""
        ...


def refused(id: str, reason: Refused, rule: str = "") -> bytes:
    """The answer to a command that cannot be granted, and the rule of the game that it breaks."""
    text = say(reason.key, reason.params)
    return wire.write(wire.Refused(id=id, key=reason.key, text=text, rule=rule))


class LiveTable:
    """A table that somebody is at, or at which bots play: its room, and who is to be told."""

    def __init__(self, house: "House", room: Room) -> None:
        self.house = house
        self.room = room
        self.users = 0
        self.audience = Audience(room, self._see_who_is_here)
        self.commands: dict[str, str] = {}
        """Digests of the commands that were granted."""
        self.refusals: dict[str, tuple[str, bytes]] = {}
        self.marked = 0
        """How many log entries the summary tells of that lists are made from."""
        self.is_closed = False
        self._lock = asyncio.Lock()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._obeying: set[asyncio.Task[None]] = set()
        self._company = -1
        """For which arrangement of the room it was last looked who is here."""
        self._opened = ("", 0.0)
        """The last window in which the fastest hand counts, and when it was shown."""
        self._races: dict[str, Race] = {}
        self._is_asleep = False
        """Whether clocks wait until it is written that the house was closed."""

    # --- Who is here ------------------------------------------------------------------------------

    @property
    def is_race(self) -> bool:
        """Whether hands are on their way and nobody is through yet."""
        return any(race.has_begun and not race.is_decided for race in self._races.values())

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.users and not self._tasks and not self._obeying

    @property
    def is_unwatched(self) -> bool:
        """Whether only bots play and nobody looks on: then they wait until somebody does."""
        return not self.room.seats.players() and not self.audience.has_viewers

    def come(
        self,
        owner: str,
        style: Style,
        sink: Sink,
        trip: Trip = no_trip,
        beside: Collection[str] = (),
        language: str = LANGUAGE,
    ) -> None:
        """Somebody opens the table, alone or with others at the same device."""
        self._see_window()
        was_unwatched = self.is_unwatched
        self.audience.come(owner, style, sink, trip, beside, language)
        if was_unwatched:
            self._after()

    def go(self, sink: Sink) -> None:
        """Somebody closes the table."""
        if self.audience.go(sink):
            self._see_who_is_here()

    def _see_who_is_here(self, come: Seat = SPECTATOR) -> None:
        """Let a bot keep the seat of who is gone for long, and give it back to who is here."""
        here = self.audience.here()
        if come in here and self.room.seats[come].until_back:
            self._later(f"back:{come}", self._give_back(come))
        if self.room.stage != "playing" or self.room.pace.kind not in self.house.grace:
            return
        for seat in self.room.seats.players():
            name = f"gone:{seat}"
            if seat in here or self.room.is_paused:
                self._call_off(name)
            elif here:  # where nobody waits there is no hurry
                self._later(name, self._keep_seat(seat))

    def _call_off(self, name: str) -> None:
        """What was to be done later is not done."""
        task = self._tasks.pop(name, None)
        if task:
            task.cancel()

    async def _keep_seat(self, seat: Seat) -> None:
        await self.house.clock.sleep(self.house.grace[self.room.pace.kind])
        if seat not in self.audience.here() and self.audience.here():
            key = f"gone:{seat}:{self.room.length}"
            await self._derived(key, lambda at: Judge(self.room).replace_absent(seat, at))

    async def _give_back(self, seat: Seat) -> None:
        key = f"back:{seat}:{self.room.length}"
        await self._derived(key, lambda at: Judge(self.room).welcome_back(seat, at))

    # --- What somebody wants ----------------------------------------------------------------------

    async def obey(self, owner: str, command: commands.Command, answer: Sink) -> None:
        """Grant or refuse a command, once, however often it comes; and tell everybody.

        Who goes away meanwhile is not waited for: what is being written is told to the others.
        """
        task = asyncio.create_task(self._obey(owner, command, answer))
        self._obeying.add(task)
        task.add_done_callback(self._obeyed)
        await asyncio.shield(task)

    def _obeyed(self, task: asyncio.Task[None]) -> None:
        self._obeying.discard(task)
        self.house.forget(self)

    async def _obey(self, owner: str, command: commands.Command, answer: Sink) -> None:
        if isinstance(command, commands.Move):
            await self._wait_for_turn(self.room.seats.of(owner), command.actions)
        key = f"{owner[:16]}:{command.id}"
        digest = hashlib.sha256(wire.write(command)).hexdigest()[:16]
        async with self._lock:
            try:
                await self._wake()
                told = self._answered(key, digest, command)
                if not told:
                    told = await self._grant(owner, command, key, digest)
            except Refused as reason:
                told = self._refused(command.id, reason)
            answer(told)
            self._after()

    # --- Who is fastest ---------------------------------------------------------------------------

    async def _wait_for_turn(self, seat: Seat, actions: Sequence[Action], bot: str = "") -> None:
        """Where the fastest hand counts, wait until those are through that were faster."""
        if not self._is_reaching(seat, actions, bot):
            return
        self._see_window()
        race = self._race()
        first = not race.has_begun
        _, shown = self._opened
        trip = 0.0 if bot else self.audience.trips().get(seat, 0.0)
        turn = race.enter(Hand(seat, self.house.clock.now() - shown, trip))
        if first:
            self._later(f"race:{self._window()}", self._decide(race))
        await turn

    def _is_reaching(self, seat: Seat, actions: Sequence[Action], bot: str) -> bool:
        """Whether a hand is in a race: one that does nothing, or what it may not, is in none."""
        room = self.room
        if seat not in room.actors() or not room.game.is_race(room.shown.position(seat)):
            return False
        if room.seats[seat].bot != bot:
            return False
        try:
            room.playing().check_actions(seat, list(actions))
        except Refused:
            return False
        return list(actions) != room.pass_actions(seat)

    def _see_window(self) -> None:
        """Note when a window is shown, for all at once: who looks later has seen it elsewhere."""
        if self.room.stage == "playing" and self.room.is_reaction_window:
            window = self._window()
            if self._opened[0] != window:
                self._opened = (window, self.house.clock.now())

    def _window(self) -> str:
        """The name of the window that is open, by what everybody sees."""
        seen = wire.write(self.room.shown.position(SPECTATOR).visible_fields())
        return hashlib.sha256(seen).hexdigest()[:16]

    def _race(self) -> Race:
        """The race that is on. The lot of a tie is drawn from what only the house knows."""
        window = self._window()
        if window not in self._races:
            dice = Dice(int.from_bytes(self.room.deal.secret(f"tie:{window}")[:8], "big"))
            self._races = {window: Race(dice.below)}
        return self._races[window]

    async def _decide(self, race: Race) -> None:
        await self.house.clock.sleep(hold(list(self.audience.trips().values())))
        race.decide()

    def _tell_race(self) -> None:
        """O-9: who reached, and how fast, is told to all when the window is closed, not before."""
        if self.room.stage == "playing" and self.room.is_reaction_window:
            return
        for race in self._races.values():
            if race.is_decided:
                self.audience.tell_race(race.order)
        self._races = {name: race for name, race in self._races.items() if not race.is_decided}

    # --- Once, and for good -----------------------------------------------------------------------

    def _answered(self, key: str, digest: str, command: commands.Command) -> bytes:
        """The first answer to a command that came before, or nothing."""
        if key in self.refusals:
            first, answer = self.refusals[key]
        elif key in self.commands:
            first, answer = self.commands[key], self._done(command)
        else:
            return b""
        if first != digest:
            raise Refused("web.command_reused")
        return answer

    def _done(self, command: commands.Command) -> bytes:
        """The answer to a command that was granted, the same at any later time."""
        code = self.room.rematch if isinstance(command, commands.Rematch) else ""
        return wire.write(wire.Done(id=command.id, code=code))

    async def _grant(self, owner: str, command: commands.Command, key: str, digest: str) -> bytes:
        while True:
            try:
                line = Judge(self.room).command(owner, command, self.audience.here(), self._date())
            except Refused as reason:
                answer = self._refused(command.id, reason)
                write = self._refuse(owner, key, digest, answer)
            else:
                answer = b""
                write = self._write(line, key, digest)
            try:
                await write
            except Collision:
                await self._catch_up()
                answer = self._answered(key, digest, command)
                if answer:
                    return answer
                continue
            return answer or self._done(command)

    async def _refuse(self, owner: str, key: str, digest: str, answer: bytes) -> None:
        """Keep a refusal for an hour, so that a copy of the command gets the same answer.

        After that the command is judged as if it had come for the first time. That does no harm:
        what is refused changes nothing, what is granted is kept for ever and so done once, and a
        browser sends again only what was not answered, for which it is all the same whether the
        first copy was refused or lost. A spectator's refusal is not kept at all: it follows from
        having no seat, not from how the game stands, so a copy gets the same answer anyway.
        """
        store, room = self.house.store, self.room
        if room.seats.of(owner) == SPECTATOR and not room.seats.is_host(owner):
            await store.logs.check_new(room.code, room.length, key)
            return
        at = self.house.date()
        for forgotten in await store.refusals.add(room.code, room.length, key, digest, answer, at):
            self.refusals.pop(forgotten, None)
        self.refusals[key] = (digest, answer)

    def _date(self) -> int:
        """The time of the next line: never before the last, whatever is done to the clock."""
        return max(self.house.date(), self.room.last)

    async def _write(self, line: LogEntry, key: str, digest: str = "", owner: str = "") -> None:
        """Write a line that was judged just now, and let it have its effect."""
        if self.room.is_full:
            raise Refused("web.table_full", most=quotas.ENTRIES)
        if isinstance(line, log_entries.Continued):
            await self.house.open_next(self.room)
        room = self.room
        body, listed = encode_entry(line), listed_by(line)
        append = NewEntry(room.code, room.length, key, digest, body, owner, line.at, listed)
        await self.house.store.logs.append(append)
        self.commands[key] = digest
        if isinstance(line, log_entries.Moved):
            self.house.metrics.moves.add(self.house.clock.now())
        stage = room.stage
        room.apply(line, trusted=True)
        if room.stage == "over" != stage:
            note("table_over", table=room.deal.alias, game=room.game.name)

    @property
    def is_marked(self) -> bool:
        """Whether lists know all there is to know of the table."""
        return self.marked == self.room.length

    def mark_later(self) -> None:
        """Note for lists how the table is, beside: it is no matter of any command."""
        self._later(MARK, self.mark())

    async def mark(self) -> None:
        """Note for lists how the table is. Moves alone are noted when nobody is there any more."""
        arrangement = -1
        while arrangement != self.room.arrangement:
            arrangement = self.room.arrangement
            before, self.marked = self.marked, self.room.length  # also if it fails for good
            try:
                await self.house.store.tables.save_summary(mark_of(self.room, self.house.date()))
            except Refused:
                self.marked = before
                raise

    async def _catch_up(self) -> None:
        """Read what others have written meanwhile."""
        for key, digest, body in await self.house.store.logs.entries(
            self.room.code, self.room.length
        ):
            self.room.apply(decode_entry(body))
            self.commands[key] = digest
        self.refusals = await self.house.store.refusals.of_table(self.room.code)

    async def catch_up(self) -> None:
        """Read what other processes have written, and tell of it."""
        async with self._lock:
            await self._catch_up()
            self._after()

    # --- What changes nothing ---------------------------------------------------------------------

    async def think(self, owner: str, command: Question, style: Style) -> bytes:
        """Answer a question about a move."""
        if isinstance(command, commands.Ping):
            return wire.write(wire.Pong(id=command.id, now=self.house.date()))
        try:
            return await self._think(owner, command, style)
        except Refused as reason:
            return self._refused(command.id, reason)

    def _refused(self, id: str, reason: Refused) -> bytes:
        return refused(id, reason, self.room.game.rule_of_refusal.get(reason.key, ""))

    async def _think(self, owner: str, command: Question, style: Style) -> bytes:
        room, table = self.room, self.room.playing()
        seat = room.seats.of(owner)
        if seat == SPECTATOR:
            raise Refused("web.spectator")
        if isinstance(command, commands.Hint):
            return wire.write(await self._hint(command, seat))
        assert isinstance(command, commands.Think | commands.Read | commands.Try)
        steps = self._steps(seat, command)
        position, whole = table.preview_steps(seat, steps)
        view = views.view_of(room, self.audience.eyes(owner, style, spoken()), position)
        move = room.game.to_move(steps) if steps else None
        thought = wire.Thought(
            id=command.id,
            actions=steps,
            text=room.game.format_move(move) if move else "",
            move=move.to_wire() if move else [],
            whole=whole,
            view=view,
        )
        return wire.write(thought)

    def _steps(
        self, seat: Seat, command: commands.Think | commands.Read | commands.Try
    ) -> list[int]:
        """The steps that a question is about."""
        if isinstance(command, commands.Think):
            return command.actions
        if isinstance(command, commands.Try):
            move = Move(command.verb, tuple(command.numbers))
        else:
            move = self.room.game.parse_move(command.text)
        return self.room.playing().move_actions(seat, move)

    async def _hint(self, command: commands.Hint, seat: Seat) -> wire.Hinted:
        room, table = self.room, self.room.playing()
        position = table.position(seat)
        if seat not in position.actors or not position.legal:
            raise Refused("game_over" if table.is_over else "not_your_turn")
        if len(room.seats.persons()) > 1:  # a hint remembers every card
            raise Refused("web.no_hints")
        advice = await self._thinkers().counsel(room.game.name, position)
        if room.position(seat) != position:  # the table has gone on while he thought
            return wire.Hinted(id=command.id, moves=[], why="", line=[])
        moves = [
            wire.Suggestion(list(move.actions), describe_move(move), move.shares[seat], move.visits)
            for move in advice.moves
        ]
        line = [wire.Expected(step.seat, step.text) for step in advice.principal_variation]
        why = format_reason(room.game, advice, describe_move)
        return wire.Hinted(id=command.id, moves=moves, why=why, line=line)

    # --- What follows from it ---------------------------------------------------------------------

    def rouse(self) -> None:
        """Let go on what was going on; the time in which the house was closed counts for nobody.

        If something was written since it is open, another house was: there the clocks have run.
        """
        room = self.room
        self._is_asleep = room.has_running_clocks and room.last < self.house.begun
        self._after()

    async def _rise(self) -> None:
        async with self._lock:
            await self._wake()
            self._after()

    async def _wake(self) -> None:
        """Write, before anything else, that the house was closed."""
        while self._is_asleep:
            try:
                line = Judge(self.room).resume_clocks(self.house.last_heartbeat, self._date())
            except Refused:  # no time was lost, or the game is over
                break
            try:
                await self._write(line, f"woken:{self.room.length}")
            except Collision:
                await self._catch_up()
            else:
                break
        self._is_asleep = False

    def _after(self) -> None:
        """Tell everybody what has changed for them, and let the house do what is next."""
        self._see_window()
        self._tell_race()
        self.audience.tell()
        room = self.room
        if self._company != room.arrangement:
            self._company = room.arrangement
            self._see_who_is_here()
            if not self.is_marked:
                self.mark_later()
        if self._is_asleep:
            self._later("woken", self._rise())
            return
        if room.stage == "sealing":
            self._prepare_deal()
        for seat in () if self.is_unwatched else room.bots_to_act():
            key = f"bot:{seat}:{self._moment(seat)}"
            self._later(key, self._let_bot_play(seat, key))
        for seat in room.pending_reactions():
            key = f"still:{seat}:{self._moment(seat)}"
            self._later(key, self._let_time_run_out(seat, key))
        for seat in room.actors() if room.pace.has_clocks else ():
            until = room.deadline(seat)
            if until is not None:
                key = f"overdue:{until}:{seat}:{self._moment(seat)}"
                self._later(key, self._let_clock_run_out(seat, until, key))

    def _moment(self, seat: Seat) -> str:
        """The moment at which a seat may act, by what it sees: the same in every process."""
        seen = wire.write(self.room.shown.position(seat).visible_fields())
        return f"{self.room.moves[seat]}:{hashlib.sha256(seen).hexdigest()[:16]}"

    def _later(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside, unless it is being done."""
        if name in self._tasks:
            work.close()
            return
        task = asyncio.create_task(self._done_with(name, work))
        task.add_done_callback(lambda _: work.close())  # if it is called off before it began
        self._tasks[name] = task

    async def _done_with(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            try:
                await work
            except Refused as reason:  # the disk is full, say
                note("table_failed", logging.WARNING, table=self.room.deal.alias, reason=reason.key)
                if reason.key == "web.not_written":
                    await self.house.clock.sleep(AGAIN)
                    self._let_go(name)
                    self._after()
        finally:
            self._let_go(name)
            self.house.forget(self)

    def _let_go(self, name: str) -> None:
        """What is running here is as good as done: it may be begun again."""
        if self._tasks.get(name) is asyncio.current_task():
            del self._tasks[name]

    def _prepare_deal(self) -> None:
        """End the phase of the deal: at once if everybody has sent what it asks for, else later."""
        waits = bool(self.room.awaited())
        if self.room.deal.contributions.phase == "commit":
            delay = COMMIT_SECONDS if waits else 0.0
            self._later(f"close:{waits}", self._close_commitments(delay))
        else:
            delay = REVEAL_SECONDS if waits else 0.0
            self._later(f"deal:{waits}", self._deal(delay))

    async def _close_commitments(self, delay: float) -> None:
        if delay:
            await self.house.clock.sleep(delay)
        await self._derived("commitments_closed", lambda at: Judge(self.room).close_commitments(at))

    async def _deal(self, delay: float) -> None:
        if delay:
            await self.house.clock.sleep(delay)
        await self._derived("deal", lambda at: Judge(self.room).deal(at))

    async def _let_clock_run_out(self, seat: Seat, until: int, key: str) -> None:
        left = until - self.house.date()
        while left > 0:
            await self.house.clock.sleep(left / 1000)
            left = until - self.house.date()
        if self.house.is_closing:  # nobody can move any more: the next house gives the time back
            return
        await self._derived(key, lambda at: Judge(self.room).time_out(seat, at), seat)

    async def _let_time_run_out(self, seat: Seat, key: str) -> None:
        await self.house.clock.sleep(STILL)
        await self._derived(key, lambda at: Judge(self.room).pass_on_timeout(seat, at), seat)

    async def _let_bot_play(self, seat: Seat, key: str) -> None:
        room = self.room
        bot = room.seats[seat].bot
        position = room.position(seat)
        seed = int.from_bytes(room.deal.secret(key)[:8], "big")
        action, _ = await asyncio.gather(
            self._thinkers().choose(room.game.name, bot, position, seed),
            self.house.clock.sleep(self._pause(bot, position, seed)),
        )
        await self._wait_for_turn(seat, [action], bot)
        await self._derived(key, lambda at: Judge(room).move(seat, [action], at, bot), seat)

    def _thinkers(self) -> Thinkers:
        """Return who thinks for the bots here, in turn with those of other owners."""
        return self.house.thinkers(self.house.origins.owner(self.room))

    def _pause(self, bot: str, position: Position, seed: int) -> float:
        """How long a bot takes: at a table with people they are to see what happens."""
        if self.room.game.is_race(position):
            luck = 0.667 + seed % 667 / 1000
            return luck * reaction_time(find_bot(self.room.game, bot))
        return self.house.pace if self.room.seats.persons() else 0.0

    async def _derived(
        self, key: str, judge: Callable[[int], LogEntry], seat: Seat = SPECTATOR
    ) -> None:
        """Write what the house itself does, unless it is done or its moment is over."""
        async with self._lock:
            await self._wake()
            while key not in self.commands and (seat == SPECTATOR or self._is_now(seat, key)):
                try:
                    line = judge(self._date())
                except Refused:  # somebody else plays the seat now, or the dice are sealed
                    break
                try:
                    await self._write(line, key)
                except Collision:
                    await self._catch_up()
            self._let_go(key)
            self._after()

    def _is_now(self, seat: Seat, key: str) -> bool:
        """Whether the moment a key was made for is still there."""
        return self.room.stage == "playing" and key.endswith(f":{seat}:{self._moment(seat)}")

    # --- Sitting down -----------------------------------------------------------------------------

    async def sit(self, owner: str, name: str, seat: Seat | None) -> wire.Place:
        """Take an open seat, and get its own link."""
        token = secrets.token_urlsafe(32)
        async with self._lock:
            await self._wake()
            while True:
                mine = self.room.seats.of(owner)
                if mine != SPECTATOR:
                    return wire.Place(code=self.room.code, seat=mine, token="")
                at = self._date()
                line = Judge(self.room).sit_down(owner, name, hashed(token), at, seat)
                if await self._wrote(line, f"sit:{secrets.token_hex(8)}", owner):
                    self._after()
                    return wire.Place(code=self.room.code, seat=line.seat, token=token)

    async def claim(self, owner: str, token: str) -> wire.Place:
        """Come back to a seat by its own link."""
        async with self._lock:
            await self._wake()
            while True:
                line = Judge(self.room).claim(owner, hashed(token), self._date())
                known = owner in self.room.seats[line.seat].owners
                if known or await self._wrote(line, f"claim:{secrets.token_hex(8)}", owner):
                    self._after()
                    return wire.Place(code=self.room.code, seat=line.seat, token="")

    async def _wrote(self, line: LogEntry, key: str, owner: str) -> bool:
        try:
            await self._write(line, key, owner=owner)
        except Collision:
            await self._catch_up()
            return False
        return True

    async def settle(self) -> None:
        """Finish what people have asked for; who is fastest is decided now."""
        for race in self._races.values():
            race.decide()
        await asyncio.gather(*self._obeying, return_exceptions=True)

    async def close(self) -> None:
        """Finish what people have asked for, and stop whatever else is going on."""
        self.is_closed = True
        await self.settle()
        was_marking = MARK in self._tasks
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if was_marking or not self.is_marked:
            with contextlib.suppress(Refused):  # the disk fails: it is noted when it is next opened
                await self.mark()
