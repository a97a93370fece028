"""The store: logs of tables in one SQLite file. What it says is written stays written.

One thread owns the file. It takes all that waits, writes it in one transaction and waits for the
disk once: so a move costs a share of a commit, and nobody is told "done" before it is.
"""

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from cosca.core.errors import Refused
from cosca.server.storage.private_files import make_private, make_private_file, make_private_folder
from cosca.server.telemetry.logs import note
from cosca.server.telemetry.metrics import Metrics

T = TypeVar("T")

MIGRATIONS: Final = (
    """
    CREATE TABLE tables (
        code TEXT PRIMARY KEY, game TEXT NOT NULL, stage TEXT NOT NULL, touched INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX tables_by_stage ON tables (stage, touched);
    CREATE TABLE lines (
        code TEXT NOT NULL, seq INTEGER NOT NULL,
        command TEXT NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (code, seq), UNIQUE (code, command)
    ) WITHOUT ROWID;
    CREATE TABLE refusals (
        code TEXT NOT NULL, command TEXT NOT NULL, digest TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (code, command)
    ) WITHOUT ROWID;
    CREATE TABLE owners (
        owner TEXT NOT NULL, code TEXT NOT NULL, PRIMARY KEY (owner, code)
    ) WITHOUT ROWID;
    """,
    # From here on every table is in `tables` from its first line on, and `touched` says when
    # something last happened at it. What was written before is put right.
    """
    INSERT OR IGNORE INTO tables
        SELECT code, json_extract(CAST(body AS TEXT), '$.game'), 'lobby', 0
        FROM lines WHERE seq = 0 AND json_valid(CAST(body AS TEXT))
            AND json_extract(CAST(body AS TEXT), '$.game') IS NOT NULL;
    UPDATE tables SET touched = max(touched, coalesce((
        SELECT CASE WHEN json_valid(CAST(body AS TEXT))
            THEN json_extract(CAST(body AS TEXT), '$.at') END
        FROM lines WHERE lines.code = tables.code ORDER BY seq DESC LIMIT 1
    ), 0));
    CREATE INDEX tables_by_touch ON tables (touched);
    CREATE INDEX owners_by_code ON owners (code);
    CREATE TABLE bans (address TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
    """,
    # When a house last ran while clocks did; and for retention what the clock on the wall last
    # said, how much of the past it has jumped over, and when.
    """
    CREATE TABLE heartbeat (only INTEGER PRIMARY KEY CHECK (only = 1), at INTEGER NOT NULL);
    CREATE TABLE wall_clock (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        seen INTEGER NOT NULL, skipped INTEGER NOT NULL, jumped INTEGER NOT NULL
    );
    """,
    # The tables that their hosts show on the first page. Those from before are private.
    """
    CREATE TABLE listed (code TEXT PRIMARY KEY) WITHOUT ROWID;
    """,
    # Lists are made from summaries, so that no list replays a game; a house that opens fills in
    # those of older tables. Refusals expire. Records of finished games are made once.
    """
    ALTER TABLE tables ADD COLUMN summary BLOB NOT NULL DEFAULT x'';
    ALTER TABLE tables ADD COLUMN summary_format INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN summary_length INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE refusals ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
    UPDATE refusals SET at = CAST(strftime('%s', 'now') AS INTEGER) * 1000;
    CREATE INDEX refusals_by_time ON refusals (at);
    CREATE TABLE records (
        code TEXT PRIMARY KEY, version TEXT NOT NULL, body BLOB NOT NULL
    ) WITHOUT ROWID;
    """,
)
"""How the file came to be as it is, step by step; `user_version` says how many were done."""

APPLICATION: Final = 0x436F7363
"""By this a file says that it is a store of Cosca."""

BATCH: Final = 512


class Collision(Exception):
    """Somebody else has written there first: read again, and see."""


