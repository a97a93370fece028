"""The server without a network: requests call its ASGI application, and its clock is manual."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.types import ASGIApp, Message

from cosca.bots.consigliere import Advice
from cosca.bots.win_chances import Shares
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server import wire
from cosca.server.app import application
from cosca.server.http.identity import COOKIE
from cosca.server.live.bot_pool import advise, choose, estimate
from cosca.server.live.house import House
from cosca.server.ops.settings import Settings
from cosca.server.storage.store import Store, open_store
from tests.server.contributions import Contributor

HOST: Final = "localhost:8642"
ORIGIN: Final = f"http://{HOST}"
AT: Final = 1_700_000_000_000
"""The date at which the manual clock begins."""


class ManualClock:
    """A clock that stands still until it is advanced."""

    def __init__(self) -> None:
        self._now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def now(self) -> float:
        """Return the seconds since it began."""
        return self._now

    def date(self) -> int:
        """Return the date in milliseconds since 1970."""
        return AT + int(self._now * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock is advanced that far."""
        if seconds > 0:
            waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._sleepers.append((self._now + seconds, waiting))
            await waiting

    @property
    def sleepers(self) -> int:
        """How many tasks wait."""
        return sum(not waiting.done() for _, waiting in self._sleepers)

    def advance(self, seconds: float) -> None:
        """Advance the clock, and wake everything that has waited long enough."""
        self._now += seconds
        late = [entry for entry in self._sleepers if entry[0] <= self._now]
        self._sleepers = [entry for entry in self._sleepers if entry[0] > self._now]
        for _, waiting in late:
            if not waiting.done():
                waiting.set_result(None)


TIMEOUT = 30.0
"""Seconds after which a missing event is a failure."""


async def wait_until(condition: Callable[[], object]) -> None:
    """Run the loop until a condition holds; other threads may need any number of turns."""
    async with asyncio.timeout(TIMEOUT):
        while not condition():
            await asyncio.sleep(0)


class ImmediateBots:
    """Bots that decide at once, in this process."""

    async def choose(self, game: str, bot: str, position: Position, seed: int) -> Action:
        """Return what a bot does in a position."""
        return choose(game, bot, position, seed)

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises."""
        return advise(game, position, begun)

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate the win chance of each position's seat."""
        return estimate(game, positions)


class FixedAddress:
    """Public addresses that never change."""

    async def open_to_local_network(self) -> list[str]:
        """Return the URLs for the local network."""
        return ["http://192.0.2.7:8642"]

    def public_url(self, host: str) -> str:
        """Return the URL to share."""
        return f"http://{host}"


@dataclass(frozen=True)
class Answer:
    """The response to a request."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes

    def json(self) -> Any:
        """Return the decoded body."""
        return msgspec.json.decode(self.body)

    def header(self, name: str) -> str:
        """Return a header; empty if there is none."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def key(self) -> str:
        """Why the request was refused; empty if it was not."""
        return str(self.json()["key"]) if self.status >= 400 else ""


Headers = Sequence[tuple[str, str]]
SAME_ORIGIN: Final[Headers] = (("host", HOST), ("origin", ORIGIN))


def _scope(kind: str, path: str, headers: Headers, address: str, scheme: str) -> dict[str, Any]:
    path, _, query = path.partition("?")
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": scheme,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        "client": (address, 50_000),
        "server": ("localhost", 8642),
        "subprotocols": [],
        "extensions": {},
        "state": {},
    }


