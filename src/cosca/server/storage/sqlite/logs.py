"""The logs of tables: append-only, one number and one command id for each entry."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from cosca.core.errors import Refused
from cosca.server.storage.sqlite.engine import Engine
from cosca.server.storage.sqlite.tables import touch_tables, write_summary
from cosca.server.storage.values import Collision, NewEntry, StoredEntry, StoredSummary

ENTRIES: Final = "SELECT command, digest, body FROM lines WHERE code = ? AND seq >= ? ORDER BY seq"


class LogStore:
    """Appends to the logs of tables, and reads them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def append(self, *entries: NewEntry) -> None:
        """Append entries to the log of a table, all or none.

        Raise Collision if a number or a command id is taken, also by a refusal; raise Refused if
        the table was deleted.
        """
        await self._engine.run(lambda db: append_entries(db, entries))
        self._engine.metrics.appends.add(by=len(entries))

    async def create(self, entries: Sequence[NewEntry], summary: StoredSummary) -> None:
        """Write the first log entries of a new table and its summary, all or none."""
        await self._engine.run(lambda db: _create(db, entries, summary))
        self._engine.metrics.appends.add(by=len(entries))

    async def entries(self, code: str, since: int = 0) -> list[StoredEntry]:
        """Return the log entries of a table, from one number on."""
        return await self._engine.run(
            lambda db: [StoredEntry(*row) for row in db.execute(ENTRIES, (code, since))]
        )

    async def check_new(self, code: str, length: int, command_id: str) -> None:
        """Raise Collision if the log is longer than that, or has the command already."""
        await self._engine.run(lambda db: check_new(db, code, length, command_id))


def append_entries(db: sqlite3.Connection, entries: Sequence[NewEntry]) -> None:
    """Append entries to the log of a table, and update its seats and its listing."""
    first = entries[0]
    _check_has_log(db, first.code, first.seq)
    for entry in entries:
        _check_unused(db, "refusals", entry.code, entry.command_id)
    insert_rows(db, "lines", [(e.code, e.seq, e.command_id, e.digest, e.body) for e in entries])
    for entry in entries:
        if entry.owner:
            db.execute("INSERT OR IGNORE INTO owners VALUES (?, ?)", (entry.owner, entry.code))
        if entry.listed is not None:
            _set_listed(db, entry.code, listed=entry.listed)
    touch_tables(db, [first.code], first.at)


def _create(db: sqlite3.Connection, entries: Sequence[NewEntry], summary: StoredSummary) -> None:
    append_entries(db, entries)
    write_summary(db, summary)


def check_new(db: sqlite3.Connection, code: str, length: int, command_id: str) -> None:
    """Raise Collision if a command was decided before, or with a log shorter than it is now."""
    if _has_entry(db, code, length):
        raise Collision
    _check_has_log(db, code, length)
    _check_unused(db, "lines", code, command_id)
    _check_unused(db, "refusals", code, command_id)


def _check_has_log(db: sqlite3.Connection, code: str, length: int) -> None:
    """Raise Refused if a log is shorter than that: the table was deleted meanwhile."""
    if length and not _has_entry(db, code, length - 1):
        raise Refused("web.no_table", code=code)


def _has_entry(db: sqlite3.Connection, code: str, seq: int) -> bool:
    row = db.execute("SELECT 1 FROM lines WHERE code = ? AND seq = ?", (code, seq)).fetchone()
    return row is not None


def _check_unused(db: sqlite3.Connection, table: str, code: str, command_id: str) -> None:
    """Raise Collision if a command has an entry or a refusal: it is never granted and refused."""
    where = "WHERE code = ? AND command = ?"
    if db.execute(f"SELECT 1 FROM {table} {where}", (code, command_id)).fetchone():
        raise Collision


def _set_listed(db: sqlite3.Connection, code: str, *, listed: bool) -> None:
    add, remove = "INSERT OR IGNORE INTO listed VALUES (?)", "DELETE FROM listed WHERE code = ?"
    db.execute(add if listed else remove, (code,))


def insert_rows(db: sqlite3.Connection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows, all or none; raise Collision if one exists."""
    row = "({})".format(", ".join("?" * len(rows[0])))
    values = ", ".join([row] * len(rows))
    try:
        db.execute(f"INSERT INTO {table} VALUES {values}", [value for row in rows for value in row])
    except sqlite3.IntegrityError:
        raise Collision from None
