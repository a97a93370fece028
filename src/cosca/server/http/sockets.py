"""Sockets: one for each open table of a browser. Frames come in, messages go out, in order."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from functools import partial
from typing import Any, Final, get_args

import msgspec

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.http.addresses import network_of
from cosca.server.http.code_guesses import CodeGuesses
from cosca.server.http.frames import TEXTS
from cosca.server.http.rate_limits import RateLimits
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.live.previews import Question
from cosca.server.live.subscribers import RoundTrip, not_measured
from cosca.server.live.table import LiveTable, refusal
from cosca.server.live.views import ViewFormat
from cosca.words import speaking, spoken

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

COMMANDS: Final = (100, 5.0)
"""So many commands at once, and then so many a second, from one seat; or from all spectators in
one network. Not from one socket: another is easily opened."""
CHATS: Final = (5, 0.5)
FAULTS: Final = (200, 1.0)
"""So many frames that are no command, or come too fast, at once, and then so many a second, from
the same: with one more the socket is closed."""
MOST_WAITING: Final = 1000
"""Messages that may wait for a slow reader before it is cut off,"""
MOST_WAITING_BYTES: Final = 1 << 20
"""and how long they may be together."""
TOGETHER: Final = 8
"""Messages that are sent in one go, where that can be."""
AGAIN, RESTARTING, POLICY, FAILED = 1013, 1012, 1008, 1011
LATER: Final = ("web.not_written", "web.too_fast")
"""Why a table cannot be opened now, though it may be later."""
QUESTIONS: Final = get_args(Question)

log = logging.getLogger("cosca.server")


class Socket:
    """The way to one browser: takes messages at once, and sends them as fast as they are read."""

    def __init__(self, send: Send, together: bool) -> None:
        self._send = send
        self._most = TOGETHER if together else 1
        self.language = spoken()
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._code = 0

    def push(self, message: bytes) -> None:
        """Send a message as soon as those before it are gone."""
        if self._code == AGAIN:  # it is closed without what waits, so nothing more waits
            return
        self._waiting.append(message)
        self._waiting_bytes += len(message)
        # One message may be longer by itself: it would be no shorter the next time.
        count = len(self._waiting)
        if count > MOST_WAITING or (count > 1 and self._waiting_bytes > MOST_WAITING_BYTES):
            self._waiting.clear()
            self.end(AGAIN)
        self._wake.set()

    def end(self, code: int) -> None:
        """Close the socket when what waits is sent; a slow reader gets no more."""
        self._code = code
        self._wake.set()

    async def write(self) -> None:
        """Send what waits, until the socket is closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                # Without a name: a name would hold the last message as long as the socket is idle.
                await self._send(self._next())
            if self._code:
                await self._send({"type": "websocket.close", "code": self._code})
                return

    def _next(self) -> dict[str, Any]:
        """What is sent next: several messages at once, if they wait and the server takes them."""
        count = min(len(self._waiting), self._most)
        texts = [self._waiting.popleft() for _ in range(count)]
        self._waiting_bytes -= sum(map(len, texts))
        return _text(texts[0]) if self._most == 1 else {"type": "websocket.send", TEXTS: texts}


def _text(message: bytes) -> dict[str, Any]:
    return {"type": "websocket.send", "text": message.decode()}


