"""Serve sockets, one for each open table of a browser: commands in, messages out, in order."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from dataclasses import dataclass
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
"""Commands from one seat, or from all spectators in one network: a burst, and then a rate per
second. They are not counted by socket, because another socket is easily opened."""
CHATS: Final = (5, 0.5)
"""The same for chat messages."""
FAULTS: Final = (200, 1.0)
"""The same for frames that are unreadable or come too fast: one more closes the socket."""
MOST_WAITING: Final = 1000
"""Messages that may wait for a slow reader before its socket is closed,"""
MOST_WAITING_BYTES: Final = 1 << 20
"""and how long they may be together."""
BATCH: Final = 8
"""Messages that are sent in one call, to a server that can."""

TRY_AGAIN, RESTARTING, POLICY, FAILED = 1013, 1012, 1008, 1011
"""Close codes of RFC 6455 and its registry. Pages come back after all of them but POLICY."""
TEMPORARY: Final = ("web.not_written", "web.too_fast")
"""Why a table cannot be opened now, although it may be later."""
QUESTIONS: Final = get_args(Question)

log = logging.getLogger("cosca.server")


@dataclass(frozen=True, slots=True)
class SocketRequest:
    """What somebody asks for when they open a socket."""

    code: str
    owner: str
    format: ViewFormat
    address: str = ""
    round_trip: RoundTrip = not_measured
    local_owners: Collection[str] = ()
    """The ids of everybody who shares the device; empty if it is not shared."""
    takes_batches: bool = False
    """Whether the ASGI server takes several messages at once."""


class Socket:
    """The outgoing half of a socket: queues messages, and sends them as fast as they are read."""

    def __init__(self, send: Send, *, takes_batches: bool) -> None:
        self._send = send
        self._most = BATCH if takes_batches else 1
        self.language = spoken()
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._wake = asyncio.Event()
        self._code = 0

    def push(self, message: bytes) -> None:
        """Queue a message."""
        if self._code == TRY_AGAIN:  # it is closed without what waits, so nothing more waits
            return
        self._waiting.append(message)
        self._waiting_bytes += len(message)
        # A single message may be longer than that: it would be no shorter the next time.
        count = len(self._waiting)
        if count > MOST_WAITING or (count > 1 and self._waiting_bytes > MOST_WAITING_BYTES):
            self._waiting.clear()
            self.end(TRY_AGAIN)
        self._wake.set()

    def end(self, code: int) -> None:
        """Close the socket once the queue is sent."""
        self._code = code
        self._wake.set()

    async def write(self) -> None:
        """Send what is queued, until the socket is closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                # Without a name: a name would hold the last message as long as the socket is idle.
                await self._send(self._next())
            if self._code:
                await self._send(_closing(self._code))
                return

    def _next(self) -> dict[str, Any]:
        """Take as many messages off the queue as can be sent in one call."""
        count = min(len(self._waiting), self._most)
        texts = [self._waiting.popleft() for _ in range(count)]
        self._waiting_bytes -= sum(map(len, texts))
        return _text(texts[0]) if self._most == 1 else {"type": "websocket.send", TEXTS: texts}


def _text(message: bytes) -> dict[str, Any]:
    return {"type": "websocket.send", "text": message.decode()}


def _closing(code: int) -> dict[str, Any]:
    return {"type": "websocket.close", "code": code}


async def turn_away(reason: Refused, send: Send) -> None:
    """Accept a socket only to say why it is refused, and close it."""
    await send({"type": "websocket.accept"})
    await send(_text(refusal("", reason)))
    await send(_closing(TRY_AGAIN if reason.key in TEMPORARY else POLICY))


