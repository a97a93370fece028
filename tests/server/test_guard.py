"""The guard: origins, host names, limits, permissions, and what nobody learns."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from cosca.server import wire
from cosca.server.app import application
from cosca.server.domain import commands
from cosca.server.http import guard, sockets
from cosca.server.http.guard import HEADERS
from cosca.server.http.identity import COOKIE
from cosca.server.http.rate_limits import RateLimits
from cosca.server.http.request_body import BODY_BYTES
from cosca.server.http.routes import ENDPOINTS
from cosca.server.live.table import LiveTable
from cosca.server.ops.settings import Settings
from cosca.server.serve import Listeners, bind, free_port, limited_connections
from tests.server.in_process import (
    HOST,
    ORIGIN,
    SAME_ORIGIN,
    Answer,
    FixedAddress,
    Headers,
    InProcessServer,
    ManualClock,
    SocketClient,
    Visitor,
    captured_logs,
    open_server,
    send_request,
    socket_path,
    table,
)

THREE = ["you", "open", "random"]


def in_house(path: Path, test: Callable[[InProcessServer], Awaitable[Any]], **settings: Any) -> Any:
    """Run a test with a server of its own."""

    async def inside() -> Any:
        async with open_server(path, **settings) as server:
            return await test(server)

    return asyncio.run(inside())


async def new_table(visitor: Visitor, *seats: str, **more: object) -> str:
    """Open a table, and return its code."""
    answer = await visitor.post("/api/tables", **table("vendetta", seats or THREE, **more))
    return str(answer.json()["code"])


# --- Origin and host ------------------------------------------------------------------------------

FOREIGN = [
    None,
    "",
    "null",
    "http://evil.example",
    f"{ORIGIN}.evil.example",
    f"http://evil.example/{HOST}",
    f"http://{HOST}@evil.example",
    f"http://evil.example#{HOST}",
    f"http://x{HOST}",
    "http://localhost",
    "http://localhost:86420",
    "http://localhost:8643",
    f"{ORIGIN}/",
    f"{ORIGIN} ",
    f"ws://{HOST}",
    f"file://{HOST}",
    f"//{HOST}",
    HOST,
    f"http:{HOST}",
    f"http://{HOST.upper()}",
]


@pytest.mark.parametrize("origin", FOREIGN)
def test_pages_of_other_origins_can_do_nothing(tmp_path: Path, origin: str | None) -> None:
    headers: Headers = [("host", HOST), *([("origin", origin)] if origin is not None else [])]

    async def attempt(server: InProcessServer) -> None:
        code = await new_table(server.visitor())
        before = len(await server.store.tables.in_stage("lobby", 99))
        body = msgspec.json.encode(table("vendetta", THREE))
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            answer = await send_request(server.app, method, "/api/tables", body, headers)
            assert (answer.status, answer.key) == (403, "web.bad_origin")
        socket = SocketClient(server.app, socket_path(code), headers)
        await socket.until(lambda: socket.code)
        assert not socket.accepted and not socket.sent
        assert len(await server.store.tables.in_stage("lobby", 99)) == before

    in_house(tmp_path, attempt)


def test_a_second_origin_does_not_help(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        headers = [("host", HOST), ("origin", "http://evil.example"), ("origin", ORIGIN)]
        return await send_request(server.app, "POST", "/api/tables", b"{}", headers)

    assert in_house(tmp_path, attempt).key == "web.bad_origin"


HOSTS = {
    "localhost": True,
    HOST: True,
    "127.0.0.1:8642": True,
    "[::1]:8642": True,
    "192.168.1.20:8642": True,
    "cosca.example": True,
    "cosca.example:443": True,
    "": False,
    "evil.example": False,
    "localhost.evil.example": False,
    "127.0.0.1.evil.example": False,
    "evil.example#localhost": False,
    "evil.example/localhost": False,
    "localhost@evil.example": False,
    "[::1": False,
    "0x7f.1": False,
    "x" * 5000: False,
}


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host[:30] or "none")
def test_the_house_answers_to_its_own_names_only(tmp_path: Path, host: str) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        headers = [("host", host), ("origin", f"http://{host}")]
        answer = await send_request(server.app, "GET", "/api/games", headers=headers)
        socket = SocketClient(server.app, socket_path("abcdefgh"), headers)
        await socket.until(lambda: socket.code)
        assert socket.accepted == HOSTS[host]
        return answer

    answer = in_house(tmp_path, attempt, names=("cosca.example",))
    assert answer.status == (200 if HOSTS[host] else 403)
    assert len(answer.body) < 300 or HOSTS[host]


# --- Headers and cookies --------------------------------------------------------------------------

PATHS = [
    "/",
    "/t/abcdefgh",
    "/nothing/at/all",
    "/api/games",
    "/api/tables/abcdefgh",
    "/api/openapi.json",
    "/assets/../../app.py",
    "/assets/x.js",
    "/index.html",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_every_response_has_the_headers(tmp_path: Path, method: str, path: str) -> None:
    answer = in_house(tmp_path, lambda server: send_request(server.app, method, path))
    for name, value in HEADERS.items():
        assert answer.header(name) == value
    assert "unsafe" not in answer.header("content-security-policy")
    assert answer.header("cache-control")
    assert b"Traceback" not in answer.body
    assert answer.status != 500


def test_refusals_of_the_guard_have_the_headers_too(tmp_path: Path) -> None:
    answer = in_house(tmp_path, lambda server: send_request(server.app, "GET", "/", headers=()))
    assert answer.status == 403
    assert all(answer.header(name) == value for name, value in HEADERS.items())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_cookie_is_for_the_house_alone(tmp_path: Path, scheme: str) -> None:
    body = msgspec.json.encode(table("vendetta", THREE))
    headers = [("host", HOST), ("origin", f"{scheme}://{HOST}")]
    answer = in_house(
        tmp_path,
        lambda server: send_request(
            server.app, "POST", "/api/tables", body, headers, scheme=scheme
        ),
    )
    parts = {part.strip().lower() for part in answer.header("set-cookie").split(";")[1:]}
    assert {"httponly", "samesite=strict", "path=/"} <= parts
    assert ("secure" in parts) == (scheme == "https")
    assert not any(part.startswith("domain") for part in parts)


@pytest.mark.parametrize("cookie", ["x", "ü" * 30, "a" * 65, "a b" * 10, "'; DROP TABLE lines"])
def test_an_invalid_cookie_is_replaced(tmp_path: Path, cookie: str) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        body = msgspec.json.encode(table("vendetta", THREE))
        headers = [*SAME_ORIGIN, ("cookie", f"{COOKIE}={cookie}")]
        return await send_request(server.app, "POST", "/api/tables", body, headers)

    answer = in_house(tmp_path, attempt)
    assert answer.status == 200 and answer.header("set-cookie")


# --- Limits ---------------------------------------------------------------------------------------


def test_a_large_body_is_refused(tmp_path: Path) -> None:
    body = b'{"game":"' + b"x" * BODY_BYTES + b'"}'
    answer = in_house(
        tmp_path, lambda server: send_request(server.app, "POST", "/api/tables", body)
    )
    assert (answer.status, answer.key) == (413, "web.too_large")


def test_a_large_frame_is_refused_and_the_next_is_handled(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        socket = await ada.connect(await new_table(ada))
        for frame in ("x" * (wire.FRAME_BYTES + 1), b"[" * (wire.FRAME_BYTES + 1)):
            socket.put(frame)
            assert (await socket.next())["key"] == "web.too_large"
        assert (await socket.do("chat", "c", text="hello"))["type"] == "done"
        await socket.close()

    in_house(tmp_path, attempt)


def test_requests_are_limited_by_address(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        most, rate = guard.REQUESTS
        for _ in range(most):
            assert (await send_request(server.app, "GET", "/api/watch")).status == 200
        refused = await send_request(server.app, "GET", "/api/watch")
        assert (refused.status, refused.key) == (429, "web.too_fast")
        socket = SocketClient(server.app, socket_path("abcdefgh"))
        await socket.until(lambda: socket.code)
        assert not socket.accepted
        assert (
            await send_request(server.app, "GET", "/api/watch", address="192.0.2.9")
        ).status == 200
        server.clock.advance(1 / rate)
        assert (await send_request(server.app, "GET", "/api/watch")).status == 200
        assert (await send_request(server.app, "GET", "/api/watch")).status == 429

    in_house(tmp_path, attempt, unlimited=False)


def test_requests_that_write_are_limited_more(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        most, rate = guard.WRITES
        for _ in range(most):
            answer = await send_request(server.app, "POST", "/api/tables/abcdefgh/claim", b"{}")
            assert answer.status != 429
        answer = await send_request(server.app, "POST", "/api/tables/abcdefgh/claim", b"{}")
        assert answer.status == 429
        assert (await send_request(server.app, "GET", "/api/watch")).status == 200
        server.clock.advance(1 / rate)
        answer = await send_request(server.app, "POST", "/api/tables/abcdefgh/claim", b"{}")
        assert answer.status != 429

    in_house(tmp_path, attempt, unlimited=False)


def test_addresses_are_forgotten_before_they_fill_the_memory() -> None:
    clock = ManualClock()
    limits = RateLimits(clock, 2, 1.0, kept=10)
    for number in range(1000):
        assert limits.allows(str(number))
        assert len(limits._buckets) <= 10
    assert limits.allows("x") and limits.allows("x") and not limits.allows("x")


def test_commands_are_limited_by_seat(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        socket = await ada.connect(await new_table(ada))
        most, rate = sockets.COMMANDS
        for number in range(most):
            assert (await socket.do("preview_actions", f"t{number}", actions=[]))[
                "key"
            ] == "web.not_begun"
        assert (await socket.do("preview_actions", "more", actions=[]))["key"] == "web.too_fast"
        server.clock.advance(1 / rate)
        assert (await socket.do("preview_actions", "again", actions=[]))["key"] == "web.not_begun"
        await socket.close()

    in_house(tmp_path, attempt, unlimited=False)


@pytest.mark.parametrize("seated", [True, False])
def test_another_socket_is_no_way_around_the_limits(tmp_path: Path, seated: bool) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await new_table(ada)
        wrong: list[str] = []
        for number in range(3):
            who = ada if seated else server.visitor("192.0.2.9")
            who.cookie = who.cookie or f"some-cookie-that-was-made-up-{number}"
            socket = await who.connect(code)
            for other in range(sockets.COMMANDS[0] // 2):
                wrong.append((await socket.do("rematch", f"r{number}-{other}"))["key"])
            await socket.close()
        assert wrong.count("web.too_fast") == sockets.COMMANDS[0] // 2
        socket = await server.visitor("192.0.2.10").connect(code)
        assert (await socket.do("rematch", "r"))["key"] == "web.only_host", "others are not hit"
        await socket.close()

    in_house(tmp_path, attempt, unlimited=False)


def test_chat_is_limited_even_without_rate_limits(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        socket = await ada.connect(await new_table(ada))
        for number in range(sockets.CHATS[0]):
            assert (await socket.do("chat", f"c{number}", text="hello"))["type"] == "done"
        assert (await socket.do("chat", "more", text="hello"))["key"] == "web.too_fast"
        assert (await socket.do("leave", "l"))["type"] == "done", "it is the chat that is limited"
        await socket.close()

    in_house(tmp_path, attempt)


def test_an_invalid_frame_counts_as_a_command(tmp_path: Path) -> None:
    """Otherwise garbage could keep the server busy for ever."""

    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        socket = await ada.connect(await new_table(ada))
        for _ in range(sockets.COMMANDS[0] + 1):
            socket.put("{")
        await socket.until(lambda: socket.messages()[-1].get("key") == "web.too_fast")
        assert socket.messages()[-1]["key"] == "web.too_fast"
        await socket.close()

    in_house(tmp_path, attempt, unlimited=False)


# --- What people write ----------------------------------------------------------------------------

NASTY = "\u202e\u2066\x00\x1b[31m\r\n\u2028<script>\ud7ff\u200b\ufeff  x"


def test_names_and_chat_contain_only_printable_characters(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        ada, bob = server.visitor(), server.visitor()
        code = await new_table(ada, name=NASTY[:24], spectator_chat=True)
        socket = await bob.connect(code)
        speaker = await ada.connect(code)
        assert (await speaker.do("chat", "c", text=NASTY))["type"] == "done"
        await socket.until(lambda: any(message.get("chat") for message in socket.messages()))
        said = [one for message in socket.messages() for one in message.get("chat", [])]
        for other in (socket, speaker):
            await other.close()
        return socket.messages()[0]["room"], said

    room, said = in_house(tmp_path, attempt)
    for text in (room["seats"][0]["name"], said[0]["text"], said[0]["name"]):
        assert text.isprintable() and text == " ".join(text.split())
    assert said[0]["text"] == "[31m <script> x"


@pytest.mark.parametrize("name", ["", "x" * 25, "\u202e", " \n ", "\x00"])
def test_a_name_that_cannot_be_shown_is_refused(tmp_path: Path, name: str) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        return await server.visitor().post(
            "/api/tables", **{**table("vendetta", THREE), "name": name}
        )

    assert in_house(tmp_path, attempt).key in ("web.not_json", "web.empty_name")


# --- What goes wrong inside -----------------------------------------------------------------------


async def broken(*words: object) -> Any:
    """Fail with an error that contains a secret."""
    raise RuntimeError("the seed is 1234")


def test_an_internal_error_gets_a_plain_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = replace(ENDPOINTS[0], path="/api/broken", handler=broken)
    monkeypatch.setattr("cosca.server.app.ENDPOINTS", [*ENDPOINTS, endpoint])
    with captured_logs() as log:
        answer = in_house(tmp_path, lambda server: send_request(server.app, "GET", "/api/broken"))
    assert (answer.status, answer.key) == (500, "web.failed")
    assert b"seed" not in answer.body and b"Traceback" not in answer.body
    assert all(answer.header(name) == value for name, value in HEADERS.items())
    assert any("Traceback" in line for line in log), "the host finds the cause in the log"


def test_an_internal_error_closes_the_socket_without_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveTable, "handle_command", broken)

    async def attempt(server: InProcessServer) -> SocketClient:
        ada = server.visitor()
        code = await new_table(ada)
        socket = await ada.connect(code)
        socket.command("chat", "c", text="hello")
        await socket.until(lambda: socket.code)
        again = await ada.connect(code)
        assert (await again.synced())["type"] == "sync", "the house is there as before"
        await again.close()
        return socket

    with captured_logs():
        socket = in_house(tmp_path, attempt)
    assert socket.code == 1011
    assert not any(b"seed" in message for message in socket.sent)


# --- Listening and proxies ------------------------------------------------------------------------


def test_the_house_listens_only_on_this_computer_by_default(tmp_path: Path) -> None:
    assert Settings(store=tmp_path / "x").host == "127.0.0.1"
    assert not Settings(store=tmp_path / "x").proxies
    bound = bind(Settings.host, 0)
    assert bound.getsockname()[0] == "127.0.0.1"
    bound.close()


@contextlib.asynccontextmanager
async def listening(path: Path, **settings: Any) -> AsyncIterator[tuple[Listeners, int]]:
    """Run a server that really listens, as `./run play` does."""
    port = free_port()
    async with open_server(path) as server:
        validated = Settings(store=path, port=port, unlimited=True, **settings)
        listeners = Listeners(
            validated, limited_connections(validated, server.clock, server.house.metrics)
        )
        listeners.app = application(server.house, FixedAddress(), validated, server.clock)
        await listeners.listen("127.0.0.1", port, lifespan=False)
        try:
            yield listeners, port
        finally:
            listeners.stop()
            await listeners.wait()


@pytest.mark.parametrize(
    ("proxies", "trusted"), [((), False), (("192.0.2.1",), False), (("127.0.0.1",), True)]
)
def test_forwarding_headers_are_trusted_only_from_known_proxies(
    tmp_path: Path, proxies: tuple[str, ...], trusted: bool
) -> None:
    async def attempt() -> tuple[str, str]:
        async with listening(tmp_path, proxies=proxies) as (_, port), httpx.AsyncClient() as client:
            home = f"http://127.0.0.1:{port}"
            headers = {
                "origin": home,
                "x-forwarded-for": "203.0.113.9",
                "x-forwarded-proto": "https",
            }
            invited = await client.post(f"{home}/api/invite", headers=headers)
            body = table("vendetta", THREE)
            client.cookies.clear()
            made = await client.post(f"{home}/api/tables", json=body, headers=headers)
            assert "server" not in made.headers
            return invited.text, made.headers["set-cookie"]

    invited, cookie = asyncio.run(attempt())
    assert "web.only_here" in invited, "a forwarded request is from elsewhere"
    assert ("Secure" in cookie) == trusted


# --- Who may do what ------------------------------------------------------------------------------

NOBODY = "web.spectator"
MATRIX: dict[str, tuple[dict[str, object], dict[str, str]]] = {
    # command: its fields, then for each sender in the lobby the refusal; "" if it is granted
    "start": ({}, {"other": "web.only_host", "watcher": "web.only_host", "gone": "web.only_host"}),
    "fill": (
        {"seat": 3, "bot": "random"},
        {"other": "web.only_host", "watcher": "web.only_host", "gone": "web.only_host"},
    ),
    "remove": (
        {"seat": 0},
        {"other": "web.only_host", "watcher": "web.only_host", "gone": "web.only_host"},
    ),
    "rematch": (
        {},
        {
            "host": "web.not_over",
            "other": "web.only_host",
            "watcher": "web.only_host",
            "gone": "web.only_host",
        },
    ),
    "move": (
        {"actions": [0]},
        {"host": "web.not_begun", "other": "web.not_begun", "watcher": NOBODY, "gone": NOBODY},
    ),
    "preview_actions": (
        {"actions": [0]},
        dict.fromkeys(("host", "other", "watcher", "gone"), "web.not_begun"),
    ),
    "preview_text": (
        {"text": "x"},
        dict.fromkeys(("host", "other", "watcher", "gone"), "web.not_begun"),
    ),
    "preview_move": (
        {"verb": "place", "numbers": [1]},
        dict.fromkeys(("host", "other", "watcher", "gone"), "web.not_begun"),
    ),
    "hint": ({}, dict.fromkeys(("host", "other", "watcher", "gone"), "web.not_begun")),
    "hold_reactions": (
        {},
        {"host": "web.no_hold", "other": "web.no_hold", "watcher": NOBODY, "gone": NOBODY},
    ),
    "ready": ({}, {"watcher": NOBODY, "gone": NOBODY}),
    "chat": ({"text": "hello"}, {"watcher": NOBODY, "gone": NOBODY}),
    "commit": (
        {"commitment": "0f" * 32},
        {
            "host": "web.not_committing",
            "other": "web.not_committing",
            "watcher": NOBODY,
            "gone": NOBODY,
        },
    ),
    "reveal": (
        {"contribution": "0f" * 16},
        {
            "host": "web.not_revealing",
            "other": "web.not_revealing",
            "watcher": NOBODY,
            "gone": NOBODY,
        },
    ),
    "reclaim_seat": (
        {},
        {"host": "web.is_yours", "other": "web.is_yours", "watcher": NOBODY, "gone": NOBODY},
    ),
    "leave": ({}, {"watcher": NOBODY, "gone": NOBODY}),
    "propose": (
        {"what": "pause"},
        {"host": "web.not_begun", "other": "web.not_begun", "watcher": NOBODY, "gone": NOBODY},
    ),
    "agree": (
        {"agrees": True},
        {"host": "web.not_begun", "other": "web.not_begun", "watcher": NOBODY, "gone": NOBODY},
    ),
    "resume": (
        {},
        {"host": "web.not_paused", "other": "web.not_paused", "watcher": NOBODY, "gone": NOBODY},
    ),
    "privacy": (
        {"listed": True, "spectator_chat": True},
        {"other": "web.only_host", "watcher": "web.only_host", "gone": "web.only_host"},
    ),
    "ping": ({}, {}),
}


def test_the_matrix_contains_every_command() -> None:
    known = {command.__struct_config__.tag for command in commands.AnyCommand.__args__}
    assert set(MATRIX) == known


async def full_table(
    server: InProcessServer,
) -> tuple[str, dict[str, Visitor], dict[str, SocketClient]]:
    """Open a table with a host, another person, a removed person, a spectator and an open seat."""
    people = {name: server.visitor() for name in ("host", "other", "gone", "watcher")}
    code = await new_table(people["host"], "you", "open", "open", "open")
    await people["other"].post(f"/api/tables/{code}/join", name="Bob", seat=1)
    await people["gone"].post(f"/api/tables/{code}/join", name="Cy", seat=2)
    sockets = {name: await one.connect(code) for name, one in people.items()}
    assert (await sockets["host"].do("remove", "out", seat=2))["type"] == "done"
    return code, people, sockets


async def seen_by_all(server: InProcessServer, code: str) -> tuple[int, Any]:
    """Return what the store and a fresh browser know of a table."""
    return len(await server.store.logs.entries(code)), (
        await server.visitor().get(f"/api/tables/{code}")
    ).json()


@pytest.mark.parametrize("do", MATRIX)
def test_in_the_lobby_everybody_can_do_only_what_is_allowed(tmp_path: Path, do: str) -> None:
    words, reasons = MATRIX[do]

    async def attempt(server: InProcessServer) -> None:
        for who in ("gone", "watcher", "other", "host"):
            code, _, sockets = await full_table(server)
            before = await seen_by_all(server, code)
            answer = await sockets[who].do(do, "wish", **words)
            granted = who not in reasons and not (do == "remove" and who == "host")
            if granted:
                assert answer["type"] == ("pong" if do == "ping" else "done"), (who, answer)
            else:
                assert answer["key"] == reasons.get(who, "web.not_yourself"), (who, answer)
                assert await seen_by_all(server, code) == before
            for socket in sockets.values():
                await socket.close()

    in_house(tmp_path, attempt)


@pytest.mark.parametrize("do", [do for do in MATRIX if do not in ("rematch", "ping")])
def test_a_person_removed_from_a_game_can_do_nothing_more(tmp_path: Path, do: str) -> None:
    words, _ = MATRIX[do]

    async def attempt(server: InProcessServer) -> None:
        ada, bob = server.visitor(), server.visitor()
        code = await new_table(ada)
        token = (await bob.post(f"/api/tables/{code}/join", name="Bob")).json()["token"]
        mine, theirs = await ada.connect(code), await bob.connect(code)
        await mine.do("start", "s")
        await theirs.until(lambda: any(message.get("view") for message in theirs.messages()))
        assert (await mine.do("remove", "out", seat=1))["type"] == "done"
        answer = await theirs.do(do, "wish", **words)
        host = do in ("start", "fill", "remove", "privacy")
        assert answer["key"] == ("web.only_host" if host else NOBODY)
        claimed = await bob.post(f"/api/tables/{code}/claim", token=token)
        assert (claimed.status, claimed.key) == (403, "web.bad_link")
        joined = await bob.post(f"/api/tables/{code}/join", name="Bob")
        assert (joined.status, joined.key) == (409, "web.begun")
        fresh = await bob.connect(code)
        assert fresh.messages()[0]["room"]["you"] < 0
        for socket in (mine, theirs, fresh):
            await socket.close()

    in_house(tmp_path, attempt)


def test_a_removed_person_sees_what_spectators_see(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bob, eve = (server.visitor() for _ in range(3))
        answer = await ada.post("/api/tables", **table("omerta", THREE))
        code = str(answer.json()["code"])
        await bob.post(f"/api/tables/{code}/join", name="Bob")
        mine, theirs = await ada.connect(code), await bob.connect(code)
        await mine.do("start", "s")
        server.clock.advance(5)
        await theirs.until(lambda: any(message.get("view") for message in theirs.messages()))
        before = len(theirs.sent)
        await mine.do("remove", "out", seat=1)
        await theirs.until(lambda: len(theirs.sent) > before)
        last = theirs.messages()[before:]
        watcher = await eve.connect(code)
        full = next(message for message in last if message["type"] == "sync")
        assert full["view"] == watcher.messages()[0]["view"]
        assert full["events"] == watcher.messages()[0]["events"]
        for socket in (mine, theirs, watcher):
            await socket.close()

    in_house(tmp_path, attempt)


def test_links_and_seats_of_others_stay_theirs(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bob, eve = (server.visitor() for _ in range(3))
        code, other = await new_table(ada), await new_table(bob)
        token = ada.answers[0].json()["token"]
        before = await seen_by_all(server, code)
        for wrong in (token[:-1] + ("A" if token[-1] != "A" else "B"), "A" * 43, token[:40]):
            answer = await eve.post(f"/api/tables/{code}/claim", token=wrong)
            assert (answer.status, answer.key) == (403, "web.bad_link")
        elsewhere = await eve.post(f"/api/tables/{other}/claim", token=token)
        assert (elsewhere.status, elsewhere.key) == (403, "web.bad_link")
        taken = await eve.post(f"/api/tables/{code}/join", name="Eve", seat=0)
        assert (taken.status, taken.key) == (409, "web.seat_taken")
        assert (await send_request(server.app, "GET", f"/api/tables/{code}/record")).status == 409
        assert await seen_by_all(server, code) == before
        assert (await eve.get("/api/me/tables")).json() == []

    in_house(tmp_path, attempt)


def test_only_this_computer_opens_the_house_to_the_network(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        far = await server.visitor("192.168.1.9").post("/api/invite")
        assert (far.status, far.key) == (403, "web.only_here")
        assert (await server.visitor().post("/api/invite")).status == 200

    in_house(tmp_path, attempt)
