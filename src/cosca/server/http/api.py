"""What may be asked of the house over HTTP, and how it is answered."""

import asyncio
import io
from typing import Final, Protocol

import segno
from starlette.responses import Response

from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.match.replay import Replay
from cosca.server import wire
from cosca.server.domain.room import Room
from cosca.server.http.addresses import network_of
from cosca.server.http.code_guesses import CodeGuesses
from cosca.server.http.endpoint import ApiRequest
from cosca.server.http.game_info import game_info
from cosca.server.http.replay_api import replay_of, replay_payload, snapshot
from cosca.server.http.this_computer import ThisComputer
from cosca.server.http.win_chances import WinChances
from cosca.server.live.house import House
from cosca.server.live.records import Records
from cosca.server.live.table import LiveTable
from cosca.server.live.views import Eyes, seen_room
from cosca.server.ops.admin_auth import address_of
from cosca.words import RULES, sentences, spoken

MOST_REPLAYS: Final = 16


class PublicAddresses(Protocol):
    """Where the house can be found; opens it to the local network when asked."""

    async def open_to_local_network(self) -> list[str]:
        """The addresses friends on the same network can use."""
        ...

    def base(self, host: str) -> str:
        """The address to be shared, for who came by that host."""
        ...


class Api:
    """What the ways lead to."""

    def __init__(
        self,
        house: House,
        addresses: PublicAddresses,
        here: ThisComputer,
        guesses: CodeGuesses,
        *,
        generous: bool = False,
    ) -> None:
        self.house = house
        self.addresses = addresses
        self.guesses = guesses
        self._here = here
        self._generous = generous
        self._records = Records(house)
        self._replays: dict[str, Replay] = {}
        self._win_chances = WinChances()

    # --- Before the game --------------------------------------------------------------------------

    async def games(self, request: ApiRequest) -> list[wire.GameInfo]:
        """The games of the house."""
        return [game_info(game) for game in ALL]

    async def rules(self, request: ApiRequest) -> Response:
        """The rulebook of a game."""
        game = find(request.http.path_params["game"])
        text = sentences()[f"{game.name}.{RULES}"]
        return Response(text, media_type="text/markdown")

    async def open(self, request: ApiRequest) -> wire.Place:
        """Open a table."""
        network = network_of(address_of(request.http))
        if not self._generous:
            self.house.check_may_open(request.owner, network)
        return await self.house.open(request.owner, request.body, network)

    async def join(self, request: ApiRequest) -> wire.Place:
        """Take a seat."""
        async with self.house.table(request.code) as live:
            return await live.sit(
                request.local_player(request.body.hand), request.body.name, request.body.seat
            )

    async def claim(self, request: ApiRequest) -> wire.Place:
        """Come back to a seat by its own link."""
        async with self.house.table(request.code) as live:
            return await live.claim(request.owner, request.body.token)

    async def room(self, request: ApiRequest) -> wire.Room:
        """A table as everybody may see it who knows its code."""
        kept = await self.house.seen(request.code, request.owner)
        if kept:
            return kept
        async with self.house.table(request.code) as live:
            return room_for(live, request.owner)

    async def my_tables(self, request: ApiRequest) -> list[wire.Listed]:
        """The tables at which one has a seat."""
        return await self.house.tables_of(request.local_players)

    async def listed_tables(self, request: ApiRequest) -> list[wire.Listed]:
        """The tables that can be watched."""
        return await self.house.tables_to_watch()

    async def invite(self, request: ApiRequest) -> wire.Addresses:
        """Open the house to the local network."""
        if not self._here.sent(request.http):
            raise Refused("web.only_here")
        return wire.Addresses(urls=await self.addresses.open_to_local_network())

    async def qr_code(self, request: ApiRequest) -> Response:
        """The link of a table for a camera."""
        if await self.house.store.tables.missing([request.code]):
            raise Refused("web.no_table", code=request.code)
        base = self.addresses.base(request.http.headers["host"])
        code = segno.make(f"{base}/t/{request.code}", error="m", micro=False)
        drawn = io.BytesIO()
        code.save(drawn, kind="svg", scale=4, border=4, xmldecl=False)
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    # --- After the game ---------------------------------------------------------------------------

    async def record(self, request: ApiRequest) -> Response:
        """The record of a finished game."""
        listed = await self.house.store.tables.find(request.code)
        if listed is None:
            raise Refused("web.no_table", code=request.code)
        record = await self._records.of(request.code)
        name = f"{listed.game}-{request.code}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(record, media_type="application/x-ndjson", headers=headers)

    async def replay(self, request: ApiRequest) -> wire.Story:
        """A finished game move by move."""
        async with self.house.table(request.code) as live:
            replay = await self._replay(live.room)
            eyes = request.http.query_params.get("eyes", "all")
            return await asyncio.to_thread(replay_payload, live.room, replay, eyes)

    async def snapshot(self, request: ApiRequest) -> wire.TextView:
        """The table after so many moves of a finished game."""
        async with self.house.table(request.code) as live:
            replay = await self._replay(live.room)
            eyes = request.http.query_params.get("eyes", "all")
            return snapshot(live.room, replay, _number(request.http.path_params["number"]), eyes)

    async def win_chances(self, request: ApiRequest) -> wire.Chances:
        """What each seat could think of its chances in a finished game."""
        async with self.house.table(request.code) as live:
            replay = await self._replay(live.room)
            owner = (network_of(address_of(request.http)), request.owner)
            return self._win_chances.told(live.room.code, replay, self.house.thinkers(owner))

    async def _replay(self, room: Room) -> Replay:
        """A game once played again is kept, for whoever moves the slider will ask again."""
        replay = self._replays.pop(room.code, None)
        if replay is None:
            replay = await asyncio.to_thread(replay_of, room)
        self._replays[room.code] = replay
        while len(self._replays) > MOST_REPLAYS:
            del self._replays[next(iter(self._replays))]
        return replay


def _number(text: str) -> int:
    if not (text.isdecimal() and len(text) < 8):
        raise Refused("web.not_found")
    return int(text)


def room_for(live: LiveTable, owner: str) -> wire.Room:
    """A table as a browser sees it."""
    eyes = Eyes(live.room.seats.of(owner), live.room.seats.is_host(owner), "text", spoken())
    return seen_room(live.room, eyes, live.audience.here(), live.audience.watchers())
