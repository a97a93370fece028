"""The end of a game: who came where and what decided it, and the next game."""

from pathlib import Path
from typing import Any

import pytest

from cosca.catalog import GAMES
from tests.server.in_process import InProcessServer, SocketClient, table
from tests.server.test_privacy import in_house, room

SHORT = {
    "vendetta": {"max_rounds": "1"},
    "omerta": {"games": "1", "max_rounds": "2", "reactions": "sealed"},
}
"""Options under which a game soon ends; the others need none."""
FIGURES = {
    "vendetta": ["points", "districts"],
    "omerta": ["total", "last"],
    "sicilianos": ["total", "laundered", "black", "bonus", "businesses"],
}


def view(socket: SocketClient) -> dict[str, Any]:
    """Return the newest view of a browser."""
    return next(message["view"] for message in reversed(socket.messages()) if message.get("view"))


async def finished(server: InProcessServer, game: str, seats: list[str]) -> SocketClient:
    """Let bots play a short game; return the socket of the host who watches it."""
    options = SHORT.get(game, {})
    host = server.visitor()
    opened = await host.post("/api/tables", **table(game, seats, start=True, options=options))
    socket = await host.connect(opened.json()["code"])
    await socket.until(lambda: room(socket)["stage"] == "over")
    return socket


@pytest.mark.parametrize("game", FIGURES)
def test_a_finished_game_shows_who_came_where_and_why(tmp_path: Path, game: str) -> None:
    async def attempt(server: InProcessServer) -> None:
        socket = await finished(server, game, ["random"] * 3)
        shown = view(socket)
        ranking = shown["ranking"]
        assert sorted(ranked["seat"] for ranked in ranking) == [0, 1, 2]
        assert ranking[0]["place"] == 1
        winners = [ranked["seat"] for ranked in ranking if ranked["place"] == 1]
        names = [room(socket)["seats"][seat]["seat_name"] for seat in winners]
        assert all(name in shown["result"] for name in names)
        keys = {figure["key"] for ranked in ranking for figure in ranked["figures"]}
        assert keys == set(FIGURES[game])
        texts = [figure for ranked in ranking for figure in ranked["figures"]]
        assert all(figure["label"] and figure["text"] for figure in texts)

    in_house(tmp_path, attempt)


def test_a_program_gets_the_figures_without_texts(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        socket = await finished(server, "vendetta", ["random"] * 3)
        program = await server.visitor().connect(room(socket)["code"], "data")
        synced = await program.synced()
        figures = [figure for ranked in synced["view"]["ranking"] for figure in ranked["figures"]]
        assert len(figures) == 6
        assert all(figure.keys() == {"key", "value"} for figure in figures)

    in_house(tmp_path, attempt)


def test_there_is_no_ranking_before_the_end(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        host = server.visitor()
        seats = ["you", "random", "random"]
        opened = await host.post("/api/tables", **table("vendetta", seats, start=True))
        socket = await host.connect(opened.json()["code"])
        await socket.until(lambda: room(socket)["stage"] == "playing")
        assert view(socket)["ranking"] == []

    in_house(tmp_path, attempt)


# --- The next game --------------------------------------------------------------------------------


async def rematch(host: SocketClient) -> str:
    """Play again, and return the code of the next table."""
    return str((await host.do("rematch", "again"))["code"])


async def played_out(server: InProcessServer, friends: int) -> tuple[SocketClient, list[Any]]:
    """Play a game of the host with friends, who leave their seats to bots until it is over."""
    people = [server.visitor() for _ in range(1 + friends)]
    seats = ["you", *["open"] * friends, *["random"] * (2 - friends)]
    wanted = table("vendetta", seats, options={"max_rounds": "1"})
    code = (await people[0].post("/api/tables", **wanted)).json()["code"]
    for friend in people[1:]:
        await friend.post(f"/api/tables/{code}/join", name="Bo")
    sockets = [await person.connect(code) for person in people]
    await sockets[0].do("start", "start")
    await sockets[0].until(lambda: room(sockets[0])["stage"] == "playing")
    for socket in sockets:
        await socket.do("leave", "leave")
    await sockets[0].until(lambda: room(sockets[0])["stage"] == "over")
    return sockets[0], people


def test_against_bots_the_next_game_begins_at_once(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        host, people = await played_out(server, 0)
        again = await people[0].connect(await rematch(host))
        await again.until(lambda: room(again)["stage"] == "playing")
        assert room(again)["you"] == room(host)["you"] == 0
        assert [seat["kind"] for seat in room(again)["seats"]] == ["person", "bot", "bot"]

    in_house(tmp_path, attempt)


def test_friends_are_asked_before_the_next_game(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        host, people = await played_out(server, 1)
        code = await rematch(host)
        assert (await people[0].get(f"/api/tables/{code}")).json()["stage"] == "lobby"

    in_house(tmp_path, attempt)


def test_a_next_game_among_bots_begins_at_once_too(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        host = await finished(server, "vendetta", ["random"] * 3)
        again = await server.visitor().connect(await rematch(host))
        await again.until(lambda: room(again)["stage"] == "over")

    in_house(tmp_path, attempt)


def test_every_game_has_figures() -> None:
    assert FIGURES.keys() == GAMES.keys()
