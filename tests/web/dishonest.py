"""Houses that cheat, for a browser to catch: each trick is done to a real house before it opens.

Their records are good in themselves, so that only who took part can tell, but for the swapped card.
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
"""The seat of whom the house cheats."""
WANTED: Final = 2
"""The seat that the house wants to begin."""


def patch(kind: type, name: str, made: object) -> None:
    """Let a class do otherwise."""
    setattr(kind, name, made)


def regrind() -> None:
    """Try seeds until the deal is as wanted, when all contributions are known; deal with that."""
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
        """With commitments that fit the other seal: in itself such a record is good."""
        other = seal(deal._code, seed_of(deal))
        given = deal.contributions
        made = [
            Contribution("revealed", commit(deal._code, other, seat, added), added)
            if (added := given.revealed.get(seat))
            else Contribution("bot")
            for seat in range(len(deal._seats))
        ]
        return written(deal, dice(deal), made)

    patch(Deal, "dice", dice)
    patch(Deal, "_scribe", scribe)


def drop() -> None:
    """Leave out what one player has contributed, and say that it was withheld."""

    def added(deal: Deal) -> dict[Seat, bytes]:
        revealed = deal.contributions.revealed.items()
        return {seat: made for seat, made in revealed if seat != DECEIVED}

    def scribe(deal: Deal) -> Scribe:
        made = deal.contributions.recorded(deal.persons, len(deal._seats))
        made[DECEIVED] = Contribution("withheld", deal.contributions.commitments[DECEIVED])
        return written(deal, deal.dice(), made)

    patch(Deal, "_added", added)
    patch(Deal, "_scribe", scribe)


def written(deal: Deal, dice: SealedDice, given: list[Contribution]) -> Scribe:
    """Who writes the record of a deal."""
    return Scribe(deal._game, deal._settings, len(deal._seats), dice, deal._names, given)


def swap() -> None:
    """Deal another card than the dice say."""
    honest = SealedDice.draw

    def draw(dice: SealedDice, purpose: str, among: int) -> int:
        rolled = honest(dice, purpose, among)
        return (rolled + 1) % among if dice.draws == SWAPPED else rolled

    patch(SealedDice, "draw", draw)


SWAPPED: Final = 5


def show_another_card() -> None:
    """Tell of another card than was turned up, and hand out a record of what truly was."""
    tell = views._text

    def text(event: Event) -> wire.Event:
        told = tell(event)
        if told.key == "vendetta.turned_up":
            told.params["district"] = int(told.params["district"]) % 13 + 1
        return told

    views._text = text


class Fork:
    """Tell one player another story than the others: in it a player has another name."""

    def __init__(self, *, two_records: bool) -> None:
        self._two_records = two_records
        self._links: dict[str, Links] = {}
        self._update, self._full, self._record = Stream.update, views.full, Api.record

    def begin(self) -> None:
        """Do so from now on."""
        patch(Stream, "update", self.update)
        views.full = self.full
        for endpoint in ENDPOINTS:
            if endpoint.handler is Api.record and self._two_records:
                object.__setattr__(endpoint, "handler", self.record)

    def other(self, room: Room) -> Links:
        """The chain of the other story."""
        if room.code not in self._links:
            names = [*room.deal._names[:-1], "Nobody"]
            given = room.deal.contributions.recorded(room.deal.persons, len(names))
            scribe = Scribe(room.game, room.settings, len(names), room.deal.dice(), names, given)
            self._links[room.code] = Links(scribe)
        return self._links[room.code]

    @property
    def update(self) -> Callable[..., bytes]:
        """What one player is told has the links of the other story."""

        def update(
            stream: Stream, here: Collection[Seat], watchers: int = 0, *, arranged: bool
        ) -> bytes:
            told = self._update(stream, here, watchers, arranged=arranged)
            return self._forked(stream.room, stream.viewer, told)

        return update

    def full(self, room: Room, viewer: Viewer, here: Collection[Seat], watchers: int = 0) -> bytes:
        """The same for who comes."""
        return self._forked(room, viewer, self._full(room, viewer, here, watchers))

    def _forked(self, room: Room, eyes: Viewer, told: bytes) -> bytes:
        message = json.loads(told or b"{}")
        if eyes.seat != DECEIVED or not message.get("link") or room.table is None:
            return told
        other = self.other(room)
        other.newest(room.table, ())
        line = json.loads(other._lines[message["link"]["step"]])
        message["link"]["chain"] = line["chain"]
        return json.dumps(message).encode()

    async def record(self, api: Api, request: ApiRequest) -> Response:
        """The record of the story that somebody was told."""
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
