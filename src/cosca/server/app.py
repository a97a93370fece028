"""The pages and the API of the house: what may be asked for over HTTP, in one list."""

import asyncio
import contextlib
import io
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
import segno
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from cosca import __version__
from cosca.bots.characters import CHARACTERS
from cosca.bots.roster import key_about, plain_bots, usual_bot
from cosca.catalog import ALL, find
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.options import Option
from cosca.match.replay import Replay
from cosca.server import wire
from cosca.server.admin import Admin
from cosca.server.audience import no_trip
from cosca.server.bans import Bans
from cosca.server.charts import Charts
from cosca.server.clock import Clock
from cosca.server.frames import TEXTS
from cosca.server.guard import BODY_BYTES, CONFLICT, STATUS, Guard, problem
from cosca.server.health import Health
from cosca.server.house import House
from cosca.server.key import Key
from cosca.server.live import LiveTable
from cosca.server.retention import Retention
from cosca.server.room import Room, hashed
from cosca.server.scrape import Scrape
from cosca.server.settings import Settings
from cosca.server.sockets import POLICY, Sockets
from cosca.server.story import moment, replay_of, story
from cosca.server.trips import TRIP
from cosca.server.views import Eyes, Style, seen_room
from cosca.words import LANGUAGE, RULES, accepted, first_known, say, sentences, speaking, spoken

COOKIE: Final = "cosca"
YEAR: Final = 365 * 24 * 3600
PAGES: Final = ("/", "/new", "/join", "/t/{code}", "/t/{code}/replay", "/seat/{code}")
CLIENT: Final = Path(str(resources.files("cosca.server") / "web"))
SOCKETS: Final = "/ws"
MOST_REPLAYS: Final = 16
MOST_VALUES: Final = 20
"""Of an option, to be picked from a list; of more numbers one is typed."""
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

    def __init__(self, house: House, doors: Doors) -> None:
        self.house = house
        self.doors = doors
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
        return await self.house.open(ask.owner, ask.body)

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
        client = ask.request.client
        if client is None or client.host not in ("127.0.0.1", "::1"):
            raise Refused("web.only_here")
        return wire.Addresses(urls=await self.doors.open_to_friends())

    async def picture(self, ask: Ask) -> Response:
        """The link of a table for a camera."""
        async with self.house.table(ask.code) as live:
            base = self.doors.base(ask.request.headers["host"])
            code = segno.make(f"{base}/t/{live.room.code}", error="m", micro=False)
        drawn = io.BytesIO()
        code.save(drawn, kind="svg", scale=4, border=4, xmldecl=False)
        return Response(drawn.getvalue(), media_type="image/svg+xml")

    # --- After the game ---------------------------------------------------------------------------

    async def record(self, ask: Ask) -> Response:
        """The record of a finished game."""
        async with self.house.table(ask.code) as live:
            record = await asyncio.to_thread(live.room.record)
        name = f"{live.room.game.name}-{live.room.code}.jsonl"
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
            return self._charts.told(live.room.code, replay, self.house.crew)

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
    eyes = Eyes(live.room.seat_of(owner), live.room.is_host(owner), "text", spoken())
    return seen_room(live.room, eyes, live.audience.here())


def told_game(game: Game[Any, Any]) -> wire.GameInfo:
    """A game as it stands on the first page."""
    return wire.GameInfo(
        name=game.name,
        title=game.title,
        tagline=say(f"{game.name}.about.tagline", {}),
        minutes=say(f"{game.name}.about.minutes", {}),
        fewest=game.seats[0],
        most=game.seats[-1],
        usual=game.default_seats,
        editions={
            name: {key: str(value) for key, value in game.settings(name).items()}
            for name in game.editions
        },
        options=[_told_option(game, option) for option in game.options],
        bots=[_told_bot(game, bot) for bot in (*CHARACTERS, *plain_bots(game))],
        usual_bot=usual_bot(game),
        example=say(f"{game.name}.play.example", {}),
    )


def _told_option(game: Game[Any, Any], option: Option) -> wire.OptionInfo:
    """What may be set; of a long range only its ends are told."""
    values = option.values
    is_long = isinstance(values, range) and len(values) > MOST_VALUES
    return wire.OptionInfo(
        key=option.key,
        text=say(f"{game.name}.option.{option.key}.name", {}),
        values={}
        if is_long
        else {str(value): _told_value(game, option.key, value) for value in values},
        within=[int(values[0]), int(values[-1])] if is_long else [],
        default=str(option.default),
    )


