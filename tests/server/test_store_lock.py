"""One process at a time uses a store, and the lock always ends with the process."""

import asyncio
import os
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from cosca.core.errors import Refused
from cosca.server.storage.sqlite.backup import restore
from cosca.server.storage.store_lock import only_process
from cosca.words import say
from tests.processes import run
from tests.server.server_process import TIMEOUT, Player, ServerProcess, running_server


def cosca(*words: str | Path, **environ: str) -> CompletedProcess[str]:
    """Run a command and wait for its end."""
    program = [sys.executable, "-m", "cosca.cli", *map(str, words)]
    return run(program, env={**os.environ, **environ})


def in_use(store: Path) -> str:
    """Return what a second process prints."""
    return say("web.store_in_use", {"path": str(store)}) + "\n"


def test_a_second_house_on_the_same_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    store = tmp_path / "tables.db"
    link = tmp_path / "other-name.db"
    with running_server(store) as house:
        link.symlink_to(store)
        for name in (store, link):
            second = cosca("serve", "--port", str(house.port + 1), "--store", name)
            assert (second.returncode, second.stdout) == (2, "")
            assert second.stderr == in_use(name)
        assert house.request("GET", "/api/games")[0] == 200, "the first goes on"


def test_playing_in_the_browser_uses_the_same_lock(tmp_path: Path) -> None:
    with running_server(tmp_path / "tables.db"):
        second = cosca("play", COSCA_HOME=str(tmp_path), BROWSER="true")
        assert (second.returncode, second.stderr) == (2, in_use(tmp_path / "tables.db"))


def test_a_killed_house_holds_no_lock(tmp_path: Path) -> None:
    with running_server(tmp_path / "tables.db") as house:
        asyncio.run(
            think(house)
        )  # so that it has processes of its own, which may outlive it for a moment
        house.kill()
        house.start()
        house.terminate()
        assert house.wait_for_exit() == 0
        house.start()


async def think(house: ServerProcess) -> None:
    """Start a bot in a worker process; it plays because somebody watches."""
    seats = ["random", "random", "random"]
    wanted = {"game": "vendetta", "seats": seats, "name": "Ada", "start": True}
    code = house.post("/api/tables", wanted, "")["code"]
    async with Player(house, code).connect() as connection, asyncio.timeout(TIMEOUT):
        while not any(command.startswith("bot:") for command in house.rows(code)[0]):
            await connection.recv()


def test_a_running_house_can_be_copied_and_not_replaced(tmp_path: Path) -> None:
    store, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with running_server(store) as house:
        assert cosca("backup", store, copy).returncode == 0
        refused = cosca("restore", copy, store, "--replace")
        assert refused.returncode == 2
        assert refused.stderr == say("backup.in_use", {"path": str(store)}) + "\n"
        assert house.request("GET", "/api/games")[0] == 200
    assert cosca("restore", copy, store, "--replace").returncode == 0


def test_a_store_is_not_replaced_while_a_house_begins(tmp_path: Path) -> None:
    store, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    with running_server(store):
        assert cosca("backup", store, copy).returncode == 0
    before = store.read_bytes()
    with only_process(store), pytest.raises(Refused, match=r"backup\.in_use"):
        restore(copy, store, replace=True)
    assert store.read_bytes() == before


def test_a_lock_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "tables.db-lock").mkdir()
    done = cosca("serve", "--store", tmp_path / "tables.db")
    assert done.returncode == 2
    assert done.stderr.startswith(f"Cannot use the store {tmp_path / 'tables.db'} (")
    assert done.stderr.count("\n") == 1
