"""Exactly once: whatever the network does, each command is executed once and answered the same."""

import asyncio
import gc
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.domain.opening import next_code
from cosca.server.live.table import LiveTable
from cosca.server.storage.values import NewEntry
from tests.server.manual_world import World, discard, in_world
from tests.server.schedules import Schedule

CHUNKS = 20
SCHEDULES = 100


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_thousand_schedules_are_executed_exactly_once(chunk: int, tmp_path: Path) -> None:
    async def all_of_them(world: World) -> None:
        for number in range(SCHEDULES):
            await Schedule(world, SCHEDULES * chunk + number).run()

    in_world(tmp_path / "tables.db", all_of_them)


def decode(answers: list[bytes]) -> list[wire.AnyMessage]:
    """Return decoded answers."""
    return [msgspec.json.decode(answer, type=wire.AnyMessage) for answer in answers]


async def handled(
    world: World, live: LiveTable, owner: str, command: commands.Command
) -> wire.AnyMessage:
    """Send a command, and return the answer."""
    answers: list[bytes] = []
    await world.do(live.handle_command(owner, command, answers.append))
    (answer,) = decode(answers)
    return answer


IN_GAME = 8
"""The seed of a schedule that begins in a game."""


def test_a_house_does_not_refuse_a_command_because_of_an_outdated_log(tmp_path: Path) -> None:
    async def two_houses(world: World) -> None:
        schedule = Schedule(world, IN_GAME)
        await schedule.open()
        bo = schedule.people[1]
        async with world.at(schedule.code, 0) as here, world.at(schedule.code, 1) as there:
            left = await handled(world, here, bo, commands.Leave(id="1"))
            assert left == wire.Done(id="1")
            back = await handled(world, there, bo, commands.ReclaimSeat(id="2"))
            assert back == wire.Done(id="2")

    in_world(tmp_path / "tables.db", two_houses)


def test_a_command_is_broadcast_even_if_its_sender_was_cut_off(tmp_path: Path) -> None:
    async def cut(world: World) -> None:
        schedule = Schedule(world, IN_GAME)
        await schedule.open()
        ada, bo, _ = schedule.people
        seen: list[bytes] = []
        async with world.at(schedule.code) as live:
            live.connect(bo, "text", seen.append)
            command = commands.Chat(id="1", text="is anybody there?")
            sending = asyncio.create_task(live.handle_command(ada, command, lambda _: None))
            while not world.stores[0].waiting:
                await world.turn()
            sending.cancel()
            await world.settle()
            assert sending.cancelled()
            update = decode(seen)[-1]
            assert isinstance(update, wire.Update)
            assert [said.text for said in update.chat] == ["is anybody there?"]

    in_world(tmp_path / "tables.db", cut, houses=1)


def test_the_house_retries_a_failed_write(tmp_path: Path) -> None:
    async def failing(world: World) -> None:
        schedule = Schedule(world, IN_GAME)
        await schedule.open()
        ada, bo, _ = schedule.people
        async with world.at(schedule.code) as live:
            for owner in (ada, bo):
                await handled(world, live, owner, commands.Leave(id="1"))
            live.connect(ada, "text", discard)
            length = live.room.length
            world.stores[0].disk.failures = 3
            await world.until(lambda: live.room.length > length + 5)
            assert world.stores[0].disk.failures == 0

    in_world(tmp_path / "tables.db", failing, houses=1)


def test_a_rematch_is_opened_once_however_many_ask_for_it(tmp_path: Path) -> None:
    async def again(world: World) -> None:
        schedule = Schedule(world, 19)
        await schedule.open()
        ada = schedule.people[0]
        async with world.at(schedule.code, 0) as here, world.at(schedule.code, 1) as there:
            for owner in schedule.people[:2]:
                await handled(world, here, owner, commands.Leave(id="leave"))
            here.connect(ada, "text", discard)
            await world.until(lambda: here.room.stage == "over")
            answers: list[bytes] = []
            both = [
                live.handle_command(ada, commands.Rematch(id="1"), answers.append)
                for live in (here, there)
            ]
            await world.do(_all(both))
            first, second = decode(answers)
            assert first == second == wire.Done(id="1", code=next_code(here.room))
            refused = await handled(world, there, ada, commands.Rematch(id="2"))
            assert isinstance(refused, wire.Refused) and refused.key == "web.goes_on"
        async with world.at(here.room.rematch) as anew:
            assert anew.room.stage == "lobby"
            assert [anew.room.seats.of(owner) for owner in schedule.people] == [0, 1, SPECTATOR]

    in_world(tmp_path / "tables.db", again)


def test_a_table_with_entries_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    async def newer(world: World) -> None:
        schedule = Schedule(world, IN_GAME)
        await schedule.open()
        (store, _) = world.stores
        length = len(await world.do(store.logs.entries(schedule.code)))
        body = b'{"line":"toasted","at":0,"seat":1}'
        await world.do(store.logs.append(NewEntry(schedule.code, length, "toast", "", body)))
        with pytest.raises(Refused, match=r"web\.other_version"):
            async with world.at(schedule.code):
                pass

    in_world(tmp_path / "tables.db", newer)


def test_a_table_that_cannot_be_read_now_is_retried_without_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(world: World) -> None:
        schedule = Schedule(world, IN_GAME)
        await schedule.open()
        world.stores[0].disk.failures = 1
        house = world.houses[0]
        impatient = asyncio.ensure_future(house.table(schedule.code).__aenter__())
        await world.turn()
        impatient.cancel()
        await world.settle()
        gc.collect()
        assert world.stores[0].disk.failures == 0
        async with world.at(schedule.code) as live:
            assert live.room.stage == "playing"

    in_world(tmp_path / "tables.db", failing, houses=1)
    assert "never retrieved" not in caplog.text


async def _all(works: list[Coroutine[Any, Any, None]]) -> None:
    await asyncio.gather(*works)
