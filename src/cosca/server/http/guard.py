"""The guard at the door: who may ask at all, how often, and with what headers it is answered."""

import ipaddress
import logging
from collections import Counter
from collections.abc import Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cosca.core.errors import Refused
from cosca.server.http.addresses import network_of
from cosca.server.http.connections import PER_NETWORK
from cosca.server.http.rate_limits import RateLimits
from cosca.server.http.refusals import problem
from cosca.server.live.clock import Clock
from cosca.server.ops.settings import Settings
from cosca.server.telemetry.metrics import Metrics
from cosca.words import accepted, speaking

REQUESTS: Final = (240, 20.0)
"""So many requests at once, and then so many a second, from one network (see `network_of`). All
of these let twenty people in one home open the page, join and play at the same moment."""
FILES: Final = (600, 50.0)
"""The same for files of the client, which are cheap: a first visit loads about twenty."""
COSTS: Final = {"record": 10, "story": 20, "chances": 2}
"""What counts as several requests, by the end of its address: games are replayed for it."""
SOCKET_COST: Final = 2
OPENINGS: Final = (60, 0.2)
"""The same for what writes: tables opened, seats taken, links tried."""
BODY_BYTES: Final = 16_384
ALWAYS: Final = ("/healthz", "/readyz")
"""What may be asked at any time: whoever watches over the house must not be told to wait."""

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",  # with none at all a form says it comes from nowhere
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

log = logging.getLogger("cosca.server")


class Guard:
    """Stands before all pages and sockets."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        clock: Clock,
        metrics: Metrics,
        is_banned: Callable[[str], bool],
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._is_banned = is_banned
        self._settings = settings
        self._requests = RateLimits(clock, *REQUESTS)
        self._files = RateLimits(clock, *FILES)
        self._openings = RateLimits(clock, *OPENINGS)
        self._at_once: Counter[str] = Counter()
        """Requests and sockets that are being served, by network."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let in, or say why not, in the language that is asked for."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        with speaking(accepted(Headers(scope=scope).get("accept-language", ""))):
            await self._let_in(scope, receive, send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope)
        except Refused as reason:
            self._metrics.refusals.add(reason.key)
            await _refuse(reason, scope, receive, self._dressed(send))
            return
        network = network_of(_address(scope))
        self._at_once[network] += 1
        try:
            if scope["type"] == "websocket":
                await self._app(scope, receive, send)
            else:
                await self._answer(scope, receive, self._dressed(send))
        finally:
            self._at_once[network] -= 1
            if not self._at_once[network]:
                del self._at_once[network]

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Whatever goes wrong inside is told in one sentence, and nothing of how it went wrong."""
        started = False

        async def noticing(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, noticing)
        except Exception:
            log.exception("request_failed")
            if not started:
                await problem(Refused("web.failed"))(scope, receive, send)

    def _dressed(self, send: Send) -> Send:
        """The same, with the headers every answer has; and counted."""

        async def dressed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self._metrics.responses.add(str(message["status"]))
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        return dressed

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers.get("host", ""))
        writes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if writes and not _same_origin(headers.get("origin", ""), headers.get("host", "")):
            raise Refused("web.bad_origin")
        address = _address(scope)
        if scope["path"] in ALWAYS:
            return
        if self._is_banned(address):
            raise Refused("web.banned")
        if self._settings.generous:
            return
        network = network_of(address)
        if self._at_once[network] >= PER_NETWORK:
            raise Refused("web.too_many_open")
        limits = self._files if _is_file(scope["path"]) else self._requests
        if not limits.allows(network, cost(scope)):
            raise Refused("web.too_fast")
        if writes and scope["type"] == "http" and not self._openings.allows(network):
            raise Refused("web.too_fast")

    def _check_host(self, host: str) -> None:
        """A name that is not ours is a trick: somebody's page has its name point to this house."""
        name = (urlsplit(f"//{host}").hostname or "") if _is_plain(host) else ""
        if name not in ("localhost", *self._settings.names) and not _is_address(name):
            raise Refused("web.bad_host", host=host[:80])


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _is_file(path: str) -> bool:
    """Whether a file of the client is asked for, and not a page or what a table says."""
    return not path.startswith("/api/") and "." in path.rpartition("/")[2]


def cost(scope: Scope) -> int:
    """Return as how many requests one counts."""
    if scope["type"] == "websocket":
        return SOCKET_COST
    return COSTS.get(scope["path"].rpartition("/")[2], 1)


def _is_plain(host: str) -> bool:
    try:
        urlsplit(f"//{host}")
    except ValueError:
        return False
    return True


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same_origin(origin: str, host: str) -> bool:
    """Whether a page of this very house asks."""
    scheme, separator, netloc = origin.partition("://")
    return bool(separator) and scheme in ("http", "https") and bool(host) and netloc == host


async def _refuse(reason: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await problem(reason)(scope, receive, send)
