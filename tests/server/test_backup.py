"""`cosca backup` and `cosca restore`: under load, and with files that are not stores."""

import asyncio
import contextlib
import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cosca.core.errors import Refused
from cosca.server.domain.log_entries import decode_entry
from cosca.server.domain.room import room_from_log
from cosca.server.storage.sqlite.backup import Restored, backup, restore
from cosca.server.storage.store import open_store
from cosca.server.storage.values import NewEntry
from tests.processes import run
from tests.server.in_process import open_server, table
from tests.server.server_process import (
    Player,
    ServerProcess,
    begin_game,
    open_table,
    running_server,
)

COMMANDS = 60
"""Commands from each socket at most, to stay within the rate limits."""


def cosca(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command and wait for its end."""
    program = [sys.executable, "-m", "cosca.cli", *map(str, words)]
    return run(program)


# --- Under load -----------------------------------------------------------------------------------


def test_a_backup_of_a_running_house_has_everything_acknowledged_before(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with running_server(tmp_path / "tables.db") as house:
        players, before = asyncio.run(play_and_copy(house, copy, Random(5)))
        live = {player.code: house.rows(player.code) for player in players}
    restored = cosca("restore", copy, tmp_path / "elsewhere" / "tables.db")
    assert restored.returncode == 0, restored.stderr
    with running_server(tmp_path / "elsewhere" / "tables.db") as again:
        for player, answers in zip(players, before, strict=True):
            granted, refused = again.rows(player.code)
            all_granted, all_refused = live[player.code]
            assert granted == all_granted[: len(granted)], "it is the beginning of the log"
            assert refused.items() <= all_refused.items()
            for id, answer in answers.items():
                done = json.loads(answer)["type"] == "done"
                assert (player.key(id) in granted) == done
                assert (refused.get(player.key(id)) == answer) == (not done)
            status, room, _ = again.request("GET", f"/api/tables/{player.code}")
            assert (status, room["code"]) == (200, player.code)
            player.house = again
        for player in players:
            player.answers.clear()
        asyncio.run(all_again(players))


async def all_again(players: list[Player]) -> None:
    """After a restore, players send all commands again and the game goes on."""
    await asyncio.gather(*(player.resend_all() for player in players))


async def play_and_copy(
    house: ServerProcess, copy: Path, rng: Random
) -> tuple[list[Player], list[dict[str, str]]]:
    """Play, and back up in the middle; return the players, and their answers before that."""
    tables = [open_table(house, rng) for _ in range(3)]
    await asyncio.gather(*(begin_game(sitting) for sitting in tables))
    players = [player for sitting in tables for player in sitting]
    enough = asyncio.Event()
    left = 40

    def one_less() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            enough.set()

    for player in players:
        player.on_answer = one_less
    playing = asyncio.gather(*(player.play(rng, COMMANDS) for player in players))
    await enough.wait()
    before = [{id: min(answers) for id, answers in player.answers.items()} for player in players]
    done = await asyncio.to_thread(cosca, "backup", house.store, copy)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Copied 3 tables to ")
    await playing
    return players, before


# --- Copies ---------------------------------------------------------------------------------------


def filled(path: Path, tables: int = 1) -> None:
    """Create a store with some tables that nobody has open."""

    async def fill() -> None:
        async with open_server(path) as server:
            for _ in range(tables):
                wanted = table("vendetta", ["you", "open", "random"])
                assert (await server.visitor().post("/api/tables", **wanted)).status == 200

    asyncio.run(fill())


def entries(path: Path) -> list[tuple[str, int, bytes]]:
    """Return all log entries in a store."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT code, seq, body FROM lines ORDER BY code, seq").fetchall()


def test_a_backup_is_one_private_file_that_can_be_replayed(tmp_path: Path) -> None:
    filled(tmp_path / "house", 2)
    store, copy = tmp_path / "house/tables.db", tmp_path / "copies/one.db"
    assert backup(store, copy) == 2
    assert [path.name for path in copy.parent.iterdir()] == ["one.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert entries(copy) == entries(store)
    for code in {code for code, _, _ in entries(copy)}:
        log = [decode_entry(body) for found, _, body in entries(copy) if found == code]
        assert room_from_log(log).code == code


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    filled(tmp_path / "house")
    store, taken = tmp_path / "house/tables.db", tmp_path / "taken"
    taken.write_text("mine")
    with pytest.raises(Refused, match=r"backup\.exists"):
        backup(store, taken)
    with pytest.raises(Refused, match=r"backup\.store_exists"):
        restore(store, taken)
    assert taken.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["house", "taken"]


def test_a_name_that_is_taken_meanwhile_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "house")
    copy = tmp_path / "copy.db"
    link = os.link

    def late(source: Path, target: Path) -> None:
        target.write_text("theirs")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(Refused, match=r"backup\.exists"):
        backup(tmp_path / "house/tables.db", copy)
    assert copy.read_text() == "theirs"


