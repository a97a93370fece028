"""The house: all tables that somebody is at. One move is: judge, write down, acknowledge, tell.

No process owns a table. Two that write at once collide in the store; the later one reads what it
has missed and judges again. What bots, timers and dice do has ids made from the table and the turn,
so that doing it twice is doing it once.
"""

import asyncio
import contextlib
import hashlib
import logging
import secrets
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Mapping,
    Sequence,
)
from functools import partial
from typing import Any, Final, Protocol, TypeVar

import msgspec

from cosca.bots.roster import find_bot, reaction
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import SPECTATOR, Action, Seat
from cosca.core.position import Position
from cosca.match.sealed import SEED_BYTES
from cosca.server import lines, views, wire
from cosca.server.clock import Clock
from cosca.server.lines import AnyLine, read_line, write_line
from cosca.server.logs import note
from cosca.server.metrics import Metrics
from cosca.server.pace import GRACE
from cosca.server.race import HOLD, Hand, Race, hold
from cosca.server.room import Room, code_from, folded, hashed, opening
from cosca.server.store import Append, Collision, Listed, Store
from cosca.server.views import Eyes, Stream, Style
from cosca.words import LANGUAGE, say, spoken

T = TypeVar("T")

SEALING: Final = 2.0
"""Seconds a browser has to add to the dice when the host begins."""
WATCH: Final = 0.25
"""Seconds between looks at what other processes have written."""
MEASURE: Final = 5.0
"""Seconds between tellings of how long the lines are."""
STILL: Final = views.RACE + HOLD[1]
"""Seconds after which a hand in a race has kept still: one that came in time may be held."""
AGAIN: Final = 1.0
"""Seconds until the house tries again what it could not write down."""
MOST_ROUSED: Final = 10_000
MOST_LISTED: Final = 20


Sink = Callable[[bytes], None]
"""Takes a message for one browser."""

Trip = Callable[[], float]
"""How many seconds a message takes to one browser and back, as measured."""
Question = wire.Think | wire.Read | wire.Hint | wire.Ping
"""A command that changes nothing."""


