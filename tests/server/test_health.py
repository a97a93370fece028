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
from tests.server.in_process import Answer, FixedAddress, Place, ask, opened, so
from tests.server.manual_world import HandStore, World, in_hand


def at_home(path: Path, test: Callable[[Place, Sockets], Awaitable[Any]]) -> Any:
    """Run a test in a house with rate limits, whose sockets can be closed."""

    async def inside() -> Any:
        async with opened(path) as place:
            settings = Settings(store=place.path)
            sockets = Sockets(place.house, place.clock, unlimited=False)
            place.app = application(place.house, FixedAddress(), settings, place.clock, sockets)
            return await test(place, sockets)

    return asyncio.run(asyncio.wait_for(inside(), 30))


async def asked(place: Place, path: str) -> tuple[int, bytes]:
    """Return status and body of a response."""
    answer = await ask(place.app, "GET", path)
    assert answer.header("cache-control") == "no-store"
    return answer.status, answer.body


def test_a_healthy_house_is_ready(tmp_path: Path) -> None:
    async def attempt(place: Place, sockets: Sockets) -> None:
        assert await asked(place, "/healthz") == (200, b"ok\n")
        assert await asked(place, "/readyz") == (200, b"ready\n")

    at_home(tmp_path, attempt)


def test_health_checks_have_no_rate_limit(tmp_path: Path) -> None:
    async def attempt(place: Place, sockets: Sockets) -> None:
        for _ in range(300):
            assert (await asked(place, "/readyz"))[0] == 200
        assert (await asked(place, "/api/games"))[0] == 200, "and it costs nothing"

    at_home(tmp_path, attempt)
    every: list[Endpoint[Any]] = [*ENDPOINTS, *health.ENDPOINTS, *metrics_endpoint.ENDPOINTS]
    unlimited = {each.path for each in every if not each.rate_limited}
    assert unlimited == {health.ALIVE, health.READY}


def test_a_house_that_closes_is_not_ready_but_alive(tmp_path: Path) -> None:
    async def attempt(place: Place, sockets: Sockets) -> None:
        assert (await asked(place, "/readyz"))[0] == 200
        await sockets.finish()
        assert await asked(place, "/readyz") == (503, b"not ready\n")
        assert (await asked(place, "/healthz"))[0] == 200

    at_home(tmp_path, attempt)


def test_a_store_that_cannot_be_written_is_found_out_and_forgotten(tmp_path: Path) -> None:
    """Use the real store, with a real commit that fails and later does not."""

    async def attempt(world: World) -> None:
        store: HandStore = world.stores[0]
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

    in_hand(tmp_path / "tables.db", attempt, houses=1)


def test_a_disk_that_does_not_answer_is_not_waited_for(tmp_path: Path) -> None:
    async def attempt(world: World) -> None:
        sockets = Sockets(world.houses[0], world.clock, unlimited=True)
        well = health.Health(world.stores[0], sockets, world.clock)
        asking = asyncio.create_task(well.is_ready())
        await so(lambda: world.stores[0].waiting)
        world.clock.advance(health.PROBE_TIMEOUT)
        assert not await asking
        assert len(world.stores[0].waiting) == 1
        asking = asyncio.create_task(well.is_ready())
        await world.turn()
        assert len(world.stores[0].waiting) == 1, "it is not asked again while it is silent"
        world.stores[0].write()
        assert await asking

    in_hand(tmp_path / "tables.db", attempt, houses=1)


def test_the_probe_really_writes(tmp_path: Path) -> None:
    """A probe that does not really write would not notice that SQLite may not."""

    async def attempt(place: Place, sockets: Sockets) -> Answer:
        seen: list[object] = []

        def refuse(*about: object) -> int:
            seen.append(about)
            return sqlite3.SQLITE_DENY if about[1] == "user_version" and about[2] else 0

        place.store.engine.db.set_authorizer(refuse)
        answer = await ask(place.app, "GET", "/readyz")
        place.store.engine.db.set_authorizer(None)
        assert seen
        return answer

    assert at_home(tmp_path, attempt).status == 503
