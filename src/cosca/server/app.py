"""Put the server together as one ASGI application: API, sockets, pages, health, admin."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from cosca.server.http.api import Api, PublicAddresses
from cosca.server.http.endpoint import Endpoint, EndpointIndex
from cosca.server.http.guard import Guard
from cosca.server.http.openapi import openapi_document
from cosca.server.http.pages import failed, missing, not_allowed, page_routes
from cosca.server.http.responder import Responder
from cosca.server.http.routes import ENDPOINTS
from cosca.server.http.socket_router import SocketRouter
from cosca.server.http.sockets import Sockets
from cosca.server.http.this_computer import ThisComputer
from cosca.server.live.clock import Clock
from cosca.server.live.house import House
from cosca.server.ops import health, metrics_endpoint
from cosca.server.ops.admin import Admin
from cosca.server.ops.admin_auth import AdminAuth
from cosca.server.ops.bans import Bans
from cosca.server.ops.health import Health
from cosca.server.ops.metrics_endpoint import MetricsEndpoint
from cosca.server.ops.retention import Retention
from cosca.server.ops.settings import Settings


def application(
    house: House,
    addresses: PublicAddresses,
    settings: Settings,
    clock: Clock,
    sockets: Sockets | None = None,
) -> ASGIApp:
    """Return the whole server as an ASGI application.

    A caller that shuts it down itself passes its sockets.
    """
    sockets = sockets or Sockets(house, clock, unlimited=settings.unlimited)
    bans = Bans(house.store, sockets)
    house.on_foreign_write.append(bans.load)
    routes, endpoints = _routes(house, addresses, settings, clock, sockets, bans)
    starlette = Starlette(
        routes=routes,
        lifespan=_lifespan(house, sockets, bans, Retention(house, clock, settings.keep_days)),
        exception_handlers={404: missing, 405: not_allowed, Exception: failed},
    )
    return Guard(
        SocketRouter(sockets, starlette),
        EndpointIndex(endpoints),
        clock,
        house.metrics,
        bans.is_banned,
        host_names=settings.names,
        unlimited=settings.unlimited,
    )


def _routes(
    house: House,
    addresses: PublicAddresses,
    settings: Settings,
    clock: Clock,
    sockets: Sockets,
    bans: Bans,
) -> tuple[list[BaseRoute], list[Endpoint[Any]]]:
    """Return all routes of the server, and the endpoints that some of them serve."""
    this_computer = ThisComputer(settings.proxies)
    auth = AdminAuth(settings.admin_token, clock)
    document = openapi_document(ENDPOINTS)
    api = Api(house, addresses, this_computer, document, unlimited=settings.unlimited)
    responder = Responder(sockets.guesses, house.metrics)
    endpoints: list[Endpoint[Any]] = [*health.ENDPOINTS, *ENDPOINTS]
    routes = responder.routes(Health(house.store, sockets, clock), health.ENDPOINTS)
    routes += responder.routes(api, ENDPOINTS)
    if settings.metrics:
        endpoints += metrics_endpoint.ENDPOINTS
        metrics = MetricsEndpoint(house.metrics, auth, this_computer)
        routes += responder.routes(metrics, metrics_endpoint.ENDPOINTS)
    admin = Admin(house, sockets, bans, auth, clock).routes() if auth.is_enabled else []
    return [*routes, *admin, *page_routes()], endpoints


def _lifespan(
    house: House, sockets: Sockets, bans: Bans, retention: Retention
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """Return what Starlette runs around serving: background work, and an orderly end."""

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
        tasks = [asyncio.create_task(house.supervise(each)) for each in work]
        yield
        for task in tasks:
            task.cancel()
        sockets.end()
        await house.close()

    return lifespan
