"""A real server process, and players with sockets."""

import asyncio
import contextlib
import http.client
import json
import secrets
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from cosca.server.domain.identifiers import hashed
from tests.processes import Program
from tests.server.contributions import Contributor
from tests.server.in_process import socket_path

TIMEOUT = 120.0
"""Seconds after which a missing answer is a failure."""


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """A server process on one store and one port, which can be killed and restarted."""

    def __init__(self, store: Path, *options: str, descriptors: int = 0) -> None:
        self.store = store
        self.descriptors = descriptors
        """The limit of open files of the process; 0 for the default."""
        self.options = options
        self.port = free_port()
        self.start_seconds: list[float] = []
        """Seconds from each start to the first response."""
        self._program: Program | None = None

    @property
    def origin(self) -> str:
        """The origin of its pages."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log_path(self) -> Path:
        """The file with its standard error."""
        return self.store.with_suffix(".log")

    def start(self) -> None:
        """Start the process, and wait until it answers a request."""
        begun = time.monotonic()
        command = [sys.executable, "-m", "cosca.cli", "serve", "--port", str(self.port)]
        command += ["--store", str(self.store), "--trust-proxy", "127.0.0.1", *self.options]
        if self.descriptors:
            limited = f'ulimit -n {self.descriptors}; exec "$0" "$@"'
            command = ["sh", "-c", limited, *command]
        with self.log_path.open("a") as log_path:
            self._program = Program(command, stderr=log_path)
        printed = self._program.line(TIMEOUT)
        assert str(self.port) in printed, self.log_path.read_text()
        status, _, _ = self.request("GET", "/api/watch")
        assert status == 200
        self.start_seconds.append(time.monotonic() - begun)

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        if self._program:
            self._program.send(signal.SIGKILL)
            self.wait_for_exit()

    def terminate(self) -> None:
        """Send SIGTERM."""
        assert self._program is not None
        self._program.send(signal.SIGTERM)

    def wait_for_exit(self) -> int:
        """Wait until the process has ended; return its exit code."""
        assert self._program is not None
        program, self._program = self._program, None
        try:
            return program.wait(TIMEOUT)
        finally:
            program.close()

    def request(
        self, method: str, path: str, body: Any = None, cookie: str = "", address: str = "127.0.0.1"
    ) -> tuple[int, Any, str]:
        """Send a request; return status, body and cookie."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {"Origin": self.origin, "Cookie": cookie, "X-Forwarded-For": address}
        with contextlib.closing(connection):
            connection.request(method, path, json.dumps(body).encode() if body else None, headers)
            response = connection.getresponse()
            fresh = (response.getheader("set-cookie") or "").split(";")[0]
            return response.status, json.loads(response.read()), fresh or cookie

    def post(self, path: str, body: Any, cookie: str, address: str = "127.0.0.1") -> Any:
        """Send a request that must succeed, and return the body."""
        status, response, _ = self.request("POST", path, body, cookie, address)
        assert status == 200, response
        return response

    def rows(self, code: str) -> tuple[list[str], dict[str, str]]:
        """Return what the store has of a table: the command ids of its log, and the refusals."""
        with contextlib.closing(sqlite3.connect(self.store)) as file:
            query = "SELECT command FROM lines WHERE code = ? ORDER BY seq"
            granted = [row[0] for row in file.execute(query, (code,))]
            query = "SELECT command, body FROM refusals WHERE code = ?"
            refused = {row[0]: row[1].decode() for row in file.execute(query, (code,))}
        return granted, refused


@contextlib.contextmanager
def running_server(store: Path, *options: str, descriptors: int = 0) -> Iterator[ServerProcess]:
    """Run a server process, and kill it in the end."""
    house = ServerProcess(store, *options, descriptors=descriptors)
    try:
        house.start()
        yield house
    finally:
        house.kill()
    assert "Traceback" not in house.log_path.read_text()


def do_nothing() -> None:
    """Do nothing."""