def _told_bot(game: Game[Any, Any], name: str) -> wire.BotInfo:
    character = CHARACTERS.get(name)
    level = character.level if character else 0
    return wire.BotInfo(name=name, text=say(key_about(game, name), {}), level=level)


def _told_value(game: Game[Any, Any], key: str, value: int | str) -> str:
    """What a value of an option means; a number speaks for itself."""
    return sentences().get(f"{game.name}.option.{key}.{value}", str(value))


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
        takes=wire.NewTable,
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
    fresh = "" if _is_token(token) else secrets.token_urlsafe(32)
    try:
        body = await _body(request, way.takes)
        told = await way.do(rooms, Ask(request, fresh or token, body))
    except Refused as reason:
        rooms.house.metrics.refusals.add(reason.key)
        return problem(reason)
    response = told if isinstance(told, Response) else _json(told)
    if fresh and way.method == "POST":
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, fresh, max_age=YEAR, secure=secure, httponly=True, samesite="strict"
        )
    return response


def owner_of(token: str, hand: int) -> str:
    """One of the people at a browser: the first is the browser itself, others sit beside."""
    return hashed(f"{token}#{hand}" if hand else token)


def _json(told: Any) -> Response:
    return Response(wire.write(told), media_type="application/json")


def _is_token(text: str) -> bool:
    try:
        msgspec.convert(text, wire.Token)
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


