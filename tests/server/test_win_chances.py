"""Win chances: refused during a game, computed in the background, the same each time."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cosca.bots.win_chances import Shares, own_win_chances
from cosca.catalog import find
from cosca.core.position import Position
from cosca.server.domain.room import Room
from cosca.server.http.replay_api import replay_of
from cosca.words import say
from tests.server.in_process import (
    ImmediateBots,
    InProcessServer,
    SocketClient,
    Visitor,
    open_server,
    table,
)


async def playing(
    server: InProcessServer, seats: Sequence[str], **more: object
) -> tuple[Visitor, str]:
    """Begin a short game; return the browser and the code."""
    ada = server.visitor()
    body = table("vendetta", list(seats), options={"max_rounds": "1"}, start=True, **more)
    return ada, (await ada.post("/api/tables", **body)).json()["code"]


async def over(server: InProcessServer) -> tuple[Visitor, str, Room]:
    """Play a short game to its end; return the browser, the code and the room."""
    ada, code = await playing(server, ["you", "random", "random"])
    async with server.house.table(code) as live:
        socket = await ada.connect(code)
        while await my_turn(live.room, socket):
            await move(live.room, socket)
        return ada, code, live.room


async def my_turn(room: Room, socket: SocketClient) -> bool:
    """Wait for one's turn or the end; return whether it is one's turn."""
    await socket.until(lambda: 0 in room.actors() or is_over(room))
    return not is_over(room)


def is_over(room: Room) -> bool:
    return room.stage == "over"


async def move(room: Room, socket: SocketClient) -> None:
    """Take the last legal action."""
    await socket.do("move", f"m{room.length}", actions=[room.position(0).legal[-1]])


async def whole(ada: Visitor, code: str) -> dict[str, Any]:
    """Request the chart until it is complete, and return it."""
    async with asyncio.timeout(60):
        while True:
            body: dict[str, Any] = (await ada.get(f"/api/tables/{code}/chances")).json()
            if body["curve"]:
                return body
            assert body["turning_points"] == []
            await asyncio.sleep(0)


def test_win_chances_are_refused_during_a_game(tmp_path: Path) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            ada, code = await playing(server, ["you", "random", "random"])
            path = f"/api/tables/{code}/chances"
            async with server.house.table(code) as live:
                socket = await ada.connect(code)
                while await my_turn(live.room, socket):
                    for somebody in (ada, server.visitor()):
                        answer = await somebody.get(path)
                        assert (answer.status, answer.key) == (409, "web.not_over")
                        assert answer.json()["text"] == say("web.not_over", {})
                    await move(live.room, socket)
            assert (await ada.get(path)).status == 200

    asyncio.run(asked())


def test_a_chart_ends_with_the_result_and_uses_each_seats_knowledge(tmp_path: Path) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            ada, code, room = await over(server)
            chart = await whole(ada, code)
            replay = replay_of(room)
            assert chart["done"] == chart["total"] == len(chart["curve"])
            assert chart["curve"][-1]["number"] == len(replay.plies)
            assert chart["curve"][-1]["shares"] == room.playing().returns()
            for moment in chart["curve"]:
                assert all(0 <= share <= 1 for share in moment["shares"])
            moment = chart["curve"][len(chart["curve"]) // 2]
            positions = [replay.position(moment["number"], seat) for seat in range(3)]
            alone = [own_win_chances(find("vendetta"), [position])[0] for position in positions]
            assert moment["shares"] == alone
            for turn in chart["turning_points"]:
                before, after = chart["curve"][turn["number"] - 1 : turn["number"] + 1]
                assert (before["number"], after["number"]) == (turn["number"] - 1, turn["number"])
                assert turn["before"] == before["shares"][turn["seat"]]
                assert turn["after"] == after["shares"][turn["seat"]]
                assert turn["text"].startswith(f"{turn['number']}. ")

    asyncio.run(asked())


class Counting(ImmediateBots):
    """Bots that estimate only when the test lets them, and count; the first time may fail."""

    def __init__(self, *, fails: bool = False) -> None:
        self.weighed = 0
        self.may = asyncio.Event()
        self.fails = fails

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Estimate, or fail."""
        await self.may.wait()
        self.weighed += 1
        if self.fails:
            self.fails = False
            raise OSError("the crew is ill")
        return await super().estimate(game, positions)


def test_a_chart_is_computed_once_in_the_background(tmp_path: Path) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            crew = server.house.bots = Counting()
            ada, code, _ = await over(server)
            for _ in range(3):
                chart = (await ada.get(f"/api/tables/{code}/chances")).json()
                assert (chart["done"], chart["curve"]) == (0, [])
                assert chart["total"] > 0
            crew.may.set()
            first = await whole(ada, code)
            assert crew.weighed == first["total"]
            assert await whole(ada, code) == first
            assert crew.weighed == first["total"], "it is kept"

    asyncio.run(asked())


def test_a_failed_chart_is_computed_again(tmp_path: Path) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            crew = server.house.bots = Counting(fails=True)
            crew.may.set()
            ada, code, _ = await over(server)
            path = f"/api/tables/{code}/chances"
            assert (await ada.get(path)).status == 200
            while not crew.weighed:
                await asyncio.sleep(0)
            assert (await ada.get(path)).status == 500
            assert (await whole(ada, code))["curve"]

    asyncio.run(asked())


class Wavering(ImmediateBots):
    """Bots that see now one seat win, and now another."""

    def __init__(self) -> None:
        self.leader = 0

    async def estimate(self, game: str, positions: Sequence[Position]) -> Shares:
        """Return the whole victory for one seat."""
        self.leader = 1 - self.leader
        return tuple(float(seat == self.leader) for seat in range(len(positions)))


@pytest.mark.parametrize("language", ["de", "it"])
def test_turning_points_are_in_the_language_of_the_request(tmp_path: Path, language: str) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            server.house.bots = Wavering()
            ada, code, _ = await over(server)
            english = await whole(ada, code)
            other = await whole(Visitor(server.app, language=language), code)
            assert other["curve"] == english["curve"]
            assert [turn["number"] for turn in other["turning_points"]] == [
                turn["number"] for turn in english["turning_points"]
            ]
            assert english["turning_points"]
            assert (
                other["turning_points"][-1]["sentence"] != english["turning_points"][-1]["sentence"]
            )

    asyncio.run(asked())