async def send_request(
    app: ASGIApp,
    method: str,
    path: str,
    body: bytes = b"",
    headers: Headers = SAME_ORIGIN,
    address: str = "127.0.0.1",
    scheme: str = "http",
) -> Answer:
    """Send an HTTP request to the application."""
    scope = _scope("http", path, headers, address, scheme) | {"method": method}
    sent: list[Message] = []
    parts = deque([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        return parts.popleft() if parts else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    headers_sent = [(name.decode(), value.decode("latin-1")) for name, value in start["headers"]]
    return Answer(
        start["status"], headers_sent, b"".join(part.get("body", b"") for part in sent[1:])
    )


def socket_path(code: str, query: str = "") -> str:
    """Return the path of a socket to a table, for a client of this version."""
    return f"/ws/{code}?protocol={wire.PROTOCOL}&{query}"


class SocketClient:
    """A WebSocket to the server. The test decides what it sends and whether it can receive."""

    def __init__(
        self,
        app: ASGIApp,
        path: str,
        headers: Headers = SAME_ORIGIN,
        address: str = "127.0.0.1",
        scheme: str = "ws",
    ) -> None:
        self.sent: list[bytes] = []
        self._read: list[dict[str, Any]] = []
        self.events: list[Message] = []
        self.code = 0
        """The code with which the server closed it; 0 while it is open."""
        self.accepted = False
        self.contributor: Contributor | None = Contributor(headers)
        """Takes part in the deal as every page does; None to stay silent."""
        self._lost = False
        self._in: asyncio.Queue[Message] = asyncio.Queue()
        self._changed = asyncio.Condition()
        scope = _scope("websocket", path, headers, address, scheme)
        self._task = asyncio.create_task(self._run(app, scope))
        self._in.put_nowait({"type": "websocket.connect"})

    async def _run(self, app: ASGIApp, scope: dict[str, Any]) -> None:
        try:
            await app(scope, self._in.get, self._send)
        finally:
            async with self._changed:
                self._changed.notify_all()

    async def _send(self, message: Message) -> None:
        if self._lost:
            raise OSError("the connection is dead")
        self.events.append(message)
        if message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.close":
            self.code = message["code"]
        else:
            self.sent.append(message["text"].encode())
            self._read.append(msgspec.json.decode(message["text"]))
            self._contribute(self._read[-1].get("room"))
        async with self._changed:
            self._changed.notify_all()

    def _contribute(self, room: dict[str, Any] | None) -> None:
        command = self.contributor.next_command(room) if room and self.contributor else None
        if command:
            self.put(msgspec.json.encode({"id": command["do"], **command}).decode())

    def put(self, frame: str | bytes | None) -> None:
        """Send a frame of text or bytes; None sends one with neither."""
        message: dict[str, Any] = {"type": "websocket.receive"}
        if isinstance(frame, bytes):
            message["bytes"] = frame
        elif frame is not None:
            message["text"] = frame
        self._in.put_nowait(message)

    def command(self, do: str, id: str, **words: object) -> None:
        """Send a command."""
        self.put(msgspec.json.encode({"do": do, "id": id, **words}).decode())

    async def until(self, enough: Callable[[], object]) -> None:
        """Wait until a condition holds, or the server has closed the socket."""
        async with self._changed:
            await asyncio.wait_for(
                self._changed.wait_for(lambda: enough() or self._task.done()), timeout=20
            )

    def messages(self) -> list[dict[str, Any]]:
        """Return all messages so far, decoded."""
        return self._read

    def answers(self, id: str) -> list[dict[str, Any]]:
        """Return the answers to a command."""
        return [message for message in self.messages() if message.get("id") == id]

    async def do(self, do: str, id: str, **words: object) -> dict[str, Any]:
        """Send a command, and wait for its answer."""
        self.command(do, id, **words)
        await self.until(lambda: self.answers(id))
        return self.answers(id)[-1]

    async def next(self) -> dict[str, Any]:
        """Wait for the next message."""
        before = len(self.sent)
        await self.until(lambda: len(self.sent) > before)
        return self._read[before]

    async def synced(self) -> dict[str, Any]:
        """Wait for the first message."""
        await self.until(lambda: self.sent)
        return self.messages()[0]

    def lose(self) -> None:
        """Break the connection: whatever is sent from now on fails."""
        self._lost = True

    async def ended(self) -> None:
        """Wait until the server has finished with it."""
        await asyncio.wait_for(asyncio.shield(self._task), timeout=20)

    async def close(self) -> None:
        """Close the socket."""
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


@dataclass
class Visitor:
    """A browser that keeps its cookie and sends what our pages send."""

    app: ASGIApp
    cookie: str = ""
    address: str = "127.0.0.1"
    language: str = ""
    answers: list[Answer] = field(default_factory=list)
    sockets: list[SocketClient] = field(default_factory=list)

    @property
    def headers(self) -> Headers:
        """The headers of its requests."""
        cookie = [("cookie", f"{COOKIE}={self.cookie}")] if self.cookie else []
        accepted = [("accept-language", self.language)] if self.language else []
        return [*SAME_ORIGIN, *cookie, *accepted]

    async def get(self, path: str) -> Answer:
        """Send a GET request."""
        return await self._request("GET", path, b"")

    async def post(self, path: str, **words: object) -> Answer:
        """Send a POST request."""
        return await self._request("POST", path, msgspec.json.encode(words))

    async def _request(self, method: str, path: str, body: bytes) -> Answer:
        answer = await send_request(self.app, method, path, body, self.headers, self.address)
        if cookie := answer.header("set-cookie"):
            self.cookie = cookie.partition(";")[0].partition("=")[2]
        self.answers.append(answer)
        return answer

    async def connect(self, code: str, view: str = "text", more: str = "") -> SocketClient:
        """Open a socket to a table, and wait for its first message."""
        socket = SocketClient(
            self.app, socket_path(code, f"view={view}{more}"), self.headers, self.address
        )
        self.sockets.append(socket)
        await socket.synced()
        return socket


@dataclass
class InProcessServer:
    """A server in this process, with its parts."""

    app: ASGIApp
    house: House
    store: Store
    path: Path
    """The file of the store."""
    clock: ManualClock
    visitors: list[Visitor] = field(default_factory=list)

    def visitor(self, address: str = "127.0.0.1") -> Visitor:
        """Return a new browser."""
        self.visitors.append(Visitor(self.app, address=address))
        return self.visitors[-1]

    async def close_sockets(self) -> None:
        """Close all sockets of all browsers."""
        for socket in [socket for visitor in self.visitors for socket in visitor.sockets]:
            await socket.close()


@contextlib.asynccontextmanager
async def open_server(path: Path, **settings: Any) -> AsyncIterator[InProcessServer]:
    """Run a server on a real store, with immediate bots and a manual clock."""
    clock = ManualClock()
    file = path / "tables.db"
    store = open_store(file)
    house = House(store, ImmediateBots(), clock, bot_seconds=0.0)
    validated = Settings(store=file, **{"unlimited": True, **settings})
    try:
        yield InProcessServer(
            application(house, FixedAddress(), validated, clock), house, store, file, clock
        )
    finally:
        await house.close()
        store.close()


class LogCapture(logging.Handler):
    """Collects every log line in full."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Collect one line."""
        self.lines.append(self.format(record))


@contextlib.contextmanager
def captured_logs() -> Iterator[list[str]]:
    """Capture everything that is logged, by any logger and at any level."""
    root = logging.getLogger()
    level, capture = root.level, LogCapture()
    root.addHandler(capture)
    root.setLevel(logging.DEBUG)
    try:
        yield capture.lines
    finally:
        root.removeHandler(capture)
        root.setLevel(level)


def table(game: str, seats: Sequence[str], **more: object) -> Mapping[str, object]:
    """Return the body of a request to open a table."""
    return {"game": game, "seats": list(seats), "name": "Ada", **more}
