"""Endpoints refuse what they declare, and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cosca.core.errors import Refused
from cosca.server.domain.room import Room
from cosca.server.http.endpoint import EndpointIndex
from cosca.server.http.refusals import status_of
from cosca.server.http.routes import ENDPOINTS
from cosca.server.live import origins
from cosca.server.ops import health
from tests.server.in_process import Answer, FixedAddress, InProcessServer, open_server, table
from tests.server.manual_world import discard

ELSEWHERE = "203.0.113.9"
THREE = ["you", "open", "random"]
BOTS = ["you", "random", "random"]
SNAPSHOT = "/api/tables/{code}/replay/{number}"

Provoke = Callable[[InProcessServer], Awaitable[Answer]]


async def opening(server: InProcessServer, game: str = "vendetta", **more: Any) -> Answer:
    """Request an impossible table."""
    return await server.visitor().post("/api/tables", **{**table(game, THREE), **more})


async def too_many_tables(server: InProcessServer) -> Answer:
    """Open one more table than a browser may."""
    ada = server.visitor()
    answers = []
    for _ in range(origins.MOST_OF_BROWSER + 1):
        answers.append(await ada.post("/api/tables", **table("vendetta", THREE)))
        socket = (
            await ada.connect(answers[-1].json()["code"]) if answers[-1].status == 200 else None
        )
        assert socket is None or not socket.code
    return answers[-1]


async def failing_disk(method: str, path: str, server: InProcessServer) -> Answer:
    """Send a request while the disk fails."""

    async def fail(*words: object) -> None:
        raise Refused("web.not_written")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.store.engine, "run", fail)
        ada = server.visitor()
        if method == "GET":
            return await ada.get(path)
        return await ada.post(path, **table("vendetta", THREE))


async def new_table(server: InProcessServer, seats: Sequence[str] = THREE, **more: Any) -> str:
    """Open a table, and return its code."""
    answer = await server.visitor().post("/api/tables", **table("vendetta", seats, **more))
    return str(answer.json()["code"])


async def joining(
    server: InProcessServer, seats: Sequence[str] = THREE, start: bool = False, **more: Any
) -> Answer:
    """Request a seat that is not available."""
    code = await new_table(server, seats, start=start)
    return await server.visitor().post(f"/api/tables/{code}/join", **{"name": "Bob", **more})


async def full_log(what: str, server: InProcessServer) -> Answer:
    """Request a seat at a table whose log is full."""
    code = await new_table(server, ["you", "open", "open"])
    bob = server.visitor()
    token = (await bob.post(f"/api/tables/{code}/join", name="Bob")).json()["token"]
    wanted = {"claim": {"token": token}, "join": {"name": "Cleo"}}[what]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Room, "is_full", True)
        return await server.visitor().post(f"/api/tables/{code}/{what}", **wanted)


async def two_seats(server: InProcessServer) -> Answer:
    """Claim another seat than one's own."""
    code = await new_table(server, ["you", "open", "open"])
    bob, cleo = server.visitor(), server.visitor()
    await bob.post(f"/api/tables/{code}/join", name="Bob")
    token = (await cleo.post(f"/api/tables/{code}/join", name="Cleo")).json()["token"]
    return await bob.post(f"/api/tables/{code}/claim", token=token)


async def wrong_link(server: InProcessServer) -> Answer:
    """Claim a seat with an unknown token."""
    code = await new_table(server)
    return await server.visitor().post(f"/api/tables/{code}/claim", token="x" * 40)


async def during_game(end: str, server: InProcessServer) -> Answer:
    """Request during a game what is available after it."""
    return await server.visitor().get(f"/api/tables/{await new_table(server)}/{end}")


async def after_game(end: str, server: InProcessServer) -> Answer:
    """Send a request about a finished game."""
    code = await new_table(server, ["random"] * 3, start=True, options={"max_rounds": "1"})
    async with asyncio.timeout(60), server.house.table(code) as live:
        live.connect("", "data", discard)
        while live.room.stage != "over":
            server.clock.advance(10)
            await asyncio.sleep(0)
        live.disconnect(discard)
    return await server.visitor().get(f"/api/tables/{code}/{end}")


async def inviting(server: InProcessServer, address: str = "127.0.0.1", key: str = "") -> Answer:
    """Request that the server listens on the network."""

    async def fail(addresses: FixedAddress) -> list[str]:
        raise Refused(key, host="192.0.2.7", port=8642, reason="taken")

    with pytest.MonkeyPatch.context() as patch:
        if key:
            patch.setattr(FixedAddress, "open_to_local_network", fail)
        return await server.visitor(address).post("/api/invite")


async def requested(path: str, server: InProcessServer) -> Answer:
    """Request something of a game."""
    return await server.visitor().get(f"/api/games/{path}")


