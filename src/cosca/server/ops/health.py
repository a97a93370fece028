"""Health checks, for the programs that start, watch and replace processes."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cosca.core.errors import Refused
from cosca.server.http.sockets import Sockets
from cosca.server.live.clock import Clock
from cosca.server.storage.store import Store

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
PROBE_INTERVAL: Final = 5.0
"""Seconds for which the result of a test write is reused, however often somebody asks."""
PROBE_TIMEOUT: Final = 2.0
"""Seconds after which a test write counts as failed."""


class Health:
    """Reports whether the process answers and whether it can store moves."""

    def __init__(self, store: Store, sockets: Sockets, clock: Clock) -> None:
        self._store = store
        self._sockets = sockets
        self._clock = clock
        self._probe: asyncio.Task[bool] | None = None
        self._valid_until = 0.0

    def routes(self) -> list[BaseRoute]:
        """The addresses at which it is asked."""
        return [
            Route(ALIVE, self._tell_alive, methods=["GET"]),
            Route(READY, self._tell_ready, methods=["GET"]),
        ]

    async def is_ready(self) -> bool:
        """Return whether moves can be stored and the server is not shutting down."""
        if self._sockets.is_closing:
            return False
        if self._probe is None or (self._probe.done() and self._clock.now() >= self._valid_until):
            self._probe = asyncio.create_task(self._can_write())
        timeout = asyncio.ensure_future(self._clock.sleep(PROBE_TIMEOUT))
        await asyncio.wait({self._probe, timeout}, return_when=asyncio.FIRST_COMPLETED)
        timeout.cancel()
        return self._probe.done() and self._probe.result() and not self._sockets.is_closing

    async def _can_write(self) -> bool:
        try:
            await self._store.check_writable()
        except Refused:
            return False
        finally:
            self._valid_until = self._clock.now() + PROBE_INTERVAL
        return True

    async def _tell_alive(self, request: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def _tell_ready(self, request: Request) -> Response:
        ready = await self.is_ready()
        return PlainTextResponse("ready\n" if ready else "not ready\n", 200 if ready else 503)
