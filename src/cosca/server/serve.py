"""Running the house: one command, one process, one file; friends come in when they are asked."""

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
from cosca.server.storage.store import open_store
from cosca.server.storage.store_lock import only_process
from cosca.server.telemetry.logs import configure_logging, log_event
from cosca.server.telemetry.metrics import Metrics
from cosca.words import say

EVERYWHERE = ("0.0.0.0", "::")
FINISH = 3.0
"""Seconds in which what is being written must be, when the house closes."""


class Listeners:
    """The addresses at which the house listens: at first its own computer's only."""

    def __init__(self, settings: Settings, connections: Connections) -> None:
        self.settings = settings
        self._connections = connections
        self.app: ASGIApp | None = None
        self._servers: list[uvicorn.Server] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._urls: list[str] = []

    def public_url(self, host: str) -> str:
        """The address to be shared, for who came by that host."""
        return self._urls[0] if self._urls else f"http://{host}"

    async def open_to_local_network(self) -> list[str]:
        """Listen on the local network too."""
        if not self._urls:
            address = lan_address()
            if self.settings.host not in EVERYWHERE:
                await self.listen(address, self.settings.port, lifespan=False)
            self._urls = [f"http://{address}:{self.settings.port}"]
            log_event("lan_opened", url=self._urls[0])
        return self._urls

    async def listen(self, host: str, port: int, *, lifespan: bool) -> None:
        """Listen at one more address."""
        assert self.app is not None
        bound = bind(host, port)
        config = uvicorn.Config(
            self.app,
            log_config=None,  # it goes where ours goes, and loses its secrets there
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="on" if lifespan else "off",
            http=cast(Any, partial(HttpProtocol, self._connections)),  # called as the class is
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
        """Stop listening; what is being written is written first."""
        for server in self._servers:
            server.should_exit = True

    async def wait(self) -> None:
        """Wait until nobody is served any more."""
        await asyncio.gather(*self._tasks)


class Shutdown:
    """How a house closes: first what was asked for, then the sockets, then the doors."""

    def __init__(self, sockets: Sockets, listeners: Listeners) -> None:
        self._sockets = sockets
        self._listeners = listeners
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Begin to close, once, however often it is asked for."""
        self._task = self._task or asyncio.create_task(self._end())

    async def _end(self) -> None:
        log_event("stopping")
        with contextlib.suppress(TimeoutError):  # a disk that hangs must not keep the house open
            await asyncio.wait_for(self._sockets.finish(), FINISH)
        self._sockets.end()
        self._listeners.stop()


class QuietServer(uvicorn.Server):
    """A server that leaves signals to the house, which has several."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]  # as its parent has it
        """Do nothing about signals."""
        yield


def bind(host: str, port: int) -> socket.socket:
    """A socket at that address. One that is taken is refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        reason = error.strerror or str(error)
        raise Refused("web.port_taken", host=host, port=port, reason=reason) from None
    bound.set_inheritable(False)
    return bound


def free_port(usual: int = Settings.port) -> int:
    """The usual port, or the next that is free: somebody else may have a house here too."""
    for port in range(usual, usual + 20):
        with contextlib.suppress(Refused):
            bind(Settings.host, port).close()
            return port
    return usual  # which says why not


def lan_address() -> str:
    """This computer's address in the local network. Nothing is sent to find it out."""
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
    """Return the connections of a house, limited by what this process may have open."""
    most = most_connections(raise_descriptor_limit(), settings.workers)
    per_network = most if settings.generous else min(PER_NETWORK, max(1, most // 4))
    return Connections(clock, metrics, most, per_network, settings.proxies)


async def keep_house(
    settings: Settings, tell: Callable[[str], None], *, lan: bool, browse: bool
) -> None:
    """Open the house, and close it when asked to. It has its store for itself."""
    with only_process(settings.store):
        await _keep_open(settings, tell, lan=lan, browse=browse)


async def _keep_open(
    settings: Settings, tell: Callable[[str], None], *, lan: bool, browse: bool
) -> None:
    clock = WallClock()
    metrics = Metrics()
    store = open_store(settings.store, metrics)
    crew = BotPool(settings.workers)
    queue = FairQueue(settings.workers)
    house = House(store, crew, clock, settings.bot_seconds, metrics=metrics, queue=queue)
    sockets = Sockets(house, clock, generous=settings.generous)
    connections = limited_connections(settings, clock, metrics)
    listeners = Listeners(settings, connections)
    listeners.app = application(house, listeners, settings, clock, sockets)
    ending = Shutdown(sockets, listeners)
    sweeping = asyncio.create_task(house.supervise(connections.run))
    try:
        await listeners.listen(settings.host, settings.port, lifespan=True)
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(name, ending.begin)
        host = "localhost" if settings.host in ("127.0.0.1", *EVERYWHERE) else settings.host
        url = f"http://{host}:{settings.port}/"
        tell(say("web.at", {"url": url}))
        if lan:
            for address in await listeners.open_to_local_network():
                tell(say("web.lan", {"url": address}))
        tell(say("web.stop", {}))
        log_event("started", version=__version__, host=settings.host, port=settings.port)
        if browse:
            await asyncio.to_thread(webbrowser.open, url)
        await listeners.wait()
    finally:
        sweeping.cancel()
        crew.close()
        store.close()
    log_event("stopped")
    tell(say("web.closing", {}))


GARBAGE = (50_000, 20, 20)
"""How much is made before somebody looks for garbage: rooms live long and have hardly any."""


def serve(
    settings: Settings, tell: Callable[[str], None], *, lan: bool = False, browse: bool = False
) -> None:
    """Run the house until it is stopped."""
    settings = validated(settings)
    configure_logging(settings.log, settings.log_level)
    if not (CLIENT / "index.html").is_file():
        raise Refused("web.no_client")
    gc.set_threshold(*GARBAGE)
    try:
        import uvloop
    except ImportError:  # not made for Windows
        asyncio.run(keep_house(settings, tell, lan=lan, browse=browse))
    else:
        uvloop.run(keep_house(settings, tell, lan=lan, browse=browse))