PROVOKED: dict[tuple[str, str], Provoke] = {
    ("/api/games/{game}/rules", "bad_game"): partial(requested, "tarot/rules"),
    ("/api/games/{game}/primer", "bad_game"): partial(requested, "tarot/primer"),
    ("/api/games/{game}/primer", "bad_edition"): partial(
        requested, "vendetta/primer?edition=third"
    ),
    ("/api/tables", "bad_bot"): partial(opening, seats=["you", "nobody", "random"]),
    ("/api/tables", "bad_edition"): partial(opening, edition="third"),
    ("/api/tables", "bad_game"): partial(opening, game="tarot"),
    ("/api/tables", "bad_option"): partial(opening, options={"jokers": "2"}),
    ("/api/tables", "bad_seats"): partial(opening, seats=["you"]),
    ("/api/tables", "bad_value"): partial(opening, options={"max_rounds": "many"}),
    ("/api/tables", "web.empty_name"): partial(opening, name="\u202e"),
    ("/api/tables", "web.no_days"): partial(opening, game="omerta", pace="days"),
    ("/api/tables", "web.not_written"): partial(failing_disk, "POST", "/api/tables"),
    ("/api/me/tables", "web.not_written"): partial(failing_disk, "GET", "/api/me/tables"),
    ("/api/watch", "web.not_written"): partial(failing_disk, "GET", "/api/watch"),
    ("/api/tables", "web.one_you"): partial(opening, seats=["you", "you", "random"]),
    ("/api/tables", "web.too_many_tables"): too_many_tables,
    ("/api/tables/{code}/join", "web.begun"): partial(joining, seats=BOTS, start=True),
    ("/api/tables/{code}/join", "web.empty_name"): partial(joining, name="\u202e"),
    ("/api/tables/{code}/join", "web.full"): partial(joining, seats=BOTS),
    ("/api/tables/{code}/join", "web.seat_taken"): partial(joining, seat=2),
    ("/api/tables/{code}/join", "web.table_full"): partial(full_log, "join"),
    ("/api/tables/{code}/claim", "web.bad_link"): wrong_link,
    ("/api/tables/{code}/claim", "web.seated"): two_seats,
    ("/api/tables/{code}/claim", "web.table_full"): partial(full_log, "claim"),
    ("/api/tables/{code}/record", "web.not_over"): partial(during_game, "record"),
    ("/api/tables/{code}/replay", "web.bad_viewer"): partial(after_game, "replay?viewer=nobody"),
    ("/api/tables/{code}/replay", "web.not_over"): partial(during_game, "replay"),
    ("/api/tables/{code}/replay/{number}", "web.bad_viewer"): partial(
        after_game, "replay/1?viewer=x"
    ),
    ("/api/tables/{code}/replay/{number}", "web.no_such_move"): partial(after_game, "replay/999"),
    ("/api/tables/{code}/replay/{number}", "web.not_found"): partial(after_game, "replay/last"),
    ("/api/tables/{code}/replay/{number}", "web.not_over"): partial(during_game, "replay/1"),
    ("/api/tables/{code}/chances", "web.not_over"): partial(during_game, "chances"),
    ("/api/invite", "web.no_network"): partial(inviting, key="web.no_network"),
    ("/api/invite", "web.only_here"): partial(inviting, address=ELSEWHERE),
    ("/api/invite", "web.port_taken"): partial(inviting, key="web.port_taken"),
}


@pytest.mark.parametrize(
    ("path", "key"), [(each.path, key) for each in ENDPOINTS for key in each.refusals]
)
def test_every_declared_refusal_can_happen(tmp_path: Path, path: str, key: str) -> None:
    async def attempt() -> Answer:
        limited = key == "web.too_many_tables"
        async with open_server(tmp_path, unlimited=not limited) as server:
            answer = await PROVOKED[path, key](server)
            await server.close_sockets()
            return answer

    answer = asyncio.run(attempt())
    assert (answer.status, answer.key) == (status_of(key), key)


def test_every_provoked_refusal_is_declared() -> None:
    assert set(PROVOKED) == {(each.path, key) for each in ENDPOINTS for key in each.refusals}


def test_the_endpoint_of_a_request_is_found_by_method_and_path() -> None:
    index = EndpointIndex([*ENDPOINTS, *health.ENDPOINTS])
    for endpoint in ENDPOINTS:
        path = endpoint.path.format(code="abcdefgh", game="omerta", number=7)
        assert index.find(endpoint.method, path) is endpoint
    heads = index.find("HEAD", "/api/tables/abcdefgh/record")
    assert heads is not None and heads.cost == 10, "a head costs as much as the whole"
    assert index.find("GET", health.ALIVE) is health.ENDPOINTS[0]
    for method, path in [("DELETE", "/api/games"), ("GET", "/"), ("GET", "/api/tables/a/b/c")]:
        assert index.find(method, path) is None