class Thinkers(Protocol):
    """Whoever thinks for the bots: processes at a real house."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """What a bot does in a position."""
        ...

    async def suggest(self, game: str, position: Position) -> list[Move]:
        """The moves worth a thought."""
        ...


def no_trip() -> float:
    """The line of somebody whose line is not measured."""
    return 0.0


def refused(id: str, reason: Refused) -> bytes:
    """The answer to a command that cannot be granted."""
    text = say(reason.key, reason.params)
    return wire.write(wire.Refused(id=id, key=reason.key, text=text))


class LiveTable:
    """A table that somebody is at, or at which bots play: its room, and who is to be told."""

    def __init__(self, house: "House", room: Room) -> None:
        self.house = house
        self.room = room
        self.users = 0
        self.commands: dict[str, str] = {}
        """Digests of the commands that were granted."""
        self.refusals: dict[str, tuple[str, bytes]] = {}
        self._lock = asyncio.Lock()
        self._streams: dict[Eyes, Stream] = {}
        self._sinks: dict[Eyes, dict[Sink, str]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._obeying: set[asyncio.Task[None]] = set()
        self._arrangement = room.arrangement
        self._company = -1
        """For which arrangement of the room it was last looked who is here."""
        self._rewound = room.rewound
        self._told = room.length
        """Of how many lines everybody has been told."""
        self._opened = ("", 0.0)
        """The last window in which the fastest hand counts, and when it was shown."""
        self._trips: dict[Sink, Trip] = {}
        self._beside: dict[Sink, Collection[str]] = {}
        self._told_trips: list[int | None] = [None] * len(room.chairs)
        self._races: dict[str, Race] = {}

    # --- Who is here ------------------------------------------------------------------------------

    @property
    def races(self) -> bool:
        """Whether hands are on their way and nobody is through yet."""
        return any(race.has_begun and not race.is_decided for race in self._races.values())

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.users and not self._tasks and not self._obeying

    def here(self) -> set[Seat]:
        """The seats whose people have the table open."""
        here = {eyes.seat for eyes in self._sinks}
        for others in self._beside.values():
            here |= {self.room.seat_of(other) for other in others}
        return here - {SPECTATOR}

    def come(
        self,
        owner: str,
        style: Style,
        sink: Sink,
        trip: Trip = no_trip,
        beside: Collection[str] = (),
        language: str = LANGUAGE,
    ) -> None:
        """Somebody opens the table: all there is to know first, then whatever changes.

        Who sits beside them, at the same device, is here as well.
        """
        self._trips[sink] = trip
        if beside:
            self._beside[sink] = beside
        if self._told != self.room.length:  # first the others, or who comes is told it twice
            self._tell()
        eyes = self._eyes(owner, style, language)
        before = self.here()
        self._sinks.setdefault(eyes, {})[sink] = owner
        if self.here() != before:
            self._tell(arranged=True)
        if eyes not in self._streams:
            self._streams[eyes] = Stream(self.room, eyes, self.here())
        sink(views.full(self.room, eyes, self.here()))
        if any(trip is not None for trip in self._told_trips):
            sink(wire.write(wire.Trips(trips=self._told_trips)))
        self._see_who_is_here(eyes.seat)

    def go(self, sink: Sink) -> None:
        """Somebody closes the table."""
        before = self.here()
        self._drop(sink)
        self._trips.pop(sink, None)
        self._beside.pop(sink, None)
        if self.here() != before:
            self._tell(arranged=True)
            self._see_who_is_here()

    def _see_who_is_here(self, come: Seat = SPECTATOR) -> None:
        """Let a bot keep the seat of who is gone for long, and give it back to who is here."""
        here = self.here()
        if come in here and self.room.chairs[come].until_back:
            self._later(f"back:{come}", self._give_back(come))
        if self.room.stage != "playing" or self.room.pace.kind not in self.house.grace:
            return
        for seat in self.room.players():
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
        if seat not in self.here() and self.here():
            key = f"gone:{seat}:{self.room.length}"
            await self._derived(key, lambda at: self.room.judge_gone(seat, at))

    async def _give_back(self, seat: Seat) -> None:
        key = f"back:{seat}:{self.room.length}"
        await self._derived(key, lambda at: self.room.judge_coming_back(seat, at))

    def tell_trips(self) -> None:
        """Tell everybody how long all lines are, if that has changed."""
        trips = self.trips()
        if trips != self._told_trips:
            self._told_trips = trips
            told = wire.write(wire.Trips(trips=trips))
            for sinks in self._sinks.values():
                for sink in sinks:
                    sink(told)

    def trips(self) -> list[int | None]:
        """How long the lines of those are who are here, in milliseconds."""
        found: list[int | None] = [None] * len(self.room.chairs)
        for seat, trip in self._seat_trips().items():
            found[seat] = round(trip * 100) * 10
        return found

    def _seat_trips(self) -> dict[Seat, float]:
        """Of each seat the best line: who has two devices, plays on one."""
        found: dict[Seat, float] = {}
        for eyes, sinks in self._sinks.items():
            if eyes.seat != SPECTATOR:
                trips = [self._trips[sink]() for sink in sinks]
                found[eyes.seat] = min([*trips, found.get(eyes.seat, trips[0])])
        return found

    def _drop(self, sink: Sink) -> None:
        for eyes, sinks in list(self._sinks.items()):
            sinks.pop(sink, None)
            if not sinks:
                del self._sinks[eyes]
                self._streams.pop(eyes, None)

    def _eyes(self, owner: str, style: Style, language: str) -> Eyes:
        return Eyes(self.room.seat_of(owner), self.room.is_host(owner), style, language)

    # --- What somebody wants ----------------------------------------------------------------------

    async def obey(self, owner: str, command: wire.Command, answer: Sink) -> None:
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

    async def _obey(self, owner: str, command: wire.Command, answer: Sink) -> None:
        if isinstance(command, wire.Move):
            await self._wait_for_turn(self.room.seat_of(owner), command.actions)
        key = f"{owner[:16]}:{command.id}"
        digest = hashlib.sha256(wire.write(command)).hexdigest()[:16]
        async with self._lock:
            try:
                told = self._answered(key, digest, command)
                if not told:
                    told = await self._grant(owner, command, key, digest)
            except Refused as reason:
                told = refused(command.id, reason)
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
        trip = 0.0 if bot else self._seat_trips().get(seat, 0.0)
        turn = race.enter(Hand(seat, self.house.clock.now() - shown, trip))
        if first:
            self._later(f"race:{self._window()}", self._decide(race))
        await turn

    def _is_reaching(self, seat: Seat, actions: Sequence[Action], bot: str) -> bool:
        """Whether a hand is in a race: one that does nothing, or what it may not, is in none."""
        room = self.room
        if seat not in room.actors() or not room.game.races(room.glance(seat)):
            return False
        if room.chairs[seat].bot != bot:
            return False
        try:
            room.playing().check_steps(seat, list(actions))
        except Refused:
            return False
        return list(actions) != room.still(seat)

    def _see_window(self) -> None:
        """Note when a window is shown, for all at once: who looks later has seen it elsewhere."""
        if self.room.stage == "playing" and self.room.is_race:
            window = self._window()
            if self._opened[0] != window:
                self._opened = (window, self.house.clock.now())

    def _window(self) -> str:
        """The name of the window that is open, by what everybody sees."""
        seen = wire.write(self.room.glance(SPECTATOR).visible())
        return hashlib.sha256(seen).hexdigest()[:16]

    def _race(self) -> Race:
        """The race that is on. The lot of a tie is drawn from what only the house knows."""
        window = self._window()
        if window not in self._races:
            dice = Dice(int.from_bytes(self.room.secret(f"tie:{window}")[:8], "big"))
            self._races = {window: Race(dice.below)}
        return self._races[window]

    async def _decide(self, race: Race) -> None:
        await self.house.clock.sleep(hold(list(self._seat_trips().values())))
        race.decide()

    # --- Once, and for good -----------------------------------------------------------------------

    def _answered(self, key: str, digest: str, command: wire.Command) -> bytes:
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

    def _done(self, command: wire.Command) -> bytes:
        """The answer to a command that was granted, the same at any later time."""
        code = self.room.rematch if isinstance(command, wire.Rematch) else ""
        return wire.write(wire.Done(id=command.id, code=code))

    async def _grant(self, owner: str, command: wire.Command, key: str, digest: str) -> bytes:
        while True:
            try:
                line = self.room.judge(owner, command, self.here(), self._date())
            except Refused as reason:
                answer = refused(command.id, reason)
                room = self.room
                write = self.house.store.refuse(room.code, room.length, key, digest, answer)
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
            if answer:
                self.refusals[key] = (digest, answer)
            return answer or self._done(command)

    def _date(self) -> int:
        """The time of the next line: never before the last, whatever is done to the clock."""
        return max(self.house.clock.date(), self.room.last)

    async def _write(self, line: AnyLine, key: str, digest: str = "", owner: str = "") -> None:
        """Write a line that was judged just now, and let it have its effect."""
        if isinstance(line, lines.Continued):
            await self.house.open_next(self.room)
        room = self.room
        append = Append(room.code, room.length, key, digest, write_line(line), owner, line.at)
        await self.house.store.append(append)
        self.commands[key] = digest
        if isinstance(line, lines.Moved):
            self.house.metrics.moves.add(self.house.clock.now())
        stage = room.stage
        room.fold(line, judged=True)
        if room.stage != stage:  # beside: whether lists know it is no matter of the command
            self._later(f"mark:{room.stage}", self.mark(room.stage))
            if room.stage == "over":
                note("table_over", table=room.alias, game=room.game.name)

    async def mark(self, stage: wire.Stage) -> None:
        """Note for lists how far the table is."""
        now = self.house.clock.date()
        await self.house.store.mark(self.room.code, self.room.game.name, stage, now)

    async def _catch_up(self) -> None:
        """Read what others have written meanwhile."""
        for key, digest, body in await self.house.store.lines(self.room.code, self.room.length):
            self.room.fold(read_line(body))
            self.commands[key] = digest
        self.refusals = await self.house.store.refusals(self.room.code)

    async def catch_up(self) -> None:
        """Read what other processes have written, and tell of it."""
        async with self._lock:
            await self._catch_up()
            self._after()

    # --- What changes nothing ---------------------------------------------------------------------

    async def think(self, owner: str, command: Question, style: Style) -> bytes:
        """Answer a question about a move."""
        if isinstance(command, wire.Ping):
            return wire.write(wire.Pong(id=command.id, now=self.house.clock.date()))
        try:
            return await self._think(owner, command, style)
        except Refused as reason:
            return refused(command.id, reason)

    async def _think(self, owner: str, command: Question, style: Style) -> bytes:
        room, table = self.room, self.room.playing()
        seat = room.seat_of(owner)
        if seat == SPECTATOR:
            raise Refused("web.spectator")
        if isinstance(command, wire.Hint):
            return wire.write(await self._hint(command, seat))
        assert isinstance(command, wire.Think | wire.Read)
        steps = (
            command.actions
            if isinstance(command, wire.Think)
            else table.steps(seat, room.game.parse_move(command.text))
        )
        position, whole = table.think(seat, steps)
        view = views.view_of(room, self._eyes(owner, style, spoken()), position)
        text = room.game.format_move(room.game.to_move(steps)) if steps else ""
        thought = wire.Thought(id=command.id, actions=steps, text=text, whole=whole, view=view)
        return wire.write(thought)

    async def _hint(self, command: wire.Hint, seat: Seat) -> wire.Hinted:
        room, table = self.room, self.room.playing()
        position = table.position(seat)
        if seat not in position.actors or not position.legal:
            raise Refused("game_over" if table.is_over else "not_your_turn")
        if len(room.persons()) > 1:  # a hint remembers every card
            raise Refused("web.no_hints")
        moves = await self.house.crew.suggest(room.game.name, position)
        told = []
        for move in moves:
            with contextlib.suppress(Refused):  # the table may have gone on while they thought
                steps = table.steps(seat, move)
                told.append(wire.Suggestion(steps, room.game.format_move(move)))
        return wire.Hinted(id=command.id, moves=told)

    # --- What follows from it ---------------------------------------------------------------------

    def rouse(self) -> None:
        """Let go on what was going on; the time in which the house was closed counts for nobody.

        If something was written since it is open, another house was: there the clocks have run.
        """
        room = self.room
        timed = room.pace.has_clocks and room.stage == "playing" and not room.is_paused
        if timed and room.last < self.house.begun:
            self._later("woken", self._wake())
        else:
            self._after()

    async def _wake(self) -> None:
        await self._derived(f"woken:{self.room.length}", self.room.judge_waking)

    def _after(self) -> None:
        """Tell everybody what has changed for them, and let the house do what is next."""
        self._tell()
        room = self.room
        if self._company != room.arrangement:
            self._company = room.arrangement
            self._see_who_is_here()
        if room.stage == "sealing":
            delay = SEALING if room.waits_for_entropy() else 0.0
            self._later(f"deal:{int(not delay)}", self._deal(delay))
        for seat in room.bots_to_act():
            key = f"bot:{seat}:{self._moment(seat)}"
            self._later(key, self._let_bot_play(seat, key))
        for seat in room.slow_hands():
            key = f"still:{seat}:{self._moment(seat)}"
            self._later(key, self._let_time_run_out(seat, key))
        for seat in room.actors() if room.pace.has_clocks else ():
            until = room.deadline(seat)
            if until is not None:
                key = f"overdue:{until}:{seat}:{self._moment(seat)}"
                self._later(key, self._let_clock_run_out(seat, until, key))

    def _moment(self, seat: Seat) -> str:
        """The moment at which a seat may act, by what it sees: the same in every process."""
        seen = wire.write(self.room.glance(seat).visible())
        return f"{self.room.moves[seat]}:{hashlib.sha256(seen).hexdigest()[:16]}"

    def _tell(self, *, arranged: bool = False) -> None:
        self._told = self.room.length
        self._see_window()
        if self.room.rewound != self._rewound:
            self._tell_anew()
            return
        arranged = self.room.arrangement != self._arrangement or arranged
        self._arrangement = self.room.arrangement
        moved = self._moved() if arranged else []
        here = self.here()
        for eyes, stream in self._streams.items():
            told = stream.update(here, arranged=arranged)
            if told:
                for sink in self._sinks[eyes]:
                    sink(told)
        for owner, eyes, sink in moved:
            beside = self._beside.get(sink, ())
            self.come(owner, eyes.style, sink, self._trips[sink], beside, eyes.language)

    def _tell_anew(self) -> None:
        """A move was taken back: everybody is told all there is, for lists only ever grow."""
        self._rewound = self.room.rewound
        self._arrangement = self.room.arrangement
        here = self.here()
        for eyes, sinks in self._sinks.items():
            self._streams[eyes] = Stream(self.room, eyes, here)
            for sink in sinks:
                sink(views.full(self.room, eyes, here))

    def _moved(self) -> list[tuple[str, Eyes, Sink]]:
        """Those who look with other eyes now, for they have sat down or left; none is told more."""
        moved = [
            (owner, eyes, sink)
            for eyes, sinks in self._sinks.items()
            for sink, owner in sinks.items()
            if self._eyes(owner, eyes.style, eyes.language) != eyes
        ]
        for _, _, sink in moved:
            self._drop(sink)
        return moved

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
                note("table_failed", logging.WARNING, table=self.room.alias, reason=reason.key)
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

    async def _deal(self, delay: float) -> None:
        if delay:
            await self.house.clock.sleep(delay)
        await self._derived("deal", lambda at: self.room.judge_dealing(at))

    async def _let_clock_run_out(self, seat: Seat, until: int, key: str) -> None:
        left = until - self.house.clock.date()
        while left > 0:
            await self.house.clock.sleep(left / 1000)
            left = until - self.house.clock.date()
        await self._derived(key, lambda at: self.room.judge_overdue(seat, at), seat)

    async def _let_time_run_out(self, seat: Seat, key: str) -> None:
        await self.house.clock.sleep(STILL)
        await self._derived(key, lambda at: self.room.judge_keeping_still(seat, at), seat)

    async def _let_bot_play(self, seat: Seat, key: str) -> None:
        room = self.room
        bot = room.chairs[seat].bot
        position = room.position(seat)
        seed = int.from_bytes(room.secret(key)[:8], "big")
        action, _ = await asyncio.gather(
            self.house.crew.choose(room.game.name, bot, position, seed),
            self.house.clock.sleep(self._pause(bot, position, seed)),
        )
        await self._wait_for_turn(seat, [action], bot)
        await self._derived(key, lambda at: room.judge_move(seat, [action], at, bot), seat)

    def _pause(self, bot: str, position: Position, seed: int) -> float:
        """How long a bot takes: at a table with people they are to see what happens."""
        if self.room.game.races(position):
            luck = 0.667 + seed % 667 / 1000
            return luck * reaction(find_bot(self.room.game, bot))
        return self.house.pace if self.room.persons() else 0.0

    async def _derived(
        self, key: str, judge: Callable[[int], AnyLine], seat: Seat = SPECTATOR
    ) -> None:
        """Write what the house itself does, unless it is done or its moment is over."""
        async with self._lock:
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
            while True:
                mine = self.room.seat_of(owner)
                if mine != SPECTATOR:
                    return wire.Place(code=self.room.code, seat=mine, token="")
                at = self._date()
                line = self.room.judge_sitting(owner, name, hashed(token), at, seat)
                if await self._wrote(line, f"sit:{secrets.token_hex(8)}", owner):
                    self._after()
                    return wire.Place(code=self.room.code, seat=line.seat, token=token)

    async def claim(self, owner: str, token: str) -> wire.Place:
        """Come back to a seat by its own link."""
        async with self._lock:
            while True:
                line = self.room.judge_claim(owner, hashed(token), self._date())
                known = owner in self.room.chairs[line.seat].owners
                if known or await self._wrote(line, f"claim:{secrets.token_hex(8)}", owner):
                    self._after()
                    return wire.Place(code=self.room.code, seat=line.seat, token="")

    async def _wrote(self, line: AnyLine, key: str, owner: str) -> bool:
        try:
            await self._write(line, key, owner=owner)
        except Collision:
            await self._catch_up()
            return False
        return True

    async def close(self) -> None:
        """Finish what people have asked for, and stop whatever else is going on."""
        for race in self._races.values():
            race.decide()
        await asyncio.gather(*self._obeying, return_exceptions=True)
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


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
        self.begun = clock.date()
        """When this house was opened."""
        self._tables: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}

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
        entries = await self.store.lines(code)
        if not entries:
            raise Refused("web.no_table", code=code)
        try:
            read = [read_line(body) for _, _, body in entries]
        except msgspec.DecodeError:  # a line of a newer Cosca
            raise Refused("web.other_version", code=code) from None
        room = await asyncio.to_thread(folded, read)
        live = LiveTable(self, room)
        live.commands = {key: digest for key, digest, _ in entries}
        live.refusals = await self.store.refusals(code)
        return live

    async def rouse(self) -> None:
        """Let go on, when the house is opened, all games whose clocks were running."""
        playing = partial(self.store.tables_at, "playing", MOST_ROUSED)
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
        if live.is_idle and self._tables.get(live.room.code) is live:
            del self._tables[live.room.code]

    async def open(self, owner: str, wanted: wire.NewTable) -> wire.Place:
        """Open a table, and give its host a seat if the host wants one."""
        code = code_from(secrets.token_bytes(32))
        at = self.clock.date()
        game = find(wanted.game)
        seed = secrets.token_bytes(SEED_BYTES)
        line = opening(game, wanted, code=code, host=owner, seed=seed, at=at)
        room = Room(line)
        log_: list[AnyLine] = [line]
        token, seat = "", SPECTATOR
        if "you" in wanted.seats:
            seat = wanted.seats.index("you")
            token = secrets.token_urlsafe(32)
            sat = room.judge_sitting(owner, wanted.name, hashed(token), at, seat)
            room.fold(sat)
            log_.append(sat)
            if wanted.entropy:
                log_.append(lines.Stirred(at=at, seat=seat, entropy=wanted.entropy))
        if wanted.start:
            log_.append(lines.Started(at=at, bot=room.strongest()))
            if seat == SPECTATOR or wanted.entropy:
                log_.append(lines.Dealt(at=at))
        await self._write_all(code, log_, owner, folded(log_))
        if wanted.start:
            await self._look_in(code)
        return wire.Place(code=code, seat=seat, token=token)

    async def open_next(self, room: Room) -> None:
        """Open the table at which a game goes on, unless it is open already."""
        at = self.clock.date()
        opened = room.next_opening(secrets.token_bytes(SEED_BYTES), at)
        log_ = [opened, *room.next_sittings(at)]
        with contextlib.suppress(Collision):
            await self._write_all(opened.code, log_, "", folded(log_))

    async def _write_all(self, code: str, log_: list[AnyLine], owner: str, room: Room) -> None:
        """Write the first lines of a table, all or none."""
        owners = [getattr(line, "owner", owner) for line in log_]
        appends = [
            Append(code, seq, f"open:{seq}", "", write_line(line), owners[seq], line.at)
            for seq, line in enumerate(log_)
        ]
        await self.store.open(appends, room.game.name, room.stage)
        note("table_opened", table=room.alias, game=room.game.name, seats=len(room.chairs))

    # --- Tables that are no more ------------------------------------------------------------------

    def loaded(self) -> list[str]:
        """The codes of the tables that somebody is at."""
        return list(self._tables)

    async def remove(self, code: str) -> None:
        """Delete a table; whoever is at it is told."""
        await self.store.delete(code)
        await self.drop(code)

    async def drop(self, code: str) -> None:
        """Let go of a table that was deleted."""
        live = self._tables.pop(code, None)
        if live:
            for tell in self.when_gone:
                tell(code)
            await live.close()

    # --- Lists ------------------------------------------------------------------------------------

    async def tables_of(self, owner: str) -> list[wire.Listed]:
        """The tables at which somebody has a seat."""
        return await self._told(await self.store.tables_of(owner, MOST_LISTED), owner)

    async def tables_to_watch(self) -> list[wire.Listed]:
        """The tables at which is being played."""
        told = await self._told(await self.store.tables_at("playing", MOST_LISTED), "")
        return [table for table in told if table.stage == "playing"]

    async def _told(self, listed: list[Listed], owner: str) -> list[wire.Listed]:
        told = []
        for entry in listed:
            with contextlib.suppress(Refused):  # a table of another version is not to be shown
                async with self.table(entry.code) as live:
                    told.append(_listed(live, owner))
                    if live.room.stage != entry.stage:  # the house was stopped before it could
                        await live.mark(live.room.stage)
        return told

    # --- Other processes --------------------------------------------------------------------------

    async def watch(self) -> None:
        """Look for what other processes write, for ever."""
        version = await self._insist(self.store.version)
        while True:
            await self.clock.sleep(WATCH)
            now = await self._insist(self.store.version)
            if now != version:
                version = now
                for code in await self._insist(lambda: self.store.missing(self.loaded())):
                    await self.drop(code)
                for live in list(self._tables.values()):
                    await self._insist(live.catch_up)
                for tell in self.when_news:
                    await self._insist(tell)

    async def measure(self) -> None:
        """Tell at all tables how long the lines are, for ever."""
        while True:
            await self.clock.sleep(MEASURE)
            for live in list(self._tables.values()):
                live.tell_trips()
                await asyncio.sleep(0)  # a thousand tables at once would keep everybody waiting

    async def close(self) -> None:
        """Close all tables; whoever comes again finds them as they were."""
        for live in list(self._tables.values()):
            await live.close()


def _looked_at(task: "asyncio.Task[LiveTable]") -> None:
    """If nobody waits any more, it is no matter why a table could not be read."""
    if not task.cancelled():
        task.exception()


def _listed(live: LiveTable, owner: str) -> wire.Listed:
    room = live.room
    seat = room.seat_of(owner)
    # What the seat may see, not who truly may act: in a window that is a secret.
    actors = room.glance(seat).actors if room.stage == "playing" else ()
    return wire.Listed(
        code=room.code,
        game=room.game.name,
        title=room.game.title,
        stage=room.stage,
        seats=views.seats(room, live.here()),
        you=seat,
        your_turn=seat in actors,
    )
