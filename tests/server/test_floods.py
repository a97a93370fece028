"""Sockets that send too much or do not read are limited, cut, and take no memory."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cosca.server.http import frames, sockets
from cosca.server.http.connections import SECONDS
from cosca.server.http.frames import EXTRAS, FLOODED, WebSocketProtocol
from cosca.server.http.sockets import FAULTS, MOST_WAITING_BYTES, POLICY, TRY_AGAIN, Socket
from tests.server.in_process import InProcessServer, open_server, wait_until
from tests.server.raw_clients import (
    TIMEOUT,
    Client,
    ListeningServer,
    close_code,
    frame,
    listening,
    new_table,
    read_frames,
)

RUNS: list[Callable[..., None]] = [asyncio.run]
"""The event loops a server runs on."""
if sys.platform != "win32":  # uvloop is not made for it
    import uvloop

    RUNS.append(uvloop.run)

PIECE, TEXT, PING, PONG = 0, 1, 9, 10
"""The opcodes of frames."""
MANY = 20_000


def in_house(
    path: Path, test: Callable[[InProcessServer], Awaitable[None]], **settings: Any
) -> None:
    """Run a test with a server in this process."""

    async def inside() -> None:
        async with open_server(path, **settings) as server:
            await test(server)

    asyncio.run(inside())


@pytest.fixture(params=RUNS, ids=lambda run: run.__module__)
def attack(request: Any, tmp_path: Path) -> Callable[..., None]:
    """Run a test with a listening server, on each kind of event loop."""

    def run(test: Callable[[ListeningServer], Awaitable[None]], **more: Any) -> None:
        async def whole() -> None:
            async with listening(tmp_path, **more) as house:
                await test(house)

        request.param(whole())

    return run


async def at_table(house: ListeningServer, buffer: int = 0) -> Client:
    """Open a socket at a new table, with raw frames."""
    code, ada = await new_table(house.server)
    client = await house.client(buffer=buffer)
    await client.upgrade(code, ada.cookie)
    await wait_until(lambda: house.sockets.count)
    return client


# --- Frames that are refused ----------------------------------------------------------------------


@pytest.mark.parametrize("unlimited", [True, False])
@pytest.mark.parametrize("junk", ["{", "[]", '{"do":"ping"}', "\x00", b"\xff", None, "x" * 9000])
def test_a_socket_that_sends_junk_is_cut(tmp_path: Path, junk: Any, unlimited: bool) -> None:
    async def attempt(server: InProcessServer) -> None:
        code, ada = await new_table(server)
        socket = await ada.connect(code)
        for _ in range(MANY):
            socket.put(junk)
        await socket.ended()
        *refusals, last = [
            message["key"] for message in socket.messages() if message["type"] == "refused"
        ]
        assert len(refusals) == FAULTS[0] + 1
        assert (last, socket.code) == ("web.too_many_faults", POLICY)
        again = await ada.connect(code)
        assert (await again.do("ping", "p"))["type"] in ("pong", "refused"), "they may come again"
        again.put(junk)
        await again.ended()
        assert again.code == POLICY, "but another socket is no way around it"
        server.clock.advance(FAULTS[0] / FAULTS[1])
        later = await ada.connect(code)
        later.put(junk)
        assert (await later.do("ping", "p"))["type"] == "pong" and not later.code
        await later.close()

    in_house(tmp_path, attempt, unlimited=unlimited)


def test_commands_that_come_too_fast_are_refused_and_then_cut(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        code, ada = await new_table(server)
        socket = await ada.connect(code)
        for number in range(MANY):
            socket.command("ping", f"p{number}")
        await socket.ended()
        types = [message["type"] for message in socket.messages()]
        assert types.count("pong") == sockets.COMMANDS[0]
        assert types.count("refused") == FAULTS[0] + 2 and socket.code == POLICY

    in_house(tmp_path, attempt, unlimited=False)


@pytest.mark.parametrize("flood", ["{", '{"do":"ping","id":"p"}'])
def test_others_are_served_during_a_flood(tmp_path: Path, flood: str) -> None:
    async def attempt(server: InProcessServer) -> None:
        code, ada = await new_table(server)
        socket, other = await ada.connect(code), await server.visitor("192.0.2.9").connect(code)
        for _ in range(90):
            socket.put(flood)
        assert (await other.do("ping", "p"))["type"] == "pong"
        assert len(socket.sent) < 30, "the other was not made to wait for all of it"
        await socket.close()
        await other.close()

    in_house(tmp_path, attempt, unlimited=False)


# --- Frames that the house does not see -----------------------------------------------------------


@pytest.mark.parametrize(
    "flood",
    [
        frame(PING, b"x" * 125),
        frame(PONG),
        frame(TEXT, b"{", last=False) + frame(PIECE, last=False) * MANY,
        frame(TEXT),
    ],
    ids=["pings", "pongs", "pieces", "messages"],
)
def test_a_flood_of_small_frames_is_cut_before_it_is_read(
    attack: Callable[..., None], flood: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = 0
    handle = WebSocketProtocol.handle_events

    def counted(protocol: WebSocketProtocol) -> None:
        nonlocal read
        read += len(protocol.conn.events)
        handle(protocol)

    monkeypatch.setattr(WebSocketProtocol, "handle_events", counted)

    async def pour(house: ListeningServer) -> None:
        client = await at_table(house)
        sending = asyncio.create_task(client.send(flood * max(1, 3 * 6 * MANY // len(flood))))
        answered = read_frames(await client.read_to_end())
        await asyncio.gather(sending, return_exceptions=True)
        assert close_code(answered) == FLOODED
        pongs = sum(opcode == PONG for opcode, _ in answered)
        assert pongs <= EXTRAS[0] + frames.PIECE // len(flood), "what was read of it at once"
        assert read < 1000, "of tens of thousands"
        await wait_until(lambda: not house.sockets.count)
        assert house.connections.open == 1, "it may still read why"
        house.wait(SECONDS["close"])
        await wait_until(lambda: not house.sockets.count and not house.connections.open)
        assert house.cuts("flood") == 1

    attack(pour)


def test_a_few_frames_of_any_kind_are_no_flood(attack: Callable[..., None]) -> None:
    async def gently(house: ListeningServer) -> None:
        client = await at_table(house)
        for _ in range(3):
            await client.send(frame(PING, b"abc") * 30 + frame(PONG) * 20)
            await client.send(frame(TEXT, b'{"do":"ping",', last=False))
            await client.send(frame(PIECE, b'"id":"p"}'))
            assert b'"pong"' in await client.until(b'"pong"')
            house.wait(60.0)
        assert house.sockets.count == 1 and not house.cuts("flood")

    attack(gently)


def test_a_socket_that_sends_after_the_close_is_cut(attack: Callable[..., None]) -> None:
    async def ignore(house: ListeningServer) -> None:
        client = await at_table(house)
        house.sockets.end()
        await client.until(b"\x88")  # the house closes, and waits for an answer to that
        sending = asyncio.create_task(client.send(frame(TEXT) * MANY))
        await wait_until(lambda: not house.connections.open)
        await asyncio.gather(sending, return_exceptions=True)
        assert house.cuts("flood") == 1

    attack(ignore)


# --- Messages that are not read -------------------------------------------------------------------


async def pushed(socket: Socket, size: int, enough: Callable[[], object]) -> None:
    """Send messages of a size until a condition holds."""
    async with asyncio.timeout(TIMEOUT):
        while not enough():
            socket.push(b"x" * size)
            await asyncio.sleep(0)


def test_a_socket_that_does_not_read_is_cut_and_takes_little_memory(
    attack: Callable[..., None],
) -> None:
    async def stall(house: ListeningServer) -> None:
        await at_table(house, buffer=4096)
        (socket,) = house.sockets._open
        (connection,) = house.connections._open
        await pushed(socket, 50_000, lambda: "read" in connection._due)
        for _ in range(1000):  # 50 MB
            socket.push(b"x" * 50_000)
        assert sum(map(len, socket._waiting)) <= MOST_WAITING_BYTES
        size = connection.transport.get_write_buffer_size()
        assert size < MOST_WAITING_BYTES
        house.wait(SECONDS["read"] - 0.1)
        assert house.sockets.count == 1, "it has still time"
        house.wait(0.1)
        await wait_until(lambda: not house.sockets.count and not house.connections.open)
        assert house.cuts("read") == 1

    attack(stall)


def test_pings_of_a_client_that_does_not_read_are_not_answered(attack: Callable[..., None]) -> None:
    async def stall(house: ListeningServer) -> None:
        client = await at_table(house, buffer=4096)
        (socket,) = house.sockets._open
        (connection,) = house.connections._open
        await pushed(socket, 50_000, lambda: "read" in connection._due)
        size = connection.transport.get_write_buffer_size()
        commands = house.server.house.metrics.commands
        await client.send(frame(PING, b"x" * 125) * 90 + frame(TEXT, b'{"do":"ping","id":"p"}'))
        await wait_until(lambda: any("pong" in line for line in commands.lines()))
        assert connection.transport.get_write_buffer_size() <= size

    attack(stall)


def test_a_connection_ends_even_if_the_close_is_not_read(
    attack: Callable[..., None],
) -> None:
    async def stall(house: ListeningServer) -> None:
        await at_table(house, buffer=4096)
        (connection,) = house.connections._open
        (socket,) = house.sockets._open
        await pushed(socket, 8000, connection.transport.get_write_buffer_size)
        protocol: Any = connection.transport.get_protocol()
        protocol.keepalive_timeout()  # as when no pong has come for long
        house.wait(SECONDS["close"])
        await wait_until(lambda: not house.sockets.count and not house.connections.open)
        assert house.cuts("close") == 1

    attack(stall)


@pytest.mark.parametrize(("size", "count"), [(100_000, 10), (1, 1000)])
def test_queued_messages_are_limited_in_number_and_length(size: int, count: int) -> None:
    async def push() -> None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        socket = Socket(send, takes_batches=True)
        for _ in range(count):
            socket.push(b"x" * size)
        assert len(socket._waiting) == count
        for _ in range(5000):
            socket.push(b"x" * size)
        assert not socket._waiting, "nothing more is queued for a socket that is cut"
        await socket.write()
        assert sent == [{"type": "websocket.close", "code": TRY_AGAIN}]

    asyncio.run(push())


def test_one_long_message_is_sent_anyway() -> None:
    async def push() -> None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        socket = Socket(send, takes_batches=True)
        socket.push(b"x" * (2 * MOST_WAITING_BYTES))
        socket.end(sockets.RESTARTING)
        await socket.write()
        assert len(sent[0][frames.TEXTS][0]) == 2 * MOST_WAITING_BYTES
        assert sent[1]["code"] == sockets.RESTARTING

    asyncio.run(push())
