"""The store: what it acknowledges is durable and written once, and every failure is reported."""

import asyncio
import contextlib
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cosca.core.errors import Refused
from cosca.server.storage.sqlite.engine import deliver
from cosca.server.storage.sqlite.migrations import MIGRATIONS
from cosca.server.storage.store import Store, open_store
from cosca.server.storage.values import Collision, NewEntry, StoredSummary
from cosca.words import say
from tests.processes import started
from tests.server.manual_world import ManualStore


def with_store(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    """Run a test on a store, and close it."""

    async def whole() -> None:
        store = open_store(path)
        try:
            await work(store)
        finally:
            store.close()

    asyncio.run(whole())


def entry(seq: int, command: str = "", code: str = "t") -> NewEntry:
    """Return a log entry to append."""
    return NewEntry(code, seq, command or f"c{seq}", "d", f"body {command or seq}".encode())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a test's store, in a folder that does not exist yet."""
    return tmp_path / "house" / "tables.db"


# --- Durable -------------------------------------------------------------------------------------


def test_a_commit_is_on_the_disk_when_it_returns(path: Path) -> None:
    async def look(store: Store) -> None:
        modes = [store.engine.db.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS]
        assert modes == ["wal", 2]

    with_store(path, look)


PRAGMAS = ("journal_mode", "synchronous")


def test_entries_are_read_in_order_also_after_reopening(path: Path) -> None:
    async def write(store: Store) -> None:
        await store.logs.append(entry(0), entry(1))
        await store.logs.append(entry(2))
        await store.logs.append(entry(0, code="u"))

    async def read(store: Store) -> None:
        assert [body for _, _, body in await store.logs.entries("t")] == [
            b"body 0",
            b"body 1",
            b"body 2",
        ]
        assert await store.logs.entries("t", 2) == [("c2", "d", b"body 2")]
        assert await store.logs.entries("nobody") == []

    with_store(path, write)
    with_store(path, read)


# --- Once ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("second", [entry(0, "other"), entry(1, "c0")], ids=["place", "command"])
def test_a_number_and_a_command_id_are_used_once(path: Path, second: NewEntry) -> None:
    async def twice(store: Store) -> None:
        await store.logs.append(entry(0))
        with pytest.raises(Collision):
            await store.logs.append(second)
        assert len(await store.logs.entries("t")) == 1

    with_store(path, twice)


def test_entries_appended_together_are_written_all_or_none(path: Path) -> None:
    async def some(store: Store) -> None:
        await store.logs.append(entry(0), entry(1))
        owned = NewEntry("t", 2, "c2", "", b"", "somebody")
        with pytest.raises(Collision):
            await store.logs.append(owned, entry(1, "other"), entry(3))
        assert [command for command, _, _ in await store.logs.entries("t")] == ["c0", "c1"]
        await store.tables.save_summary(StoredSummary("t", "vendetta", "lobby", 1))
        assert await store.tables.of_owner("somebody", 9) == []

    with_store(path, some)


def test_a_command_is_never_both_refused_and_granted(path: Path) -> None:
    async def both(store: Store) -> None:
        await store.refusals.add("t", 0, "c0", "d", b"no", 0)
        with pytest.raises(Collision):
            await store.logs.append(entry(0))
        with pytest.raises(Collision):
            await store.refusals.add("t", 0, "c0", "d", b"another no", 0)
        await store.logs.append(entry(0, "other"))
        with pytest.raises(Collision):
            await store.refusals.add("t", 1, "other", "d", b"no", 0)
        assert await store.refusals.of_table("t") == {"c0": ("d", b"no")}
        assert [command for command, _, _ in await store.logs.entries("t")] == ["other"]

    with_store(path, both)


def test_a_refusal_that_was_decided_by_an_older_log_collides(path: Path) -> None:
    async def late(store: Store) -> None:
        await store.logs.append(entry(0), entry(1))
        with pytest.raises(Collision):
            await store.refusals.add("t", 1, "mine", "d", b"no", 0)
        await store.refusals.add("t", 2, "mine", "d", b"no", 0)

    with_store(path, late)


def test_a_collision_does_not_harm_the_rest_of_its_batch(path: Path) -> None:
    async def together(store: Store) -> None:
        works = [
            store.logs.append(entry(0)),
            store.logs.append(entry(0, "loser"), entry(1, "loser too")),
            store.logs.append(entry(1)),
            store.refusals.add("t", 2, "c1", "d", b"no", 0),
            store.logs.append(entry(0, code="u")),
        ]
        results = await asyncio.gather(*works, return_exceptions=True)
        assert [isinstance(one, Collision) for one in results] == [False, True, False, True, False]
        assert [command for command, _, _ in await store.logs.entries("t")] == ["c0", "c1"]
        assert len(await store.logs.entries("u")) == 1

    with_store(path, together)


def test_two_processes_write_one_log(path: Path) -> None:
    async def both() -> None:
        stores = [open_store(path), open_store(path)]
        versions = [await store.change_counter() for store in stores]

        async def write(number: int) -> None:
            """Append ten entries, each at the end of the log."""
            for count in range(10):
                while True:
                    length = len(await stores[number].logs.entries("t"))
                    try:
                        await stores[number].logs.append(entry(length, f"{number}:{count}"))
                    except Collision:
                        continue
                    break

        try:
            await asyncio.gather(write(0), write(1))
            logs = [await store.logs.entries("t") for store in stores]
            assert logs[0] == logs[1]
            commands = [command for command, _, _ in logs[0]]
            assert sorted(commands) == sorted(f"{n}:{count}" for n in (0, 1) for count in range(10))
            for number in (0, 1):
                mine = [command for command in commands if command.startswith(f"{number}:")]
                assert mine == [f"{number}:{count}" for count in range(10)]
            now = [await store.change_counter() for store in stores]
            assert now[0] != versions[0] and now[1] != versions[1]
        finally:
            for store in stores:
                store.close()

    asyncio.run(both())


# --- When the disk fails -------------------------------------------------------------------------


def test_a_failed_commit_is_reported_and_nothing_is_lost_or_half_done(path: Path) -> None:
    async def failing() -> None:
        store = ManualStore(path)

        async def done(*works: Awaitable[object]) -> list[object]:
            tasks = [asyncio.ensure_future(work) for work in works]
            while not all(task.done() for task in tasks):
                await asyncio.sleep(0)
                store.write()
            return [task.exception() or task.result() for task in tasks]

        await done(store.logs.append(entry(0)))
        store.disk.failures = 1
        results = await done(
            store.logs.append(entry(1)), store.logs.append(entry(2)), store.logs.entries("t")
        )
        assert [one.key for one in results if isinstance(one, Refused)] == ["web.not_written"] * 3
        assert await done(store.logs.entries("t")) == [[("c0", "d", b"body 0")]]
        assert await done(store.logs.append(entry(1)), store.logs.append(entry(2))) == [None, None]
        store.close()

    asyncio.run(failing())


def test_the_store_survives_a_bug_in_a_job(path: Path) -> None:
    def broken(file: sqlite3.Connection) -> None:
        file.execute("INSERT INTO lines VALUES ('t', 0, 'half', '', x'')")
        raise ValueError("a mistake of ours")

    async def going_on(store: Store) -> None:
        with pytest.raises(Refused, match="not_written"):
            await store.engine.run(broken)
        assert await store.logs.entries("t") == []
        await store.logs.append(entry(0))

    with_store(path, going_on)


class FailingConnection:
    """A connection on which neither COMMIT nor ROLLBACK works, for a while."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self.file = file
        self.left = 2

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.file.in_transaction

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> sqlite3.Cursor:
        """Execute a statement, or fail."""
        if sql in ("COMMIT", "ROLLBACK") and self.left:
            self.left -= 1
            raise sqlite3.OperationalError("disk I/O error")
        return self.file.execute(sql, parameters)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def test_a_failed_rollback_is_reported_and_the_next_job_succeeds(path: Path) -> None:
    async def failing(store: Store) -> None:
        store.engine.db = FailingConnection(store.engine.db)  # type: ignore[assignment]
        with pytest.raises(Refused, match="not_written"):
            await store.logs.append(entry(0))
        await store.logs.append(entry(0, "next"))
        assert [command for command, _, _ in await store.logs.entries("t")] == ["next"]

    with_store(path, failing)


def test_a_cancelled_caller_gets_no_result() -> None:
    async def gone() -> None:
        future: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        future.cancel()
        deliver([future], [None])
        assert future.cancelled()

    asyncio.run(gone())


# --- The file ------------------------------------------------------------------------------------


def refusal(path: Path) -> str:
    """Return why a file cannot be used as a store."""
    with pytest.raises(Refused) as refused:
        open_store(path)
    sentence = say(refused.value.key, refused.value.params)
    assert str(path) in sentence and "\n" not in sentence
    return refused.value.key


def test_a_file_that_is_not_a_store_is_refused_and_unchanged(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Don, " * 500)
    assert refusal(letter) == "web.bad_store"
    assert letter.read_text() == "Dear Don, " * 500


def test_the_file_of_another_program_is_refused_and_unchanged(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    file = sqlite3.connect(foreign)
    file.execute("CREATE TABLE tables (legs INTEGER)")
    file.commit()
    file.close()
    before = foreign.read_bytes()
    assert refusal(foreign) == "web.foreign_store"
    assert foreign.read_bytes() == before


def test_a_store_of_a_newer_cosca_is_refused(path: Path) -> None:
    open_store(path).close()
    file = sqlite3.connect(path)
    file.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    file.close()
    assert refusal(path) == "web.newer_store"


def test_an_impossible_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refusal(tmp_path / "file" / "tables.db") == "web.bad_store"


def test_an_empty_file_becomes_a_store_step_by_step(path: Path) -> None:
    path.parent.mkdir()
    path.touch()

    async def version(store: Store) -> None:
        found = store.engine.db.execute("PRAGMA user_version").fetchone()[0]
        assert found == len(MIGRATIONS)
        await store.logs.append(entry(0))

    with_store(path, version)
    with_store(path, lambda store: _has_one_entry(store))


async def _has_one_entry(store: Store) -> None:
    assert len(await store.logs.entries("t")) == 1


OPEN = (
    "import sys, pathlib; from cosca.server.storage.store import open_store; "
    "open_store(pathlib.Path(sys.argv[1]))"
)


def test_processes_that_start_together_get_the_same_store(path: Path) -> None:
    command = [sys.executable, "-c", OPEN, str(path)]
    with contextlib.ExitStack() as stack:
        programs = [stack.enter_context(started(command)) for _ in range(6)]
        results = [program.end()[1] for program in programs]
        assert [program.exit_code for program in programs] == [0] * 6, results
