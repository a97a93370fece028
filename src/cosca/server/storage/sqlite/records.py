"""The records of finished games, kept so that each is made once."""

from typing import Final

from cosca.server.storage.sqlite.engine import Engine

SAVE: Final = """INSERT OR REPLACE INTO records (code, version, body)
    SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM lines WHERE code = ?)"""


class RecordStore:
    """Keeps the record of each finished game, by the version of Cosca that made it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def save(self, code: str, version: str, body: bytes) -> None:
        """Keep the record of a game in place of one by another version."""
        await self._engine.run(lambda db: db.execute(SAVE, (code, version, body, code)))

    async def load(self, code: str, version: str) -> bytes | None:
        """Return the record of a game, or None if this version has not made one yet."""
        query = "SELECT body FROM records WHERE code = ? AND version = ?"
        row = await self._engine.run(lambda db: db.execute(query, (code, version)).fetchone())
        return bytes(row[0]) if row else None
