"""Summaries: no log is replayed for a list or a finished game, and summaries are correct."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cosca.core.names import SPECTATOR
from cosca.server.domain import commands, log_entries
from cosca.server.domain.opening import NewTable
from cosca.server.domain.room import Room, room_from_log
from cosca.server.http import guard
from cosca.server.http.api import room_for
from cosca.server.http.endpoint import Endpoint
from cosca.server.http.routes import ENDPOINTS
from cosca.server.live import idle_rooms, loading, summary, views
from cosca.server.live.idle_rooms import IdleRoom, IdleRooms
from cosca.server.live.summary import FORMAT, encode_summary, summarize
from cosca.server.ops.table_index import table_index
from tests.server.browsers import ADA, BO, connect_all, deal, first_entries
from tests.server.in_process import (
    Answer,
    InProcessServer,
    Visitor,
    open_server,
    send_request,
    table,
    wait_until,
)
from tests.server.manual_world import World, in_world


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the lengths of logs that are replayed from their first entry."""
    lengths: list[int] = []

    def counted(log: Any) -> Room:
        lengths.append(len(log))
        return room_from_log(log)

    monkeypatch.setattr(loading, "room_from_log", counted)
    return lengths


def in_house(
    path: Path, look: Callable[[InProcessServer], Awaitable[None]], **settings: Any
) -> None:
    """Run a test with a server of its own."""

    async def inside() -> None:
        async with open_server(path, **settings) as server:
            await look(server)

    asyncio.run(asyncio.wait_for(inside(), 60))


async def finished(server: InProcessServer, ada: Visitor) -> str:
    """Play a game to its end and leave; return its code."""
    body = table("vendetta", ["you", "random", "random"], options={"max_rounds": "1"})
    code = str((await ada.post("/api/tables", **body, start=True)).json()["code"])
    socket = await ada.connect(code)
    async with server.house.table(code) as live:
        while live.room.stage != "over":
            server.clock.advance(10)
            await asyncio.sleep(0)
            if 0 in live.room.actors():
                legal = live.room.position(0).legal
                await socket.do("move", f"m{live.room.length}", actions=[legal[-1]])
    await socket.close()
    await wait_until(lambda: server.house.loaded() == [])
    return code


async def forgotten(server: InProcessServer) -> None:
    """Close all tables and drop them from memory."""
    await wait_until(lambda: server.house.loaded() == [])
    server.house._idle = IdleRooms()


# --- Lists ----------------------------------------------------------------------------------------


def test_lists_replay_nothing(tmp_path: Path, replayed: list[int]) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        codes = [await finished(server, ada) for _ in range(2)]
        body = table("vendetta", ["you", "open", "random"])
        codes.append((await ada.post("/api/tables", **body)).json()["code"])
        await forgotten(server)
        replayed.clear()
        mine = (await ada.get("/api/me/tables")).json()
        assert {one["code"] for one in mine} == set(codes)
        assert {one["stage"] for one in mine} == {"over", "lobby"}
        assert all(one["you"] == 0 for one in mine)
        assert (await ada.get("/api/watch")).json() == []
        entries = await table_index(server.house)
        assert {(entry.people, entry.bots, entry.seats) for entry in entries} >= {(1, 2, 3)}
        assert all(entry.alias for entry in entries)
        assert replayed == []
        assert server.house.loaded() == []

    in_house(tmp_path, look)


def test_a_list_shows_whose_turn_it_is_when_everybody_has_left(
    tmp_path: Path, replayed: list[int]
) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            ada, bo = await connect_all(world, live, ADA, BO)
            await world.until(lambda: bool({0, 1} & set(live.room.actors())))
            for one in (ada, bo):
                await one.disconnect()
            expected = [seat in live.room.actors() for seat in (0, 1)]
        world.clock.advance(800)
        await world.settle()
        assert world.houses[0].loaded() == []
        replayed.clear()
        turns = []
        for owner in (ADA, BO):
            (listed,) = await world.do(world.houses[0].lists.tables_of([owner]))
            turns.append(listed.your_turn)
        assert turns == expected
        assert any(turns)
        show = "INSERT INTO listed VALUES (?)"
        await world.do(world.stores[0].engine.run(lambda file: file.execute(show, (code,))))
        (watched,) = await world.do(world.houses[0].lists.tables_to_watch())
        assert (watched.you, watched.your_turn) == (SPECTATOR, False)
        assert replayed == []

    in_world(tmp_path / "tables.db", look, houses=1)