class Sockets:
    """All open sockets."""

    def __init__(self, house: House, clock: Clock, *, unlimited: bool) -> None:
        self.house = house
        self.clock = clock
        self._unlimited = unlimited
        self._commands = RateLimits(clock, *COMMANDS)
        self._chats = RateLimits(clock, *CHATS)
        self._faults = RateLimits(clock, *FAULTS)
        self.guesses = CodeGuesses(clock, unlimited=unlimited)
        self._open: dict[Socket, SocketRequest] = {}
        house.on_deleted.append(self.end_table)
        house.metrics.add_gauge("cosca_sockets", "Open WebSockets.", lambda: self.count)
        self.is_closing = False
        """Whether the server shuts down, and takes nothing new."""

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._open)

    async def serve(self, request: SocketRequest, receive: Receive, send: Send) -> None:
        """Serve a socket until it is closed."""
        async with contextlib.AsyncExitStack() as stack:
            try:
                self.guesses.check(request.address)
                live = await stack.enter_async_context(self.house.table(request.code))
            except Refused as reason:
                self.guesses.note(request.address, reason)
                await turn_away(reason, send)
                return
            await send({"type": "websocket.accept"})
            if self.is_closing:  # only an accepted socket learns why it is closed
                await send(_closing(RESTARTING))
                return
            await self._attend(live, request, receive, send)

    async def _attend(
        self, live: LiveTable, request: SocketRequest, receive: Receive, send: Send
    ) -> None:
        """Read commands and write messages at the same time, until either ends."""
        socket = Socket(send, takes_batches=request.takes_batches)
        self._open[socket] = request
        live.connect(
            request.owner,
            request.format,
            socket.push,
            request.round_trip,
            request.local_owners,
            socket.language,
        )
        writer = asyncio.create_task(socket.write())
        reader = asyncio.create_task(self._read(live, request, receive, socket))
        try:
            await asyncio.wait([reader, writer], return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._open[socket]
            live.disconnect(socket.push)
            reader.cancel()
            writer.cancel()
            for result in await asyncio.gather(reader, writer, return_exceptions=True):
                is_cut = isinstance(result, OSError)  # the other side ended the connection
                if isinstance(result, Exception) and not is_cut:
                    log.error("socket_failed", exc_info=result)
                    with contextlib.suppress(OSError):  # the browser is gone already
                        await send(_closing(FAILED))

    async def _read(
        self, live: LiveTable, request: SocketRequest, receive: Receive, socket: Socket
    ) -> None:
        """Handle the commands of a socket, one after another."""
        network = network_of(request.address)
        while True:
            event = await receive()
            if event["type"] == "websocket.disconnect":
                return
            if self.is_closing:  # it is not answered, so the page sends it again later
                continue
            seat = live.room.seats.of(request.owner)
            limited_as = network if seat == SPECTATOR else f"{live.room.code}:{seat}"
            frame = event.get("text") or event.get("bytes") or ""
            try:
                command = self._parse(frame, limited_as)
            except Refused as reason:
                self._answer("none", socket, refusal(_id(frame), reason))
                await self._slow_down(socket, limited_as)
            else:
                await self._handle(live, request, command, socket)

    def _parse(self, frame: str | bytes, limited_as: str) -> commands.AnyCommand:
        """Return the command in a frame, unless it comes too fast."""
        if not self._unlimited and not self._commands.allows(limited_as):
            raise Refused("web.too_fast")
        if len(frame) > wire.FRAME_BYTES:
            raise Refused("web.too_large", most=wire.FRAME_BYTES)
        command = wire.read(wire.COMMANDS, frame)
        if isinstance(command, commands.Chat) and not self._chats.allows(limited_as):
            raise Refused("web.too_fast")
        return command

    async def _handle(
        self,
        live: LiveTable,
        request: SocketRequest,
        command: commands.AnyCommand,
        socket: Socket,
    ) -> None:
        kind = str(command.__struct_config__.tag)
        if isinstance(command, QUESTIONS):
            answer = await live.answer_question(request.owner, command, request.format)
            self._answer(kind, socket, answer)
            await asyncio.sleep(0)  # others have their turn, however much has come at once
        else:
            await live.handle_command(request.owner, command, partial(self._answer, kind, socket))

    async def _slow_down(self, socket: Socket, limited_as: str) -> None:
        """Let others have their turn after a refused frame; close the socket after too many."""
        await asyncio.sleep(0)
        if not self._faults.allows(limited_as):
            self.house.metrics.connections_cut.add("faults")
            _close_for_good(socket, "web.too_many_faults")
            await asyncio.get_running_loop().create_future()  # read no more; the writer ends this

    def _answer(self, kind: str, socket: Socket, message: bytes) -> None:
        """Answer a command, and count the answer."""
        answer = _answers.decode(message)
        self.house.metrics.commands.add(kind, answer.type)
        if answer.key:
            self.house.metrics.refusals.add(answer.key)
        socket.push(message)

    # --- Closing ----------------------------------------------------------------------------------

    async def finish(self) -> None:
        """Accept nothing new, answer what is being stored, then close the sockets for a restart."""
        self.is_closing = True
        await self.house.settle()
        self.end()

    def end_table(self, code: str) -> None:
        """Close all sockets at a table that is deleted."""
        for socket, request in self._open.items():
            if request.code == code:
                _close_for_good(socket, "web.table_closed")

    def end_address(self, is_banned: Callable[[str], bool]) -> None:
        """Close all sockets from banned addresses."""
        for socket, request in self._open.items():
            if is_banned(request.address):
                _close_for_good(socket, "web.banned")

    def end(self) -> None:
        """Close all sockets because the server shuts down; browsers come back later."""
        self.is_closing = True
        for socket in self._open:
            socket.end(RESTARTING)


def _close_for_good(socket: Socket, key: str) -> None:
    """Close a socket for good, and say why in its language."""
    with speaking(socket.language):
        socket.push(refusal("", Refused(key)))
    socket.end(POLICY)


class _Answer(msgspec.Struct):
    """The part of an answer that is counted."""

    type: str
    key: str = ""


_answers = msgspec.json.Decoder(_Answer)


def _id(frame: str | bytes) -> str:
    """Return the id of an invalid command, if that at least is valid."""
    try:
        return msgspec.convert(msgspec.json.decode(frame)["id"], commands.Id)
    except (msgspec.DecodeError, UnicodeError, RecursionError, LookupError, TypeError):
        return ""
