"""After a short failure of the disk, houses go on and browsers reconnect."""

import asyncio
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from cosca.server.http.sockets import POLICY, SocketRequest, Sockets
from cosca.server.live.house import POLL_SECONDS
from cosca.server.live.tasks import RETRY_SECONDS
from tests.server.manual_world import World


def test_a_house_goes_on_watching_after_the_disk_has_failed(tmp_path: Path) -> None:
    async def fail() -> None:
        world = World(tmp_path / "tables.db", houses=1)
        watching = asyncio.ensure_future(world.houses[0].watch_store())
        await world.settle()
        world.stores[0].disk.failures = 1
        world.clock.advance(POLL_SECONDS)
        await world.settle()
        world.clock.advance(RETRY_SECONDS)
        await world.settle()
        assert not watching.done()
        watching.cancel()

    asyncio.run(fail())


def test_a_browser_that_connects_while_the_disk_fails_is_told_to_retry(tmp_path: Path) -> None:
    async def come() -> list[MutableMapping[str, Any]]:
        world = World(tmp_path / "tables.db", houses=1)
        received: list[MutableMapping[str, Any]] = []

        async def send(message: MutableMapping[str, Any]) -> None:
            received.append(message)

        async def receive() -> MutableMapping[str, Any]:
            return {"type": "websocket.disconnect"}

        sockets = Sockets(world.houses[0], world.clock, unlimited=True)
        world.stores[0].disk.failures = 1
        await world.do(sockets.serve(SocketRequest("abcdefgh", "", "text"), receive, send))
        return received

    received = asyncio.run(come())
    assert "web.not_written" in received[-2]["text"]
    assert received[-1]["type"] == "websocket.close"
    assert received[-1]["code"] != POLICY
