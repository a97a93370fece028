"""Latency is measured over a real socket, with frames that no page can answer."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets
from websockets.typing import Origin

from cosca.server.app import application
from cosca.server.http import latency
from cosca.server.http.identity import COOKIE
from cosca.server.http.latency import KEPT, SLACK, MeasuringProtocol, credited_round_trip
from cosca.server.ops.settings import Settings
from cosca.server.serve import Listeners, free_port, limited_connections
from tests.server.in_process import (
    FixedAddress,
    InProcessServer,
    Visitor,
    open_server,
    socket_path,
    table,
)

RUNS: list[Callable[..., None]] = [asyncio.run]
"""The event loops a server runs on."""
if sys.platform != "win32":  # uvloop is not made for it
    import uvloop

    RUNS.append(uvloop.run)
LOOPBACK = 0.5
"""More seconds than a round trip within this machine takes, however busy it is."""


@contextlib.asynccontextmanager
async def listening(path: Path) -> AsyncIterator[tuple[InProcessServer, Visitor, str, int]]:
    """Run a server that listens, with a table at which somebody has a seat."""
    async with open_server(path) as server:
        ada = server.visitor()
        answer = await ada.post("/api/tables", **table("vendetta", ["you", "open", "random"]))
        port = free_port()
        settings = Settings(store=Path("unused"), port=port, unlimited=True)
        listeners = Listeners(
            settings, limited_connections(settings, server.clock, server.house.metrics)
        )
        listeners.app = application(server.house, FixedAddress(), settings, server.clock)
        await listeners.listen("127.0.0.1", port, lifespan=False)
        try:
            yield server, ada, str(answer.json()["code"]), port
        finally:
            listeners.stop()
            await listeners.wait()


def over_a_socket(
    path: Path, patch: pytest.MonkeyPatch, test: Any, run: Callable[..., None] = asyncio.run
) -> None:
    """Run a test with a connection that has been measured often enough."""
    patch.setattr(latency, "HURRY", 0.001)
    pong = MeasuringProtocol.handle_pong

    async def whole() -> None:
        pongs: asyncio.Queue[MeasuringProtocol] = asyncio.Queue()

        def on_pong(protocol: MeasuringProtocol, event: Any) -> None:
            pong(protocol, event)
            pongs.put_nowait(protocol)

        patch.setattr(MeasuringProtocol, "handle_pong", on_pong)
        async with listening(path) as (server, ada, code, port):
            home = f"127.0.0.1:{port}"
            async with websockets.connect(
                f"ws://{home}{socket_path(code)}",
                origin=Origin(f"http://{home}"),
                additional_headers={"cookie": f"{COOKIE}={ada.cookie}"},
                ping_interval=None,
            ) as socket:
                for _ in range(KEPT):
                    protocol = await asyncio.wait_for(pongs.get(), 20)
                async with server.house.table(code) as live:
                    await test(protocol, live, socket)

    run(whole())


def test_the_round_trip_is_measured_and_broadcast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(protocol: MeasuringProtocol, live: Any, socket: Any) -> None:
        assert 0.0 < protocol.round_trip() < LOOPBACK
        live.subscribers.send_latencies()
        message: dict[str, Any] = {"type": ""}
        while message["type"] != "latency":
            message = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 20))
        first, *others = message["milliseconds"]
        assert 0 <= first < LOOPBACK * 1000 and others == [None, None]

    over_a_socket(tmp_path, monkeypatch, look)


def test_pongs_much_slower_than_the_kernels_round_trip_are_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def late(protocol: MeasuringProtocol, live: Any, socket: Any) -> None:
        known = protocol._kernel_round_trip()
        assert (known is not None) == (sys.platform == "linux")
        protocol._measured.extend([3.0] * KEPT)
        if known is not None:
            assert 0.0 < known < LOOPBACK
            assert protocol.round_trip() < LOOPBACK + SLACK
        monkeypatch.setattr(
            protocol.config, "proxy_headers", True
        )  # then the kernel knows only the proxy's connection
        assert protocol.round_trip() == 3.0

    over_a_socket(tmp_path, monkeypatch, late)


def test_a_later_browser_gets_the_latencies_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def later(protocol: MeasuringProtocol, live: Any, socket: Any) -> None:
        live.subscribers.send_latencies()
        received: list[bytes] = []
        live.connect("", "text", received.append)
        assert [msgspec.json.decode(message)["type"] for message in received] == ["sync", "latency"]
        live.disconnect(received.append)

    over_a_socket(tmp_path, monkeypatch, later)


@pytest.mark.parametrize("run", RUNS)
def test_a_cut_connection_keeps_its_round_trip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., None]
) -> None:
    """It may be read before the table knows of the cut, and must not stop the broadcast."""

    async def cut(protocol: MeasuringProtocol, live: Any, socket: Any) -> None:
        known = protocol.round_trip()
        protocol.transport.abort()
        while not protocol.disconnected:
            await asyncio.sleep(0)
        assert protocol.round_trip() >= known

    over_a_socket(tmp_path, monkeypatch, cut, run)


def test_an_error_in_background_work_is_logged_and_the_work_restarts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rounds: list[int] = []

    async def work() -> None:
        rounds.append(len(rounds))
        if len(rounds) < 3:
            raise ValueError("negative file descriptor")

    async def whole() -> None:
        async with open_server(tmp_path) as server:
            beside = asyncio.create_task(server.house.supervise(work))
            while not beside.done():
                server.clock.advance(1)
                await asyncio.sleep(0)
            await beside

    asyncio.run(asyncio.wait_for(whole(), 20))
    assert rounds == [0, 1, 2]
    assert [record.getMessage() for record in caplog.records] == ["work_failed"] * 2


def test_the_smaller_of_both_round_trips_counts() -> None:
    assert credited_round_trip(0.2, None) == 0.2
    assert credited_round_trip(0.2, 0.19) == 0.2
    assert credited_round_trip(0.2, 0.05) == 0.05 + SLACK
    assert credited_round_trip(0.01, 0.05) == 0.01
