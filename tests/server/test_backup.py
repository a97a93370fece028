"""`cosca backup` and `cosca restore`: of a house under load, and of files that are none of ours."""

import asyncio
import contextlib
import json
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from cosca.core.errors import Refused
from cosca.server.backup import backup, restore
from cosca.server.lines import read_line
from cosca.server.room import folded
from cosca.server.store import Append, Store
from tests.server.doors import opened, table
from tests.server.running import Player, Running, begin, open_table, running

COMMANDS = 60
"""From each socket at most: nobody is slowed down."""


def cosca(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    program = [sys.executable, "-m", "cosca.cli", *map(str, words)]
    return subprocess.run(program, capture_output=True, text=True, timeout=120)


# --- Under load -----------------------------------------------------------------------------------


def test_what_was_acknowledged_before_is_in_a_copy_of_a_running_house(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with running(tmp_path / "tables.db") as house:
        players, before = asyncio.run(play_and_copy(house, copy, Random(5)))
        live = {player.code: house.rows(player.code) for player in players}
    told = cosca("restore", copy, tmp_path / "elsewhere" / "tables.db")
    assert told.returncode == 0, told.stderr
    with running(tmp_path / "elsewhere" / "tables.db") as again:
        for player, answers in zip(players, before, strict=True):
            granted, refused = again.rows(player.code)
            all_granted, all_refused = live[player.code]
            assert granted == all_granted[: len(granted)], "it is the beginning of the log"
            assert refused.items() <= all_refused.items()
            for id, answer in answers.items():
                done = json.loads(answer)["type"] == "done"
                assert (player.key(id) in granted) == done
                assert (refused.get(player.key(id)) == answer) == (not done)
            status, room, _ = again.ask("GET", f"/api/tables/{player.code}")
            assert (status, room["code"]) == (200, player.code)
            player.house = again
        for player in players:
            player.answers.clear()
        asyncio.run(all_again(players))


async def all_again(players: list[Player]) -> None:
    """Whoever was in the middle of a game says everything again, and the game goes on."""
    await asyncio.gather(*(player.say_all_again() for player in players))


async def play_and_copy(
    house: Running, copy: Path, rng: Random
) -> tuple[list[Player], list[dict[str, str]]]:
    """Play, and copy the store in the middle: the players, and what each was told before that."""
    tables = [open_table(house, rng) for _ in range(3)]
    await asyncio.gather(*(begin(sitting) for sitting in tables))
    players = [player for sitting in tables for player in sitting]
    enough = asyncio.Event()
    left = 40

    def one_less() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            enough.set()

    for player in players:
        player.heard = one_less
    playing = asyncio.gather(*(player.play(rng, COMMANDS) for player in players))
    await enough.wait()
    before = [{id: min(told) for id, told in player.answers.items()} for player in players]
    done = await asyncio.to_thread(cosca, "backup", house.store, copy)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 tables are in ")
    await playing
    return players, before


# --- Copies ---------------------------------------------------------------------------------------


def filled(path: Path, tables: int = 1) -> None:
    """A store with some tables, and nobody at them."""

    async def fill() -> None:
        async with opened(path) as place:
            for _ in range(tables):
                wanted = table("vendetta", ["you", "open", "random"])
                assert (await place.visitor().post("/api/tables", **wanted)).status == 200

    asyncio.run(fill())


def lines(path: Path) -> list[tuple[str, int, bytes]]:
    """All lines in a store."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT code, seq, body FROM lines ORDER BY code, seq").fetchall()


def test_a_copy_is_one_file_for_its_owner_alone_and_folds(tmp_path: Path) -> None:
    filled(tmp_path / "house", 2)
    store, copy = tmp_path / "house/tables.db", tmp_path / "copies/one.db"
    assert backup(store, copy) == 2
    assert [path.name for path in copy.parent.iterdir()] == ["one.db"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert lines(copy) == lines(store)
    for code in {code for code, _, _ in lines(copy)}:
        log = [read_line(body) for found, _, body in lines(copy) if found == code]
        assert folded(log).code == code


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


def test_a_disk_without_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(source: Path, target: Path) -> None:
        raise PermissionError("this disk knows no links")

    monkeypatch.setattr(os, "link", never)
    filled(tmp_path / "house")
    assert backup(tmp_path / "house/tables.db", tmp_path / "copy.db") == 1
    assert lines(tmp_path / "copy.db")


def test_what_is_no_store_is_not_copied(tmp_path: Path) -> None:
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


def test_a_store_is_replaced_only_when_asked_and_when_no_house_is_open(tmp_path: Path) -> None:
    filled(tmp_path / "one", 1)
    filled(tmp_path / "two", 2)
    copy, store = tmp_path / "copy.db", tmp_path / "two/tables.db"
    backup(tmp_path / "one/tables.db", copy)
    house = Store(store)
    with pytest.raises(Refused, match=r"backup\.in_use"):
        restore(copy, store, replace=True)
    asyncio.run(house.append(Append("t", 0, "c", "", b"still here")))
    house.close()
    assert restore(copy, store, replace=True) == 1
    assert lines(store) == lines(copy)


def test_what_an_old_store_has_left_beside_it_does_not_get_into_the_new_one(
    tmp_path: Path,
) -> None:
    filled(tmp_path / "one")
    copy, store = tmp_path / "copy.db", tmp_path / "new.db"
    backup(tmp_path / "one/tables.db", copy)
    store.with_name("new.db-wal").write_bytes(b"stale")
    restore(copy, store)
    assert lines(store) == lines(copy)
    assert not store.with_name("new.db-wal").exists()


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    done = cosca("backup", tmp_path / "nothing.db", tmp_path / "copy.db")
    assert done.returncode == 2
    assert done.stderr == f"There is no store {tmp_path / 'nothing.db'}.\n"