@dataclass(frozen=True, slots=True)
class Append:
    """A line to be written at its place."""

    code: str
    seq: int
    command: str
    digest: str
    body: bytes
    owner: str = ""
    """Who has got a seat by it."""
    at: int = 0
    """When, in milliseconds since 1970."""
    listed: bool | None = None
    """Whether the table is on the first page from now on; None where nothing changes."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list."""

    code: str
    game: str
    stage: str
    touched: int = 0
    """When something last happened at it, give or take an hour."""
    summary: bytes = b""
    """What lists show of it, as it was after so many log entries."""
    summary_format: int = 0
    summary_length: int = 0
    length: int = 0
    """How many log entries it has."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is to be known of a table without reading its log."""

    code: str
    game: str
    stage: str
    at: int
    summary: bytes = b""
    summary_format: int = 0
    summary_length: int = 0


@dataclass(frozen=True, slots=True)
class ClockJump:
    """By how much the clock on the wall has jumped, in milliseconds."""

    by: int
    """Just now; below 0 if it went back."""
    skipped: int
    """All in all: of the past so much is no time in which anything could have happened."""
    jumped: int
    """When it did so last; 0 if never."""


Work: TypeAlias = Callable[[sqlite3.Connection], Any]
Job: TypeAlias = tuple[Work, "asyncio.Future[Any]"]


