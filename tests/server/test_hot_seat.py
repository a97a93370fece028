"""Several people at one browser: each has a seat, and sees only what that seat may see."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cosca.core.names import Seat
from tests.server.in_process import (
    InProcessServer,
    SocketClient,
    Visitor,
    open_server,
    socket_path,
    table,
)


async def begun(
    server: InProcessServer, game: str
) -> tuple[Visitor, str, dict[Seat, SocketClient]]:
    """Begin a game of three people at one browser; return a socket for each."""
    browser = server.visitor()
    seats = ["you", "open", "open"]
    answer = await browser.post("/api/tables", **table(game, seats))
    code = str(answer.json()["code"])
    for player, name in enumerate(("Bo", "Cy"), 1):
        joined = await browser.post(f"/api/tables/{code}/join", name=name, local_player=player)
        assert joined.json()["seat"] == player
    sockets = {
        player: SocketClient(
            server.app, socket_path(code, f"local_player={player}"), browser.headers
        )
        for player in range(3)
    }
    for socket in sockets.values():
        await socket.synced()
    sockets[0].command("start", "s")
    while not all(now(socket)["view"] for socket in sockets.values()):
        server.clock.advance(3)
        await asyncio.sleep(0)
    return browser, code, sockets


def now(socket: SocketClient) -> dict[str, Any]:
    """Return what a client knows of the room and the game."""
    known: dict[str, Any] = {"view": None}
    for message in socket.messages():
        known |= {part: message[part] for part in ("room", "view") if message.get(part)}
    return known


@pytest.mark.parametrize("game", ["vendetta", "omerta", "sicilianos"])
def test_each_local_player_has_the_view_of_their_own_seat(tmp_path: Path, game: str) -> None:
    async def look() -> None:
        async with open_server(tmp_path) as server:
            browser, code, sockets = await begun(server, game)
            for player, socket in sockets.items():
                known = now(socket)
                assert known["room"]["you"] == player
                assert [seat["present"] for seat in known["room"]["seats"]] == [True] * 3
                assert bool(known["view"]["choices"]) == (player in known["view"]["actors"])
            (listed,) = (await browser.get("/api/me/tables")).json()
            assert (listed["code"], listed["you"], listed["your_turn"]) == (code, 0, True)
            for socket in sockets.values():
                await socket.close()

    asyncio.run(asyncio.wait_for(look(), 60))
