"""Health checks, for the programs that start, watch and replace processes."""

import asyncio
from typing import Final

from starlette.responses import PlainTextResponse, Response

from cosca.core.errors import Refused
from cosca.server.http.endpoint import ApiRequest, Endpoint
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

    async def alive(self, request: ApiRequest) -> str:
        """Answer, which is all a live process has to do."""
        return "ok\n"

    async def ready(self, request: ApiRequest) -> Response:
        """Return whether this process can serve players."""
        ready = await self.is_ready()
        return PlainTextResponse("ready\n" if ready else "not ready\n", 200 if ready else 503)


ENDPOINTS: Final[tuple[Endpoint[Health], ...]] = (
    Endpoint(
        method="GET",
        path=ALIVE,
        summary="Check that the process answers.",
        media_type="text/plain",
        rate_limited=False,
        handler=Health.alive,
    ),
    Endpoint(
        method="GET",
        path=READY,
        summary="Check that moves can be stored; status 503 if not.",
        media_type="text/plain",
        rate_limited=False,
        handler=Health.ready,
    ),
)