class Store:
    """One file with all tables."""

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self.path = path
        self.metrics = metrics or Metrics()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._file = _opened(path)
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    # --- Writing ----------------------------------------------------------------------------------

    async def append(self, *appends: Append) -> None:
        """Write lines, all or none; when this comes back they are on the disk."""
        await self._do(lambda file: _append(file, appends))
        self.metrics.appends.add(by=len(appends))

    async def open(self, appends: Sequence[Append], mark: Mark) -> None:
        """Write the first lines of a table, and note it for lists; all or none."""
        await self._do(lambda file: _open(file, appends, mark))
        self.metrics.appends.add(by=len(appends))

    async def refuse(
        self, code: str, seq: int, command: str, digest: str, body: bytes, at: int = 0
    ) -> list[str]:
        """Write down how a command was refused, so that it stays refused; forget older refusals.

        It was judged by so many lines; if there are more by now, it is a collision. Returns
        whose refusals were forgotten: those older than `REFUSALS_KEPT`, and of each browser
        all but the latest `MOST_REFUSALS`.
        """
        row = (code, command, digest, body, at)
        return await self._do(lambda file: _refuse(file, seq, row))

    async def check_new(self, code: str, seq: int, command: str) -> None:
        """Raise a collision if a command is known, or judged by fewer lines than there are."""
        await self._do(lambda file: _check_new(file, code, seq, command))

    async def expire_refusals(self, now: int) -> None:
        """Forget all refusals that are older than `REFUSALS_KEPT`."""
        row = (now - REFUSALS_KEPT,)
        await self._do(lambda file: file.execute("DELETE FROM refusals WHERE at < ?", row) and None)

    async def mark(self, mark: Mark) -> None:
        """Write down for lists how far a table is."""
        await self._do(lambda file: _mark(file, mark))

    async def keep_record(self, code: str, version: str, body: bytes) -> None:
        """Keep the record of a finished game."""
        row = (code, version, body, code)
        await self._do(lambda file: file.execute(KEEP_RECORD, row) and None)

    async def touch(self, codes: Sequence[str], at: int) -> None:
        """Write down that somebody is at these tables."""
        await self._do(lambda file: _touch(file, codes, at))

    async def beat(self, at: int) -> None:
        """Write down that a house runs."""
        await self._do(lambda file: file.execute(BEAT, (at,)) and None)

    async def see_clock(self, at: int, most: int) -> ClockJump:
        """Write down what the clock on the wall says, and how far it has jumped by more than that.

        A store that has seen none before takes the last thing that happened in it.
        """
        return await self._do(lambda file: _see_clock(file, at, most))

    async def delete(self, code: str) -> None:
        """Delete a table with all that was ever written about it."""
        await self._do(lambda file: _delete(file, code))

    async def sweep(self, before: int, most: int) -> list[str]:
        """Delete tables at which nothing has happened since then: their codes."""
        return await self._do(lambda file: _sweep(file, before, most))

    async def ban(self, address: str, at: int) -> None:
        """Write down that an address is not let in."""
        row = (address, at)
        await self._do(lambda file: file.execute("INSERT OR IGNORE INTO bans VALUES (?, ?)", row))

    async def lift(self, address: str) -> None:
        """Let an address in again."""
        await self._do(lambda file: file.execute("DELETE FROM bans WHERE address = ?", (address,)))

    async def probe(self) -> None:
        """Write something that changes nothing, as far as the disk; refused where that fails."""
        await self._do(_write_again)

    # --- Reading ----------------------------------------------------------------------------------

    async def lines(self, code: str, since: int = 0) -> list[tuple[str, str, bytes]]:
        """The lines of a table from one on, each with its command and the digest of that."""
        return await self._do(
            lambda file: file.execute(
                "SELECT command, digest, body FROM lines WHERE code = ? AND seq >= ? ORDER BY seq",
                (code, since),
            ).fetchall()
        )

    async def refusals(self, code: str) -> dict[str, tuple[str, bytes]]:
        """The commands that were refused at a table: their digests, and the answers."""
        rows = await self._do(
            lambda file: file.execute(
                "SELECT command, digest, body FROM refusals WHERE code = ?", (code,)
            ).fetchall()
        )
        return {command: (digest, body) for command, digest, body in rows}

    async def heartbeat(self) -> int:
        """When a house was last known to run; 0 if never."""
        return await self._do(lambda file: _number(file, "SELECT at FROM heartbeat"))

    async def table(self, code: str) -> Listed | None:
        """One table, without its log."""
        found = await self._do(lambda file: _listed(file, "WHERE code = ?", (code,)))
        return found[0] if found else None

    async def record(self, code: str, version: str) -> bytes | None:
        """The record of a finished game, if that version of it is kept."""
        asked = "SELECT body FROM records WHERE code = ? AND version = ?"
        row = await self._do(lambda file: file.execute(asked, (code, version)).fetchone())
        return bytes(row[0]) if row else None

    async def without_summary(self, format: int) -> list[str]:
        """Tables whose summary is missing, of another format, or behind the log; latest first."""
        rows = await self._do(lambda file: file.execute(WITHOUT_SUMMARY, (format,)).fetchall())
        return [str(code) for (code,) in rows]

    async def tables_of(self, owner: str, most: int) -> list[Listed]:
        """The tables at which somebody has a seat, the latest first."""
        return await self._do(
            lambda file: _listed(
                file,
                "JOIN owners USING (code) WHERE owner = ? ORDER BY touched DESC LIMIT ?",
                (owner, most),
            )
        )

    async def tables_at(self, stage: str, most: int) -> list[Listed]:
        """The tables that are so far, the latest first."""
        return await self._do(
            lambda file: _listed(
                file, "WHERE stage = ? ORDER BY touched DESC LIMIT ?", (stage, most)
            )
        )

    async def tables_to_watch(self, most: int) -> list[Listed]:
        """The tables being played that their hosts show on the first page, the latest first."""
        return await self._do(
            lambda file: _listed(
                file,
                "JOIN listed USING (code) WHERE stage = 'playing' ORDER BY touched DESC LIMIT ?",
                (most,),
            )
        )

    async def tables(self, most: int) -> list[Listed]:
        """All tables, the latest first."""
        return await self._do(lambda file: _listed(file, "ORDER BY touched DESC LIMIT ?", (most,)))

    async def count(self) -> int:
        """How many tables there are."""
        return await self._do(lambda file: int(file.execute(COUNT).fetchone()[0]))

    async def missing(self, codes: Sequence[str]) -> list[str]:
        """Which of these tables are there no more."""
        return await self._do(lambda file: [code for code in codes if not _has(file, code)])

    async def bans(self) -> list[tuple[str, int]]:
        """The addresses that are not let in, and since when."""
        return await self._do(
            lambda file: file.execute("SELECT address, since FROM bans ORDER BY since").fetchall()
        )

    async def version(self) -> int:
        """A number that is another one when another process has written."""
        return await self._do(lambda file: int(file.execute("PRAGMA data_version").fetchone()[0]))

    # --- The thread -------------------------------------------------------------------------------

    async def _do(self, job: Callable[[sqlite3.Connection], T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((job, future))
        return await future

    def _work(self) -> None:
        """Take what waits, do it in one transaction, and only then say that it is done."""
        while True:
            batch = self._batch()
            if not batch:
                return
            results = self._transact(batch)
            futures = [future for _, future in batch]
            loop = futures[0].get_loop()
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_deliver, futures, results)

    def _batch(self) -> list[Job]:
        batch: list[Job] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == BATCH or self._jobs.empty():
                return batch
            job = self._jobs.get()
        if batch:
            self._jobs.put(None)  # first what waits, then the end
        return batch

    def _transact(self, batch: Sequence[Job]) -> list[Any]:
        began = time.perf_counter()
        results = self._transacted(batch)
        self.metrics.batches.observe(len(batch))
        self.metrics.commits.observe(time.perf_counter() - began)
        return results

    def _transacted(self, batch: Sequence[Job]) -> list[Any]:
        try:
            self._take_back()
            self._file.execute("BEGIN IMMEDIATE")
            results = [self._attempt(job) for job, _ in batch]
            self._file.execute("COMMIT")
        except Exception as error:  # whatever it is, who waits is told, and the thread goes on
            known = isinstance(error, sqlite3.Error)  # SQLite tells of the file, never of a value
            note(
                "store_failed", logging.ERROR, reason=str(error) if known else type(error).__name__
            )
            with contextlib.suppress(sqlite3.Error):  # else it is tried again before the next
                self._take_back()
            return [Refused("web.not_written") for _ in batch]
        return results

    def _take_back(self) -> None:
        """Undo what was begun and could not be finished."""
        if self._file.in_transaction:
            self._file.execute("ROLLBACK")

    def _attempt(self, job: Work) -> Any:
        """What a job gives, or why it cannot be done; the others of the batch go on."""
        try:
            return job(self._file)
        except (Collision, Refused) as reason:
            return reason

    def close(self) -> None:
        """Write what waits, and close the file."""
        self._jobs.put(None)
        self._thread.join()
        self._file.close()


def _deliver(futures: Sequence["asyncio.Future[Any]"], results: Sequence[Any]) -> None:
    """Tell everybody who waits how it went."""
    for future, result in zip(futures, results, strict=True):
        if future.cancelled():
            continue
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)


