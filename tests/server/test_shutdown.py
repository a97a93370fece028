"""SIGTERM: pending writes are finished and answered, and browsers are told to reconnect."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeGuard, TypeVar

import pytest
from websockets.exceptions import ConnectionClosed

from cosca.server.app import application
from cosca.server.domain import log_entries
from cosca.server.domain.log_entries import LogEntry, decode_entry
from cosca.server.http.sockets import RESTARTING, Sockets
from cosca.server.ops.settings import Settings
from cosca.server.storage.values import NewEntry
from tests.server.in_process import FixedAddress, SocketClient, open_server, socket_path, table
from tests.server.server_process import (
    TIMEOUT,
    Player,
    ServerProcess,
    begin_game,
    check_exactly_once,
    open_table,
    running_server,
)

T = TypeVar("T")

TABLES = 3
COMMANDS = 60
"""The most from each socket, so that no rate limit is reached."""


@pytest.mark.parametrize("seed", range(3))
def test_a_terminated_house_loses_nothing(tmp_path: Path, seed: int) -> None:
    with running_server(tmp_path / "tables.db") as house:
        asyncio.run(stop_and_go_on(house, Random(seed)))


async def stop_and_go_on(house: ServerProcess, rng: Random) -> None:
    """Play, terminate the server and restart it; check that every answer still holds."""
    tables = [open_table(house, rng) for _ in range(TABLES)]
    await asyncio.gather(*(begin_game(sitting) for sitting in tables))
    players = [player for sitting in tables for player in sitting]
    left = rng.randrange(len(players) * COMMANDS // 2)

    def one_less() -> None:
        nonlocal left
        left -= 1
        if left == -1:
            house.terminate()

    for player in players:
        player.on_answer = one_less
    codes = await asyncio.gather(*(play_until_told(player, rng) for player in players))
    assert codes == [RESTARTING] * len(players)
    assert await asyncio.to_thread(house.wait_for_exit) == 0
    for sitting in tables:
        check_exactly_once(house, sitting)
    house.start()
    for player in players:
        player.on_answer = lambda: None
    await asyncio.gather(*(player.resend_all() for player in players))
    for sitting in tables:
        check_exactly_once(house, sitting)
        assert all(set(player.sent) == set(player.answers) for player in sitting)


async def play_until_told(player: Player, rng: Random) -> int:
    """Send commands until the server closes the socket; return its close code."""
    async with player.connect() as connection:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(COMMANDS):
                await player.send_and_wait(connection, player.next_command(rng)["id"])
        await connection.wait_closed()
        return connection.close_code or 0


def test_an_idle_house_stops_too(tmp_path: Path) -> None:
    with running_server(tmp_path / "tables.db") as house:
        house.terminate()
        assert house.wait_for_exit() == 0
        assert not list(tmp_path.glob("*-wal")), "the file is closed in good order"
        house.start()


def test_a_stopped_house_leaves_a_heartbeat_and_the_next_counts_from_it(tmp_path: Path) -> None:
    clocks = {"pace": "live", "move_seconds": 300, "start": True}
    wanted = table("vendetta", ["you", "random", "random"], **clocks)
    with running_server(tmp_path / "tables.db") as house:
        code = house.post("/api/tables", wanted, Player(house, "").cookie)["code"]
        wait_for(
            lambda: [entry for entry in log_of(house, code) if isinstance(entry, log_entries.Dealt)]
        )
        asked = round(time.time() * 1000)
        house.terminate()
        assert house.wait_for_exit() == 0
        with contextlib.closing(sqlite3.connect(house.store)) as file:
            (stopped,) = file.execute("SELECT at FROM heartbeat").fetchone()
        assert asked - 100 <= stopped <= time.time() * 1000 + 100
        house.start()
        woken = wait_for(lambda: [entry for entry in log_of(house, code) if is_woken(entry)])
        assert [entry.alive for entry in woken] == [max(stopped, before_last(house, code).at)]


def is_woken(entry: LogEntry) -> TypeGuard[log_entries.Woken]:
    """Return whether an entry refunds the time in which no server ran."""
    return isinstance(entry, log_entries.Woken)


def log_of(house: ServerProcess, code: str) -> list[LogEntry]:
    """Return the log of a table in the store."""
    with contextlib.closing(sqlite3.connect(house.store)) as file:
        query = "SELECT body FROM lines WHERE code = ? ORDER BY seq"
        return [decode_entry(row[0]) for row in file.execute(query, (code,))]


def before_last(house: ServerProcess, code: str) -> LogEntry:
    """Return the last entry before the server was stopped."""
    log = log_of(house, code)
    return log[next(number for number, entry in enumerate(log) if is_woken(entry)) - 1]


def wait_for(found: Callable[[], list[T]]) -> list[T]:
    """Call a function until it returns something."""
    end = time.monotonic() + TIMEOUT
    while not (these := found()):
        assert time.monotonic() < end, "it never came"
    return these


def test_pending_writes_are_answered_before_sockets_are_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def close() -> None:
        async with open_server(tmp_path) as server:
            settings = Settings(store=server.path, unlimited=True)
            sockets = Sockets(server.house, server.clock, unlimited=True)
            server.app = application(server.house, FixedAddress(), settings, server.clock, sockets)
            ada = server.visitor()
            wanted = table("vendetta", ["you", "open", "random"])
            code = (await ada.post("/api/tables", **wanted)).json()["code"]
            socket = await ada.connect(code)
            begun, written = asyncio.Event(), asyncio.Event()
            append = server.store.logs.append

            async def slowly(*appends: NewEntry) -> None:
                begun.set()
                await written.wait()
                await append(*appends)

            monkeypatch.setattr(server.store.logs, "append", slowly)
            socket.command("chat", "first", text="hello")
            await begun.wait()
            finishing = asyncio.create_task(sockets.finish())
            await asyncio.sleep(0)
            socket.command("chat", "second", text="too late")
            late = SocketClient(server.app, socket_path(code), ada.headers)
            await late.ended()
            assert late.accepted and late.code == RESTARTING and not late.sent
            assert not socket.code and not finishing.done()
            written.set()
            await finishing
            await socket.ended()
            assert [answer["type"] for answer in socket.answers("first")] == ["done"]
            assert socket.answers("second") == [], "the page sends it again later"
            assert socket.code == RESTARTING
            bodies = [body for _, _, body in await server.store.logs.entries(code)]
            assert b"hello" in bodies[-1]

    asyncio.run(asyncio.wait_for(close(), 30))
