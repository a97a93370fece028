"""The addresses that the host has banned."""

from cosca.server.storage.sqlite.engine import Engine


class BanStore:
    """Keeps banned addresses, each with the date of its ban."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def add(self, address: str, at: int) -> None:
        """Ban an address; one that is banned keeps its date."""
        row = (address, at)
        await self._engine.run(
            lambda db: db.execute("INSERT OR IGNORE INTO bans VALUES (?, ?)", row)
        )

    async def remove(self, address: str) -> None:
        """Lift the ban of an address."""
        row = (address,)
        await self._engine.run(lambda db: db.execute("DELETE FROM bans WHERE address = ?", row))

    async def all(self) -> list[tuple[str, int]]:
        """Return the banned addresses and the dates of their bans, the oldest first."""
        query = "SELECT address, since FROM bans ORDER BY since"
        return await self._engine.run(lambda db: db.execute(query).fetchall())