def test_a_list_is_in_the_language_of_the_request(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        await ada.post("/api/tables", **table("vendetta", ["you", "open", "random"]))
        headers = [("host", "localhost:8642"), ("cookie", f"cosca={ada.cookie}")]
        called = []
        for language in ("en", "de"):
            spoken = [*headers, ("accept-language", language)]
            body = (await send_request(server.app, "GET", "/api/me/tables", headers=spoken)).json()
            called.append([seat["seat_name"] for seat in body[0]["seats"]])
        assert called[0] != called[1]

    in_house(tmp_path, look)


def test_tables_of_an_older_store_are_filled_in_once(tmp_path: Path, replayed: list[int]) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await finished(server, ada)
        await server.store.engine.run(
            lambda file: file.execute("UPDATE tables SET summary = x'', summary_format = 0")
        )
        before = await server.store.tables.find(code)
        await forgotten(server)
        assert (await ada.get("/api/me/tables")).json() == []
        replayed.clear()
        await server.house.lists.fill_in()
        await server.house.lists.fill_in()
        assert len(replayed) == 1
        assert [one["code"] for one in (await ada.get("/api/me/tables")).json()] == [code]
        after = await server.store.tables.find(code)
        assert before and after
        assert after.touched == before.touched, "that is no reason to keep it longer"
        assert after.summary_format == FORMAT

    in_house(tmp_path, look)


def test_an_older_summary_never_replaces_a_newer_one(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        store = world.stores[0]
        async with world.at(code) as live:
            (ada,) = await connect_all(world, live, ADA)
            old = encode_summary(live.room)
            assert await ada.do(commands.Leave) == ""
            await world.do(live.summary.save())
            await world.do(store.tables.save_summary(old))
            listed = await world.do(store.tables.find(code))
            assert listed and listed.summary_length == live.room.length

    in_world(tmp_path / "tables.db", look, houses=1)


def test_a_failing_summary_keeps_no_table_open_and_is_not_retried_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Room] = []

    def failing(room: Room, at: int) -> None:
        tried.append(room)
        raise ZeroDivisionError

    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "open")
        monkeypatch.setattr(summary, "encode_summary", failing)
        async with world.at(code):
            pass
        await world.settle()
        assert world.houses[0].loaded() == []
        assert len(tried) == 1

    in_world(tmp_path / "tables.db", look, houses=1)


def test_a_summary_that_could_not_be_written_is_written_later(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "open")
        async with world.at(code):
            world.stores[0].disk.failures = 3
        await world.until(lambda: world.houses[0].loaded() == [])
        listed = await world.do(world.stores[0].tables.find(code))
        assert listed and listed.summary_length == listed.length
        assert world.stores[0].disk.failures == 0

    in_world(tmp_path / "tables.db", look, houses=1)


# --- One table ------------------------------------------------------------------------------------


def test_a_finished_table_is_shown_correctly_without_a_replay(
    tmp_path: Path, replayed: list[int]
) -> None:
    async def look(server: InProcessServer) -> None:
        ada, bo = server.visitor(), server.visitor()
        code = await finished(server, ada)
        await forgotten(server)
        replayed.clear()
        kept = [(await one.get(f"/api/tables/{code}")).json() for one in (ada, bo)]
        assert replayed == []
        async with server.house.table(code):
            live = [(await one.get(f"/api/tables/{code}")).json() for one in (ada, bo)]
        assert kept == live
        assert [room["you"] for room in kept] == [0, SPECTATOR]

    in_house(tmp_path, look)


@pytest.mark.parametrize("game", ["vendetta", "omerta", "sicilianos"])
def test_a_summary_shows_what_a_browser_would_see(game: str) -> None:
    room = room_from_log(first_entries(["you", "open", "random"], 0, game))
    rng = Random(1)
    for _ in range(40):
        if room.stage != "playing":
            break
        seat = rng.choice(room.actors())
        move = rng.choice(room.position(seat).legal)
        room.apply(log_entries.Moved(at=0, seat=seat, actions=[move]))
        for owner in (ADA, BO, "somebody"):
            viewer = views.Viewer(room.seats.of(owner), room.seats.is_host(owner), "text")
            assert summarize(room).seen_by(owner) == views.room_payload(room, viewer, ())
            turn = summarize(room).listed([owner], ()).your_turn
            assert turn == (
                viewer.seat != SPECTATOR and viewer.seat in room.shown.position(viewer.seat).actors
            )


def test_an_outdated_summary_is_not_used_for_a_page(tmp_path: Path, replayed: list[int]) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await finished(server, ada)
        await server.store.engine.run(
            lambda file: file.execute("UPDATE tables SET summary_length = summary_length")
        )
        await server.store.engine.run(
            lambda file: file.execute(
                """INSERT INTO lines SELECT code, seq + 1, 'later', '',
                    CAST('{"line":"spoken","at":0,"seat":0,"text":"x"}' AS BLOB)
                    FROM lines ORDER BY seq DESC LIMIT 1"""
            )
        )
        await forgotten(server)
        replayed.clear()
        assert (await ada.get(f"/api/tables/{code}")).status == 200
        assert len(replayed) == 1

    in_house(tmp_path, look)


