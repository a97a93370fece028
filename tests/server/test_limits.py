"""Rate limits count networks, and nobody can make the server forget the limits of others."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.server.domain import quotas
from cosca.server.http import code_guesses, connections, frames, guard, sockets
from cosca.server.http.rate_limits import RateLimits
from cosca.server.http.request_body import BODY_BYTES
from cosca.server.http.routes import ENDPOINTS
from cosca.server.live import idle_rooms, origins
from cosca.server.ops.admin_auth import ATTEMPTS, AdminAuth
from cosca.server.storage.sqlite import refusals
from tests.server.in_process import InProcessServer, ManualClock, open_server, send_request, table

HOSTING = Path(__file__).parents[2] / "docs/hosting.md"
NETWORKS = [
    [f"2001:db8:1:2::{number:x}" for number in range(1, 400)],
    ["203.0.113.9", "::ffff:203.0.113.9", "::ffff:cb00:7109"] * 133,
]
"""Addresses that one person can have: all of an IPv6 /64; one IPv4 address, written differently."""
OTHERS = ["2001:db8:1:3::1", "203.0.113.10"]
"""Addresses of other people."""


def in_house(path: Path, test: Callable[[InProcessServer], Awaitable[None]]) -> None:
    """Run a test with a server that has its usual limits."""

    async def inside() -> None:
        async with open_server(path, unlimited=False) as server:
            await test(server)

    asyncio.run(inside())


@pytest.mark.parametrize("mine", NETWORKS)
def test_requests_are_limited_by_network(tmp_path: Path, mine: list[str]) -> None:
    async def attempt(server: InProcessServer) -> None:
        asked = [
            (await send_request(server.app, "GET", "/api/watch", address=one)).status
            for one in mine
        ]
        assert asked == [200] * guard.REQUESTS[0] + [429] * (len(mine) - guard.REQUESTS[0])
        for other in OTHERS:
            assert (
                await send_request(server.app, "GET", "/api/watch", address=other)
            ).status == 200

    in_house(tmp_path, attempt)


@pytest.mark.parametrize("mine", NETWORKS)
def test_tables_are_opened_at_the_rate_of_a_network(tmp_path: Path, mine: list[str]) -> None:
    async def attempt(server: InProcessServer) -> None:
        wanted = table("vendetta", ["you", "open", "random"])
        asked = [await server.visitor(one).post("/api/tables", **wanted) for one in mine[:90]]
        assert [answer.status for answer in asked].count(200) == guard.WRITES[0]
        for other in OTHERS:
            assert (await server.visitor(other).post("/api/tables", **wanted)).status == 200

    in_house(tmp_path, attempt)


@pytest.mark.parametrize("mine", NETWORKS)
def test_guesses_at_the_admin_token_are_limited_by_network(mine: list[str]) -> None:
    auth = AdminAuth("a-token-of-twenty-characters", ManualClock())
    refused = 0
    for address in mine:
        try:
            assert not auth.accepts("a wrong one", address)
        except Refused:
            refused += 1
    assert refused == len(mine) - ATTEMPTS[0]
    assert all(auth.accepts("a-token-of-twenty-characters", other) for other in OTHERS)


@pytest.mark.parametrize("mine", NETWORKS)
def test_commands_of_spectators_are_limited_by_network(tmp_path: Path, mine: list[str]) -> None:
    async def attempt(server: InProcessServer) -> None:
        wanted = table("vendetta", ["you", "open", "random"])
        code = (await server.visitor().post("/api/tables", **wanted)).json()["code"]
        most = sockets.COMMANDS[0]
        for number, address in enumerate(mine[: most + 3]):
            socket = await server.visitor(address).connect(code)
            answer = await socket.do("rematch", "r")
            assert answer["key"] == ("web.only_host" if number < most else "web.too_fast")
            await socket.close()
        socket = await server.visitor(OTHERS[0]).connect(code)
        assert (await socket.do("rematch", "r"))["key"] == "web.only_host"
        await socket.close()

    in_house(tmp_path, attempt)


def test_many_networks_do_not_make_the_house_forget_spent_limits() -> None:
    limits = RateLimits(ManualClock(), 2, 1.0, kept=10)
    assert [limits.allows("mine") for _ in range(3)] == [True, True, False]
    for number in range(1000):
        limits.allows(f"network {number}")
        if number % 5 == 0:
            assert not limits.allows("mine"), "an address that keeps asking is not forgotten"
        assert len(limits._buckets) <= 10


def test_a_full_bucket_is_forgotten() -> None:
    clock = ManualClock()
    limits = RateLimits(clock, 2, 1.0, kept=10)
    for number in range(5):
        limits.allows(str(number))
    clock.advance(1.0)
    limits.allows("one more")
    assert list(limits._buckets) == ["one more"]


def test_twenty_phones_in_one_home_open_the_page_join_and_play_at_once(tmp_path: Path) -> None:
    """Each loads the client, opens a table, lists its own, asks for the time, and chats."""
    home = "203.0.113.9"
    phones, files, pages = 20, 20, 6

    async def attempt(server: InProcessServer) -> None:
        host = server.visitor(home)
        codes = []
        for _ in range(5):
            wanted = table("vendetta", ["open"] * 4)
            codes.append((await host.post("/api/tables", **wanted)).json()["code"])
        guests = [server.visitor(home) for _ in range(phones)]
        for number, guest in enumerate(guests):
            code = codes[number % 5]
            loaded = [await guest.get(f"/assets/file-{file}.js") for file in range(files)]
            loaded += [await guest.get("/api/me/tables") for _ in range(pages)]
            assert all(answer.status != 429 for answer in loaded)
            watching = await guest.connect(code)
            for ping in range(3):
                assert (await watching.do("ping", f"p{ping}"))["type"] == "pong"
            joined = await guest.post(f"/api/tables/{code}/join", name=f"P{number}")
            assert joined.status == 200, joined.body
            await watching.close()
        opened_sockets = [
            await guest.connect(codes[number % 5]) for number, guest in enumerate(guests)
        ]
        for socket in opened_sockets:
            assert (await socket.do("chat", "c", text="hello"))["type"] == "done"
        for socket in opened_sockets:
            await socket.close()

    in_house(tmp_path, attempt)


def test_files_and_requests_have_separate_limits(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        files = [
            await send_request(server.app, "GET", "/assets/x.js") for _ in range(guard.FILES[0] + 1)
        ]
        assert [answer.status == 429 for answer in files] == [False] * guard.FILES[0] + [True]
        assert (await send_request(server.app, "GET", "/api/watch")).status == 200

    in_house(tmp_path, attempt)


def said(limit: tuple[float, float]) -> str:
    """Return a limit as the hosting page writes it."""
    most, rate = limit
    then = f"{rate:g} a second" if rate > 1 else f"one in {1 / rate:g} seconds"
    return f"{most:g}, then {'one a second' if rate == 1 else then}"


COSTLY = sorted((each for each in ENDPOINTS if each.cost > 1), key=lambda each: -each.cost)
COSTS = f"each counts as {'; as '.join(str(each.cost) for each in COSTLY)} requests"


def test_the_hosting_page_lists_the_costly_requests() -> None:
    named = [f"`{each.path.rpartition('/')[2]}`" for each in COSTLY]
    assert f"| requests for {'; for '.join(named)} and sockets |" in HOSTING.read_text("utf-8")
    assert COSTLY[-1].cost == guard.SOCKET_COST


@pytest.mark.parametrize(
    ("what", "limit"),
    [
        ("connections in all", f"at most {connections.MOST:,}"),
        ("connections in all", str(connections.most_connections(1024, 1))),
        ("connections from one network", str(connections.PER_NETWORK)),
        ("requests and sockets at once", str(connections.PER_NETWORK)),
        ("time for a whole request head", f"{connections.SECONDS['request']:g} seconds"),
        ("time for the rest of a request", f"{connections.SECONDS['body']:g} seconds"),
        ("time to read what is sent", f"{connections.SECONDS['read']:g} seconds"),
        ("time to disconnect", f"{connections.SECONDS['close']:g} seconds"),
        ("requests from one network", said(guard.REQUESTS)),
        ("files of the client", said(guard.FILES)),
        ("tables opened", said(guard.WRITES)),
        ("wrong table codes", said(code_guesses.WRONG_CODES)),
        ("guesses at the admin token", said(ATTEMPTS)),
        ("networks and seats", f"{RateLimits(ManualClock(), 1, 1)._kept:,}"),
        ("size of a request body", f"{BODY_BYTES:,} bytes; {wire.FRAME_BYTES:,} bytes"),
        ("commands from a seat", said(sockets.COMMANDS)),
        ("chat messages from a seat", said(sockets.CHATS)),
        ("messages that are refused", said(sockets.FAULTS)),
        ("messages that have arrived", str(frames.MOST_UNREAD)),
        ("pings, pongs", said(frames.EXTRAS)),
        ("requests for", COSTS),
        ("messages that wait", f"{sockets.MOST_WAITING:,}, or 1 MiB"),
        ("log entries of a table", f"{quotas.ENTRIES:,}"),
        ("chat messages in all", str(quotas.CHATS)),
        ("other log entries", f"{quotas.OTHERS:,}"),
        ("moves taken back", str(quotas.TAKEBACKS)),
        ("refusals kept", f"{refusals.MAX_REFUSALS} of a browser"),
        ("tables in progress", f"{origins.MOST_OF_BROWSER} opened by one browser"),
        ("tables in progress", f"{origins.MOST_OF_NETWORK} from one network"),
        ("games kept in memory", f"{idle_rooms.MOST_ROOMS} tables"),
        ("games kept in memory", f"{idle_rooms.MOST_ENTRIES:,} log entries"),
    ],
)
def test_the_hosting_page_lists_the_limits(what: str, limit: str) -> None:
    section = HOSTING.read_text("utf-8").partition("\n## Limits\n")[2].partition("\n## ")[0]
    (row,) = [row for row in section.splitlines() if row.startswith(f"| {what}")]
    assert limit in row.split("|")[2]
