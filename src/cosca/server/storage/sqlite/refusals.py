"""Refused commands, kept for a while so that a copy gets the same answer."""

import sqlite3
from typing import Final

from cosca.server.storage.sqlite.engine import Engine
from cosca.server.storage.sqlite.logs import check_new, insert_rows

KEPT_FOR: Final = 3_600_000
"""Milliseconds for which a refusal is kept."""
MAX_REFUSALS: Final = 100
"""The most refusals kept of one browser at one table."""


class RefusalStore:
    """Keeps how commands were refused."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def add(
        self, code: str, length: int, command_id: str, digest: str, body: bytes, at: int
    ) -> list[str]:
        """Keep the answer to a command that was refused when the log had that length.

        Raise Collision if the log is longer by now, or the command is known. Return the ids of
        the commands whose refusals were dropped: those older than `KEPT_FOR`, and of each browser
        all but the latest `MAX_REFUSALS`.
        """
        row = (code, command_id, digest, body, at)
        return await self._engine.run(lambda db: _add(db, length, row))

    async def of_table(self, code: str) -> dict[str, tuple[str, bytes]]:
        """Return the refused commands of a table by id, each with its digest and its answer."""
        query = "SELECT command, digest, body FROM refusals WHERE code = ?"
        rows = await self._engine.run(lambda db: db.execute(query, (code,)).fetchall())
        return {command_id: (digest, body) for command_id, digest, body in rows}

    async def expire(self, now: int) -> None:
        """Delete all refusals that are older than `KEPT_FOR`."""
        row = (now - KEPT_FOR,)
        await self._engine.run(lambda db: db.execute("DELETE FROM refusals WHERE at < ?", row))


def _add(db: sqlite3.Connection, length: int, row: tuple[str, str, str, bytes, int]) -> list[str]:
    code, command_id, _, _, at = row
    check_new(db, code, length, command_id)
    insert_rows(db, "refusals", [row])
    return _drop_old(db, code, command_id, at)


def _drop_old(db: sqlite3.Connection, code: str, latest: str, now: int) -> list[str]:
    """Delete the refusals of a table that are too old, and those of a browser that are too many.

    Each browser is counted alone, so that nobody can have the refusals of others dropped.
    """
    browser = latest.partition(":")[0]
    old = db.execute(
        "SELECT command FROM refusals WHERE code = ? AND at < ?", (code, now - KEPT_FOR)
    ).fetchall()
    surplus = db.execute(
        """SELECT command FROM refusals WHERE code = ? AND command >= ? AND command < ?
            ORDER BY command = ? DESC, at DESC LIMIT -1 OFFSET ?""",
        (code, f"{browser}:", f"{browser};", latest, MAX_REFUSALS),
    ).fetchall()
    dropped = [str(row[0]) for row in old + surplus]
    for command_id in dropped:
        db.execute("DELETE FROM refusals WHERE code = ? AND command = ?", (code, command_id))
    return dropped
