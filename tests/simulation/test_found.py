"""Bugs that seeds have found, each as a small test of its own."""

import asyncio
import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import msgspec
import pytest

from cosca.server.domain import commands
from cosca.server.domain.identifiers import hashed
from cosca.server.domain.opening import NewTable
from cosca.server.http.sockets import TRY_AGAIN, SocketRequest, Sockets
from cosca.server.live import clock
from cosca.server.live.house import POLL_SECONDS
from tests.server.manual_world import World, in_world

ADA, BO = hashed("Ada"), hashed("Bo")


async def begun(world: World) -> str:
    """Open a table of two people at which one of them may act; return its code."""
    wanted = NewTable(game="vendetta", seats=["you", "open", "random"], name="Ada")
    code = (await world.do(world.houses[0].open(ADA, wanted))).code
    async with world.at(code) as live:
        await world.do(live.sit_down(BO, "Bo", 1))
        await world.do(live.handle_command(ADA, commands.Start(id="start"), lambda _: None))
        await world.until(lambda: live.room.stage == "playing")
        await world.until(lambda: not live.room.bots_to_act())
    return code


def test_the_end_of_a_proposal_by_a_move_is_broadcast(tmp_path: Path) -> None:
    async def move_on(world: World) -> None:
        code = await begun(world)
        async with world.at(code) as live:
            messages: list[bytes] = []
            live.connect(BO, "data", messages.append)
            pause = commands.Propose(id="pause", what="pause")
            await world.do(live.handle_command(ADA, pause, lambda _: None))
            assert b'"proposal":{"what":"pause"' in messages[-1]
            (seat,) = live.room.actors()
            move = commands.Move(id="move", actions=[live.room.position(seat).legal[0]])
            await world.do(live.handle_command((ADA, BO)[seat], move, lambda _: None))
            rooms = [msgspec.json.decode(each).get("room") for each in messages]
            assert [room for room in rooms if room][-1]["proposal"] is None
            live.disconnect(messages.append)

    in_world(tmp_path / "tables.db", move_on, houses=1)


def test_a_change_of_the_wall_clock_does_not_change_dates() -> None:
    now = {"wall": 1_700_000_000.0, "machine": 5.0}
    fake = SimpleNamespace(
        monotonic=lambda: now["machine"], time_ns=lambda: round(now["wall"] * 1e9)
    )
    with mock.patch.object(clock, "time", fake):
        wall = clock.WallClock()
        assert wall.date() == 1_700_000_000_000
        now["wall"] -= 3600
        now["machine"] += 2
        assert wall.date() == 1_700_000_002_000


def test_a_browser_that_connects_while_the_disk_fails_is_told_to_retry(tmp_path: Path) -> None:
    async def come(world: World) -> None:
        code = await begun(world)
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        await world.do(world.houses[0].close())
        world.stores[1].disk.failures = 1
        sockets = Sockets(world.houses[1], world.clock, unlimited=True)
        await world.do(sockets.serve(SocketRequest(code, BO, "data"), asyncio.Event().wait, send))  # type: ignore[arg-type]
        assert sent[-1] == {"type": "websocket.close", "code": TRY_AGAIN}

    in_world(tmp_path / "tables.db", come, houses=2)


@pytest.mark.parametrize("failures", [1, 3])
def test_a_house_goes_on_watching_after_the_disk_has_failed(tmp_path: Path, failures: int) -> None:
    async def watch(world: World) -> None:
        code = await begun(world)
        watching = asyncio.ensure_future(world.houses[1].watch_store())
        async with world.at(code, 1) as there:
            world.stores[1].disk.failures = failures
            world.clock.advance(POLL_SECONDS)
            await world.settle()
            async with world.at(code, 0) as here:
                await world.do(
                    here.handle_command(BO, commands.Chat(id="hi", text="hi"), lambda _: None)
                )
            await world.until(lambda: bool(there.room.chat.messages), seconds=10)
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching

    in_world(tmp_path / "tables.db", watch, houses=2)
