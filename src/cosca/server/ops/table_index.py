"""The tables of a house as its host may see them: without names and without chat."""

from dataclasses import dataclass
from typing import Final

from cosca.server.live.house import House
from cosca.server.storage.values import StoredTable

MAX_TABLES: Final = 50
"""The most tables shown, the latest ones."""


@dataclass(frozen=True)
class IndexedTable:
    """A table in the index."""

    code: str
    alias: str
    """Its name in the log, from which the code cannot be found."""
    game: str
    stage: str
    seats: int
    people: int
    bots: int
    last: int
    """The time of the last activity, in milliseconds since 1970."""


async def table_index(house: House) -> list[IndexedTable]:
    """Return the latest tables from their summaries; none is opened or replayed."""
    return [_indexed(house, stored) for stored in await house.store.tables.latest(MAX_TABLES)]


def _indexed(house: House, stored: StoredTable) -> IndexedTable:
    """Return a table by its summary; without one this version can read, little is known."""
    summary = house.lists.summary(stored)
    if summary is None:
        return IndexedTable(stored.code, "", stored.game, stored.stage, 0, 0, 0, stored.touched)
    kinds = [seat.kind for seat in summary.room.seats]
    return IndexedTable(
        code=stored.code,
        alias=summary.alias,
        game=summary.room.title,
        stage=summary.room.stage,
        seats=len(kinds),
        people=kinds.count("person"),
        bots=kinds.count("bot"),
        last=summary.last,
    )
