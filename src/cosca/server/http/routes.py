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
from cosca.server.http.addresses import place_of
from cosca.server.http.code_guesses import CodeGuesses
from cosca.server.http.game_info import told_game
from cosca.server.http.guard import BODY_BYTES, problem
from cosca.server.http.replay_api import moment, replay_of, story
from cosca.server.http.this_computer import ThisComputer
from cosca.server.http.win_chances import Charts
from cosca.server.live.house import House
from cosca.server.live.records import Records
from cosca.server.live.table import LiveTable
from cosca.server.live.views import Eyes, seen_room
from cosca.server.ops.admin_auth import address_of
from cosca.words import RULES, sentences, spoken

COOKIE: Final = "cosca"
YEAR: Final = 365 * 24 * 3600
MOST_REPLAYS: Final = 16
HANDS: Final = tuple("0123456789")


class Doors(Protocol):
    """Where the house can be found; opens it to the local network when asked."""

    async def open_to_friends(self) -> list[str]:
        """The addresses friends on the same network can use."""
        ...

    def base(self, host: str) -> str:
        """The address to be shared, for who came by that host."""
        ...


@dataclass(frozen=True)
class Ask:
    """One request: who asks, for what, and with what in hand."""

    request: Request
    token: str
    body: Any

    @property
    def owner(self) -> str:
        """Who asks: the hash of what only their browser knows."""
        return hashed(self.token)

    def hand(self, number: int) -> str:
        """One of several people at the same browser."""
        return owner_of(self.token, number)

    @property
    def hands(self) -> list[str]:
        """Everybody who may sit at the browser, the owner first."""
        return [self.hand(int(number)) for number in HANDS]

    @property
    def code(self) -> str:
        """The code of the table in the address."""
        return str(self.request.path_params["code"]).lower()


@dataclass(frozen=True, kw_only=True)
class Way:
    """One thing that may be asked for: method, address, what comes in and what goes out."""

    method: str
    path: str
    tells: str
    takes: type | None = None
    gives: Any = None
    do: "Callable[[Rooms, Ask], Awaitable[Any]]"
    media: str = "application/json"


class Rooms:
    """What the ways lead to."""

    def __init__(
        self,
        house: House,
        doors: Doors,
        here: ThisComputer,
        guesses: CodeGuesses,
        *,
        generous: bool = False,
    ) -> None:
        self.house = house
        self.doors = doors
        self.guesses = guesses
        self._here = here
        self._generous = generous
        self._records = Records(house)
        self._replays: dict[str, Replay] = {}
        self._charts = Charts()

    # --- Before the game --------------------------------------------------------------------------

    async def games(self, ask: Ask) -> list[wire.GameInfo]:
        """The games of the house."""
        return [told_game(game) for game in ALL]

    async def rules(self, ask: Ask) -> Response:
        """The rulebook of a game."""
        game = find(ask.request.path_params["game"])
        text = sentences()[f"{game.name}.{RULES}"]
        return Response(text, media_type="text/markdown")

    async def open(self, ask: Ask) -> wire.Place:
        """Open a table."""
        network = place_of(address_of(ask.request))
        if not self._generous:
            self.house.check_may_open(ask.owner, network)
        return await self.house.open(ask.owner, ask.body, network)

    async def join(self, ask: Ask) -> wire.Place:
        """Take a seat."""
        async with self.house.table(ask.code) as live:
            return await live.sit(ask.hand(ask.body.hand), ask.body.name, ask.body.seat)

    async def claim(self, ask: Ask) -> wire.Place:
        """Come back to a seat by its own link."""
        async with self.house.table(ask.code) as live:
            return await live.claim(ask.owner, ask.body.token)

    async def room(self, ask: Ask) -> wire.Room:
        """A table as everybody may see it who knows its code."""
        kept = await self.house.seen(ask.code, ask.owner)
        if kept:
            return kept
        async with self.house.table(ask.code) as live:
            return seen(live, ask.owner)

    async def mine(self, ask: Ask) -> list[wire.Listed]:
        """The tables at which one has a seat."""
        return await self.house.tables_of(ask.hands)

    async def watch(self, ask: Ask) -> list[wire.Listed]:
        """The tables that can be watched."""
        return await self.house.tables_to_watch()

    async def invite(self, ask: Ask) -> wire.Addresses:
        """Open the house to the local network."""
        if not self._here.sent(ask.request):
            raise Refused("web.only_here")
        return wire.Addresses(urls=await self.doors.open_to_friends())

    async def picture(self, ask: Ask) -> Response:
        """The link of a table for a camera."""
        if await self.house.store.tables.missing([ask.code]):
            raise Refused("web.no_table", code=ask.code)
        base = self.doors.base(ask.request.headers["host"])
        code = segno.make(f"{base}/t/{ask.code}", error="m", micro=False)
        drawn = io.BytesIO()
        code.save(drawn, kind="svg", scale=4, border=4, xmldecl=False)
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    # --- After the game ---------------------------------------------------------------------------

    async def record(self, ask: Ask) -> Response:
        """The record of a finished game."""
        listed = await self.house.store.tables.find(ask.code)
        if listed is None:
            raise Refused("web.no_table", code=ask.code)
        record = await self._records.of(ask.code)
        name = f"{listed.game}-{ask.code}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(record, media_type="application/x-ndjson", headers=headers)

    async def story(self, ask: Ask) -> wire.Story:
        """A finished game move by move."""
        async with self.house.table(ask.code) as live:
            replay = await self._replay(live.room)
            eyes = ask.request.query_params.get("eyes", "all")
            return await asyncio.to_thread(story, live.room, replay, eyes)

    async def moment(self, ask: Ask) -> wire.TextView:
        """The table after so many moves of a finished game."""
        async with self.house.table(ask.code) as live:
            replay = await self._replay(live.room)
            eyes = ask.request.query_params.get("eyes", "all")
            return moment(live.room, replay, _number(ask.request.path_params["number"]), eyes)

    async def chances(self, ask: Ask) -> wire.Chances:
        """What each seat could think of its chances in a finished game."""
        async with self.house.table(ask.code) as live:
            replay = await self._replay(live.room)
            owner = (place_of(address_of(ask.request)), ask.owner)
            return self._charts.told(live.room.code, replay, self.house.thinkers(owner))

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