REFUSALS_KEPT: Final = 3_600_000
"""Milliseconds for which a command that comes again gets the refusal it got first."""
MOST_REFUSALS: Final = 100
"""So many refusals are kept of one browser at one table."""
LENGTH: Final = "(SELECT max(seq) + 1 FROM lines WHERE lines.code = tables.code)"
MARK: Final = """INSERT INTO tables
    (code, game, stage, touched, summary, summary_format, summary_length)
    SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM lines WHERE code = ?)
    ON CONFLICT (code) DO UPDATE SET
        stage = excluded.stage, touched = max(touched, excluded.touched),
        summary = excluded.summary, summary_format = excluded.summary_format,
        summary_length = excluded.summary_length
        WHERE excluded.summary_length >= summary_length"""
"""A table that was deleted meanwhile does not come back by this, nor a summary that is older."""
KEEP_RECORD: Final = """INSERT OR REPLACE INTO records (code, version, body)
    SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM lines WHERE code = ?)"""
WITHOUT_SUMMARY: Final = f"""SELECT code FROM tables
    WHERE summary_format <> ? OR summary_length <> {LENGTH} ORDER BY touched DESC"""
BEAT: Final = """INSERT INTO heartbeat VALUES (1, ?)
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at)"""
UNLIST: Final = "DELETE FROM listed WHERE code = ?"
COUNT: Final = "SELECT count(*) FROM tables"
HOUR: Final = 3_600_000
"""Milliseconds by which `touched` may be behind, so that not every move writes it."""


def _open(file: sqlite3.Connection, appends: Sequence[Append], mark: Mark) -> None:
    _append(file, appends)
    _mark(file, mark)


def _mark(file: sqlite3.Connection, mark: Mark) -> None:
    summary = (mark.summary, mark.summary_format, mark.summary_length)
    file.execute(MARK, (mark.code, mark.game, mark.stage, mark.at, *summary, mark.code))


