"""TCP connections: slow clients are cut, and nobody can take all connections."""

import asyncio
import contextlib
import fcntl
import logging
import socket
import struct
import sys
import termios
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cosca.server.http import guard
from cosca.server.http.connections import (
    MOST,
    REPORT,
    SECONDS,
    SPARE,
    most_connections,
    raise_descriptor_limit,
)
from tests.processes import run
from tests.server.in_process import (
    SAME_ORIGIN,
    SocketClient,
    captured_logs,
    open_server,
    socket_path,
    wait_until,
)
from tests.server.raw_clients import Client, ListeningServer, listening, new_table
from tests.server.server_process import running_server

RUNS: list[Callable[..., None]] = [asyncio.run]
"""The event loops a server runs on."""
if sys.platform != "win32":  # uvloop is not made for it
    import uvloop

    RUNS.append(uvloop.run)

OK = b"HTTP/1.1 200 OK"
FULL = b"HTTP/1.1 503 Service Unavailable"


@pytest.fixture(params=RUNS, ids=lambda run: run.__module__)
def attack(request: Any, tmp_path: Path) -> Callable[..., None]:
    """Run a test with a listening server, on each kind of event loop."""

    def run(test: Callable[[ListeningServer], Awaitable[None]], **more: Any) -> None:
        async def whole() -> None:
            async with listening(tmp_path, **more) as house:
                await test(house)

        request.param(whole())

    return run


# --- Requests that do not come --------------------------------------------------------------------


async def nothing(client: Client) -> None:
    """Open a connection and send nothing."""


async def half_a_head(client: Client) -> None:
    """Send half of a request head."""
    await client.get(end="")


async def half_a_body(client: Client) -> None:
    """Send a shorter body than announced."""
    length, origin = "content-length: 100", f"origin: http://localhost:{client._port}"
    await client.send(
        f"POST /api/tables HTTP/1.1\r\nhost: localhost:{client._port}\r\n".encode()
        + f"{origin}\r\n{length}\r\n\r\n{{".encode()
    )


async def half_a_second_head(client: Client) -> None:
    """Send half of a second request after one that was answered."""
    await client.get()
    await client.until(b"ok\n")
    await client.get(end="")


@pytest.mark.parametrize(
    ("attempt", "reason"),
    [
        (nothing, "request"),
        (half_a_head, "request"),
        (half_a_body, "body"),
        (half_a_second_head, "request"),
    ],
)
def test_an_incomplete_request_is_cut(
    attack: Callable[..., None], attempt: Callable[[Client], Awaitable[None]], reason: Any
) -> None:
    async def slowly(house: ListeningServer) -> None:
        client = await house.counted_client()
        await attempt(client)
        (connection,) = house.connections._open
        await wait_until(lambda: reason in connection._due and not unread(client))
        house.wait(SECONDS[reason] - 0.1)
        assert house.connections.open == 1, "it has still time"
        await client.send(b"x")  # more of it is no reason to wait longer
        await wait_until(lambda: not unread(client))
        house.wait(0.2)
        assert house.connections.open == 0
        assert await client.read_to_end() == b""
        assert house.cuts(reason) == 1

    attack(slowly)


def unread(client: Client) -> int:
    """Return how many bytes the server has not read yet, by the kernel's count."""
    packed = fcntl.ioctl(client.raw, termios.TIOCOUTQ, struct.pack("i", 0))
    return int(struct.unpack("i", packed)[0])


def test_a_client_that_waits_for_a_response_is_not_cut(attack: Callable[..., None]) -> None:
    answer = asyncio.Event()

    async def slow_app(scope: Any, receive: Any, send: Any) -> None:
        await answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"at last"})

    async def patiently(house: ListeningServer) -> None:
        client = await house.counted_client()
        await client.get()
        (connection,) = house.connections._open
        await wait_until(lambda: not connection._due)
        house.wait(1000.0)
        answer.set()
        assert b"at last" in await client.until(b"at last")

    attack(patiently, app=slow_app)


# --- Answers that are not read --------------------------------------------------------------------


CHUNKS = 500