def seen(live: LiveTable, owner: str) -> wire.Room:
    """A table as a browser sees it."""
    eyes = Eyes(live.room.seats.of(owner), live.room.seats.is_host(owner), "text", spoken())
    return seen_room(live.room, eyes, live.audience.here(), live.audience.watchers())


WAYS: Final = (
    Way(
        method="GET",
        path="/api/games",
        tells="The games of the house, with all that may be chosen.",
        gives=list[wire.GameInfo],
        do=Rooms.games,
    ),
    Way(
        method="GET",
        path="/api/games/{game}/rules",
        tells="The rulebook of a game, in Markdown.",
        do=Rooms.rules,
        media="text/markdown",
    ),
    Way(
        method="POST",
        path="/api/tables",
        tells="Open a table.",
        takes=NewTable,
        gives=wire.Place,
        do=Rooms.open,
    ),
    Way(
        method="GET",
        path="/api/tables/{code}",
        tells="A table, as far as everybody may see it who knows its code.",
        gives=wire.Room,
        do=Rooms.room,
    ),
    Way(
        method="POST",
        path="/api/tables/{code}/join",
        tells="Take an open seat.",
        takes=wire.Join,
        gives=wire.Place,
        do=Rooms.join,
    ),
    Way(
        method="POST",
        path="/api/tables/{code}/claim",
        tells="Come back to a seat by its own link.",
        takes=wire.Claim,
        gives=wire.Place,
        do=Rooms.claim,
    ),
    Way(
        method="GET",
        path="/api/tables/{code}/qr.svg",
        tells="The link of a table for a camera.",
        do=Rooms.picture,
        media="image/svg+xml",
    ),
    Way(
        method="GET",
        path="/api/tables/{code}/record",
        tells="The record of a finished game.",
        do=Rooms.record,
        media="application/x-ndjson",
    ),
    Way(
        method="GET",
        path="/api/tables/{code}/story",
        tells="A finished game move by move, through eyes: all, watch, or the number of a seat.",
        gives=wire.Story,
        do=Rooms.story,
    ),
    Way(
        method="GET",
        path="/api/tables/{code}/story/{number}",
        tells="The table after so many moves of a finished game.",
        gives=wire.TextView,
        do=Rooms.moment,
    ),
    Way(
        method="GET",
        path="/api/tables/{code}/chances",
        tells="What each seat could think of its chances in a finished game, move by move.",
        gives=wire.Chances,
        do=Rooms.chances,
    ),
    Way(
        method="GET",
        path="/api/me/tables",
        tells="The tables at which this browser has a seat.",
        gives=list[wire.Listed],
        do=Rooms.mine,
    ),
    Way(
        method="GET",
        path="/api/watch",
        tells="The tables that can be watched.",
        gives=list[wire.Listed],
        do=Rooms.watch,
    ),
    Way(
        method="POST",
        path="/api/invite",
        tells="Open the house to the local network; from its own computer only.",
        gives=wire.Addresses,
        do=Rooms.invite,
    ),
)


# --- From request to answer -----------------------------------------------------------------------


async def answer(rooms: Rooms, way: Way, request: Request) -> Response:
    """Do what is asked for, or say why not."""
    token = request.cookies.get(COOKIE, "")
    fresh = "" if is_token(token) else secrets.token_urlsafe(32)
    address = address_of(request)
    try:
        if "code" in request.path_params:
            rooms.guesses.check(address)
        body = await _body(request, way.takes)
        told = await way.do(rooms, Ask(request, fresh or token, body))
    except Refused as reason:
        rooms.house.metrics.refusals.add(reason.key)
        rooms.guesses.note(address, reason)
        return problem(reason)
    response = told if isinstance(told, Response) else as_json(told)
    if fresh and way.method == "POST":
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, fresh, max_age=YEAR, secure=secure, httponly=True, samesite="strict"
        )
    return response


def owner_of(token: str, hand: int) -> str:
    """One of the people at a browser: the first is the browser itself, others sit beside."""
    return hashed(f"{token}#{hand}" if hand else token)


def as_json(told: Any) -> Response:
    """What is told, as it is sent."""
    return Response(wire.write(told), media_type="application/json")


def is_token(text: str) -> bool:
    """Whether a browser can be known by that."""
    try:
        msgspec.convert(text, commands.Token)
    except msgspec.ValidationError:
        return False
    return True


async def _body(request: Request, takes: type | None) -> Any:
    """What came with a request, read and checked."""
    read = b""
    async for part in request.stream():
        read += part
        if len(read) > BODY_BYTES:
            raise Refused("web.too_large", most=BODY_BYTES)
    return wire.read(msgspec.json.Decoder(takes), read) if takes else None
