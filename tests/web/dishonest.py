"""Houses that cheat, for browsers to catch: each trick patches a real house before it opens.

Except for the swapped card, their records are valid, so only players can detect the trick.
"""

import json
from collections.abc import Callable, Collection
from itertools import count
from typing import Final

from starlette.responses import Response

from cosca.core.events import Event
from cosca.core.names import Seat
from cosca.match.record import Contribution, Scribe
from cosca.match.sealed import SealedDice, commit, seal
from cosca.match.table import Table
from cosca.server import wire
from cosca.server.domain.deal import Deal
from cosca.server.domain.links import Links
from cosca.server.domain.room import Room
from cosca.server.http.api import Api
from cosca.server.http.endpoint import ApiRequest
from cosca.server.http.routes import ENDPOINTS
from cosca.server.live import views
from cosca.server.live.views import Stream, Viewer

DECEIVED: Final = 1
"""The seat that the house cheats."""
WANTED: Final = 2
"""The seat that should begin, if the house has its way."""


def patch(kind: type, name: str, replacement: object) -> None:
    """Replace an attribute of a class."""
    setattr(kind, name, replacement)


def regrind() -> None:
    """Knowing all contributions, try seeds until the deal is as wanted, and deal with that."""
    ground: dict[str, bytes] = {}

    def seed_of(deal: Deal) -> bytes:
        code = deal._code
        if code not in ground:
            for number in count():
                seed = number.to_bytes(32, "big")
                dice = SealedDice(code, seed, deal.contributions.revealed)
                table = Table(deal._game, deal._settings, len(deal._seats), dice)
                if table.actors == (WANTED,):
                    ground[code] = seed
                    break
        return ground[code]

    def dice(deal: Deal, draws: int = 0) -> SealedDice:
        return SealedDice(deal._code, seed_of(deal), deal.contributions.revealed, draws)

    def scribe(deal: Deal) -> Scribe:
        """Adapt the commitments to the new seal, so that the record is valid."""
        other = seal(deal._code, seed_of(deal))
        given = deal.contributions
        made = [
            Contribution("revealed", commit(deal._code, other, seat, added), added)
            if (added := given.revealed.get(seat))
            else Contribution("bot")
            for seat in range(len(deal._seats))
        ]
        return scribe_of(deal, dice(deal), made)

    patch(Deal, "dice", dice)
    patch(Deal, "_scribe", scribe)


def drop() -> None:
    """Leave out the contribution of one player, and claim that it was withheld."""

    def added(deal: Deal) -> dict[Seat, bytes]:
        revealed = deal.contributions.revealed.items()
        return {seat: made for seat, made in revealed if seat != DECEIVED}

    def scribe(deal: Deal) -> Scribe:
        made = deal.contributions.recorded(deal.persons, len(deal._seats))
        made[DECEIVED] = Contribution("withheld", deal.contributions.commitments[DECEIVED])
        return scribe_of(deal, deal.dice(), made)

    patch(Deal, "_added", added)
    patch(Deal, "_scribe", scribe)


def scribe_of(deal: Deal, dice: SealedDice, given: list[Contribution]) -> Scribe:
    """Return the scribe that writes the record of a deal."""
    return Scribe(deal._game, deal._settings, len(deal._seats), dice, deal._names, given)


def swap() -> None:
    """Deal another card than the dice have drawn."""
    honest = SealedDice.draw

    def draw(dice: SealedDice, purpose: str, among: int) -> int:
        rolled = honest(dice, purpose, among)
        return (rolled + 1) % among if dice.draws == SWAPPED else rolled

    patch(SealedDice, "draw", draw)


SWAPPED: Final = 5
"""The number of the draw that is falsified."""


def show_another_card() -> None:
    """Report another card than was turned up, and hand out a true record."""
    honest = views.event_text

    def text(event: Event) -> wire.Event:
        shown = honest(event)
        if shown.key == "vendetta.turned_up":
            shown.params["district"] = int(shown.params["district"]) % 13 + 1
        return shown

    views.event_text = text


class Fork:
    """Send one player the links of another game, in which a player has another name."""

    def __init__(self, *, two_records: bool) -> None:
        self._two_records = two_records
        self._links: dict[str, Links] = {}
        self._update, self._full, self._record = Stream.update, views.sync_message, Api.record

    def begin(self) -> None:
        """Patch the house."""
        patch(Stream, "update", self.update)
        views.sync_message = self.full
        for endpoint in ENDPOINTS:
            if endpoint.handler is Api.record and self._two_records:
                object.__setattr__(endpoint, "handler", self.record)

    def other(self, room: Room) -> Links:
        """Return the chain of the other game."""
        if room.code not in self._links:
            names = [*room.deal._names[:-1], "Nobody"]
            given = room.deal.contributions.recorded(room.deal.persons, len(names))
            scribe = Scribe(room.game, room.settings, len(names), room.deal.dice(), names, given)
            self._links[room.code] = Links(scribe)
        return self._links[room.code]

    @property
    def update(self) -> Callable[..., bytes]:
        """Return the patched method: one player gets the links of the other game."""

        def update(
            stream: Stream, present: Collection[Seat], watchers: int = 0, *, arranged: bool
        ) -> bytes:
            message = self._update(stream, present, watchers, arranged=arranged)
            return self._forked(stream.room, stream.viewer, message)

        return update

    def full(
        self, room: Room, viewer: Viewer, present: Collection[Seat], watchers: int = 0
    ) -> bytes:
        """Send the links of the other game also to that player on connecting."""
        return self._forked(room, viewer, self._full(room, viewer, present, watchers))

    def _forked(self, room: Room, viewer: Viewer, encoded: bytes) -> bytes:
        message = json.loads(encoded or b"{}")
        if viewer.seat != DECEIVED or not message.get("link") or room.table is None:
            return encoded
        other = self.other(room)
        other.newest(room.table, ())
        line = json.loads(other._lines[message["link"]["step"]])
        message["link"]["chain"] = line["chain"]
        return json.dumps(message).encode()

    async def record(self, api: Api, request: ApiRequest) -> Response:
        """Hand out the record of the game whose links the player has got."""
        async with api.house.table(request.code) as live:
            room = live.room
            if room.seats.of(request.owner) != DECEIVED:
                return await self._record(api, request)
            return Response(self.other(room).record(room.playing()))


def replay() -> None:
    """Hand out the record of the first game for every later one."""
    honest = Room.record
    first: list[str] = []

    def record(room: Room) -> str:
        first.append(honest(room))
        return first[0]

    patch(Room, "record", record)


TRICKS: Final[dict[str, Callable[[], None]]] = {
    "regrind": regrind,
    "drop": drop,
    "swap": swap,
    "show another card": show_another_card,
    "fork": Fork(two_records=False).begin,
    "fork with two records": Fork(two_records=True).begin,
    "replay": replay,
}