def _append(file: sqlite3.Connection, appends: Sequence[Append]) -> None:
    first = appends[0]
    _continues(file, first.code, first.seq)
    for append in appends:
        _unused(file, "refusals", append.code, append.command)
    _insert(file, "lines", [(a.code, a.seq, a.command, a.digest, a.body) for a in appends])
    for append in appends:
        if append.owner:
            row = (append.owner, append.code)
            file.execute("INSERT OR IGNORE INTO owners VALUES (?, ?)", row)
        if append.listed is not None:
            change = "INSERT OR IGNORE INTO listed VALUES (?)"
            file.execute(change if append.listed else UNLIST, (append.code,))
    _touch(file, [first.code], first.at)


def _continues(file: sqlite3.Connection, code: str, seq: int) -> None:
    """See to it that a line has the one before it: a table may have been deleted meanwhile."""
    before = "SELECT 1 FROM lines WHERE code = ? AND seq = ?"
    if seq and not file.execute(before, (code, seq - 1)).fetchone():
        raise Refused("web.no_table", code=code)


def _touch(file: sqlite3.Connection, codes: Sequence[str], at: int) -> None:
    for code in codes:
        row = (at, code, at - HOUR)
        file.execute("UPDATE tables SET touched = ? WHERE code = ? AND touched < ?", row)


def _see_clock(file: sqlite3.Connection, at: int, most: int) -> ClockJump:
    row = file.execute("SELECT seen, skipped, jumped FROM wall_clock").fetchone()
    seen, skipped, jumped = row or (_number(file, "SELECT max(touched) FROM tables") or at, 0, 0)
    by = at - seen if abs(at - seen) > most else 0
    if by:
        skipped, jumped = max(0, skipped + by), at
    file.execute("INSERT OR REPLACE INTO wall_clock VALUES (1, ?, ?, ?)", (at, skipped, jumped))
    return ClockJump(by, skipped, jumped)


def _number(file: sqlite3.Connection, question: str) -> int:
    """The one number that answers a question; 0 if there is none."""
    row = file.execute(question).fetchone()
    return int(row[0] or 0) if row else 0


def _has(file: sqlite3.Connection, code: str) -> bool:
    return bool(file.execute("SELECT 1 FROM lines WHERE code = ?", (code,)).fetchone())


def _delete(file: sqlite3.Connection, code: str) -> None:
    for table in ("lines", "refusals", "owners", "listed", "records", "tables"):
        file.execute(f"DELETE FROM {table} WHERE code = ?", (code,))


def _sweep(file: sqlite3.Connection, before: int, most: int) -> list[str]:
    old = "SELECT code FROM tables WHERE touched < ? ORDER BY touched LIMIT ?"
    codes = [str(row[0]) for row in file.execute(old, (before, most)).fetchall()]
    for code in codes:
        _delete(file, code)
    return codes


def _write_again(file: sqlite3.Connection) -> None:
    version = file.execute("PRAGMA user_version").fetchone()[0]
    file.execute(f"PRAGMA user_version = {version}")


def _refuse(file: sqlite3.Connection, seq: int, row: tuple[str, str, str, bytes, int]) -> list[str]:
    code, command, _, _, at = row
    _check_new(file, code, seq, command)
    _insert(file, "refusals", [row])
    return _forget_refusals(file, code, command, at)


def _check_new(file: sqlite3.Connection, code: str, seq: int, command: str) -> None:
    """Raise a collision if a command is known, or judged by fewer lines than there are."""
    if file.execute("SELECT 1 FROM lines WHERE code = ? AND seq = ?", (code, seq)).fetchone():
        raise Collision
    _continues(file, code, seq)
    _unused(file, "lines", code, command)
    _unused(file, "refusals", code, command)


def _forget_refusals(file: sqlite3.Connection, code: str, latest: str, at: int) -> list[str]:
    """Delete the refusals of a table that are too old, and those of a browser that are too many.

    Each browser has its own number of them, so that nobody can make another's be forgotten.
    """
    browser = latest.partition(":")[0]
    old = file.execute(
        "SELECT command FROM refusals WHERE code = ? AND at < ?", (code, at - REFUSALS_KEPT)
    ).fetchall()
    surplus = file.execute(
        """SELECT command FROM refusals WHERE code = ? AND command >= ? AND command < ?
            ORDER BY command = ? DESC, at DESC LIMIT -1 OFFSET ?""",
        (code, f"{browser}:", f"{browser};", latest, MOST_REFUSALS),
    ).fetchall()
    forgotten = [str(row[0]) for row in old + surplus]
    for command in forgotten:
        file.execute("DELETE FROM refusals WHERE code = ? AND command = ?", (code, command))
    return forgotten


