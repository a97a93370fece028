"""A server that listens on a port, with a manual clock; and clients that send raw bytes."""

import asyncio
import base64
import contextlib
import os
import socket
import struct
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from starlette.types import ASGIApp

from cosca.server.app import application
from cosca.server.http.connections import Connections
from cosca.server.http.identity import COOKIE
from cosca.server.http.sockets import Sockets
from cosca.server.ops.settings import Settings
from cosca.server.serve import Listeners
from tests.server.in_process import (
    FixedAddress,
    InProcessServer,
    Visitor,
    open_server,
    socket_path,
    table,
    wait_until,
)
from tests.server.server_process import free_port

TIMEOUT = 30.0
"""Seconds after which a missing response is a failure."""


@dataclass
class ListeningServer:
    """A server that listens, and what it counts."""

    server: InProcessServer
    connections: Connections
    sockets: Sockets
    port: int
    clients: list["Client"] = field(default_factory=list)

    async def client(self, address: str = "127.0.0.1", buffer: int = 0) -> "Client":
        """Open a connection from an address, with a small receive buffer if given."""
        raw = socket.socket()
        if buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        raw.bind((address, 0))
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", self.port))
        client = Client(self.port, raw)
        self.clients.append(client)
        return client

    async def counted_client(self, address: str = "127.0.0.1") -> "Client":
        """Open a connection, and wait until the server has counted it."""
        before = self.connections.open
        client = await self.client(address)
        await wait_until(lambda: self.connections.open > before)
        return client

    def wait(self, seconds: float) -> None:
        """Let time pass on the server, with a sweep for late clients before and after."""
        self.connections.sweep()
        self.server.clock.advance(seconds)
        self.connections.sweep()

    def cuts(self, reason: str) -> int:
        """Return how many connections were cut for a reason."""
        lines = self.server.house.metrics.text().splitlines()
        name = f'cosca_connections_cut_total{{reason="{reason}"}} '
        return int(next((line.removeprefix(name) for line in lines if line.startswith(name)), 0))


class Client:
    """The client's end of a TCP connection, which reads and writes only when the test says so."""

    def __init__(self, port: int, raw: socket.socket) -> None:
        self._port = port
        self.raw = raw

    async def send(self, data: bytes) -> None:
        """Send some bytes."""
        await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(self.raw, data), TIMEOUT)

    async def get(self, path: str = "/healthz", *headers: str, end: str = "\r\n") -> None:
        """Send a request; with an empty `end`, leave its head unfinished."""
        head = [f"GET {path} HTTP/1.1", f"host: localhost:{self._port}", *headers]
        await self.send("\r\n".join([*head, end]).encode())

    async def read_some(self) -> bytes:
        """Read some bytes; empty at the end."""
        try:
            reading = asyncio.get_running_loop().sock_recv(self.raw, 1 << 16)
            return await asyncio.wait_for(reading, TIMEOUT)
        except ConnectionResetError:
            return b""

    async def until(self, marker: bytes) -> bytes:
        """Read until a marker has arrived."""
        read = b""
        while marker not in read:
            more = await self.read_some()
            assert more, f"the connection was closed before {marker!r} came: {read!r}"
            read += more
        return read

    async def read_to_end(self) -> bytes:
        """Read until the server closes the connection."""
        parts = []
        while more := await self.read_some():
            parts.append(more)
        return b"".join(parts)

    # --- WebSocket --------------------------------------------------------------------------------

    async def upgrade(self, code: str, cookie: str = "") -> None:
        """Upgrade to a WebSocket at a table."""
        key = base64.b64encode(os.urandom(16)).decode()
        await self.get(
            socket_path(code, "view=data"),
            "connection: upgrade",
            "upgrade: websocket",
            "sec-websocket-version: 13",
            f"sec-websocket-key: {key}",
            f"origin: http://localhost:{self._port}",
            *([f"cookie: {COOKIE}={cookie}"] if cookie else []),
            "",
        )
        assert b" 101 " in await self.until(b"\r\n\r\n")


def frame(opcode: int, data: bytes = b"", *, last: bool = True) -> bytes:
    """Return a frame as a browser sends it; its mask is zero, which changes nothing."""
    assert len(data) < 126
    return bytes((opcode | (0x80 if last else 0), 0x80 | len(data), 0, 0, 0, 0)) + data


def read_frames(data: bytes) -> list[tuple[int, bytes]]:
    """Return the frames in received data, each with its opcode; an unfinished one is left out."""
    found = []
    while len(data) >= 2:
        size, start = data[1] & 0x7F, 2
        if size == 126:
            size, start = struct.unpack_from("!H", data, 2)[0], 4
        elif size == 127:
            size, start = struct.unpack_from("!Q", data, 2)[0], 10
        if len(data) < start + size:
            break
        found.append((data[0] & 0x0F, data[start : start + size]))
        data = data[start + size :]
    return found


def close_code(frames: list[tuple[int, bytes]]) -> int:
    """Return the code with which the server closed the socket; 0 if it has not."""
    closing = [data for opcode, data in frames if opcode == 8]
    return int(struct.unpack("!H", closing[0][:2])[0]) if closing else 0


@contextlib.asynccontextmanager
async def listening(
    path: Path,
    *,
    most: int = 1000,
    per_network: int = 1000,
    proxies: Sequence[str] = (),
    app: ASGIApp | None = None,
) -> AsyncIterator[ListeningServer]:
    """Run a server that really listens, with its own application or another one."""
    async with open_server(path) as server:
        port = free_port()
        settings = Settings(store=path, port=port, proxies=tuple(proxies))
        metrics = server.house.metrics
        connections = Connections(server.clock, metrics, most, per_network, proxies)
        sockets = Sockets(server.house, server.clock, unlimited=False)
        listeners = Listeners(settings, connections)
        server.app = application(server.house, FixedAddress(), settings, server.clock, sockets)
        listeners.app = app or server.app
        await listeners.listen("127.0.0.1", port, lifespan=False)
        house = ListeningServer(server, connections, sockets, port)
        try:
            yield house
        finally:
            for client in house.clients:
                client.raw.close()
            listeners.stop()
            await listeners.wait()


async def new_table(server: InProcessServer) -> tuple[str, Visitor]:
    """Open a table; return its code and the browser that has a seat there."""
    ada = server.visitor()
    wanted = table("vendetta", ["you", "open", "random"])
    return str((await ada.post("/api/tables", **wanted)).json()["code"]), ada
