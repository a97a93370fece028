"""The whole house for a server: its ways, its sockets, and the pages of the client."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial
from html import escape
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from cosca.core.errors import Refused
from cosca.server.http.frames import TEXTS
from cosca.server.http.guard import Guard, problem
from cosca.server.http.latency import ROUND_TRIP
from cosca.server.http.openapi import openapi_document
from cosca.server.http.routes import (
    COOKIE,
    ENDPOINTS,
    LOCAL_PLAYERS,
    Api,
    PublicAddresses,
    is_token,
    json_response,
    local_player_owner,
    respond,
)
from cosca.server.http.sockets import POLICY, Sockets
from cosca.server.http.this_computer import ThisComputer
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.live.subscribers import not_measured
from cosca.server.live.views import ViewFormat
from cosca.server.ops.admin import Admin
from cosca.server.ops.admin_auth import Key
from cosca.server.ops.bans import Bans
from cosca.server.ops.health import Health
from cosca.server.ops.metrics_endpoint import Scrape
from cosca.server.ops.retention import Retention
from cosca.server.ops.settings import Settings
from cosca.words import LANGUAGE, accepted, first_known, say, speaking, spoken

PAGES: Final = ("/", "/new", "/join", "/verify", "/t/{code}", "/t/{code}/replay", "/seat/{code}")
CLIENT: Final = Path(str(resources.files("cosca.server") / "web"))
SOCKETS: Final = "/ws"


class SocketRouter:
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
            round_trip = scope.get(ROUND_TRIP, not_measured)
            together = TEXTS in (scope.get("extensions") or {})
            owner, style, beside = _looks(scope)
            with speaking(_language(scope)):
                await self._sockets.serve(
                    code.lower(), owner, style, receive, send, address, round_trip, beside, together
                )
        else:
            await send({"type": "websocket.close", "code": POLICY})


def _looks(scope: Scope) -> tuple[str, ViewFormat, Collection[str]]:
    """Who opens a socket, how they want to be told, and who sits beside them."""
    request = Request({**scope, "type": "http", "method": "GET"})
    token = request.cookies.get(COOKIE, "")
    style: ViewFormat = "data" if request.query_params.get("view") == "data" else "text"
    told = request.query_params.get("hand", "0")
    local_player = int(told) if told in LOCAL_PLAYERS else 0
    if not is_token(token):
        return "", style, ()
    shared = "hand" in request.query_params
    beside = [local_player_owner(token, int(other)) for other in LOCAL_PLAYERS] if shared else []
    return local_player_owner(token, local_player), style, beside


def _language(scope: Scope) -> str:
    """The language that a browser has chosen for its socket, or that it accepts."""
    request = Request({**scope, "type": "http", "method": "GET"})
    chosen = first_known([request.query_params.get("lang", "")])
    return chosen or accepted(request.headers.get("accept-language", ""))


def routes(api: Api) -> Sequence[BaseRoute]:
    """All addresses of the house."""
    found: list[BaseRoute] = [
        Route(endpoint.path, partial(respond, api, endpoint), methods=[endpoint.method])
        for endpoint in ENDPOINTS
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
    return json_response(openapi_document())


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
    addresses: PublicAddresses,
    settings: Settings,
    clock: Clock,
    sockets: Sockets | None = None,
) -> ASGIApp:
    """The whole house, as a server wants it; with sockets of somebody who wants to end them."""
    sockets = sockets or Sockets(house, clock, generous=settings.generous)
    key = Key(settings.admin_token, clock)
    here = ThisComputer(settings.proxies)
    retention = Retention(house, clock, settings.keep_days)
    inside = Health(house.store, sockets, clock).routes()
    bans = Bans(house.store, sockets)
    house.on_foreign_write.append(bans.load)
    if key.exists:
        inside += Admin(house, sockets, bans, key, clock).routes()
    if settings.metrics:
        inside += Scrape(house.metrics, key, here).routes()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await bans.load()
        work = (
            house.run_clocks,
            house.lists.fill_in,
            house.watch_store,
            house.send_latencies,
            retention.run,
        )
        beside = [asyncio.create_task(house.supervise(each)) for each in work]
        yield
        for task in beside:
            task.cancel()
        sockets.end()
        await house.close()

    pages = Starlette(
        routes=[
            *inside,
            *routes(Api(house, addresses, here, sockets.guesses, generous=settings.generous)),
        ],
        lifespan=lifespan,
        exception_handlers={404: _missing, 405: _not_allowed, Exception: _failed},
    )
    return Guard(SocketRouter(sockets, pages), settings, clock, house.metrics, bans.holds)
