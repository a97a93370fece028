"""The records of finished games: each is made when it is first requested, and then kept."""

import asyncio
import contextlib
import zlib

from cosca import __version__
from cosca.core.errors import Refused
from cosca.server.live.house import House


class Records:
    """Makes records, one at a time; a record made by another version of Cosca is made again."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._one_at_a_time = asyncio.Lock()

    async def of(self, code: str) -> str:
        """Return the record of a finished game."""
        async with self._one_at_a_time:
            kept = await self._house.store.records.load(code, __version__)
            if kept is None:
                kept = await self._made(code)
        return zlib.decompress(kept).decode()

    async def _made(self, code: str) -> bytes:
        async with self._house.table(code) as live:
            made = await asyncio.to_thread(live.room.record)
        packed = await asyncio.to_thread(zlib.compress, made.encode())
        with contextlib.suppress(Refused):  # the disk is full, say: then it is made again
            await self._house.store.records.save(code, __version__, packed)
        return packed
