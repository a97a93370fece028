"""The register of the house: its tables as the host may see them, without names and words."""

from dataclasses import dataclass
from typing import Final

from cosca.server.live.house import House
from cosca.server.storage.values import StoredTable

MOST: Final = 50
"""So many tables are shown, the latest."""


@dataclass(frozen=True)
class Entry:
    """A table in the register."""

    code: str
    alias: str
    game: str
    stage: str
    seats: int
    people: int
    bots: int
    last: int
    """When something last happened, in milliseconds since 1970."""


async def register(house: House) -> list[Entry]:
    """The latest tables of the store, by their summaries: none is opened or replayed."""
    return [_entry(house, listed) for listed in await house.store.tables.latest(MOST)]


def _entry(house: House, listed: StoredTable) -> Entry:
    """A table as its summary has it; of a table of another Cosca little is known."""
    summary = house.summary(listed)
    if summary is None:
        return Entry(listed.code, "", listed.game, listed.stage, 0, 0, 0, listed.touched)
    kinds = [seated.kind for seated in summary.room.seats]
    return Entry(
        code=listed.code,
        alias=summary.alias,
        game=summary.room.title,
        stage=summary.room.stage,
        seats=len(kinds),
        people=kinds.count("person"),
        bots=kinds.count("bot"),
        last=summary.last,
    )
