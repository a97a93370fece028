"""Loading a table: replaying its log from the store."""

import asyncio

import msgspec

from cosca.core.errors import Refused
from cosca.server.domain.log_entries import decode_entry
from cosca.server.domain.room import Room, room_from_log
from cosca.server.storage.store import Store


async def load_room(store: Store, code: str) -> tuple[Room, dict[str, str]]:
    """Return the room of a table, and the digests of the commands that were granted there."""
    entries = await store.logs.entries(code)
    if not entries:
        raise Refused("web.no_table", code=code)
    try:
        log = [decode_entry(entry.body) for entry in entries]
    except msgspec.DecodeError:  # an entry of a newer Cosca
        raise Refused("web.other_version", code=code) from None
    room = await asyncio.to_thread(room_from_log, log)
    return room, {entry.command_id: entry.digest for entry in entries}
