"""TCP connections: how many may be open, and how long one may keep the house waiting.

A connection costs a descriptor, and a process has only so many. So connections are counted, in all
and by network, and each has to send its request and to read its answer in some seconds. Where there
is no room for a new one, the one that has waited longest without a request is closed for it.
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
"""What a connection has to do in time: send a whole request head; send the rest of the request;
read what it is sent; go away when it is closed."""
SECONDS: Final[dict[Due, float]] = {"request": 10.0, "body": 10.0, "read": 30.0, "close": 5.0}
SWEEP: Final = 1.0
"""Seconds between looks at all connections."""
REPORT: Final = 60.0
"""Seconds between log lines about connections that were cut."""

MOST: Final = 10_000
"""Connections of the whole house, however many descriptors there are."""
PER_NETWORK: Final = 256
"""Connections from one network; through a trusted proxy, requests and sockets at once from one."""
SPARE: Final = 64
"""Descriptors that are kept for the store, the listening sockets and the logs,"""
PER_WORKER: Final = 4
"""and for each process that thinks for bots. Half of what is left is for files of the client, for
each request may open one; and for connections that come in one burst, before they are counted."""
BACKLOG: Final = 256
"""Connections that may wait to be accepted: so many at most come in one burst."""

FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\n"
    b"retry-after: 10\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
"""The answer to a connection for which there is no room."""


def raise_descriptor_limit() -> int:
    """Raise the limit on open files as far as is allowed and of use, and return it."""
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
    """Return how many connections a process with so many descriptors may have."""
    return max(1, min(MOST, (descriptors - SPARE - PER_WORKER * workers) // 2))


class Group:
    """Connections that share a limit."""

    __slots__ = ("idle", "most", "open")

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self.idle: dict[Connection, None] = {}
        """Those that have no request to answer, in the order in which they began to wait."""

    def make_room(self) -> bool:
        """Return whether there is room for one more; close one that is idle for it if need be."""
        if self.open >= self.most and self.idle:
            next(iter(self.idle)).cut("room")
        return self.open < self.most


class Connection:
    """One TCP connection, and what it has to do in time."""

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
        """The clock by which it is in time."""
        return self._all.clock

    def expect(self, what: Due) -> None:
        """Give it some seconds to do something, from the first time this is called."""
        if what not in self._due:
            self._due[what] = self.clock.now() + SECONDS[what]
            if what == "request":
                for group in self._groups:
                    group.idle[self] = None

    def done(self, *whats: Due) -> None:
        """Note that it has done something, or need not any more."""
        for what in whats:
            if self._due.pop(what, None) is not None and what == "request":
                for group in self._groups:
                    group.idle.pop(self, None)

    def late(self, now: float) -> Due | None:
        """Return what it should have done by now."""
        if self.transport.is_closing():
            self.expect("close")
        return next((what for what, at in self._due.items() if at <= now), None)

    def cut(self, why: str) -> None:
        """End it now, whatever it still has to read, and count why."""
        self.count(why)
        self.transport.abort()
        self.lost()

    def count(self, why: str) -> None:
        """Count that it is being ended, and why."""
        self._all.count(why)

    def lost(self) -> None:
        """Count it no more: it is gone."""
        self.done("request")
        for group in self._groups:
            group.open -= 1
        self._groups = ()
        self._all.forget(self)


class Connections:
    """All TCP connections of the house."""

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
        """Take a new connection; None if there is no room for it."""
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
        """Through a proxy that is trusted come many people, who are told apart by the guard."""
        found = parse_address(address)
        if found and any(found in proxy for proxy in self._proxies):
            return self._all.most
        return self._per_network

    def forget(self, connection: Connection) -> None:
        """Count a connection no more; once, however often it is said that it is gone."""
        if connection in self._open:
            del self._open[connection]
            if not self._networks[connection.network].open:
                del self._networks[connection.network]

    def count(self, why: str) -> None:
        """Count a connection that is refused or cut."""
        self._cuts.add(why)
        if why != "request":  # browsers open connections that they do not use: that is no news
            self._unreported[why] += 1

    async def run(self) -> None:
        """Look for connections that are late, for ever."""
        while True:
            await self.clock.sleep(SWEEP)
            self.sweep()

    def sweep(self) -> None:
        """Cut all connections that are late; log how many were, but not often."""
        now = self.clock.now()
        for connection in list(self._open):
            if late := connection.late(now):
                connection.cut(late)
        if self._unreported and now >= self._report_at:
            log_event("connections_cut", logging.WARNING, **self._unreported)
            self._unreported.clear()
            self._report_at = now + REPORT
