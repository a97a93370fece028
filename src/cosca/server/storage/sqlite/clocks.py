"""What a house must know about time after a restart."""

import sqlite3
from typing import Final

from cosca.server.storage.sqlite.engine import Engine, read_number
from cosca.server.storage.values import ClockJump

SAVE_HEARTBEAT: Final = """INSERT INTO heartbeat VALUES (1, ?)
    ON CONFLICT DO UPDATE SET at = max(at, excluded.at)"""


class ClockStore:
    """Keeps the last heartbeat of a house, and how far the wall clock has jumped."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def save_heartbeat(self, at: int) -> None:
        """Save that a house runs at this date; a heartbeat never goes back."""
        await self._engine.run(lambda db: db.execute(SAVE_HEARTBEAT, (at,)))

    async def last_heartbeat(self) -> int:
        """Return the date at which a house last ran; 0 if none ever did."""
        return await self._engine.run(lambda db: read_number(db, "SELECT at FROM heartbeat"))

    async def observe_wall_clock(self, at: int, tolerance: int) -> ClockJump:
        """Save the date on the wall clock; count a change by more than the tolerance as a jump.

        The first observation is compared with the last activity in the store.
        """
        return await self._engine.run(lambda db: _observe_wall_clock(db, at, tolerance))


def _observe_wall_clock(db: sqlite3.Connection, at: int, tolerance: int) -> ClockJump:
    row = db.execute("SELECT seen, skipped, jumped FROM wall_clock").fetchone()
    seen, skipped, jumped = row or (read_number(db, "SELECT max(touched) FROM tables") or at, 0, 0)
    by = at - seen if abs(at - seen) > tolerance else 0
    if by:
        skipped, jumped = max(0, skipped + by), at
    db.execute("INSERT OR REPLACE INTO wall_clock VALUES (1, ?, ?, ?)", (at, skipped, jumped))
    return ClockJump(by, skipped, jumped)