def test_a_file_system_without_links_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(source: Path, target: Path) -> None:
        raise PermissionError("this disk knows no links")

    monkeypatch.setattr(os, "link", never)
    filled(tmp_path / "house")
    assert backup(tmp_path / "house/tables.db", tmp_path / "copy.db") == 1
    assert entries(tmp_path / "copy.db")


def test_a_file_that_is_not_a_store_is_not_copied(tmp_path: Path) -> None:
    filled(tmp_path / "house")
    letter, other = tmp_path / "letter.txt", tmp_path / "other.db"
    letter.write_text("Dear Ada, this is a letter and no store of tables at all. " * 100)
    with contextlib.closing(sqlite3.connect(other)) as file:
        file.execute("CREATE TABLE mine (x)")
    empty = tmp_path / "empty.db"
    empty.touch()
    for source in (letter, other, empty, tmp_path / "nothing.db", tmp_path):
        for work in (backup, restore):
            with pytest.raises(Refused):
                work(source, tmp_path / "new.db")
    for target in (letter, other):
        before = target.read_bytes()
        with pytest.raises(Refused):
            restore(tmp_path / "house/tables.db", target, replace=True)
        assert target.read_bytes() == before
    assert not (tmp_path / "new.db").exists()


def test_a_damaged_copy_is_not_restored(tmp_path: Path) -> None:
    filled(tmp_path / "house", 9)
    copy = tmp_path / "copy.db"
    backup(tmp_path / "house/tables.db", copy)
    whole = bytearray(copy.read_bytes())
    whole[4096 * 2 : 4096 * 4] = b"\xff" * 8192
    copy.write_bytes(whole)
    with pytest.raises(Refused, match=r"backup\.(damaged|failed)"):
        restore(copy, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_a_store_is_replaced_only_on_request_and_while_no_house_runs(tmp_path: Path) -> None:
    filled(tmp_path / "one", 1)
    filled(tmp_path / "two", 2)
    copy, store = tmp_path / "copy.db", tmp_path / "two/tables.db"
    backup(tmp_path / "one/tables.db", copy)
    house = open_store(store)
    with pytest.raises(Refused, match=r"backup\.in_use"):
        restore(copy, store, replace=True)
    asyncio.run(house.logs.append(NewEntry("t", 0, "c", "", b"still here")))
    house.close()
    assert restore(copy, store, replace=True) == Restored(1)
    assert entries(store) == entries(copy)


def test_side_files_of_an_old_store_do_not_get_into_the_new_one(
    tmp_path: Path,
) -> None:
    filled(tmp_path / "one")
    copy, store = tmp_path / "copy.db", tmp_path / "new.db"
    backup(tmp_path / "one/tables.db", copy)
    store.with_name("new.db-wal").write_bytes(b"stale")
    restore(copy, store)
    assert entries(store) == entries(copy)
    assert not store.with_name("new.db-wal").exists()


# --- A damaged store ------------------------------------------------------------------------------


def wreck_header(store: Path) -> None:
    """Leave only the header of a file, which says what it was."""
    store.write_bytes(store.read_bytes()[:100] + b"\xff" * 5000)


def wreck_pages(store: Path) -> None:
    """Overwrite some pages in the middle."""
    whole = bytearray(store.read_bytes())
    whole[4096 * 2 : 4096 * 4] = b"\xff" * 8192
    store.write_bytes(whole)


def wreck_all(store: Path) -> None:
    """Fill the file with zeros, as a power cut may."""
    store.write_bytes(bytes(store.stat().st_size))


@pytest.mark.parametrize("wreck", [wreck_header, wreck_pages, wreck_all])
def test_a_damaged_store_is_moved_aside_and_the_copy_takes_its_place(
    tmp_path: Path, wreck: Callable[[Path], None]
) -> None:
    filled(tmp_path / "house", 9)
    copy, store = tmp_path / "copy.db", tmp_path / "house/tables.db"
    backup(store, copy)
    wreck(store)
    wrecked = store.read_bytes()
    done = cosca("restore", copy, store, "--replace")
    assert (done.returncode, done.stderr) == (0, "")
    aside = store.with_name("tables.db.damaged")
    assert f"The damaged store was moved to {aside}" in done.stdout
    assert aside.read_bytes()[4096 * 2 :] == wrecked[4096 * 2 :]
    assert entries(store) == entries(copy)


def test_the_side_files_of_a_damaged_store_are_moved_with_it(tmp_path: Path) -> None:
    filled(tmp_path / "house")
    copy, store = tmp_path / "copy.db", tmp_path / "house/tables.db"
    backup(store, copy)
    for number in ("", ".2"):
        wreck_header(store)
        for rest in ("-wal", "-shm"):
            store.with_name(f"tables.db{rest}").write_bytes(rest.encode() * 9)
        aside = store.with_name(f"tables.db.damaged{number}")
        assert restore(copy, store, replace=True) == Restored(1, aside)
        for rest in ("-wal", "-shm"):
            assert aside.with_name(aside.name + rest).read_bytes() == rest.encode() * 9
            assert not store.with_name(f"tables.db{rest}").exists()
        assert entries(store) == entries(copy)


def test_a_damaged_store_on_which_a_house_is_open_is_left_alone(tmp_path: Path) -> None:
    filled(tmp_path / "house", 9)
    copy, store = tmp_path / "copy.db", tmp_path / "house/tables.db"
    backup(store, copy)
    house = open_store(store)
    wreck_pages(store)
    with pytest.raises(Refused, match=r"backup\.in_use"):
        restore(copy, store, replace=True)
    house.close()
    assert restore(copy, store, replace=True).aside


def test_a_store_whose_content_is_in_its_side_files_is_not_empty(tmp_path: Path) -> None:
    filled(tmp_path / "house")
    other = tmp_path / "other.db"
    theirs = sqlite3.connect(other, isolation_level=None)
    theirs.execute("PRAGMA journal_mode = WAL")
    theirs.execute("CREATE TABLE mine (x)")
    for rest in ("", "-wal", "-shm"):  # as after a power cut
        (tmp_path / f"cut.db{rest}").write_bytes((tmp_path / f"other.db{rest}").read_bytes())
    theirs.close()
    with pytest.raises(Refused, match=r"web\.foreign_store"):
        restore(tmp_path / "house/tables.db", tmp_path / "cut.db", replace=True)


def test_a_damaged_store_stays_where_it_is_if_the_copy_is_damaged_too(tmp_path: Path) -> None:
    filled(tmp_path / "house", 9)
    copy, store = tmp_path / "copy.db", tmp_path / "house/tables.db"
    backup(store, copy)
    wreck_pages(copy)
    wreck_header(store)
    wrecked = store.read_bytes()
    with pytest.raises(Refused, match=r"backup\.(damaged|failed)") as refused:
        restore(copy, store, replace=True)
    assert refused.value.params["path"] == str(copy)
    assert store.read_bytes() == wrecked
    assert sorted(path.name for path in store.parent.iterdir()) == ["tables.db"]


def test_the_error_names_the_file_that_cannot_be_used(tmp_path: Path) -> None:
    filled(tmp_path / "house")
    store, folder = tmp_path / "house/tables.db", tmp_path / "folder"
    folder.mkdir()
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada, this is a letter and no store of tables at all. " * 100)
    for target, key in ((letter, "web.foreign_store"), (folder, "backup.not_replaced")):
        with pytest.raises(Refused) as refused:
            restore(store, target, replace=True)
        assert (refused.value.key, refused.value.params["path"]) == (key, str(target))


def test_a_copy_is_on_the_disk_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both the content of a new file and the folder with its name must be synced."""
    filled(tmp_path / "house")
    synced: list[tuple[Path, list[str]]] = []
    fsync = os.fsync

    def noted(number: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{number}"))
        synced.append((path, sorted(os.listdir(path)) if path.is_dir() else []))
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    copy, store = tmp_path / "a/b/copy.db", tmp_path / "c/new.db"
    backup(tmp_path / "house/tables.db", copy)
    assert synced[0][0].name == "copy.db"
    named = [path for path, names in synced if copy.name in names]
    assert named[-1:] == [copy.parent]
    assert {tmp_path / "a", tmp_path} <= {path for path, _ in synced}, "of new folders too"
    for replace in (False, True):
        synced.clear()
        restore(copy, store, replace=replace)
        assert (store.parent, ["new.db", "new.db-lock"]) in synced


def test_mistakes_are_explained_in_a_sentence(tmp_path: Path) -> None:
    done = cosca("backup", tmp_path / "nothing.db", tmp_path / "copy.db")
    assert done.returncode == 2
    assert done.stderr == f"There is no store {tmp_path / 'nothing.db'}. Check the path.\n"
