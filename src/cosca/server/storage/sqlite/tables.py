"""Tables without their logs: lists, summaries, last activity, deletion."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from cosca.server.storage.sqlite.engine import Engine, read_number
from cosca.server.storage.values import StoredSummary, StoredTable

TOUCH_INTERVAL: Final = 3_600_000
"""Milliseconds by which `touched` may lag behind, so that not every move writes it."""
LENGTH: Final = "(SELECT max(seq) + 1 FROM lines WHERE lines.code = tables.code)"
WRITE_SUMMARY: Final = """INSERT INTO tables
    (code, game, stage, touched, summary, summary_format, summary_length)
    SELECT ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM lines WHERE code = ?)
    ON CONFLICT (code) DO UPDATE SET
        stage = excluded.stage, touched = max(touched, excluded.touched),
        summary = excluded.summary, summary_format = excluded.summary_format,
        summary_length = excluded.summary_length
        WHERE excluded.summary_length >= summary_length"""
"""Neither brings a deleted table back nor replaces a newer summary."""
WITHOUT_SUMMARY: Final = f"""SELECT code FROM tables
    WHERE summary_format <> ? OR summary_length <> {LENGTH} ORDER BY touched DESC"""


class TableStore:
    """Finds, lists, summarizes and deletes tables. Lists have the latest activity first."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def find(self, code: str) -> StoredTable | None:
        """Return one table, or None if it does not exist."""
        found = await self._select("WHERE code = ?", code)
        return found[0] if found else None

    async def latest(self, limit: int) -> list[StoredTable]:
        """Return all tables."""
        return await self._select("ORDER BY touched DESC LIMIT ?", limit)

    async def of_owner(self, owner: str, limit: int) -> list[StoredTable]:
        """Return the tables at which an owner has a seat."""
        return await self._select(
            "JOIN owners USING (code) WHERE owner = ? ORDER BY touched DESC LIMIT ?", owner, limit
        )

    async def in_stage(self, stage: str, limit: int) -> list[StoredTable]:
        """Return the tables in a stage, such as `playing`."""
        return await self._select("WHERE stage = ? ORDER BY touched DESC LIMIT ?", stage, limit)

    async def listed(self, limit: int) -> list[StoredTable]:
        """Return the games in progress that their hosts list on the first page."""
        return await self._select(
            "JOIN listed USING (code) WHERE stage = 'playing' ORDER BY touched DESC LIMIT ?", limit
        )

    async def count(self) -> int:
        """Return the number of tables."""
        return await self._engine.run(lambda db: read_number(db, "SELECT count(*) FROM tables"))

    async def missing(self, codes: Sequence[str]) -> list[str]:
        """Return those of the codes that have no table, such as one that was deleted."""
        return await self._engine.run(lambda db: [code for code in codes if not _exists(db, code)])

    async def save_summary(self, summary: StoredSummary) -> None:
        """Replace the summary of a table, unless it was deleted or has a newer one."""
        await self._engine.run(lambda db: write_summary(db, summary))

    async def without_summary(self, format: int) -> list[str]:
        """Return the codes of tables whose summary is missing, outdated or in another format."""
        rows = await self._engine.run(lambda db: db.execute(WITHOUT_SUMMARY, (format,)).fetchall())
        return [str(code) for (code,) in rows]

    async def touch(self, codes: Sequence[str], at: int) -> None:
        """Save the time of the last activity at tables, if it has changed by an hour or more."""
        await self._engine.run(lambda db: touch_tables(db, codes, at))

    async def delete(self, code: str) -> None:
        """Delete a table with everything stored about it."""
        await self._engine.run(lambda db: _delete(db, code))

    async def delete_inactive(self, before: int, limit: int) -> list[str]:
        """Delete tables without activity since a date, the oldest first; return their codes."""
        return await self._engine.run(lambda db: _delete_inactive(db, before, limit))

    async def _select(self, rest: str, *params: Any) -> list[StoredTable]:
        columns = "code, game, stage, touched, summary, summary_format, summary_length"
        query = f"SELECT {columns}, coalesce({LENGTH}, 0) FROM tables {rest}"
        return await self._engine.run(
            lambda db: [StoredTable(*row) for row in db.execute(query, params)]
        )


def write_summary(db: sqlite3.Connection, summary: StoredSummary) -> None:
    """Write what lists show of a table; do nothing if it was deleted or is known better."""
    row = (summary.code, summary.game, summary.stage, summary.at)
    content = (summary.summary, summary.summary_format, summary.summary_length)
    db.execute(WRITE_SUMMARY, (*row, *content, summary.code))


def touch_tables(db: sqlite3.Connection, codes: Sequence[str], at: int) -> None:
    """Write the time of the last activity where the old one is more than an hour behind."""
    for code in codes:
        row = (at, code, at - TOUCH_INTERVAL)
        db.execute("UPDATE tables SET touched = ? WHERE code = ? AND touched < ?", row)


def _exists(db: sqlite3.Connection, code: str) -> bool:
    return bool(db.execute("SELECT 1 FROM lines WHERE code = ?", (code,)).fetchone())


def _delete(db: sqlite3.Connection, code: str) -> None:
    for table in ("lines", "refusals", "owners", "listed", "records", "tables"):
        db.execute(f"DELETE FROM {table} WHERE code = ?", (code,))


def _delete_inactive(db: sqlite3.Connection, before: int, limit: int) -> list[str]:
    query = "SELECT code FROM tables WHERE touched < ? ORDER BY touched LIMIT ?"
    codes = [str(row[0]) for row in db.execute(query, (before, limit)).fetchall()]
    for code in codes:
        _delete(db, code)
    return codes
