"""The summary of a table: what lists and pages show of it without replaying its log.

It is saved beside the log when somebody sits down or leaves, when a game begins or ends, and when
nobody is there any more. The log stays the truth: a page uses a summary only if it covers the whole
log, and one of another shape is ignored.
"""

import zlib
from collections.abc import Collection, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR, Seat
from cosca.server import wire
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.house_clock import HouseClock
from cosca.server.storage.store import Store
from cosca.server.storage.values import StoredSummary, StoredTable
from cosca.words import say

AS_SPECTATOR: Final = views.Viewer(SPECTATOR, False, "text")


class Summary(Struct, kw_only=True, frozen=True):
    """A table without its game."""

    room: wire.Room
    """As a spectator sees it when nobody is there."""
    owners: list[list[str]]
    """The hashes of the tokens of each seat's browsers."""
    host: str
    turns: list[bool]
    """Whether each person sees that it is their turn; who may really act can be a secret."""
    alias: str
    last: int
    """When something last happened, in milliseconds since 1970."""
    length: int
    """How many log entries it covers."""

    def seat_of(self, owner: str) -> Seat:
        """Return the seat of a browser; SPECTATOR if it has none."""
        return next((seat for seat, own in enumerate(self.owners) if owner in own), SPECTATOR)

    def seen_by(self, owner: str) -> wire.Room:
        """Return the table as a browser sees it, if the game has begun and nobody is there."""
        seat = self.seat_of(owner)
        is_host = owner == self.host or (seat != SPECTATOR and self.host in self.owners[seat])
        return replace(self.room, seats=self._seats(()), you=seat, host=is_host)

    def listed(self, owners: Sequence[str], present: Collection[Seat]) -> wire.Listed:
        """Return the table as an item of a list, for the first of those who share a browser."""
        seats = [self.seat_of(owner) for owner in owners]
        return wire.Listed(
            code=self.room.code,
            game=self.room.game,
            title=self.room.title,
            stage=self.room.stage,
            seats=self._seats(present),
            you=seats[0],
            your_turn=any(self.turns[seat] for seat in seats if seat != SPECTATOR),
        )

    def _seats(self, present: Collection[Seat]) -> list[wire.Seated]:
        """Return the seats in the language of the request."""
        game = self.room.game
        return [
            replace(seated, seat_name=say(f"{game}.seat.{seat}", {}), present=seat in present)
            for seat, seated in enumerate(self.room.seats)
        ]


FORMAT: Final = zlib.crc32(msgspec.json.encode(msgspec.json.schema(Summary)))
"""Changes with the schema of a summary, so that none of another schema is ever read."""
_summaries: msgspec.json.Decoder[Summary] = msgspec.json.Decoder(Summary)


def summarize(room: Room) -> Summary:
    """Return the summary of a table as it is now."""
    people = set(room.seats.persons()) if room.stage == "playing" else set()
    return Summary(
        room=views.room_payload(room, AS_SPECTATOR, ()),
        owners=[sorted(chair.owners) for chair in room.seats],
        host=room.opened.host,
        turns=[
            seat in people and seat in room.shown.position(seat).actors
            for seat in range(len(room.seats))
        ],
        alias=room.deal.alias,
        last=room.last,
        length=room.length,
    )


def encode_summary(room: Room, at: int = 0) -> StoredSummary:
    """Return the summary of a table for the store; `at` is the date of the last activity."""
    encoded = msgspec.json.encode(summarize(room))
    return StoredSummary(room.code, room.game.name, room.stage, at, encoded, FORMAT, room.length)


class SummaryWriter:
    """Saves the summary of a table, and knows whether the saved one is up to date."""

    def __init__(self, room: Room, store: Store, dates: HouseClock) -> None:
        self._room = room
        self._store = store
        self._dates = dates
        self.saved_length = 0
        """How many log entries the saved summary covers."""

    @property
    def is_saved(self) -> bool:
        """Whether the saved summary covers the whole log."""
        return self.saved_length == self._room.length

    async def save(self) -> None:
        """Save the summary. Moves alone are covered when nobody is there any more."""
        arrangement = -1
        while arrangement != self._room.arrangement:
            arrangement = self._room.arrangement
            before, self.saved_length = self.saved_length, self._room.length  # also if it fails
            try:
                summary = encode_summary(self._room, self._dates.date())
                await self._store.tables.save_summary(summary)
            except Refused:
                self.saved_length = before
                raise


def read_summary(listed: StoredTable) -> Summary | None:
    """Return the summary of a table as it was last written; none if it is of another shape."""
    if listed.summary_format != FORMAT:
        return None
    return _summaries.decode(listed.summary)
