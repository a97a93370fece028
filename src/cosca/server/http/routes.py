"""What may be asked of the house over HTTP, in one list, and how it is answered."""

import asyncio
import io
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import Response

from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.match.replay import Replay
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.opening import NewTable
from cosca.server.domain.room import Room
from cosca.server.http.addresses import network_of
from cosca.server.http.code_guesses import CodeGuesses
from cosca.server.http.game_info import game_info
from cosca.server.http.guard import BODY_BYTES, problem
from cosca.server.http.replay_api import replay_of, replay_payload, snapshot
from cosca.server.http.this_computer import ThisComputer
from cosca.server.http.win_chances import WinChances
from cosca.server.live.house import House
from cosca.server.live.records import Records
from cosca.server.live.table import LiveTable
from cosca.server.live.views import Viewer, seen_room
from cosca.server.ops.admin_auth import address_of
from cosca.words import RULES, sentences, spoken

COOKIE: Final = "cosca"
YEAR: Final = 365 * 24 * 3600
MOST_REPLAYS: Final = 16
LOCAL_PLAYERS: Final = tuple("0123456789")


class PublicAddresses(Protocol):
    """Where the house can be found; opens it to the local network when asked."""

    async def open_to_local_network(self) -> list[str]:
        """The addresses friends on the same network can use."""
        ...

    def base(self, host: str) -> str:
        """The address to be shared, for who came by that host."""
        ...


@dataclass(frozen=True)
class ApiRequest:
    """One request: who asks, for what, and what came with it."""

    http: Request
    token: str
    body: Any

    @property
    def owner(self) -> str:
        """Who asks: the hash of what only their browser knows."""
        return hashed(self.token)

    def local_player(self, number: int) -> str:
        """One of several people at the same browser."""
        return local_player_owner(self.token, number)

    @property
    def local_players(self) -> list[str]:
        """Everybody who may sit at the browser, the owner first."""
        return [self.local_player(int(number)) for number in LOCAL_PLAYERS]

    @property
    def code(self) -> str:
        """The code of the table in the address."""
        return str(self.http.path_params["code"]).lower()


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One thing that may be asked for: method, address, what comes in and what goes out."""

    method: str
    path: str
    summary: str
    request: type | None = None
    response: Any = None
    handler: "Callable[[Api, ApiRequest], Awaitable[Any]]"
    media_type: str = "application/json"


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
            return await live.sit_down(
                request.local_player(request.body.hand), request.body.name, request.body.seat
            )

    async def claim(self, request: ApiRequest) -> wire.Place:
        """Come back to a seat by its own link."""
        async with self.house.table(request.code) as live:
            return await live.claim(request.owner, request.body.token)

    async def room(self, request: ApiRequest) -> wire.Room:
        """A table as everybody may see it who knows its code."""
        kept = await self.house.lists.closed_room(request.code, request.owner)
        if kept:
            return kept
        async with self.house.table(request.code) as live:
            return room_for(live, request.owner)

    async def my_tables(self, request: ApiRequest) -> list[wire.Listed]:
        """The tables at which one has a seat."""
        return await self.house.lists.tables_of(request.local_players)

    async def listed_tables(self, request: ApiRequest) -> list[wire.Listed]:
        """The tables that can be watched."""
        return await self.house.lists.tables_to_watch()

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
            return self._win_chances.told(live.room.code, replay, self.house.bots_of(owner))

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
    eyes = Viewer(live.room.seats.of(owner), live.room.seats.is_host(owner), "text", spoken())
    return seen_room(live.room, eyes, live.subscribers.present(), live.subscribers.spectators())


ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/api/games",
        summary="The games of the house, with all that may be chosen.",
        response=list[wire.GameInfo],
        handler=Api.games,
    ),
    Endpoint(
        method="GET",
        path="/api/games/{game}/rules",
        summary="The rulebook of a game, in Markdown.",
        handler=Api.rules,
        media_type="text/markdown",
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        summary="Open a table.",
        request=NewTable,
        response=wire.Place,
        handler=Api.open,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}",
        summary="A table, as far as everybody may see it who knows its code.",
        response=wire.Room,
        handler=Api.room,
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{code}/join",
        summary="Take an open seat.",
        request=wire.Join,
        response=wire.Place,
        handler=Api.join,
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{code}/claim",
        summary="Come back to a seat by its own link.",
        request=wire.Claim,
        response=wire.Place,
        handler=Api.claim,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/qr.svg",
        summary="The link of a table for a camera.",
        handler=Api.qr_code,
        media_type="image/svg+xml",
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/record",
        summary="The record of a finished game.",
        handler=Api.record,
        media_type="application/x-ndjson",
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/story",
        summary="A finished game move by move, through eyes: all, watch, or the number of a seat.",
        response=wire.Story,
        handler=Api.replay,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/story/{number}",
        summary="The table after so many moves of a finished game.",
        response=wire.TextView,
        handler=Api.snapshot,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/chances",
        summary="What each seat could think of its chances in a finished game, move by move.",
        response=wire.Chances,
        handler=Api.win_chances,
    ),
    Endpoint(
        method="GET",
        path="/api/me/tables",
        summary="The tables at which this browser has a seat.",
        response=list[wire.Listed],
        handler=Api.my_tables,
    ),
    Endpoint(
        method="GET",
        path="/api/watch",
        summary="The tables that can be watched.",
        response=list[wire.Listed],
        handler=Api.listed_tables,
    ),
    Endpoint(
        method="POST",
        path="/api/invite",
        summary="Open the house to the local network; from its own computer only.",
        response=wire.Addresses,
        handler=Api.invite,
    ),
)


# --- From request to response ---------------------------------------------------------------------


async def respond(api: Api, endpoint: Endpoint, request: Request) -> Response:
    """Do what is asked for, or say why not."""
    token = request.cookies.get(COOKIE, "")
    fresh = "" if is_token(token) else secrets.token_urlsafe(32)
    address = address_of(request)
    try:
        if "code" in request.path_params:
            api.guesses.check(address)
        body = await _body(request, endpoint.request)
        told = await endpoint.handler(api, ApiRequest(request, fresh or token, body))
    except Refused as reason:
        api.house.metrics.refusals.add(reason.key)
        api.guesses.note(address, reason)
        return problem(reason)
    response = told if isinstance(told, Response) else json_response(told)
    if fresh and endpoint.method == "POST":
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, fresh, max_age=YEAR, secure=secure, httponly=True, samesite="strict"
        )
    return response


def local_player_owner(token: str, local_player: int) -> str:
    """One of the people at a browser: the first is the browser itself, others sit beside."""
    return hashed(f"{token}#{local_player}" if local_player else token)


def json_response(told: Any) -> Response:
    """What is told, as it is sent."""
    return Response(wire.write(told), media_type="application/json")


def is_token(text: str) -> bool:
    """Whether a browser can be known by that."""
    try:
        msgspec.convert(text, commands.Token)
    except msgspec.ValidationError:
        return False
    return True


async def _body(http: Request, request: type | None) -> Any:
    """What came with a request, read and checked."""
    read = b""
    async for part in http.stream():
        read += part
        if len(read) > BODY_BYTES:
            raise Refused("web.too_large", most=BODY_BYTES)
    return wire.read(msgspec.json.Decoder(request), read) if request else None