def test_a_reopened_table_is_not_replayed_unless_others_wrote(
    tmp_path: Path, replayed: list[int]
) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "open")
        for _ in range(5):
            async with world.at(code) as live:
                (ada,) = await connect_all(world, live, ADA)
                assert await ada.do(commands.Chat, text="well") == ""
                await ada.disconnect()
            world.clock.advance(1000)
            await world.settle()
            assert world.houses[0].loaded() == []
        assert len(replayed) == 1
        async with world.at(code, 1) as there:
            (bo,) = await connect_all(world, there, BO)
            assert await bo.do(commands.Chat, text="elsewhere") == ""
        replayed.clear()
        async with world.at(code) as live:
            assert [said.text for said in live.room.chat.messages][-1] == "elsewhere"
        assert len(replayed) == 1

    in_world(tmp_path / "tables.db", look)


def test_idle_rooms_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = [
        room_from_log(first_entries(["you", "open", "random"], 0, seed=seed)) for seed in range(9)
    ]
    length = rooms[0].length
    monkeypatch.setattr(idle_rooms, "MOST_ENTRIES", 3 * length)
    kept = IdleRooms()
    for room in rooms:
        kept.put(IdleRoom(room, {}))
    assert [bool(kept.take(room.code, length)) for room in rooms] == [False] * 6 + [True] * 3
    monkeypatch.setattr(idle_rooms, "MOST_ROOMS", 2)
    for room in rooms:
        kept.put(IdleRoom(room, {}))
    assert kept.take(rooms[-1].code, length + 1) is None, "its log has become longer"
    assert kept.take(rooms[-2].code, length)
    assert kept.take(rooms[-3].code, length) is None


# --- Records and what else is heavy ---------------------------------------------------------------


def test_the_record_of_a_finished_game_is_made_once(
    tmp_path: Path, replayed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    record = Room.record

    def counted(room: Room) -> str:
        made.append(room.code)
        return record(room)

    monkeypatch.setattr(Room, "record", counted)

    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await finished(server, ada)
        await forgotten(server)
        path = f"/api/tables/{code}/record"
        first = await asyncio.gather(*(ada.get(path) for _ in range(3)))
        assert len({answer.body for answer in first}) == 1
        assert first[0].header("content-disposition").endswith(f'"vendetta-{code}.jsonl"')
        await forgotten(server)
        replayed.clear()
        assert (await ada.get(path)).body == first[0].body
        assert (made, replayed) == ([code], [])
        await server.store.engine.run(
            lambda file: file.execute("UPDATE records SET version = 'older'")
        )
        assert (await ada.get(path)).body == first[0].body
        assert made == [code, code]
        await server.house.delete(code)
        assert (await ada.get(path)).key == "web.no_table"
        assert await server.store.engine.run(
            lambda file: file.execute("SELECT count(*) FROM records").fetchone()
        ) == (0,)

    in_house(tmp_path, look)


def test_a_record_is_refused_while_the_game_goes_on(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        body = table("vendetta", ["you", "random", "random"], start=True)
        code = (await ada.post("/api/tables", **body)).json()["code"]
        for _ in range(2):
            assert (await ada.get(f"/api/tables/{code}/record")).key == "web.not_over"

    in_house(tmp_path, look)


@pytest.mark.parametrize(
    "endpoint", [each for each in ENDPOINTS if not each.writes], ids=lambda each: each.path
)
def test_a_request_costs_what_its_endpoint_declares(
    tmp_path: Path, endpoint: Endpoint[Any]
) -> None:
    async def look(server: InProcessServer) -> None:
        wanted = NewTable(game="vendetta", seats=["you", "open", "random"], name="Ada")
        code = (await server.house.open(ADA, wanted)).code
        path = endpoint.path.format(code=code, game="omerta", number=1)
        most, _ = guard.REQUESTS
        allowed = most // endpoint.cost
        answers: list[Answer] = [
            await send_request(server.app, "GET", path) for _ in range(allowed + 1)
        ]
        assert [answer.status == 429 for answer in answers] == [False] * allowed + [True]

    in_house(tmp_path, look, unlimited=False)


def test_a_closed_table_is_shown_like_a_live_one(tmp_path: Path) -> None:
    async def look(world: World) -> None:
        code = await deal(world, "you", "open", "random")
        async with world.at(code) as live:
            assert await world.do(world.houses[0].lists.closed_room(code, ADA)) is None, (
                "somebody is at it"
            )
            shown = room_for(live, ADA)
        await world.settle()
        assert await world.do(world.houses[0].lists.closed_room(code, ADA)) == shown

    in_world(tmp_path / "tables.db", look, houses=1)