async def endless(scope: Any, receive: Any, send: Any) -> None:
    """Send a response without end."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(CHUNKS):
        await send({"type": "http.response.body", "body": bytes(1 << 16), "more_body": True})
        await asyncio.sleep(0)
    await send({"type": "http.response.body", "body": b""})


async def large(scope: Any, receive: Any, send: Any) -> None:
    """Send more than the kernel buffers, and close."""
    headers = [(b"connection", b"close")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": bytes(1 << 25)})


@pytest.mark.parametrize(("app", "reason"), [(endless, "read"), (large, "close")])
def test_a_client_that_does_not_read_the_response_is_cut(
    attack: Callable[..., None], app: Any, reason: Any
) -> None:
    async def stalled(house: ListeningServer) -> None:
        client = await house.client(buffer=4096)
        await client.get()
        await wait_until(lambda: house.connections.open)
        (connection,) = house.connections._open
        await wait_until(lambda: "read" in connection._due)
        if reason == "close":
            await wait_until(connection.transport.is_closing)
        house.wait(SECONDS[reason] - 0.1)
        assert house.connections.open == 1, "it has still time"
        house.wait(0.1)
        assert house.connections.open == 0 and house.cuts(reason) == 1

    attack(stalled, app=app)


def test_a_client_that_reads_late_gets_the_whole_response(attack: Callable[..., None]) -> None:
    async def slowly(house: ListeningServer) -> None:
        client = await house.client()
        await client.get("/", "connection: close")
        await wait_until(lambda: house.connections.open)
        (connection,) = house.connections._open
        await wait_until(lambda: "read" in connection._due)
        house.wait(SECONDS["read"] - 1)
        assert len(await client.read_to_end()) > CHUNKS << 16
        assert not house.cuts("read")

    attack(slowly, app=endless)


# --- Too many of them -----------------------------------------------------------------------------


def test_idle_connections_of_a_network_make_room_for_its_next(attack: Callable[..., None]) -> None:
    async def fill(house: ListeningServer) -> None:
        idle = [await house.counted_client() for _ in range(5)]
        other = await house.counted_client("127.0.0.2")
        client = await house.client()
        await client.get()
        assert OK in await client.until(b"ok\n")
        assert await idle[0].read_to_end() == b"", "the one that has waited longest"
        assert house.connections.open == 6 and house.cuts("room") == 1
        for still_open in (*idle[1:], other):
            await still_open.get()
            assert OK in await still_open.until(b"ok\n")

    attack(fill, per_network=5)


def test_connections_whose_request_was_answered_make_room_too(attack: Callable[..., None]) -> None:
    async def fill(house: ListeningServer) -> None:
        for _ in range(6):
            client = await house.client()
            await client.get()
            assert OK in await client.until(b"ok\n")
        assert house.connections.open == 3 and house.cuts("room") == 3

    attack(fill, per_network=3)


def test_a_busy_network_gets_no_more_connections(attack: Callable[..., None]) -> None:
    async def fill(house: ListeningServer) -> None:
        code, ada = await new_table(house.server)
        busy = [await house.counted_client() for _ in range(3)]
        for client in busy:
            await client.upgrade(code, ada.cookie)
        refused = await house.client()
        assert (await refused.read_to_end()).startswith(FULL)
        assert house.cuts("network_full") == 1
        other = await house.client("127.0.0.2")
        await other.get()
        assert OK in await other.until(b"ok\n")
        busy[0].raw.close()
        await wait_until(lambda: house.connections.open == 3)
        again = await house.client()
        await again.get()
        assert OK in await again.until(b"ok\n")

    attack(fill, per_network=3)


@pytest.mark.parametrize("proxies", [("127.0.0.1",), ("127.0.0.0/24",)])
def test_a_trusted_proxy_is_limited_like_the_whole_house(
    attack: Callable[..., None], proxies: tuple[str, ...]
) -> None:
    async def forward(house: ListeningServer) -> None:
        code, _ = await new_table(house.server)
        for client in [await house.client() for _ in range(6)]:
            await client.upgrade(code)
        assert house.connections.open == 6
        refused = await house.client()
        assert (await refused.read_to_end()).startswith(FULL)
        assert house.cuts("house_full") == 1 and not house.cuts("network_full")

    attack(forward, most=6, per_network=2, proxies=proxies)


def test_through_a_proxy_each_network_has_its_own_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "PER_NETWORK", 3)

    async def attempt() -> None:
        async with open_server(tmp_path, unlimited=False) as server:
            code, _ = await new_table(server)
            mine = [f"2001:db8:1:2::{number}" for number in range(1, 5)]
            visits = [await server.visitor(address).connect(code) for address in mine[:3]]
            refused = SocketClient(server.app, socket_path(code), SAME_ORIGIN, mine[3])
            await refused.ended()
            assert not refused.accepted
            asked = await server.visitor(mine[3]).get("/api/watch")
            assert (asked.status, asked.key) == (429, "web.too_many_open")
            assert (await server.visitor(mine[3]).get("/healthz")).status == 200
            other = await server.visitor("2001:db8:1:3::1").connect(code)
            await visits[0].close()
            again = await server.visitor(mine[3]).connect(code)
            for visit in (*visits[1:], other, again):
                await visit.close()

    asyncio.run(attempt())


def test_connections_that_are_cut_are_logged_once_a_minute_and_without_an_address(
    attack: Callable[..., None],
) -> None:
    async def fill(house: ListeningServer) -> None:
        code, ada = await new_table(house.server)
        busy = await house.counted_client()
        await busy.upgrade(code, ada.cookie)
        with captured_logs() as log, logged() as fields:
            for _ in range(3):
                for _ in range(5):
                    assert (await (await house.client()).read_to_end()).startswith(FULL)
                house.wait(REPORT / 4)
            reports = [line for line in log if "connections_cut" in line]
            assert len(reports) == 1 and fields == [{"network_full": 5}]
            house.wait(REPORT)
            assert fields == [{"network_full": 5}, {"network_full": 10}]
            house.wait(REPORT)
        assert len(fields) == 2, "nothing has happened since"
        assert not any("127.0.0.1" in line for line in log)

    attack(fill, per_network=1)


@contextlib.contextmanager
def logged() -> Any:
    """Capture the fields of log events about connections."""
    fields: list[Any] = []

    class Fields(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage() == "connections_cut":
                fields.append(dict(record.fields))  # type: ignore[attr-defined]  # ours

    handler = Fields()
    logging.getLogger("cosca.server").addHandler(handler)
    try:
        yield fields
    finally:
        logging.getLogger("cosca.server").removeHandler(handler)


# --- Descriptors ----------------------------------------------------------------------------------


def test_the_house_takes_fewer_connections_than_it_has_descriptors() -> None:
    assert most_connections(1024, workers=1) == 478
    assert most_connections(1_000_000, workers=1) == MOST
    assert most_connections(SPARE, workers=4) == 1


def test_the_limit_on_descriptors_is_raised() -> None:
    code = (
        "import resource; from cosca.server.http.connections import raise_descriptor_limit as up;"
        "print(up(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    command = ["sh", "-c", 'ulimit -S -n 200; ulimit -H -n 3000; exec "$0" -c "$1"']
    done = run([*command, sys.executable, code])
    assert done.stdout.split() == ["3000", "3000", "3000"]


def test_idle_connections_do_not_shut_a_house_with_few_descriptors(tmp_path: Path) -> None:
    assert raise_descriptor_limit() > 1300, "this test needs more descriptors itself"
    store = tmp_path / "tables.db"
    with running_server(store, descriptors=1024) as house, contextlib.ExitStack() as held:
        idle = []
        for _ in range(1100):
            idle.append(held.enter_context(contextlib.closing(socket.socket())))
            idle[-1].connect(("127.0.0.1", house.port))
        status, _, cookie = house.request("GET", "/api/watch")
        assert status == 200, "at once, while all of them are held"
        wanted = {"game": "vendetta", "seats": ["you", "random", "random"], "name": "Ada"}
        assert house.post("/api/tables", wanted, cookie)["code"]
        for connection in idle:
            connection.settimeout(60)
            assert connection.recv(1000) == b"", "closed by the house, by and by"
    assert "connections_cut" in house.log_path.read_text()
