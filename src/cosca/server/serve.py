"""Run the server: one process on one store, listening only on this computer until asked."""

import asyncio
import contextlib
import gc
import ipaddress
import signal
import socket
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp

from cosca import __version__
from cosca.core.errors import Refused
from cosca.server import wire
from cosca.server.app import application
from cosca.server.http.connections import (
    BACKLOG,
    PER_NETWORK,
    Connections,
    most_connections,
    raise_descriptor_limit,
)
from cosca.server.http.http_protocol import HttpProtocol
from cosca.server.http.latency import MeasuringProtocol
from cosca.server.http.pages import CLIENT
from cosca.server.http.sockets import Sockets
from cosca.server.live.bot_pool import BotPool
from cosca.server.live.clock import Clock, WallClock
from cosca.server.live.fair_queue import FairQueue
from cosca.server.live.house import House
from cosca.server.ops.settings import Settings, validated
from cosca.server.storage.store import Store, open_store
from cosca.server.storage.store_lock import only_process
from cosca.server.telemetry.logs import configure_logging, log_event
from cosca.server.telemetry.metrics import Metrics
from cosca.words import say

EVERYWHERE = ("0.0.0.0", "::")
FINISH = 3.0
"""Seconds a shutdown waits for what is being stored."""


class Listeners:
    """The addresses the server listens on: at first only this computer's."""

    def __init__(self, settings: Settings, connections: Connections) -> None:
        self.settings = settings
        self._connections = connections
        self.app: ASGIApp | None = None
        self._servers: list[uvicorn.Server] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._urls: list[str] = []

    def public_url(self, host: str) -> str:
        """Return the URL to share with others, for somebody who reached the server at `host`."""
        return self._urls[0] if self._urls else f"http://{host}"

    async def open_to_local_network(self) -> list[str]:
        """Listen on the local network too, and return the URLs that friends there can use."""
        if not self._urls:
            address = lan_address()
            if self.settings.host not in EVERYWHERE:
                await self.listen(address, self.settings.port, lifespan=False)
            self._urls = [f"http://{address}:{self.settings.port}"]
            log_event("lan_opened", url=self._urls[0])
        return self._urls

    async def listen(self, host: str, port: int, *, lifespan: bool) -> None:
        """Listen on one more address."""
        assert self.app is not None
        bound = bind(host, port)
        config = uvicorn.Config(
            self.app,
            log_config=None,  # it goes where our own log goes, and secrets are removed there
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="on" if lifespan else "off",
            http=cast(Any, partial(HttpProtocol, self._connections)),  # called like the class
            backlog=BACKLOG,
            ws_max_size=wire.FRAME_BYTES,
            ws_per_message_deflate=False,
            ws=MeasuringProtocol,
            ws_ping_interval=5,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=5,
            proxy_headers=bool(self.settings.proxies),
            forwarded_allow_ips=list(self.settings.proxies),
        )
        server = QuietServer(config)
        self._servers.append(server)
        self._tasks.append(asyncio.create_task(server.serve(sockets=[bound])))
        while not server.started and not self._tasks[-1].done():
            await asyncio.sleep(0.01)

    def stop(self) -> None:
        """Stop listening, once the responses being sent are sent."""
        for server in self._servers:
            server.should_exit = True

    async def wait(self) -> None:
        """Wait until all listeners have stopped."""
        await asyncio.gather(*self._tasks)


class Shutdown:
    """Shuts the server down in order: first pending commands, then sockets, then listeners."""

    def __init__(self, sockets: Sockets, listeners: Listeners) -> None:
        self._sockets = sockets
        self._listeners = listeners
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin to shut down; once, however often it is called."""
        self._task = self._task or asyncio.create_task(self._end())

    async def _end(self) -> None:
        log_event("stopping")
        with contextlib.suppress(TimeoutError):  # a disk that hangs must not prevent the end
            await asyncio.wait_for(self._sockets.finish(), FINISH)
        self._sockets.end()
        self._listeners.stop()


class QuietServer(uvicorn.Server):
    """A Uvicorn server that leaves signals to us, because we run several."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]  # as its parent has it
        """Install no signal handlers."""
        yield


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; refuse one that is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        reason = error.strerror or str(error)
        raise Refused("web.port_taken", host=host, port=str(port), reason=reason) from None
    bound.set_inheritable(False)
    return bound