def _unused(file: sqlite3.Connection, table: str, code: str, command: str) -> None:
    """See to it that a command which was refused elsewhere is not granted here, nor vice versa."""
    where = "WHERE code = ? AND command = ?"
    if file.execute(f"SELECT 1 FROM {table} {where}", (code, command)).fetchone():
        raise Collision


def _insert(file: sqlite3.Connection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Write rows, all or none. Where there are some already, it is a collision."""
    marks = ", ".join("?" * len(rows[0]))
    values = ", ".join(f"({marks})" for _ in rows)
    flat = [value for row in rows for value in row]
    try:
        file.execute(f"INSERT INTO {table} VALUES {values}", flat)
    except sqlite3.IntegrityError:
        raise Collision from None


def _listed(file: sqlite3.Connection, where: str, params: tuple[Any, ...]) -> list[Listed]:
    columns = "code, game, stage, touched, summary, summary_format, summary_length"
    rows = file.execute(f"SELECT {columns}, coalesce({LENGTH}, 0) FROM tables {where}", params)
    return [Listed(*row) for row in rows]


# --- The file -------------------------------------------------------------------------------------


def _opened(path: Path) -> sqlite3.Connection:
    """The file, brought up to date. One that is no store, or a newer one, is refused."""
    try:
        _keep_private(path)
        file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        know(file, str(path))
        _settle(file)
        _migrate(file)
    except (sqlite3.Error, OSError) as error:
        raise Refused("web.bad_store", path=str(path), reason=str(error)) from None
    return file


def _keep_private(path: Path) -> None:
    """Let nobody else read the file and what SQLite puts beside it, which gets the same mode."""
    make_private_folder(path.parent)
    make_private_file(path)
    private = [make_private(path.with_name(path.name + rest)) for rest in ("", "-wal", "-shm")]
    if not all(private):
        note("store_not_private", logging.WARNING)


def _settle(file: sqlite3.Connection) -> None:
    """Durable before quick: a commit is on the disk when it comes back."""
    mode = _journal(file)
    file.execute("PRAGMA synchronous = FULL")
    file.execute("PRAGMA secure_delete = ON")  # what is deleted cannot be found in the file
    if mode != "wal" or file.execute("PRAGMA synchronous").fetchone()[0] != 2:
        raise sqlite3.OperationalError("it cannot be written durably here")


def _journal(file: sqlite3.Connection) -> str:
    """Write ahead.

    Processes that begin at once are in each other's way here, and SQLite does not wait by itself:
    who comes second looks again.
    """
    for _ in range(100):
        with contextlib.suppress(sqlite3.OperationalError):
            return str(file.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        time.sleep(0.05)
    raise sqlite3.OperationalError("others do not let go of it")


def know(file: sqlite3.Connection, path: str, *, empty: bool = True) -> None:
    """See to it that a file is ours, or empty if it may be, before anything is changed in it."""
    file.execute("BEGIN")  # all of it as it is at one moment: another may be making it
    owner = file.execute("PRAGMA application_id").fetchone()[0]
    version = file.execute("PRAGMA user_version").fetchone()[0]
    is_empty = not file.execute("SELECT 1 FROM sqlite_master").fetchone()
    file.execute("COMMIT")
    if owner != APPLICATION and not (is_empty and empty):
        raise Refused("web.foreign_store", path=path)
    if version > len(MIGRATIONS):
        raise Refused("web.newer_store", path=path)


def _migrate(file: sqlite3.Connection) -> None:
    """Do the steps that are not done yet. Of several processes that begin at once one does them."""
    file.execute("BEGIN IMMEDIATE")
    try:
        done = file.execute("PRAGMA user_version").fetchone()[0]
        for statement in "".join(MIGRATIONS[done:]).split(";"):
            file.execute(statement)
        file.execute(f"PRAGMA application_id = {APPLICATION}")
        file.execute(f"PRAGMA user_version = {max(done, len(MIGRATIONS))}")
        file.execute("COMMIT")
    except sqlite3.Error:
        file.execute("ROLLBACK")
        raise
