"""Check every request and socket before it is served: host, origin, bans and rate limits."""

import ipaddress
import logging
from collections import Counter
from collections.abc import Callable, Collection, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cosca.core.errors import Refused
from cosca.server.http.addresses import client_address, network_of
from cosca.server.http.connections import PER_NETWORK
from cosca.server.http.endpoint import EndpointIndex
from cosca.server.http.rate_limits import RateLimits
from cosca.server.http.refusals import problem
from cosca.server.live.clock import Clock
from cosca.server.telemetry.metrics import Metrics
from cosca.words import accepted, speaking

REQUESTS: Final = (240, 20.0)
"""Requests from one network: a burst, and then a rate per second. All of these limits let twenty
people in one home open the page, join and play at the same moment."""
FILES: Final = (600, 50.0)
"""The same for files of the client, which are cheap: a first visit loads about twenty."""
WRITES: Final = (60, 0.2)
"""The same for requests that write: tables opened, seats taken, links tried."""
SOCKET_COST: Final = 2
"""How many requests opening a socket counts as."""

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
    """Lets requests and sockets through to an application, or refuses them."""

    def __init__(
        self,
        app: ASGIApp,
        endpoints: EndpointIndex,
        clock: Clock,
        metrics: Metrics,
        is_banned: Callable[[str], bool],
        *,
        host_names: Collection[str] = (),
        unlimited: bool = False,
    ) -> None:
        self._app = app
        self._endpoints = endpoints
        self._metrics = metrics
        self._is_banned = is_banned
        self._host_names = ("localhost", *host_names)
        self._unlimited = unlimited
        self._requests = RateLimits(clock, *REQUESTS)
        self._files = RateLimits(clock, *FILES)
        self._writes = RateLimits(clock, *WRITES)
        self._at_once: Counter[str] = Counter()
        """Requests and sockets that are being served, by network."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket, in the language that its client accepts."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        with speaking(accepted(Headers(scope=scope).get("accept-language", ""))):
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._check(scope)
        except Refused as reason:
            self._metrics.refusals.add(reason.key)
            await _refuse(reason, scope, receive, self._with_headers(send))
            return
        network = network_of(client_address(scope))
        self._at_once[network] += 1
        try:
            if scope["type"] == "websocket":
                await self._app(scope, receive, send)
            else:
                await self._respond(scope, receive, self._with_headers(send))
        finally:
            self._at_once[network] -= 1
            if not self._at_once[network]:
                del self._at_once[network]

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. If the application fails, the client learns nothing of the cause."""
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

    def _with_headers(self, send: Send) -> Send:
        """Return a `send` that counts responses and adds the headers every one has."""

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self._metrics.responses.add(str(message["status"]))
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        return sending

    def _check(self, scope: Scope) -> None:
        """Refuse a request or a socket that may not be served."""
        headers = Headers(scope=scope)
        self._check_host(headers.get("host", ""))
        is_socket = scope["type"] == "websocket"
        writes = not is_socket and scope["method"] not in ("GET", "HEAD")
        if (is_socket or writes) and not _same_origin(
            headers.get("origin", ""), headers.get("host", "")
        ):
            raise Refused("web.bad_origin")
        endpoint = None if is_socket else self._endpoints.find(scope["method"], scope["path"])
        if endpoint and not endpoint.rate_limited:
            return
        if self._is_banned(client_address(scope)):
            raise Refused("web.banned")
        if not self._unlimited:
            cost = SOCKET_COST if is_socket else endpoint.cost if endpoint else 1
            self._check_limits(scope, cost, writes=writes)

    def _check_limits(self, scope: Scope, cost: int, *, writes: bool) -> None:
        """Refuse a network that asks for too much."""
        network = network_of(client_address(scope))
        if self._at_once[network] >= PER_NETWORK:
            raise Refused("web.too_many_open")
        limits = self._files if _is_file(scope["path"]) else self._requests
        if not limits.allows(network, cost):
            raise Refused("web.too_fast")
        if writes and not self._writes.allows(network):
            raise Refused("web.too_fast")

    def _check_host(self, host: str) -> None:
        """Refuse a host name that is not ours: an attacker's name may point to this server."""
        name = (urlsplit(f"//{host}").hostname or "") if _is_plain(host) else ""
        if name not in self._host_names and not _is_address(name):
            raise Refused("web.bad_host", host=host[:80])


def _is_file(path: str) -> bool:
    """Return whether a path is that of a file of the client, not of a page or the API."""
    return not path.startswith("/api/") and "." in path.rpartition("/")[2]


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
    """Return whether a request comes from a page of this very server."""
    scheme, separator, netloc = origin.partition("://")
    return bool(separator) and scheme in ("http", "https") and bool(host) and netloc == host


async def _refuse(reason: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
    else:
        await problem(reason)(scope, receive, send)
