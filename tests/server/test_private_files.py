"""Only their owner can read files with seeds of running games, whatever the umask."""

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from cosca.catalog import find
from cosca.cli import saved_game as saved_games
from cosca.cli.saved_game import SavedGame, protect_default_folder
from cosca.cli.seating import make_seating
from cosca.cli.session import Session
from cosca.server.storage.private_files import make_private, make_private_file
from cosca.server.storage.sqlite.backup import backup, restore
from cosca.server.storage.store import open_store
from cosca.server.storage.store_lock import only_process
from tests.server.in_process import captured_logs, open_server, table
from tests.server.server_process import running_server


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Set a umask by which new files are readable by everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir() if not path.is_dir()}


def fill(server: Path) -> None:
    async def work() -> None:
        async with open_server(server) as house:
            wanted = table("vendetta", ["you", "open", "random"])
            assert (await house.visitor().post("/api/tables", **wanted)).status == 200

    asyncio.run(work())


def test_a_new_store_and_its_side_files_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    with only_process(folder / "tables.db"):

        async def work() -> dict[str, int]:
            async with open_server(folder) as house:
                wanted = table("vendetta", ["you", "open", "random"])
                assert (await house.visitor().post("/api/tables", **wanted)).status == 200
                return modes(folder)

        names = {f"tables.db{rest}" for rest in ("", "-wal", "-shm", "-lock")}
        assert asyncio.run(work()) == dict.fromkeys(names, 0o600)
    assert (mode(tmp_path / "a"), mode(folder)) == (0o700, 0o700)


def test_an_existing_store_is_tightened_and_its_folder_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "named"
    folder.mkdir(mode=0o755)
    (folder / "letter").write_text("somebody else's")
    fill(folder)
    for path in folder.iterdir():
        path.chmod(0o644)
    store = open_store(folder / "tables.db")
    try:
        found = modes(folder)
    finally:
        store.close()
    assert found.pop("letter") == 0o644
    assert set(found.values()) == {0o600}
    assert mode(folder) == 0o755


def test_side_files_of_a_killed_house_are_tightened_too(tmp_path: Path) -> None:
    store = tmp_path / "tables.db"
    with running_server(store) as house:
        house.kill()
        rest = [tmp_path / f"tables.db{each}" for each in ("", "-wal", "-shm")]
        for path in rest:
            path.chmod(0o666)
        house.start()
        assert [mode(path) for path in rest] == [0o600] * 3


def test_copies_and_the_folders_made_for_them_are_private(tmp_path: Path) -> None:
    fill(tmp_path / "house")
    copy, again = tmp_path / "copies" / "one.db", tmp_path / "again" / "tables.db"
    backup(tmp_path / "house" / "tables.db", copy)
    restore(copy, again)
    assert (mode(copy), mode(again)) == (0o600, 0o600)
    assert (mode(copy.parent), mode(again.parent)) == (0o700, 0o700)


def test_a_file_of_another_user_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: int) -> None:
        raise PermissionError

    fill(tmp_path)
    (tmp_path / "tables.db").chmod(0o640)
    monkeypatch.setattr(Path, "chmod", refuse)  # root may all
    assert not make_private(tmp_path / "tables.db")
    assert make_private(tmp_path / "nothing")
    with captured_logs() as lines:
        open_store(tmp_path / "tables.db").close()
    assert any("store_not_private" in line for line in lines)


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine")
    make_private_file(kept)
    assert kept.read_text() == "mine"


# --- Games in the terminal ------------------------------------------------------------------------


def session() -> Session:
    seating = make_seating(
        find("vendetta"), seats=3, edition="", changes={}, bots="random", seat=1, seed=1
    )
    return Session.new(seating)


@pytest.mark.parametrize("is_named", [True, False])
def test_games_of_the_terminal_are_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    folder = tmp_path / "games"
    settle_in(folder, monkeypatch, is_named=is_named)
    game = session()
    saved_game = SavedGame(game.game)
    saved_game.write(game)
    assert mode(saved_game.path) == 0o600
    assert mode(saved_game.record_path(game)) == 0o600
    assert (mode(folder), mode(folder / "records")) == (0o700, 0o700)
    game.close()


def settle_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_named: bool) -> None:
    """Use a folder that the user has named, or the system's."""
    monkeypatch.setattr(saved_games, "user_state_path", lambda *_, **__: folder)
    if is_named:
        monkeypatch.setenv(saved_games.HOME, str(folder))
    else:
        monkeypatch.delenv(saved_games.HOME, raising=False)


@pytest.mark.parametrize(("is_named", "expected"), [(True, 0o755), (False, 0o700)])
def test_only_the_default_folder_is_tightened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool, expected: int
) -> None:
    settle_in(tmp_path / "games", monkeypatch, is_named=is_named)
    protect_default_folder()
    assert not (tmp_path / "games").exists(), "a folder that is not needed is not made"
    (tmp_path / "games" / "records").mkdir(parents=True)
    for folder in (tmp_path / "games", tmp_path / "games" / "records"):
        folder.chmod(0o755)
    protect_default_folder()
    assert mode(tmp_path / "games") == expected
    assert mode(tmp_path / "games" / "records") == expected


def test_a_house_in_the_default_folder_tightens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cosca.cli.serve import open_house
    from cosca.server import serve

    settle_in(tmp_path / "games", monkeypatch, is_named=False)
    (tmp_path / "games").mkdir(mode=0o755)
    monkeypatch.setattr(serve, "serve", lambda *_, **__: None)
    open_house(lan=False, browse=False, store=tmp_path / "elsewhere.db", port=1)
    assert mode(tmp_path / "games") == 0o755
    open_house(lan=False, browse=False, port=1)
    assert mode(tmp_path / "games") == 0o700
