"""The whole house for a server: its ways, its sockets, and the pages of the client."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from cosca.server.http.api import Api, PublicAddresses
from cosca.server.http.guard import Guard
from cosca.server.http.openapi import openapi_document
from cosca.server.http.pages import failed, missing, not_allowed, page_routes
from cosca.server.http.routes import ENDPOINTS, json_response, respond
from cosca.server.http.socket_router import SocketRouter
from cosca.server.http.sockets import Sockets
from cosca.server.http.this_computer import ThisComputer
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.ops.admin import Admin
from cosca.server.ops.admin_auth import Key
from cosca.server.ops.bans import Bans
from cosca.server.ops.health import Health
from cosca.server.ops.metrics_endpoint import Scrape
from cosca.server.ops.retention import Retention
from cosca.server.ops.settings import Settings


def routes(api: Api) -> Sequence[BaseRoute]:
    """All addresses of the house."""
    found: list[BaseRoute] = [
        Route(endpoint.path, partial(respond, api, endpoint), methods=[endpoint.method])
        for endpoint in ENDPOINTS
    ]
    found.append(Route("/api/openapi.json", _described, methods=["GET"]))
    return [*found, *page_routes()]


async def _described(request: Request) -> Response:
    return json_response(openapi_document())


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
    house.when_news.append(bans.load)
    if key.exists:
        inside += Admin(house, sockets, bans, key, clock).routes()
    if settings.metrics:
        inside += Scrape(house.metrics, key, here).routes()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await bans.load()
        work = (house.run_clocks, house.fill_in, house.watch, house.measure, retention.run)
        beside = [asyncio.create_task(house.keep_on(each)) for each in work]
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
        exception_handlers={404: missing, 405: not_allowed, Exception: failed},
    )
    return Guard(SocketRouter(sockets, pages), settings, clock, house.metrics, bans.holds)
