"""/healthz and /readyz: always available, and always true."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from cosca.server.app import application
from cosca.server.http.endpoint import Endpoint
from cosca.server.http.routes import ENDPOINTS
from cosca.server.http.sockets import Sockets
from cosca.server.ops import health, metrics_endpoint
from cosca.server.ops.settings import Settings
from tests.server.in_process import (
    Answer,
    FixedAddress,
    InProcessServer,
    open_server,
    send_request,
    wait_until,
)
from tests.server.manual_world import ManualStore, World, in_world


def in_house(path: Path, test: Callable[[InProcessServer, Sockets], Awaitable[Any]]) -> Any:
    """Run a test in a house with rate limits, whose sockets can be closed."""

    async def inside() -> Any:
        async with open_server(path) as server:
            settings = Settings(store=server.path)
            sockets = Sockets(server.house, server.clock, unlimited=False)
            server.app = application(server.house, FixedAddress(), settings, server.clock, sockets)
            return await test(server, sockets)

    return asyncio.run(asyncio.wait_for(inside(), 30))


async def asked(server: InProcessServer, path: str) -> tuple[int, bytes]:
    """Return status and body of a response."""
    answer = await send_request(server.app, "GET", path)
    assert answer.header("cache-control") == "no-store"
    return answer.status, answer.body


def test_a_healthy_house_is_ready(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer, sockets: Sockets) -> None:
        assert await asked(server, "/healthz") == (200, b"ok\n")
        assert await asked(server, "/readyz") == (200, b"ready\n")

    in_house(tmp_path, attempt)


def test_health_checks_have_no_rate_limit(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer, sockets: Sockets) -> None:
        for _ in range(300):
            assert (await asked(server, "/readyz"))[0] == 200
        assert (await asked(server, "/api/games"))[0] == 200, "and it costs nothing"

    in_house(tmp_path, attempt)
    every: list[Endpoint[Any]] = [*ENDPOINTS, *health.ENDPOINTS, *metrics_endpoint.ENDPOINTS]
    unlimited = {each.path for each in every if not each.rate_limited}
    assert unlimited == {health.ALIVE, health.READY}


def test_a_house_that_closes_is_not_ready_but_alive(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer, sockets: Sockets) -> None:
        assert (await asked(server, "/readyz"))[0] == 200
        await sockets.finish()
        assert await asked(server, "/readyz") == (503, b"not ready\n")
        assert (await asked(server, "/healthz"))[0] == 200

    in_house(tmp_path, attempt)


def test_a_store_that_cannot_be_written_is_reported_until_it_can(tmp_path: Path) -> None:
    """Use the real store, with a real commit that fails and later does not."""

    async def attempt(world: World) -> None:
        store: ManualStore = world.stores[0]
        sockets = Sockets(world.houses[0], world.clock, unlimited=True)
        well = health.Health(store, sockets, world.clock)
        assert await world.do(well.is_ready())
        store.disk.failures = 1
        assert await world.do(well.is_ready()), "it was well a moment ago"
        world.clock.advance(health.PROBE_INTERVAL)
        assert not await world.do(well.is_ready())
        assert not await world.do(well.is_ready())
        world.clock.advance(health.PROBE_INTERVAL)
        assert await world.do(well.is_ready())

    in_world(tmp_path / "tables.db", attempt, houses=1)


def test_a_disk_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    async def attempt(world: World) -> None:
        sockets = Sockets(world.houses[0], world.clock, unlimited=True)
        well = health.Health(world.stores[0], sockets, world.clock)
        asking = asyncio.create_task(well.is_ready())
        await wait_until(lambda: world.stores[0].waiting)
        world.clock.advance(health.PROBE_TIMEOUT)
        assert not await asking
        assert len(world.stores[0].waiting) == 1
        asking = asyncio.create_task(well.is_ready())
        await world.turn()
        assert len(world.stores[0].waiting) == 1, "it is not asked again while it is silent"
        world.stores[0].write()
        assert await asking

    in_world(tmp_path / "tables.db", attempt, houses=1)


def test_the_probe_really_writes(tmp_path: Path) -> None:
    """A probe that does not really write would not notice that SQLite may not."""

    async def attempt(server: InProcessServer, sockets: Sockets) -> Answer:
        seen: list[object] = []

        def refuse(*about: object) -> int:
            seen.append(about)
            return sqlite3.SQLITE_DENY if about[1] == "user_version" and about[2] else 0

        server.store.engine.db.set_authorizer(refuse)
        answer = await send_request(server.app, "GET", "/readyz")
        server.store.engine.db.set_authorizer(None)
        assert seen
        return answer

    assert in_house(tmp_path, attempt).status == 503