class Sockets:
    """All sockets of the house."""

    def __init__(self, house: House, clock: Clock, *, generous: bool) -> None:
        self.house = house
        self.clock = clock
        self._generous = generous
        self._commands = RateLimits(clock, *COMMANDS)
        self._chats = RateLimits(clock, *CHATS)
        self._faults = RateLimits(clock, *FAULTS)
        self.guesses = CodeGuesses(clock, generous=generous)
        self._open: dict[Socket, tuple[str, str]] = {}
        """Each with the code of its table, and the address it comes from."""
        house.on_deleted.append(self.end_table)
        house.metrics.add_gauge("cosca_sockets", "Open WebSockets.", lambda: self.count)
        self.is_closing = False
        """Whether the house is about to close, and takes nothing new."""

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._open)

    async def serve(
        self,
        code: str,
        owner: str,
        style: ViewFormat,
        receive: Receive,
        send: Send,
        address: str = "",
        trip: RoundTrip = not_measured,
        beside: Collection[str] = (),
        together: bool = False,
    ) -> None:
        """Serve one socket from its beginning to its end."""
        socket = Socket(send, together)
        async with contextlib.AsyncExitStack() as stack:
            try:
                self.guesses.check(address)
                live = await stack.enter_async_context(self.house.table(code))
            except Refused as reason:
                self.guesses.note(address, reason)
                await send({"type": "websocket.accept"})
                await send(_text(refusal("", reason)))
                again = reason.key in LATER
                await send({"type": "websocket.close", "code": AGAIN if again else POLICY})
                return
            await send({"type": "websocket.accept"})
            if self.is_closing:  # only who was accepted is told why it ends
                await send({"type": "websocket.close", "code": RESTARTING})
                return
            self._open[socket] = (code, address)
            live.connect(owner, style, socket.push, trip, beside, socket.language)
            writer = asyncio.create_task(socket.write())
            reader = asyncio.create_task(self._read(live, owner, style, receive, socket, address))
            try:
                await asyncio.wait([reader, writer], return_when=asyncio.FIRST_COMPLETED)
            finally:
                del self._open[socket]
                live.disconnect(socket.push)
                for task in (reader, writer):
                    task.cancel()
                for ended in await asyncio.gather(reader, writer, return_exceptions=True):
                    cut = isinstance(ended, OSError)  # the line, by whoever was at its end
                    if isinstance(ended, Exception) and not cut:
                        log.error("socket_failed", exc_info=ended)
                        with contextlib.suppress(OSError):  # the browser is gone: all the same
                            await send({"type": "websocket.close", "code": FAILED})

    async def _read(
        self,
        live: LiveTable,
        owner: str,
        style: ViewFormat,
        receive: Receive,
        socket: Socket,
        address: str,
    ) -> None:
        network = network_of(address)
        while True:
            event = await receive()
            if event["type"] == "websocket.disconnect":
                return
            if self.is_closing:  # it is not answered, so it is asked again when the house is back
                continue
            frame = event.get("text") or event.get("bytes") or ""
            seat = live.room.seats.of(owner)
            who = network if seat == SPECTATOR else f"{live.room.code}:{seat}"
            try:
                command = self._checked(frame, who)
            except Refused as reason:
                self._answer("none", socket, refusal(_id(frame), reason))
                await self._slow_down(socket, who)
                continue
            if isinstance(command, QUESTIONS):
                self._answer(
                    _kind(command), socket, await live.answer_question(owner, command, style)
                )
                await asyncio.sleep(0)  # others have their turn, however much has come at once
            else:
                answer = partial(self._answer, _kind(command), socket)
                await live.handle_command(owner, command, answer)

    def _checked(self, frame: str | bytes, who: str) -> commands.AnyCommand:
        """Read a command, if it does not come too fast."""
        if not self._generous and not self._commands.allows(who):
            raise Refused("web.too_fast")
        command = _command(frame)
        if isinstance(command, commands.Chat) and not self._chats.allows(who):
            raise Refused("web.too_fast")
        return command

    async def _slow_down(self, socket: Socket, who: str) -> None:
        """Let others have their turn after a frame that was refused; close after too many."""
        await asyncio.sleep(0)
        if not self._faults.allows(who):
            self.house.metrics.connections_cut.add("faults")
            _hang_up(socket, "web.too_many_faults")
            await asyncio.get_running_loop().create_future()  # read no more; the writer ends this

    def _answer(self, kind: str, socket: Socket, told: bytes) -> None:
        """Answer a command, and count how."""
        answer = _told.decode(told)
        self.house.metrics.commands.add(kind, answer.type)
        if answer.key:
            self.house.metrics.refusals.add(answer.key)
        socket.push(told)

    async def finish(self) -> None:
        """Take nothing new, answer all that is being written, then tell browsers to come again."""
        self.is_closing = True
        await self.house.settle()
        self.end()

    def end_table(self, code: str) -> None:
        """Tell all browsers at a table that it is no more."""
        for socket, (at, _) in self._open.items():
            if at == code:
                _hang_up(socket, "web.table_closed")

    def end_address(self, is_meant: Callable[[str], bool]) -> None:
        """Hang up on whoever comes from an address that is not let in any more."""
        for socket, (_, address) in self._open.items():
            if is_meant(address):
                _hang_up(socket, "web.banned")

    def end(self) -> None:
        """Tell all browsers that the house closes, so that they come again later."""
        self.is_closing = True
        for socket in self._open:
            socket.end(RESTARTING)


def _hang_up(socket: Socket, why: str) -> None:
    """End a socket for good, and say why in the language of whoever is there."""
    with speaking(socket.language):
        socket.push(refusal("", Refused(why)))
    socket.end(POLICY)


def _command(frame: str | bytes) -> commands.AnyCommand:
    if len(frame) > wire.FRAME_BYTES:
        raise Refused("web.too_large", most=wire.FRAME_BYTES)
    return wire.read(wire.COMMANDS, frame)


class _Answer(msgspec.Struct):
    """As much of an answer as is counted."""

    type: str
    key: str = ""


_told = msgspec.json.Decoder(_Answer)


def _kind(command: commands.AnyCommand) -> str:
    """What a command is called."""
    return str(command.__struct_config__.tag)


def _id(frame: str | bytes) -> str:
    """The id of a command that cannot be read, if at least that can."""
    try:
        told = msgspec.json.decode(frame)
        return msgspec.convert(told["id"], commands.Id)
    except (msgspec.DecodeError, UnicodeError, RecursionError, LookupError, TypeError):
        return ""