@dataclass
class Player:
    """A person with a browser at one table: what was sent, and how it was answered."""

    house: ServerProcess
    code: str
    address: str = "127.0.0.1"
    cookie: str = field(default_factory=lambda: f"cosca={secrets.token_urlsafe(32)}")
    sent: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, set[str]] = field(default_factory=dict)
    view: dict[str, Any] | None = None
    room: dict[str, Any] = field(default_factory=dict)
    contributor: Contributor = field(default_factory=Contributor)
    on_answer: Callable[[], None] = field(default=do_nothing)
    """Called after every answer."""

    def key(self, id: str) -> str:
        """Return the id of a command in the store."""
        return f"{hashed(self.cookie.partition('=')[2])[:16]}:{id}"

    def connect(self) -> connect:
        """Open a new socket."""
        url = f"ws://127.0.0.1:{self.house.port}{socket_path(self.code, 'view=data')}"
        headers = {"Cookie": self.cookie, "X-Forwarded-For": self.address}
        return connect(
            url,
            origin=self.house.origin,  # type: ignore[arg-type]  # a plain string will do
            additional_headers=headers,
            proxy=None,
            compression=None,
            ping_interval=None,
            open_timeout=TIMEOUT,
            close_timeout=TIMEOUT,
        )

    def receive(self, message: str | bytes) -> str:
        """Handle a message; return the id of the command that it answers, if any."""
        decoded = json.loads(message)
        if decoded["type"] in ("sync", "update", "latency", "reactions"):
            self.view = decoded.get("view") or self.view
            self.room = decoded.get("room") or self.room
            return ""
        assert decoded.get("key") not in ("web.too_fast", "web.not_written"), decoded
        self.answers.setdefault(decoded["id"], set()).add(str(message))
        self.on_answer()
        return str(decoded["id"])

    def next_command(self, rng: Random) -> dict[str, Any]:
        """Return a new command, whether it is allowed or not."""
        id = f"c{len(self.sent)}"
        legal = (self.view or {}).get("position", {}).get("legal") or [0]
        wishes: list[dict[str, Any]] = [
            {"do": "leave"},
            {"do": "reclaim_seat"},
            {"do": "move", "actions": [rng.choice(legal)]},
            {"do": "move", "actions": [rng.choice(legal)]},
        ]
        self.sent[id] = {"id": id, **rng.choice(wishes)}
        return self.sent[id]

    async def contribute(self, connection: ClientConnection) -> None:
        """Contribute to the deal until the cards are dealt."""
        while self.view is None:
            self.receive(await connection.recv())
            command = self.contributor.next_command(self.room)
            if command:
                self.sent[command["do"]] = {"id": command["do"], **command}
                await connection.send(json.dumps(self.sent[command["do"]]))

    async def send_and_wait(self, connection: ClientConnection, id: str) -> None:
        """Send a command, perhaps again, and wait for its answer."""
        await connection.send(json.dumps(self.sent[id]))
        async with asyncio.timeout(TIMEOUT):
            while self.receive(await connection.recv()) != id:
                pass

    async def play(self, rng: Random, most: int) -> None:
        """Send commands one after another until the server is gone."""
        with contextlib.suppress(ConnectionClosed, InvalidMessage, OSError):
            async with self.connect() as connection:
                for _ in range(most):
                    await self.send_and_wait(connection, self.next_command(rng)["id"])

    async def resend_all(self) -> None:
        """Send all commands once more."""
        async with self.connect() as connection:
            for id in self.sent:
                await self.send_and_wait(connection, id)


def open_table(house: ServerProcess, rng: Random, address: str = "127.0.0.1") -> list[Player]:
    """Open a table with two people and a bot; return the players."""
    game = rng.choice(["vendetta", "omerta", "sicilianos"])
    ada = Player(house, "", address)
    wanted = {"game": game, "seats": ["you", "open", "random"], "name": "Ada"}
    ada.code = house.post("/api/tables", wanted, ada.cookie, address)["code"]
    bo = Player(house, ada.code, address)
    house.post(f"/api/tables/{ada.code}/join", {"name": "Bo"}, bo.cookie, address)
    ada.sent["start"] = {"id": "start", "do": "start"}
    return [ada, bo]


async def begin_game(table: list[Player]) -> None:
    """Begin the game; both browsers contribute to the deal."""
    ada, bo = table
    async with ada.connect() as connection, bo.connect() as other:
        await ada.send_and_wait(connection, "start")
        async with asyncio.timeout(TIMEOUT):
            await asyncio.gather(ada.contribute(connection), bo.contribute(other))


def check_exactly_once(house: ServerProcess, table: list[Player]) -> None:
    """Check that each granted command is in the log once, and no refused one is."""
    granted, refused = house.rows(table[0].code)
    assert len(set(granted)) == len(granted)
    for player in table:
        for id, answers in player.answers.items():
            (answer,) = answers
            key = player.key(id)
            if json.loads(answer)["type"] == "done":
                assert granted.count(key) == 1
                assert key not in refused
            else:
                assert key not in granted
                assert refused[key] == answer
