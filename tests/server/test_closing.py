"""A house that closes leaves nothing half done."""

import asyncio
import gc
from pathlib import Path

import pytest

from cosca.server.storage.values import NewEntry
from cosca.testing.walks import seeded_walks
from tests.laws.cases import SETUPS
from tests.server.in_process import open_server, table, wait_until
from tests.server.manual_world import discard
from tests.server.wire_law import Inbox, at_table, play


@pytest.mark.filterwarnings("error")
def test_background_tasks_are_cancelled_when_the_house_closes() -> None:
    _, sitting = SETUPS["vendetta 4 with max_rounds=1"]
    (walk,) = seeded_walks(sitting, 1)

    async def end_at_once() -> str:
        async with at_table(walk) as table:
            for step in walk.log:
                if step[0] >= 0:
                    await play(table.live, *step, Inbox([]))
            return table.live.room.stage

    assert asyncio.run(end_at_once()) == "over"
    gc.collect()


def test_an_outdated_list_is_corrected(tmp_path: Path) -> None:
    """A house that stops when a game ends may not have saved the summary."""

    async def look() -> None:
        async with open_server(tmp_path) as server:
            wanted = table(
                "vendetta", ["random"] * 3, start=True, listed=True, options={"max_rounds": "1"}
            )
            code = (await server.visitor().post("/api/tables", **wanted)).json()["code"]
            async with server.house.table(code) as live:
                live.connect("", "data", discard)
                while live.room.stage != "over":
                    done = live.room.length
                    await live.catch_up()
                    server.clock.advance(10)
                    await asyncio.sleep(0)
                    assert live.room.length >= done
                live.disconnect(discard)
            await wait_until(lambda: not server.house.loaded())
            behind = "UPDATE tables SET stage = 'playing', summary_length = 1"
            await server.store.engine.run(lambda file: file.execute(behind))
            await server.house.lists.fill_in()
            assert (await server.visitor().get("/api/watch")).json() == []
            assert await server.store.tables.in_stage("playing", 9) == []
            assert [one.code for one in await server.store.tables.in_stage("over", 9)] == [code]

    asyncio.run(asyncio.wait_for(look(), 30))


def test_a_move_is_broadcast_even_if_its_browser_disconnects_during_the_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is stored has happened: the others must get it, even if the sender is gone."""

    async def vanish() -> None:
        async with open_server(tmp_path) as server:
            ada, bob = server.visitor(), server.visitor()
            wanted = table("vendetta", ["you", "open", "random"], spectator_chat=True)
            code = await ada.post("/api/tables", **wanted)
            mine, theirs = (
                await ada.connect(code.json()["code"]),
                await bob.connect(code.json()["code"]),
            )
            begun, written = asyncio.Event(), asyncio.Event()
            append = server.store.logs.append

            async def slowly(*appends: NewEntry) -> None:
                begun.set()
                await written.wait()
                await append(*appends)

            monkeypatch.setattr(server.store.logs, "append", slowly)
            mine.command("chat", "c", text="hello")
            await begun.wait()
            mine.lose()
            async with server.house.table(code.json()["code"]) as live:
                for send in live.subscribers._connections:
                    send(b"{}")  # the connection turns out to be dead
                await mine.ended()
                written.set()
                await theirs.until(
                    lambda: any(message.get("chat") for message in theirs.messages())
                )
                assert any(message.get("chat") for message in theirs.messages())
            await theirs.close()

    asyncio.run(asyncio.wait_for(vanish(), 30))
