"""Retention: inactive tables are deleted with all their rows, but never while somebody is there."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cosca.core.errors import Refused
from cosca.server.domain.log_entries import encode_entry
from cosca.server.http.sockets import POLICY
from cosca.server.ops.retention import DAY, SWEEP_INTERVAL, Retention
from cosca.server.storage.sqlite.migrations import MIGRATIONS
from cosca.server.storage.sqlite.tables import TOUCH_INTERVAL
from cosca.server.storage.store import open_store
from cosca.server.storage.values import NewEntry, StoredSummary
from tests.server.in_process import (
    InProcessServer,
    Visitor,
    captured_logs,
    open_server,
    table,
    wait_until,
)
from tests.server.kept_logs import lobby
from tests.server.manual_world import World, in_world

THREE = ["you", "open", "random"]
DAYS = 86_400.0
"""Seconds in a day."""


def in_house(path: Path, test: Callable[[InProcessServer], Awaitable[Any]]) -> Any:
    """Run a test with a server of its own."""

    async def inside() -> Any:
        async with open_server(path) as server:
            return await test(server)

    return asyncio.run(asyncio.wait_for(inside(), 30))


async def new_table(visitor: Visitor) -> str:
    """Open a table, and return its code."""
    return str((await visitor.post("/api/tables", **table("vendetta", THREE))).json()["code"])


def rows(path: Path, code: str) -> int:
    """Return the number of rows a store has about a table."""
    with contextlib.closing(sqlite3.connect(path)) as file:
        counts = [
            file.execute(f"SELECT count(*) FROM {name} WHERE code = ?", (code,)).fetchone()[0]
            for name in ("tables", "lines", "refusals", "owners", "records")
        ]
    return sum(counts)


async def days_pass(server: InProcessServer, retention: Retention, days: float) -> int:
    """Let time pass with regular sweeps; return how many tables they delete."""
    deleted = 0
    for _ in range(round(days * 4)):
        server.clock.advance(DAYS / 4)
        deleted += await retention.sweep()
    return deleted


def test_an_inactive_table_is_deleted_with_all_its_rows(tmp_path: Path) -> None:
    async def wait(server: InProcessServer) -> None:
        ada = server.visitor()
        retention = Retention(server.house, server.clock, 3)
        old = await new_table(ada)
        socket = await ada.connect(old)
        await socket.do("reclaim_seat", "refused")
        await socket.close()
        assert rows(server.path, old) > 4
        assert await days_pass(server, retention, 2) == 0
        new = await new_table(ada)
        assert rows(server.path, old) == 4, "the refusal is forgotten, the rest is not"
        assert await days_pass(server, retention, 1.5) == 1
        assert rows(server.path, old) == 0
        assert rows(server.path, new) > 0
        assert (await ada.get(f"/api/tables/{old}")).status == 404
        assert [one["code"] for one in (await ada.get("/api/me/tables")).json()] == [new]
        assert await retention.sweep() == 0

    in_house(tmp_path, wait)


def test_an_active_table_is_kept(tmp_path: Path) -> None:
    """Activity counts, not a change of the stage."""

    async def talk(server: InProcessServer) -> None:
        ada = server.visitor()
        retention = Retention(server.house, server.clock, 3)
        code = await new_table(ada)
        await days_pass(server, retention, 2)
        socket = await ada.connect(code)
        assert (await socket.do("chat", "c", text="still here"))["type"] == "done"
        await socket.close()
        await wait_until(lambda: not server.house.loaded())
        assert await days_pass(server, retention, 2) == 0
        assert await days_pass(server, retention, 2) == 1

    in_house(tmp_path, talk)


def test_a_table_that_somebody_watches_is_kept(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        retention = Retention(server.house, server.clock, 3)
        code = await new_table(ada)
        socket = await server.visitor().connect(code)
        assert await days_pass(server, retention, 9) == 0
        await socket.close()
        assert await days_pass(server, retention, 2.5) == 0, "it was looked at then"
        assert await days_pass(server, retention, 1) == 1

    in_house(tmp_path, look)


def test_a_table_somebody_is_at_in_another_process_is_kept(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        for store in world.stores:
            store.engine.db.execute("PRAGMA busy_timeout = 0")
        log = lobby("vendetta", ["you", "open", "random"])
        at = world.clock.date()
        appends = [
            NewEntry("keptvend", seq, f"open:{seq}", "", encode_entry(entry), "", at)
            for seq, entry in enumerate(log)
        ]
        await world.do(
            world.stores[0].logs.create(appends, StoredSummary("keptvend", "vendetta", "lobby", at))
        )
        keepers = [
            Retention(house, world.clock, days)
            for house, days in zip(world.houses, (3, None), strict=True)
        ]
        async with world.at("keptvend", house=1):
            for _ in range(9):
                world.clock.advance(DAYS)
                assert await world.do(keepers[1].sweep()) == 0
                assert await world.do(keepers[0].sweep()) == 0
        deleted = 0
        for _ in range(9):
            world.clock.advance(DAYS)
            deleted += await world.do(keepers[0].sweep())
        assert deleted == 1

    in_world(tmp_path / "tables.db", look)


def test_all_tables_are_kept_by_default(tmp_path: Path) -> None:
    async def wait(server: InProcessServer) -> None:
        code = await new_table(server.visitor())
        server.clock.advance(10_000 * DAYS)
        assert await Retention(server.house, server.clock, None).sweep() == 0
        assert rows(server.path, code) > 0

    in_house(tmp_path, wait)


def test_sweeps_are_repeated(tmp_path: Path) -> None:
    async def wait(server: InProcessServer) -> None:
        keeping = asyncio.create_task(Retention(server.house, server.clock, 1).run())
        for _ in range(3):
            code = await new_table(server.visitor())
            server.clock.advance(1 * DAYS + SWEEP_INTERVAL)

            async def gone(code: str = code) -> bool:
                return not rows(server.path, code)

            while not await gone():
                server.clock.advance(SWEEP_INTERVAL)
                await server.store.tables.count()
        await wait_until(lambda: server.clock.sleepers)
        keeping.cancel()

    in_house(tmp_path, wait)


def test_a_failing_disk_does_not_end_the_sweeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(server: InProcessServer) -> None:
        tries = 0

        async def sweep(before: int, most: int) -> list[str]:
            nonlocal tries
            tries += 1
            raise Refused("web.not_written")

        monkeypatch.setattr(server.store.tables, "delete_inactive", sweep)
        keeping = asyncio.create_task(Retention(server.house, server.clock, 1).run())
        while tries < 3:
            server.clock.advance(SWEEP_INTERVAL)
            await server.store.tables.count()
        keeping.cancel()

    in_house(tmp_path, fail)


def test_many_tables_are_deleted_in_several_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cosca.server.ops.retention.BATCH", 2)

    async def wait(server: InProcessServer) -> None:
        for _ in range(5):
            await new_table(server.visitor())
        assert await days_pass(server, Retention(server.house, server.clock, 3), 5) == 5
        assert await server.store.tables.count() == 0

    in_house(tmp_path, wait)


# --- A clock that cannot be right -----------------------------------------------------------------


def one_life(path: Path, days: float, running: float, keep: int = 30) -> tuple[int, list[str]]:
    """Open the house on some day, and let it run for some days.

    Return how many tables are left, and what was logged about the clock.
    """

    async def live(server: InProcessServer) -> int:
        server.clock.advance(days * DAYS)
        retention = Retention(server.house, server.clock, keep)
        await retention.check_clock()
        await days_pass(server, retention, running)
        return await server.store.tables.count()

    with captured_logs() as said:
        return in_house(path, live), [line for line in said if "clock_jumped" in line]


def a_table_at_day_0(path: Path) -> None:
    """Open a table, and close the house."""

    async def open_it(server: InProcessServer) -> None:
        await Retention(server.house, server.clock, 30).check_clock()
        await new_table(server.visitor())

    in_house(path, open_it)


def test_nothing_is_deleted_in_the_first_hour(tmp_path: Path) -> None:
    async def start(server: InProcessServer) -> None:
        code = await new_table(server.visitor())
        server.clock.advance(1.4 * DAYS)
        old = Retention(server.house, server.clock, 3)
        await old.check_clock()
        server.clock.advance(1.4 * DAYS)
        await old.check_clock()
        server.clock.advance(0.5 * DAYS)
        keeping = asyncio.create_task(Retention(server.house, server.clock, 3).run())
        await wait_until(lambda: server.clock.sleepers)
        server.clock.advance(SWEEP_INTERVAL - 1)
        await server.store.tables.count()
        assert rows(server.path, code) > 0, "it is old enough, but the house has just begun"
        server.clock.advance(1)
        await wait_until(lambda: server.clock.sleepers)
        assert rows(server.path, code) == 0
        keeping.cancel()

    in_house(tmp_path, start)


def test_a_clock_that_is_40_days_ahead_deletes_nothing(tmp_path: Path) -> None:
    a_table_at_day_0(tmp_path)
    left, said = one_life(tmp_path, days=41, running=2)
    assert left == 1
    assert said == ["WARNING cosca.server clock_jumped"]
    assert one_life(tmp_path, days=44, running=26) == (1, []), "28 days are not 30"
    assert one_life(tmp_path, days=71, running=1.5) == (0, [])


def test_a_corrected_clock_makes_up_for_a_jump(tmp_path: Path) -> None:
    a_table_at_day_0(tmp_path)
    assert one_life(tmp_path, days=41, running=1)[0] == 1
    left, said = one_life(tmp_path, days=2, running=27)
    assert (left, len(said)) == (1, 1)
    assert one_life(tmp_path, days=29, running=2.5) == (0, [])


def test_a_clock_that_is_40_days_behind_deletes_nothing(tmp_path: Path) -> None:
    a_table_at_day_0(tmp_path)
    left, said = one_life(tmp_path, days=-40, running=20)
    assert (left, len(said)) == (1, 1)


def test_an_older_store_is_as_old_as_its_last_activity(tmp_path: Path) -> None:
    in_house(tmp_path, lambda server: new_table(server.visitor()))
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as file:
        assert not file.execute("SELECT * FROM wall_clock").fetchall()
    assert one_life(tmp_path, days=41, running=1)[0] == 1


@pytest.mark.parametrize(("days", "keep", "counts"), [(6, 30, True), (8, 30, False), (2, 3, False)])
def test_a_house_may_be_closed_for_a_while(
    tmp_path: Path, days: float, keep: int, counts: bool
) -> None:
    """A week counts as age, but not more than half of the days that tables are kept."""
    a_table_at_day_0(tmp_path)
    left, said = one_life(tmp_path, days, running=keep - days + 0.5, keep=keep)
    assert (left == 0, not said) == (counts, counts)


def test_an_empty_store_knows_no_jump(tmp_path: Path) -> None:
    assert one_life(tmp_path, days=400, running=1) == (0, [])


# --- A table that is deleted while somebody is there ----------------------------------------------


def test_people_at_a_deleted_table_are_notified(tmp_path: Path) -> None:
    async def remove(server: InProcessServer) -> None:
        ada = server.visitor()
        code, other = await new_table(ada), await new_table(ada)
        socket, elsewhere = await ada.connect(code), await ada.connect(other)
        await server.house.delete(code)
        await socket.ended()
        assert socket.code == POLICY, "the page does not come again by itself"
        assert socket.messages()[-1]["key"] == "web.table_closed"
        assert rows(server.path, code) == 0
        assert (await elsewhere.do("chat", "c", text="I am still here"))["type"] == "done"
        await elsewhere.close()
        await wait_until(lambda: server.house.loaded() == [])

    in_house(tmp_path, remove)


def test_nothing_of_a_deleted_table_comes_back(tmp_path: Path) -> None:
    """Another process may have it open: its next entry is refused, so no half table remains."""

    async def write(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await new_table(ada)
        socket = await ada.connect(code)
        await server.store.tables.delete(code)
        assert (await socket.do("chat", "c", text="hello"))["key"] == "web.no_table"
        assert (await socket.do("reclaim_seat", "t"))["key"] == "web.no_table"
        await server.store.tables.save_summary(StoredSummary(code, "vendetta", "over", 1))
        assert rows(server.path, code) == 0
        await socket.close()

    in_house(tmp_path, write)


def test_another_process_lets_go_of_a_deleted_table(tmp_path: Path) -> None:
    async def both(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await new_table(ada)
        socket = await ada.connect(code)
        watching = asyncio.create_task(server.house.watch_store())
        await wait_until(lambda: server.clock.sleepers)
        other = open_store(server.path)
        await other.tables.delete(code)
        other.close()
        while not socket.code:
            server.clock.advance(1)
            await server.store.tables.count()
        assert socket.messages()[-1]["key"] == "web.table_closed"
        watching.cancel()

    in_house(tmp_path, both)


def test_deleted_rows_cannot_be_read_in_the_file(tmp_path: Path) -> None:
    async def forget(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await new_table(ada)
        socket = await ada.connect(code)
        await socket.do("chat", "c", text="never to be read again")
        await socket.close()
        await server.house.delete(code)

    in_house(tmp_path, forget)
    assert b"never to be read" not in (tmp_path / "tables.db").read_bytes()


# --- A store from before --------------------------------------------------------------------------


def test_an_old_store_learns_when_its_tables_were_touched(tmp_path: Path) -> None:
    """Otherwise the first sweep would delete games in progress, and miss tables without a row."""
    path = tmp_path / "tables.db"
    log = [encode_entry(entry) for entry in lobby("vendetta", ["you", "open", "random"])]
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.executescript(MIGRATIONS[0])
        file.execute("PRAGMA application_id = 0x436F7363")
        file.execute("PRAGMA user_version = 1")
        for code in ("listed", "unlisted"):
            for seq, body in enumerate(log):
                file.execute(
                    "INSERT INTO lines VALUES (?, ?, ?, '', ?)", (code, seq, f"{code}{seq}", body)
                )
        file.execute("INSERT INTO lines VALUES ('odd', 0, 'c', '', x'00')")
        file.execute("INSERT INTO tables VALUES ('listed', 'vendetta', 'playing', 5)")
        file.execute("INSERT INTO tables VALUES ('odd', 'vendetta', 'playing', 7)")
        file.commit()

    async def look() -> dict[str, tuple[str, int]]:
        store = open_store(path)
        try:
            return {one.code: (one.stage, one.touched) for one in await store.tables.latest(9)}
        finally:
            store.close()

    at = 1_760_000_004_000
    assert asyncio.run(look()) == {
        "listed": ("playing", at),
        "unlisted": ("lobby", at),
        "odd": ("playing", 7),
    }


def test_not_every_move_writes_when_a_table_was_touched(tmp_path: Path) -> None:
    async def write(server: InProcessServer) -> None:
        code = await new_table(server.visitor())
        (listed,) = await server.store.tables.latest(9)
        await server.store.tables.touch([code], listed.touched + TOUCH_INTERVAL)
        assert (await server.store.tables.latest(9))[0].touched == listed.touched
        await server.store.tables.touch([code], listed.touched + TOUCH_INTERVAL + 1)
        assert (await server.store.tables.latest(9))[
            0
        ].touched == listed.touched + TOUCH_INTERVAL + 1
        assert TOUCH_INTERVAL < DAY

    in_house(tmp_path, write)