class SocketWay:
    """The way to the sockets, as bare as it can be: everything that is played goes through it.

    It passes by Starlette's layers, each of which would be kept for each socket.
    """

    def __init__(self, sockets: Sockets, pages: ASGIApp) -> None:
        self._sockets = sockets
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket, or a page."""
        if scope["type"] != "websocket":
            await self._pages(scope, receive, send)
            return
        folder, _, code = scope["path"].rpartition("/")
        await receive()  # the wish to connect
        if folder == SOCKETS and code:
            address = str((scope.get("client") or ("",))[0])
            trip = scope.get(TRIP, no_trip)
            together = TEXTS in (scope.get("extensions") or {})
            owner, style, beside = _looks(scope)
            with speaking(_language(scope)):
                await self._sockets.serve(
                    code.lower(), owner, style, receive, send, address, trip, beside, together
                )
        else:
            await send({"type": "websocket.close", "code": POLICY})


def _looks(scope: Scope) -> tuple[str, Style, Collection[str]]:
    """Who opens a socket, how they want to be told, and who sits beside them."""
    request = Request({**scope, "type": "http", "method": "GET"})
    token = request.cookies.get(COOKIE, "")
    style: Style = "data" if request.query_params.get("view") == "data" else "text"
    told = request.query_params.get("hand", "0")
    hand = int(told) if told in HANDS else 0
    if not _is_token(token):
        return "", style, ()
    shared = "hand" in request.query_params
    beside = [owner_of(token, int(other)) for other in HANDS] if shared else []
    return owner_of(token, hand), style, beside


def _language(scope: Scope) -> str:
    """The language that a browser has chosen for its socket, or that it accepts."""
    request = Request({**scope, "type": "http", "method": "GET"})
    chosen = first_known([request.query_params.get("lang", "")])
    return chosen or accepted(request.headers.get("accept-language", ""))


def routes(rooms: Rooms) -> Sequence[BaseRoute]:
    """All addresses of the house."""
    found: list[BaseRoute] = [
        Route(way.path, partial(answer, rooms, way), methods=[way.method]) for way in WAYS
    ]
    found.append(Route("/api/openapi.json", _described, methods=["GET"]))
    found += [Route(page, _page, methods=["GET"]) for page in PAGES]
    if (CLIENT / "assets").is_dir():
        found.append(Mount("/assets", StaticFiles(directory=CLIENT / "assets")))
    if CLIENT.is_dir():
        found.append(Route("/{name}", _file, methods=["GET"]))
    return found


async def _page(request: Request) -> Response:
    """Every page is the client; it looks at the address itself."""
    return _client(200) or problem(Refused("web.no_client"))


async def _file(request: Request) -> Response:
    """One of the few files beside the page, as its icon."""
    name = request.path_params["name"]
    known = {path.name: path for path in CLIENT.iterdir() if path.is_file()}
    return FileResponse(known[name]) if name in known else problem(Refused("web.not_found"))


async def _described(request: Request) -> Response:
    return _json(described())


async def _missing(request: Request, error: Exception) -> Response:
    """Who typed a wrong address into a browser gets a page that says so, and a way back."""
    page = None if request.url.path.startswith("/api/") else _client(404)
    return page or problem(Refused("web.not_found"))


def _client(status: int) -> Response | None:
    """The page of the client, if it is built; the little it says itself in the right language."""
    page = CLIENT / "index.html"
    if not page.is_file():
        return None
    text = page.read_text(encoding="utf-8").replace(f'lang="{LANGUAGE}"', f'lang="{spoken()}"')
    for key in ("web.description", "web.no_script"):
        text = text.replace(say(key, {}, LANGUAGE), escape(say(key, {})))
    return HTMLResponse(text, status)


async def _failed(request: Request, error: Exception) -> Response:
    return problem(Refused("web.failed"))


async def _not_allowed(request: Request, error: Exception) -> Response:
    return problem(Refused("web.wrong_method"))


def application(
    house: House,
    doors: Doors,
    settings: Settings,
    clock: Clock,
    sockets: Sockets | None = None,
) -> ASGIApp:
    """The whole house, as a server wants it; with sockets of somebody who wants to end them."""
    sockets = sockets or Sockets(house, clock, generous=settings.generous)
    key = Key(settings.admin_token, clock)
    retention = Retention(house, clock, settings.keep_days)
    inside = Health(house.store, sockets, clock).routes()
    bans = Bans(house.store, sockets)
    house.when_news.append(bans.load)
    if key.exists:
        inside += Admin(house, sockets, bans, key, clock).routes()
    if settings.metrics:
        inside += Scrape(house.metrics, key).routes()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await bans.load()
        work = (house.rouse(), house.watch(), house.measure(), retention.run())
        beside = [asyncio.create_task(each) for each in work]
        yield
        for task in beside:
            task.cancel()
        sockets.end()
        await house.close()

    pages = Starlette(
        routes=[*inside, *routes(Rooms(house, doors))],
        lifespan=lifespan,
        exception_handlers={404: _missing, 405: _not_allowed, Exception: _failed},
    )
    return Guard(SocketWay(sockets, pages), settings, clock, house.metrics, bans.holds)


# --- The same, for programs -----------------------------------------------------------------------


def described() -> dict[str, Any]:
    """The API as OpenAPI tells of it."""
    types = [way.takes for way in WAYS if way.takes] + [way.gives for way in WAYS if way.gives]
    template = "#/components/schemas/{name}"
    schemas, components = msgspec.json.schema_components(
        [*types, wire.Problem], ref_template=template
    )
    takes = dict(zip(types, schemas, strict=False))
    paths: dict[str, Any] = {}
    for way in WAYS:
        paths.setdefault(way.path, {})[way.method.lower()] = _operation(way, takes, schemas[-1])
    return {
        "openapi": "3.1.0",
        "info": {"title": "Cosca", "version": __version__},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(way: Way, schemas: dict[Any, Any], trouble: Any) -> dict[str, Any]:
    content = {way.media: {"schema": schemas[way.gives]} if way.gives else {}}
    refusals = {
        str(status): {
            "description": "Why not.",
            "content": {"application/json": {"schema": trouble}},
        }
        for status in sorted({*STATUS.values(), CONFLICT})
    }
    operation: dict[str, Any] = {
        "summary": way.tells,
        "parameters": _parameters(way),
        "responses": {"200": {"description": way.tells, "content": content}, **refusals},
    }
    if way.takes:
        body = {"application/json": {"schema": schemas[way.takes]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation


PARAMETERS: Final = {
    "code": {"type": "string", "pattern": "^[A-Za-z0-9]{6,12}$"},
    "game": {"type": "string", "enum": [game.name for game in ALL]},
    "number": {"type": "integer", "minimum": 0, "maximum": 9_999_999},
    "eyes": {"type": "string", "pattern": "^(all|watch|[0-9]{1,2})$"},
}


def _parameters(way: Way) -> list[dict[str, Any]]:
    named = [part[1:-1] for part in way.path.split("/") if part.startswith("{")]
    found = [
        {"name": name, "in": "path", "required": True, "schema": PARAMETERS[name]} for name in named
    ]
    if "story" in way.path:
        found.append({"name": "eyes", "in": "query", "schema": PARAMETERS["eyes"]})
    return found
