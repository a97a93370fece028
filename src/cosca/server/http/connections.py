"""Limit TCP connections: how many may be open, and how long each may keep the server waiting.

A connection costs a file descriptor, and a process has only so many. So connections are counted, in
total and by network, and each has to send its request and read its response within some seconds. If
there is no room for a new one, the one that has been idle longest is closed.
"""

import asyncio
import contextlib
import ipaddress
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

from cosca.server.http.addresses import network_of, parse_address
from cosca.server.live.clock import Clock
from cosca.server.telemetry.logs import log_event
from cosca.server.telemetry.metrics import Metrics

Due = Literal["request", "body", "read", "close"]
"""What a client has to do in time: send a whole request head; send the rest of the request; read
the response; close the connection when we have."""
SECONDS: Final[dict[Due, float]] = {"request": 10.0, "body": 10.0, "read": 30.0, "close": 5.0}
SWEEP: Final = 1.0
"""Seconds between checks of all connections."""
REPORT: Final = 60.0
"""Seconds between log entries about cut connections."""

MOST: Final = 10_000
"""Connections in total, however many descriptors there are."""
PER_NETWORK: Final = 256
"""Connections from one network; through a trusted proxy, simultaneous requests and sockets."""
SPARE: Final = 64
"""Descriptors reserved for the store, the listening sockets and the logs,"""
PER_WORKER: Final = 4
"""and for each bot process. Half of the rest is reserved for files of the client, because each
request may open one, and for connections that arrive in one burst, before they are counted."""
BACKLOG: Final = 256
"""Connections that may wait to be accepted, so the largest burst."""

FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"retry-after: 10\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
"""The response to a connection for which there is no room."""


def raise_descriptor_limit() -> int:
    """Raise the limit on open files as far as allowed and useful, and return it."""
    enough = 2 * MOST + SPARE
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return enough
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return enough
    for wanted in (enough, 10_240, 4_096):  # some systems allow less than they say
        wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if wanted <= soft:
            break
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft


def most_connections(descriptors: int, workers: int) -> int:
    """Return how many connections a process with that many descriptors may have."""
    return max(1, min(MOST, (descriptors - SPARE - PER_WORKER * workers) // 2))


class Group:
    """Connections that share a limit."""

    __slots__ = ("idle", "most", "open")

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self.idle: dict[Connection, None] = {}
        """Those without a request, in the order in which they became idle."""

    def make_room(self) -> bool:
        """Return whether there is room for one more, after closing an idle one if necessary."""
        if self.open >= self.most and self.idle:
            next(iter(self.idle)).cut("room")
        return self.open < self.most


class Connection:
    """One TCP connection, and what its client has to do in time."""

    __slots__ = ("_all", "_due", "_groups", "network", "transport")

    def __init__(
        self,
        every: "Connections",
        transport: asyncio.Transport,
        network: str,
        groups: Sequence[Group],
    ) -> None:
        self.transport = transport
        self.network = network
        self._all = every
        self._groups = groups
        self._due: dict[Due, float] = {}
        for group in groups:
            group.open += 1

    @property
    def clock(self) -> Clock:
        """The clock that its deadlines refer to."""
        return self._all.clock

    def expect(self, what: Due) -> None:
        """Start the deadline for something, unless it is running."""
        if what not in self._due:
            self._due[what] = self.clock.now() + SECONDS[what]
            if what == "request":
                for group in self._groups:
                    group.idle[self] = None

    def done(self, *whats: Due) -> None:
        """End the deadlines for things that are done or no longer needed."""
        for what in whats:
            if self._due.pop(what, None) is not None and what == "request":
                for group in self._groups:
                    group.idle.pop(self, None)

    def late(self, now: float) -> Due | None:
        """Return what is overdue; None if nothing is."""
        if self.transport.is_closing():
            self.expect("close")
        return next((what for what, at in self._due.items() if at <= now), None)

    def cut(self, why: str) -> None:
        """Abort it at once, even if data is unsent, and count why."""
        self.count(why)
        self.transport.abort()
        self.lost()

    def count(self, why: str) -> None:
        """Count why it is being ended."""
        self._all.count(why)

    def lost(self) -> None:
        """Stop counting it: it is closed."""
        self.done("request")
        for group in self._groups:
            group.open -= 1
        self._groups = ()
        self._all.forget(self)


class Connections:
    """All open TCP connections."""

    def __init__(
        self, clock: Clock, metrics: Metrics, most: int, per_network: int, proxies: Sequence[str]
    ) -> None:
        self.clock = clock
        self._cuts = metrics.connections_cut
        self._all = Group(most)
        self._per_network = per_network
        self._networks: dict[str, Group] = {}
        self._proxies = [ipaddress.ip_network(proxy) for proxy in proxies]
        self._open: dict[Connection, None] = {}
        self._unreported: Counter[str] = Counter()
        self._report_at = 0.0
        metrics.add_gauge("cosca_connections", "Open TCP connections.", lambda: self.open)

    @property
    def open(self) -> int:
        """How many are open."""
        return self._all.open

    def admit(self, transport: asyncio.Transport) -> Connection | None:
        """Register a new connection; return None if there is no room for it."""
        peer = transport.get_extra_info("peername") or ("",)
        network = network_of(str(peer[0]))
        group = self._networks.get(network) or Group(self._most_from(str(peer[0])))
        if not (group.make_room() and self._all.make_room()):
            self.count("house_full" if self.open >= self._all.most else "network_full")
            return None
        self._networks[network] = group
        connection = Connection(self, transport, network, (self._all, group))
        self._open[connection] = None
        connection.expect("request")
        return connection

    def _most_from(self, address: str) -> int:
        """Return the limit for an address. The guard limits those behind a trusted proxy."""
        found = parse_address(address)
        if found and any(found in proxy for proxy in self._proxies):
            return self._all.most
        return self._per_network

    def forget(self, connection: Connection) -> None:
        """Stop counting a connection; calling it again does nothing."""
        if connection in self._open:
            del self._open[connection]
            if not self._networks[connection.network].open:
                del self._networks[connection.network]

    def count(self, why: str) -> None:
        """Count a refused or cut connection."""
        self._cuts.add(why)
        if why != "request":  # browsers open connections in advance: not worth a log entry
            self._unreported[why] += 1

    async def run(self) -> None:
        """Check deadlines for ever."""
        while True:
            await self.clock.sleep(SWEEP)
            self.sweep()

    def sweep(self) -> None:
        """Cut all overdue connections, and log how many there were, but not too often."""
        now = self.clock.now()
        for connection in list(self._open):
            if late := connection.late(now):
                connection.cut(late)
        if self._unreported and now >= self._report_at:
            log_event("connections_cut", logging.WARNING, **self._unreported)
            self._unreported.clear()
            self._report_at = now + REPORT