def free_port(default: int = Settings.port) -> int:
    """Return the default port, or the next free one if another server uses it."""
    for port in range(default, default + 20):
        with contextlib.suppress(Refused):
            bind(Settings.host, port).close()
            return port
    return default  # binding it again says what is wrong


def lan_address() -> str:
    """Return this computer's address in the local network, without sending anything."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
        address = str(probe.getsockname()[0])
    except OSError:
        raise Refused("web.no_network") from None
    finally:
        probe.close()
    if ipaddress.ip_address(address).is_loopback:
        raise Refused("web.no_network")
    return address


def limited_connections(settings: Settings, clock: Clock, metrics: Metrics) -> Connections:
    """Return the connections, limited by how many files this process may open."""
    most = most_connections(raise_descriptor_limit(), settings.workers)
    per_network = most if settings.unlimited else min(PER_NETWORK, max(1, most // 4))
    return Connections(clock, metrics, most, per_network, settings.proxies)


async def run_server(
    settings: Settings, print_line: Callable[[str], None], *, lan: bool, browse: bool
) -> None:
    """Run the server until it is asked to stop. No other process may use its store meanwhile."""
    with only_process(settings.store):
        metrics = Metrics()
        store = open_store(settings.store, metrics)
        bots = BotPool(settings.workers)
        try:
            await _run(settings, store, bots, metrics, print_line, lan=lan, browse=browse)
        finally:
            bots.close()
            store.close()
    log_event("stopped")
    print_line(say("web.closing", {}))


async def _run(
    settings: Settings,
    store: Store,
    bots: BotPool,
    metrics: Metrics,
    print_line: Callable[[str], None],
    *,
    lan: bool,
    browse: bool,
) -> None:
    clock = WallClock()
    queue = FairQueue(settings.workers)
    house = House(store, bots, clock, settings.bot_seconds, metrics=metrics, queue=queue)
    sockets = Sockets(house, clock, unlimited=settings.unlimited)
    connections = limited_connections(settings, clock, metrics)
    listeners = Listeners(settings, connections)
    listeners.app = application(house, listeners, settings, clock, sockets)
    sweeping = asyncio.create_task(house.supervise(connections.run))
    try:
        await listeners.listen(settings.host, settings.port, lifespan=True)
        _stop_on_signals(Shutdown(sockets, listeners))
        await _announce(settings, listeners, print_line, lan=lan, browse=browse)
        await listeners.wait()
    finally:
        sweeping.cancel()


def _stop_on_signals(shutdown: Shutdown) -> None:
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(name, shutdown.begin)


async def _announce(
    settings: Settings,
    listeners: Listeners,
    print_line: Callable[[str], None],
    *,
    lan: bool,
    browse: bool,
) -> None:
    """Print where the server is, and open it in a browser if asked to."""
    host = "localhost" if settings.host in ("127.0.0.1", *EVERYWHERE) else settings.host
    url = f"http://{host}:{settings.port}/"
    print_line(say("web.at", {"url": url}))
    if lan:
        for address in await listeners.open_to_local_network():
            print_line(say("web.lan", {"url": address}))
    print_line(say("web.stop", {}))
    log_event("started", version=__version__, host=settings.host, port=settings.port)
    if browse:
        await asyncio.to_thread(webbrowser.open, url)


GARBAGE = (50_000, 20, 20)
"""Thresholds of the garbage collector: rooms live long and produce hardly any garbage."""


def serve(
    settings: Settings,
    print_line: Callable[[str], None],
    *,
    lan: bool = False,
    browse: bool = False,
) -> None:
    """Run the server until it is stopped."""
    settings = validated(settings)
    configure_logging(settings.log, settings.log_level)
    if not (CLIENT / "index.html").is_file():
        raise Refused("web.no_client")
    gc.set_threshold(*GARBAGE)
    try:
        import uvloop
    except ImportError:  # not available on Windows
        asyncio.run(run_server(settings, print_line, lan=lan, browse=browse))
    else:
        uvloop.run(run_server(settings, print_line, lan=lan, browse=browse))
