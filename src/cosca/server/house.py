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
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final, Protocol, TypeVar

import msgspec

from cosca.bots.roster import find_bot, reaction
from cosca.catalog import find
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import SPECTATOR, Action, Seat
from cosca.core.position import Position
from cosca.match.sealed import SEED_BYTES
from cosca.server import lines, views, wire
from cosca.server.clock import Clock
from cosca.server.lines import AnyLine, read_line, write_line
from cosca.server.room import Room, code_from, folded, hashed, opening
from cosca.server.store import Append, Collision, Listed, Store
from cosca.server.views import Eyes, Stream, Style
from cosca.words import say

T = TypeVar("T")

SEALING: Final = 2.0
"""Seconds a browser has to add to the dice when the host begins."""
WATCH: Final = 0.25
"""Seconds between looks at what other processes have written."""
AGAIN: Final = 1.0
"""Seconds until the house tries again what it could not write down."""
MOST_LISTED: Final = 20

Sink = Callable[[bytes], None]
"""Takes a message for one browser."""

Question = wire.Think | wire.Read | wire.Hint
"""A command that changes nothing."""

log = logging.getLogger("cosca.server")


class Thinkers(Protocol):
    """Whoever thinks for the bots: processes at a real house."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """What a bot does in a position."""
        ...

    async def suggest(self, game: str, position: Position) -> list[Move]:
        """The moves worth a thought."""
        ...


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
        self._told = room.length
        """Of how many lines everybody has been told."""

    # --- Who is here ------------------------------------------------------------------------------

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is going on."""
        return not self.users and not self._tasks and not self._obeying

    def here(self) -> set[Seat]:
        """The seats whose people have the table open."""
        return {eyes.seat for eyes in self._sinks if eyes.seat != SPECTATOR}

    def come(self, owner: str, style: Style, sink: Sink) -> None:
        """Somebody opens the table: all there is to know first, then whatever changes."""
        if self._told != self.room.length:  # first the others, or who comes is told it twice
            self._tell()
        eyes = self._eyes(owner, style)
        before = self.here()
        self._sinks.setdefault(eyes, {})[sink] = owner
        if self.here() != before:
            self._tell(arranged=True)
        if eyes not in self._streams:
            self._streams[eyes] = Stream(self.room, eyes, self.here())
        sink(views.full(self.room, eyes, self.here()))

    def go(self, sink: Sink) -> None:
        """Somebody closes the table."""
        before = self.here()
        self._drop(sink)
        if self.here() != before:
            self._tell(arranged=True)

    def _drop(self, sink: Sink) -> None:
        for eyes, sinks in list(self._sinks.items()):
            sinks.pop(sink, None)
            if not sinks:
                del self._sinks[eyes]
                self._streams.pop(eyes, None)

    def _eyes(self, owner: str, style: Style) -> Eyes:
        return Eyes(self.room.seat_of(owner), self.room.is_host(owner), style)

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
                line = self.room.judge(owner, command, self.here(), self.house.clock.date())
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

    async def _write(self, line: AnyLine, key: str, digest: str = "", owner: str = "") -> None:
        """Write a line that was judged just now, and let it have its effect."""
        if isinstance(line, lines.Continued):
            await self.house.open_next(self.room)
        room = self.room
        append = Append(room.code, room.length, key, digest, write_line(line), owner)
        await self.house.store.append(append)
        self.commands[key] = digest
        stage = room.stage
        room.fold(line, judged=True)
        if room.stage != stage:  # beside: whether lists know it is no matter of the command
            self._later(f"mark:{room.stage}", self.mark(room.stage))

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
        steps = (
            command.actions
            if isinstance(command, wire.Think)
            else table.steps(seat, room.game.parse_move(command.text))
        )
        position, whole = table.think(seat, steps)
        view = views.view_of(room, self._eyes(owner, style), position)
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
        """Let go on what was going on when the table was left."""
        self._after()

    def _after(self) -> None:
        """Tell everybody what has changed for them, and let the house do what is next."""
        self._tell()
        room = self.room
        if room.stage == "sealing":
            delay = SEALING if room.waits_for_entropy() else 0.0
            self._later(f"deal:{int(not delay)}", self._deal(delay))
        for seat in room.bots_to_act():
            key = f"bot:{seat}:{self._moment(seat)}"
            self._later(key, self._let_bot_play(seat, key))
        for seat in room.slow_hands():
            key = f"still:{seat}:{self._moment(seat)}"
            self._later(key, self._let_time_run_out(seat, key))

    def _moment(self, seat: Seat) -> str:
        """The moment at which a seat may act, by what it sees: the same in every process."""
        seen = wire.write(self.room.glance(seat).visible())
        return f"{self.room.moves[seat]}:{hashlib.sha256(seen).hexdigest()[:16]}"

    def _tell(self, *, arranged: bool = False) -> None:
        self._told = self.room.length
        arranged = self.room.arrangement != self._arrangement or arranged
        self._arrangement = self.room.arrangement
        moved = self._moved() if arranged else []
        here = self.here()
        for eyes, stream in self._streams.items():
            told = stream.update(here, arranged=arranged)
            if told:
                for sink in self._sinks[eyes]:
                    sink(told)
        for owner, style, sink in moved:
            self.come(owner, style, sink)

    def _moved(self) -> list[tuple[str, Style, Sink]]:
        """Those who look with other eyes now, for they have sat down or left; none is told more."""
        moved = [
            (owner, eyes.style, sink)
            for eyes, sinks in self._sinks.items()
            for sink, owner in sinks.items()
            if self._eyes(owner, eyes.style) != eyes
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
                log.warning("%s: %s", self.room.code, reason.key)
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

    async def _let_time_run_out(self, seat: Seat, key: str) -> None:
        await self.house.clock.sleep(views.RACE)
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
                    line = judge(self.house.clock.date())
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
                at = self.house.clock.date()
                line = self.room.judge_sitting(owner, name, hashed(token), at, seat)
                if await self._wrote(line, f"sit:{secrets.token_hex(8)}", owner):
                    self._after()
                    return wire.Place(code=self.room.code, seat=line.seat, token=token)

    async def claim(self, owner: str, token: str) -> wire.Place:
        """Come back to a seat by its own link."""
        async with self._lock:
            while True:
                line = self.room.judge_claim(owner, hashed(token), self.house.clock.date())
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
        await asyncio.gather(*self._obeying, return_exceptions=True)
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class House:
    """All tables of one process."""

    def __init__(self, store: Store, crew: Thinkers, clock: Clock, pace: float = 0.7) -> None:
        self.store = store
        self.crew = crew
        self.clock = clock
        self.pace = pace
        """Seconds a bot takes for a step, so that people can follow."""
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
        await self._write_all(code, log_, owner)
        stage = folded(log_).stage
        await self.store.mark(code, game.name, stage, at)
        if wanted.start:
            async with self.table(code):  # to be open is to be roused
                pass
        return wire.Place(code=code, seat=seat, token=token)

    async def open_next(self, room: Room) -> None:
        """Open the table at which a game goes on, unless it is open already."""
        at = self.clock.date()
        opened = room.next_opening(secrets.token_bytes(SEED_BYTES), at)
        log_ = [opened, *room.next_sittings(at)]
        with contextlib.suppress(Collision):
            await self._write_all(opened.code, log_, "")
            await self.store.mark(opened.code, room.game.name, "lobby", at)

    async def _write_all(self, code: str, log_: list[AnyLine], owner: str) -> None:
        """Write the first lines of a table, all or none."""
        owners = [getattr(line, "owner", owner) for line in log_]
        await self.store.append(
            *(
                Append(code, seq, f"open:{seq}", "", write_line(line), owners[seq])
                for seq, line in enumerate(log_)
            )
        )

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
                for live in list(self._tables.values()):
                    await self._insist(live.catch_up)

    async def _insist(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask the store again and again, as long as the disk fails."""
        while True:
            try:
                return await ask()
            except Refused as reason:
                if reason.key != "web.not_written":
                    raise
                await self.clock.sleep(AGAIN)

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
