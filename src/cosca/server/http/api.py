"""The handlers of the HTTP API: games, tables, and finished games."""

import asyncio
import io
from typing import Any, Final, Protocol

import segno
from starlette.responses import Response

from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.match.replay import Replay
from cosca.server import wire
from cosca.server.domain.room import Room
from cosca.server.http.addresses import client_address, network_of
from cosca.server.http.endpoint import ApiRequest
from cosca.server.http.game_info import game_info, primer_info
from cosca.server.http.replay_api import replay_of, replay_payload, snapshot
from cosca.server.http.this_computer import ThisComputer
from cosca.server.http.win_chances import WinChances
from cosca.server.live.house import House
from cosca.server.live.records import Records
from cosca.server.live.table import LiveTable
from cosca.server.live.views import Viewer, room_payload
from cosca.words import RULES, sentences, spoken

MOST_REPLAYS: Final = 16
"""Replays of finished games that are kept in memory."""


class PublicAddresses(Protocol):
    """The addresses at which other people can reach the server."""

    async def open_to_local_network(self) -> list[str]:
        """Listen on the local network too, and return the URLs that friends there can use."""
        ...

    def public_url(self, host: str) -> str:
        """Return the URL to share with others, for somebody who reached the server at `host`."""
        ...


class Api:
    """Handles the requests of the HTTP API."""

    def __init__(
        self,
        house: House,
        addresses: PublicAddresses,
        this_computer: ThisComputer,
        document: dict[str, Any],
        *,
        unlimited: bool = False,
    ) -> None:
        self.house = house
        self._addresses = addresses
        self._this_computer = this_computer
        self._document = document
        self._unlimited = unlimited
        self._records = Records(house)
        self._replays: dict[str, Replay] = {}
        self._win_chances = WinChances()

    async def openapi(self, request: ApiRequest) -> dict[str, Any]:
        """Return the OpenAPI document of this API."""
        return self._document

    # --- Before the game --------------------------------------------------------------------------

    async def games(self, request: ApiRequest) -> list[wire.GameInfo]:
        """Return all games, with everything a host may choose."""
        return [game_info(game) for game in ALL]

    async def rules(self, request: ApiRequest) -> str:
        """Return the rulebook of a game."""
        game = find(request.http.path_params["game"])
        return sentences()[f"{game.name}.{RULES}"]

    async def primer(self, request: ApiRequest) -> wire.Primer:
        """Return the rules of an edition on one page, for the usual number of players."""
        game = find(request.http.path_params["game"])
        settings = game.settings(request.http.query_params.get("edition", "")[:40])
        return primer_info(game, settings, game.default_seats)

    async def table_primer(self, request: ApiRequest) -> wire.Primer:
        """Return the rules on one page for the settings of a table."""
        room = await self.room(request)
        game = find(room.game)
        return primer_info(game, game.read_settings(room.options), len(room.seats))

    async def open(self, request: ApiRequest) -> wire.Place:
        """Open a table."""
        network = network_of(client_address(request.http))
        if not self._unlimited:
            self.house.check_may_open(request.owner, network)
        return await self.house.open(request.owner, request.body, network)

    async def join(self, request: ApiRequest) -> wire.Place:
        """Take an open seat."""
        async with self.house.table(request.code) as live:
            return await live.sit_down(
                request.local_player(request.body.local_player),
                request.body.name,
                request.body.seat,
            )

    async def claim(self, request: ApiRequest) -> wire.Place:
        """Come back to a seat with the token of its link."""
        async with self.house.table(request.code) as live:
            return await live.claim(request.owner, request.body.token)

    async def room(self, request: ApiRequest) -> wire.Room:
        """Return a table as everybody who knows its code may see it."""
        summary = await self.house.lists.closed_room(request.code, request.owner)
        if summary:
            return summary
        async with self.house.table(request.code) as live:
            return room_for(live, request.owner)

    async def my_tables(self, request: ApiRequest) -> list[wire.Listed]:
        """Return the tables at which this browser has a seat."""
        return await self.house.lists.tables_of(request.local_players)

    async def listed_tables(self, request: ApiRequest) -> list[wire.Listed]:
        """Return the tables that anybody may watch."""
        return await self.house.lists.tables_to_watch()

    async def invite(self, request: ApiRequest) -> wire.Addresses:
        """Listen on the local network too, if this very computer asks for it."""
        if not self._this_computer.sent(request.http):
            raise Refused("web.only_here")
        return wire.Addresses(urls=await self._addresses.open_to_local_network())

    async def qr_code(self, request: ApiRequest) -> bytes:
        """Draw the link of a table as a QR code."""
        if await self.house.store.tables.missing([request.code]):
            raise Refused("web.no_table", code=request.code)
        base = self._addresses.public_url(request.http.headers["host"])
        code = segno.make(f"{base}/t/{request.code}", error="m", micro=False)
        drawn = io.BytesIO()
        code.save(drawn, kind="svg", scale=4, border=4, xmldecl=False)
        return drawn.getvalue()

    # --- After the game ---------------------------------------------------------------------------

    async def record(self, request: ApiRequest) -> Response:
        """Return the record of a finished game."""
        listed = await self.house.store.tables.find(request.code)
        if listed is None:
            raise Refused("web.no_table", code=request.code)
        record = await self._records.of(request.code)
        name = f"{listed.game}-{request.code}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(record, media_type="application/x-ndjson", headers=headers)

    async def replay(self, request: ApiRequest) -> wire.Replay:
        """Return a finished game move by move."""
        async with self.house.table(request.code) as live:
            replay = await self._replay(live.room)
            viewer = request.http.query_params.get("viewer", "all")
            return await asyncio.to_thread(replay_payload, live.room, replay, viewer)

    async def snapshot(self, request: ApiRequest) -> wire.TextView:
        """Return the table as it was after some moves of a finished game."""
        async with self.house.table(request.code) as live:
            replay = await self._replay(live.room)
            viewer = request.http.query_params.get("viewer", "all")
            return snapshot(live.room, replay, _number(request.http.path_params["number"]), viewer)

    async def win_chances(self, request: ApiRequest) -> wire.WinChances:
        """Return how the win chances went in a finished game."""
        async with self.house.table(request.code) as live:
            replay = await self._replay(live.room)
            owner = (network_of(client_address(request.http)), request.owner)
            return self._win_chances.payload(live.room.code, replay, self.house.bots_of(owner))

    async def _replay(self, room: Room) -> Replay:
        """Return the replay of a finished game; the last ones are kept for the next request."""
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
    """Return a table as a browser sees it."""
    viewer = Viewer(live.room.seats.of(owner), live.room.seats.is_host(owner), "text", spoken())
    return room_payload(
        live.room, viewer, live.subscribers.present(), live.subscribers.spectators()
    )
