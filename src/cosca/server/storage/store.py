"""The store of a house: everything that survives a restart."""

from pathlib import Path

from cosca.server.storage.sqlite.bans import BanStore
from cosca.server.storage.sqlite.clocks import ClockStore
from cosca.server.storage.sqlite.database import open_database
from cosca.server.storage.sqlite.engine import Engine
from cosca.server.storage.sqlite.logs import LogStore
from cosca.server.storage.sqlite.records import RecordStore
from cosca.server.storage.sqlite.refusals import RefusalStore
from cosca.server.storage.sqlite.tables import TableStore
from cosca.server.telemetry.metrics import Metrics


class Store:
    """All that a house keeps. What a method has written is durable when it returns.

    Every method raises Refused (`web.not_written`) if the disk fails. Nothing is changed then.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.logs = LogStore(engine)
        self.refusals = RefusalStore(engine)
        self.tables = TableStore(engine)
        self.records = RecordStore(engine)
        self.bans = BanStore(engine)
        self.clocks = ClockStore(engine)

    async def check_writable(self) -> None:
        """Make a durable write that changes nothing."""
        await self.engine.check_writable()

    async def change_counter(self) -> int:
        """Return a number that changes whenever another process has written."""
        return await self.engine.change_counter()

    def close(self) -> None:
        """Finish pending writes and close the store."""
        self.engine.close()


def open_store(path: Path, metrics: Metrics | None = None) -> Store:
    """Open the store in a file, or create it; raise Refused if the file cannot be used."""
    return Store(Engine(open_database(path), metrics or Metrics()))
