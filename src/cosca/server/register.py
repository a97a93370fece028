"""The register of the house: its tables as the host may see them, without names and words."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from cosca.core.errors import Refused
from cosca.server.house import House
from cosca.server.lines import AnyLine, Dealt, Moved, Opened, read_line
from cosca.server.room import Room
from cosca.server.store import Listed

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
    """The latest tables of the store. None is opened for that: no bot wakes up."""
    return [await _entry(house, listed) for listed in await house.store.tables(MOST)]


async def _entry(house: House, listed: Listed) -> Entry:
    bodies = [body for _, _, body in await house.store.lines(listed.code)]
    return await asyncio.to_thread(_read, listed, bodies)


def _read(listed: Listed, bodies: Sequence[bytes]) -> Entry:
    """What the lines of a table say of its seats; of a table of another Cosca little is known."""
    unknown = Entry(listed.code, "", listed.game, listed.stage, 0, 0, 0, listed.touched)
    try:
        log: list[AnyLine] = [read_line(body) for body in bodies]
        if not log or not isinstance(log[0], Opened):
            return unknown
        room = Room(log[0])
        for line in log[1:]:
            if not isinstance(line, Dealt | Moved):  # the seats are asked for, not the game
                room.fold(line, judged=True)
    except (msgspec.DecodeError, Refused):
        return unknown
    kinds = [chair.kind for chair in room.chairs]
    return Entry(
        code=listed.code,
        alias=room.alias,
        game=room.game.title,
        stage=listed.stage,
        seats=len(kinds),
        people=kinds.count("person"),
        bots=kinds.count("bot"),
        last=log[-1].at,
    )
