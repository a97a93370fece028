"""Refusals: those of spectators are not kept; those of seats are limited and expire."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cosca.server.domain import commands
from cosca.server.domain.opening import NewTable
from cosca.server.ops.retention import Retention
from cosca.server.storage.sqlite import refusals
from tests.server.browsers import ADA, BO, CY, Browser, connect_all, deal
from tests.server.manual_world import World, in_world

HOUR = refusals.KEPT_FOR / 1000


async def rows(world: World, code: str) -> int:
    """Return the number of stored refusals of a table."""
    return len(await world.do(world.stores[0].refusals.of_table(code)))


async def resend(browser: Browser, command: commands.Command) -> dict[str, Any]:
    """Send a command once more, and return the answer."""
    answers: list[bytes] = []
    await browser.world.do(browser.live.handle_command(browser.owner, command, answers.append))
    answer: dict[str, Any] = msgspec.json.decode(answers[0])
    return answer


def test_nothing_is_written_for_a_spectators_refusals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            (watching,) = await connect_all(world, live, CY)
            written: list[str] = []
            execute = world.stores[0].disk.execute

            def noted(sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
                written.append(sql)
                return execute(sql, parameters)

            monkeypatch.setattr(world.stores[0].disk, "execute", noted)
            for number in range(100):
                answer = await resend(watching, commands.Chat(id=f"c{number}", text="hello"))
                assert answer["key"] == "web.spectator"
            assert (await resend(watching, commands.Start(id="s")))["key"] == "web.only_host"
            assert not [sql for sql in written if sql.startswith(("INSERT", "UPDATE", "DELETE"))]
            assert live.log.refusals == {}
            assert await rows(world, code) == 0

    in_world(tmp_path / "tables.db", look, houses=1)


def test_a_spectator_gets_the_same_answer_however_often(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code, 0) as here, world.at(code, 1) as there:
            (one,), (two,) = await connect_all(world, here, CY), await connect_all(world, there, CY)
            chat = commands.Chat(id="1", text="hello")
            assert await resend(one, chat) == await resend(two, chat) == await resend(one, chat)

    in_world(tmp_path / "tables.db", look)


def test_a_refusal_is_repeated_for_an_hour_in_every_house(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code, 0) as here, world.at(code, 1) as there:
            (ada,), (again,) = (
                await connect_all(world, here, ADA),
                await connect_all(world, there, ADA),
            )
            back = commands.ReclaimSeat(id="1")
            first = await resend(ada, back)
            assert first["key"] == "web.is_yours"
            assert await ada.do(commands.Leave) == ""
            world.clock.advance(HOUR - 60)
            await world.settle()
            assert await resend(ada, back) == await resend(again, back) == first
            assert here.room.seats[0].bot, "it was not done"

    in_world(tmp_path / "tables.db", look)


def test_after_an_hour_a_refused_command_is_judged_again_and_done_once(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code, 0) as here, world.at(code, 1) as there:
            (ada,), (again,) = (
                await connect_all(world, here, ADA),
                await connect_all(world, there, ADA),
            )
            back = commands.ReclaimSeat(id="1")
            assert (await resend(ada, back))["key"] == "web.is_yours"
            assert await ada.do(commands.Leave) == ""
            world.clock.advance(HOUR + 60)
            await world.settle()
            keeper = Retention(world.houses[0], world.clock, None)
            await world.do(keeper.sweep())
            assert await rows(world, code) == 0
            for live in (here, there):
                await world.do(live.catch_up())
            answers = [await resend(one, back) for one in (ada, again, ada)]
            assert [answer["type"] for answer in answers] == ["done"] * 3
            keys = [key for key, _, _ in await world.do(world.stores[0].logs.entries(code))]
            assert keys.count(f"{ADA[:16]}:1") == 1

    in_world(tmp_path / "tables.db", look)


def test_kept_refusals_are_limited_per_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refusals, "MAX_REFUSALS", 5)

    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            for number in range(3):
                assert (await resend(bo, commands.Start(id=f"b{number}")))["key"] == "web.only_host"
            for number in range(40):
                world.clock.advance(1)
                assert (await resend(ada, commands.ReclaimSeat(id=f"a{number}")))[
                    "key"
                ] == "web.is_yours"
                await world.settle()
            assert await rows(world, code) == len(live.log.refusals) == 8
            kept = await world.do(world.stores[0].refusals.of_table(code))
            assert {key.partition(":")[2] for key in kept} == {
                *("b0", "b1", "b2"),
                *(f"a{number}" for number in range(35, 40)),
            }

    in_world(tmp_path / "tables.db", look, houses=1)


def test_a_new_refusal_drops_old_ones_of_the_table(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            for number in range(10):
                await resend(ada, commands.ReclaimSeat(id=f"a{number}"))
            world.clock.advance(HOUR + 1)
            await resend(bo, commands.ReclaimSeat(id="b"))
            assert await rows(world, code) == len(live.log.refusals) == 1

    in_world(tmp_path / "tables.db", look, houses=1)


def test_a_host_without_a_seat_is_not_a_spectator(tmp_path: Path) -> None:
    """The host can change the table, so what was refused to the host stays refused."""

    async def look(world: World) -> None:
        wanted = NewTable(game="vendetta", seats=["open", "open", "random"], name="Ada")
        server = await world.do(world.houses[0].open(ADA, wanted))
        async with world.at(server.code) as live:
            (ada,) = await connect_all(world, live, ADA)
            assert (await resend(ada, commands.Rematch(id="r")))["key"] == "web.not_over"
            assert await rows(world, server.code) == 1

    in_world(tmp_path / "tables.db", look, houses=1)
