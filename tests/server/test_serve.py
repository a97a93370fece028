"""`cosca serve`: what it prints, where it listens, and how it reports errors."""

import asyncio
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from cosca.server import serve as serving
from cosca.server.app import application
from cosca.server.live.bot_pool import BotPool
from cosca.server.live.clock import WallClock
from cosca.server.live.house import House
from cosca.server.ops.settings import Settings
from cosca.server.serve import Listeners, free_port, limited_connections
from cosca.server.storage.store import open_store
from tests.processes import run


def cosca(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "COSCA_HOME": str(home)}
    program = [sys.executable, "-c", "from cosca.cli import main; main()", "serve", *words]
    return run(program, env=environ)


def test_a_taken_port_is_reported_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = cosca(tmp_path, "--port", str(port))
    assert done.returncode == 2
    assert done.stderr.startswith(f"Cannot use port {port} on 127.0.0.1 (")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--port", "many"], "“many” is not a whole number. --port needs one."),
        (["--port", "70000"], "--port cannot be 70000. Choose 1 to 65535."),
        (["--workers", "0"], "--workers cannot be 0. Choose 1 to 64."),
        (["--host", "nowhere.invalid"], "Cannot use port 8642 on nowhere.invalid ("),
    ],
)
def test_impossible_options_get_one_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = cosca(tmp_path, *words)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_not_a_store_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ada, this is a letter and no store of tables at all. " * 100)
    before = other.read_bytes()
    done = cosca(tmp_path, "--store", str(other))
    assert done.returncode == 2
    assert done.stderr.startswith(f"Cannot use the store {other} (")
    assert other.read_bytes() == before


def test_the_network_can_connect_only_after_an_invitation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "lan_address", lambda: "127.0.0.2")  # as if that were the network
    asyncio.run(let_friends_in(tmp_path))


async def let_friends_in(server: Path) -> None:
    settings = Settings(store=server / "tables.db", port=free_port())
    store, clock = open_store(settings.store), WallClock()
    house = House(store, BotPool(1), clock)
    listeners = Listeners(settings, limited_connections(settings, clock, house.metrics))
    listeners.app = application(house, listeners, settings, clock)
    await listeners.listen(settings.host, settings.port, lifespan=True)
    friendly = f"http://127.0.0.2:{settings.port}"
    with pytest.raises(urllib.error.URLError):
        await asyncio.to_thread(status, f"{friendly}/api/games")
    assert await asyncio.to_thread(status, f"http://127.0.0.1:{settings.port}/api/games") == 200
    assert await listeners.open_to_local_network() == [friendly]
    assert await listeners.open_to_local_network() == [friendly]
    assert await asyncio.to_thread(status, f"{friendly}/api/games") == 200
    assert listeners.public_url("127.0.0.1") == friendly
    listeners.stop()
    await listeners.wait()
    store.close()


def status(address: str) -> int:
    with urllib.request.urlopen(address, timeout=20) as answer:
        return int(answer.status)


def test_the_next_free_port_is_taken_when_nobody_names_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(port) > port
