"""The admin page: access only with the token, and what it can do."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from cosca.server.http.addresses import network_of
from cosca.server.http.sockets import POLICY, Sockets
from cosca.server.ops.admin import COOKIE, PATH
from cosca.server.ops.admin_auth import ATTEMPTS, SESSION_SECONDS, AdminAuth
from cosca.server.ops.bans import Bans
from cosca.server.storage.store import open_store
from tests.server.in_process import (
    SAME_ORIGIN,
    Answer,
    InProcessServer,
    ManualClock,
    SocketClient,
    captured_logs,
    open_server,
    send_request,
    socket_path,
    table,
)

TOKEN = "an-admin-token-of-some-length"
FAR = "203.0.113.9"
THREE = ["you", "open", "random"]


class Host:
    """Somebody with the admin page open."""

    def __init__(self, server: InProcessServer, address: str = "127.0.0.1") -> None:
        self.server = server
        self.address = address
        self.cookie = ""

    async def get(self, path: str = PATH, **more: Any) -> Answer:
        """Get a page."""
        return await self._ask("GET", path, b"", **more)

    async def post(self, name: str, **fields: str) -> Answer:
        """Send a form."""
        return await self._ask("POST", f"{PATH}/{name}", urlencode(fields).encode())

    async def _ask(self, method: str, path: str, body: bytes, scheme: str = "http") -> Answer:
        cookie = [("cookie", f"{COOKIE}={self.cookie}")] if self.cookie else []
        headers = [*SAME_ORIGIN, *cookie]
        answer = await send_request(
            self.server.app, method, path, body, headers, self.address, scheme
        )
        if cookie_header := answer.header("set-cookie"):
            self.cookie = cookie_header.partition(";")[0].partition("=")[2].strip('"')
        return answer

    async def enter(self) -> "Host":
        """Log in with the token."""
        assert (await self.post("enter", token=TOKEN)).status == 303
        return self


def in_house(path: Path, test: Callable[[InProcessServer], Awaitable[Any]], **settings: Any) -> Any:
    """Run a test in a house with an admin page."""

    async def inside() -> Any:
        async with open_server(path, **{"admin_token": TOKEN, **settings}) as server:
            return await test(server)

    return asyncio.run(asyncio.wait_for(inside(), 30))


async def new_table(server: InProcessServer, address: str = "127.0.0.1") -> str:
    """Open a table, and return its code."""
    answer = await server.visitor(address).post("/api/tables", **table("vendetta", THREE))
    return str(answer.json()["code"])


def text(answer: Answer) -> str:
    """Parse a page."""
    return answer.body.decode()


# --- Who may --------------------------------------------------------------------------------------

FORMS = ("enter", "leave", "close", "ban", "lift")


def test_without_a_token_there_is_no_page(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        host = Host(server)
        assert (await host.get()).status == 404
        for name in FORMS:
            assert (await host.post(name, token="")).status in (404, 405)

    in_house(tmp_path, look, admin_token="")


def test_the_token_logs_a_browser_in_for_some_hours(tmp_path: Path) -> None:
    async def enter(server: InProcessServer) -> None:
        host = Host(server)
        closed = await host.get()
        assert closed.status == 200 and "Admin token" in text(closed)
        assert "Load" not in text(closed)
        answer = await host.post("enter", token=TOKEN)
        assert (answer.status, answer.header("location")) == (303, PATH)
        cookie = answer.header("set-cookie").lower()
        assert "httponly" in cookie and "samesite=strict" in cookie and f"path={PATH}" in cookie
        assert "secure" not in cookie
        assert TOKEN not in answer.header("set-cookie")
        assert "Load" in text(await host.get())
        server.clock.advance(SESSION_SECONDS - 1)
        assert "Load" in text(await host.get())
        server.clock.advance(2)
        assert "Load" not in text(await host.get())

    in_house(tmp_path, enter)


def test_the_cookie_goes_through_tls_only_where_there_is_tls(tmp_path: Path) -> None:
    async def enter(server: InProcessServer) -> str:
        body = urlencode({"token": TOKEN}).encode()
        headers = [("host", "localhost:8642"), ("origin", "https://localhost:8642")]
        answer = await send_request(
            server.app, "POST", f"{PATH}/enter", body, headers, "127.0.0.1", "https"
        )
        return answer.header("set-cookie")

    assert "; Secure" in in_house(tmp_path, enter)


def test_a_wrong_token_opens_nothing(tmp_path: Path) -> None:
    async def enter(server: InProcessServer) -> None:
        host = Host(server)
        for token in ("", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper()):
            answer = await host.post("enter", token=token)
            assert answer.status == 403
            assert "Wrong admin token" in text(answer)
            assert not answer.header("set-cookie")
        assert (await host.post("enter")).status == 403

    in_house(tmp_path, enter)


def test_guesses_are_rate_limited(tmp_path: Path) -> None:
    async def guess(server: InProcessServer) -> None:
        host, most = Host(server, FAR), ATTEMPTS[0]
        statuses = [(await host.post("enter", token=f"{n}")).status for n in range(most + 1)]
        assert statuses == [403] * most + [429]
        assert (await host.post("enter", token=TOKEN)).status == 429
        assert (await Host(server).post("enter", token=TOKEN)).status == 303

    in_house(tmp_path, guess)


@pytest.mark.parametrize("forged", ["x", ".", "9999999999.", f"9999999999.{'0' * 64}", "٣.x"])
def test_a_forged_cookie_opens_nothing(tmp_path: Path, forged: str) -> None:
    async def attempt(server: InProcessServer) -> None:
        code = await new_table(server)
        host = Host(server)
        host.cookie = forged.encode("ascii", "replace").decode()
        assert "Load" not in text(await host.get())
        for name in FORMS[1:]:
            answer = await host.post(name, code=code, sure="yes", address=FAR)
            assert answer.status == 403
        assert not await server.store.tables.missing([code])
        assert await server.store.bans.all() == []

    in_house(tmp_path, attempt)
    assert not AdminAuth(TOKEN, ManualClock()).is_valid_session(forged)


def test_a_session_is_of_one_token_and_cannot_be_made_longer() -> None:
    clock = ManualClock()
    key, other = AdminAuth(TOKEN, clock), AdminAuth(TOKEN + "x", clock)
    session = key.new_session()
    until, _, proof = session.partition(".")
    assert key.is_valid_session(session) and AdminAuth(TOKEN, clock).is_valid_session(session)
    assert not other.is_valid_session(session)
    assert not key.is_valid_session(f"{int(until) + 1}.{proof}")
    assert not AdminAuth("", clock).is_valid_session(AdminAuth("", clock).new_session())


def test_other_pages_cannot_send_its_forms(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> Answer:
        host = await Host(server).enter()
        headers = [
            SAME_ORIGIN[0],
            ("origin", "http://evil.example"),
            ("cookie", f"{COOKIE}={host.cookie}"),
        ]
        return await send_request(server.app, "POST", f"{PATH}/ban", b"address=192.0.2.1", headers)

    assert in_house(tmp_path, attempt).key == "web.bad_origin"


def test_leaving_logs_out(tmp_path: Path) -> None:
    async def leave(server: InProcessServer) -> None:
        host = await Host(server).enter()
        answer = await host.post("leave")
        assert answer.status == 303 and "Max-Age=0" in answer.header("set-cookie")
        assert "Load" not in text(await host.get())

    in_house(tmp_path, leave)


@pytest.mark.parametrize("body", [b"x" * 20_000, b"&".join([b"a=1"] * 50), b"\xff"])
def test_odd_forms_are_answered(tmp_path: Path, body: bytes) -> None:
    async def attempt(server: InProcessServer) -> int:
        return (await send_request(server.app, "POST", f"{PATH}/enter", body)).status

    assert in_house(tmp_path, attempt) in (400, 413)


# --- What it shows --------------------------------------------------------------------------------


def test_tables_are_shown_without_names_words_or_codes(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        ada = server.visitor()
        wanted = {**table("vendetta", THREE), "name": "Wilhelmina"}
        code = (await ada.post("/api/tables", **wanted)).json()["code"]
        socket = await ada.connect(code)
        await socket.do("chat", "c", text="swordfish")
        await socket.do("start", "s")
        while (await server.store.tables.latest(9))[0].stage != "playing":
            assert not socket.code
        async with server.house.table(code) as live:
            alias = live.room.deal.alias
        page = text(await (await Host(server).enter()).get())
        assert alias in page and "Vendetta" in page and "playing" in page
        assert "one person and 2 bots at 3 seats" in page
        assert "2023-11-14 22:13 UTC" in page
        for secret in (code, "Wilhelmina", "swordfish", ada.cookie, TOKEN):
            assert secret not in page
        await socket.close()

    in_house(tmp_path, look)


def test_the_load_is_shown(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        code = await new_table(server)
        socket = await server.visitor().connect(code)
        for _ in range(7):
            server.house.metrics.moves.add(server.clock.now())
        page = text(await (await Host(server).enter()).get())
        figures = dict(re.findall(r"<dt>([^<]*)</dt><dd>(?:<time[^>]*>)?([^<]*)", page))
        assert figures["Open connections"] == figures["Stored tables"] == "1"
        assert figures["Tables in use"] == "1"
        assert figures["Moves, last minute"] == "7"
        assert re.fullmatch(r"\d+ MB", figures["Memory"])
        assert re.fullmatch(r"[\d.]+ %", figures["CPU, share of one core"])
        await socket.close()

    in_house(tmp_path, look)


def test_a_table_of_another_version_is_shown_too(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        await new_table(server)
        server.store.engine.db.execute("UPDATE lines SET body = x'7b7d'")
        server.store.engine.db.execute("UPDATE tables SET summary_format = 0")
        await server.house.lists.fill_in()
        page = text(await (await Host(server).enter()).get())
        assert page.count("<td>?</td>") == 1

    in_house(tmp_path, look)


class Reader(HTMLParser):
    """Parses a page the way a screen reader does."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.labels: list[str] = []
        self.fields: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append(tag)
        self.attributes |= set(attributes)
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)
        if tag == "label":
            self.labels.append(str(attributes["for"]))
        if tag == "input" and attributes.get("type") != "hidden":
            self.fields.append(str(attributes["id"]))
        if "id" in attributes:
            self.ids.append(str(attributes["id"]))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages_can_be_read_by_everybody_and_run_nothing(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> None:
        code = await new_table(server)
        host = Host(server)
        pages = [text(await host.get()), text(await host.post("enter", token="wrong"))]
        await host.enter()
        await host.post("ban", address=FAR)
        pages += [
            text(await host.get(f"{PATH}?done=closed")),
            text(await host.post("close", code=code)),
        ]
        for page in pages:
            reader = Reader(page)
            assert reader.open == []
            assert reader.tags.count("h1") == reader.tags.count("main") == 1
            assert sorted(reader.labels) == sorted(reader.fields)
            assert len(set(reader.ids)) == len(reader.ids)
            assert "script" not in reader.tags and "style" not in reader.attributes
            assert not any(name.startswith("on") for name in reader.attributes)
            assert '<html lang="en">' in page
        assert 'role="alert"' in pages[1] and 'role="status"' in pages[2]
        format = await host.get(f"{PATH}/style.css")
        assert format.header("content-type").startswith("text/css")
        assert "script-src" not in format.header("content-security-policy")

    in_house(tmp_path, look)


def test_the_query_string_is_not_shown(tmp_path: Path) -> None:
    async def look(server: InProcessServer) -> str:
        host = await Host(server).enter()
        return text(await host.get(f"{PATH}?done=%3Cscript%3E"))

    assert "script" not in in_house(tmp_path, look)


# --- What it can do -------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["alias", "code"])
def test_a_table_is_closed_after_confirmation(tmp_path: Path, by: str) -> None:
    async def close(server: InProcessServer) -> None:
        code, other = await new_table(server), await new_table(server)
        socket = await server.visitor().connect(code)
        async with server.house.table(code) as live:
            named = {"alias": live.room.deal.alias} if by == "alias" else {"code": code.upper()}
        host = await Host(server).enter()
        asked = await host.post("close", **named)
        assert asked.status == 200 and "You cannot undo this" in text(asked)
        assert await server.store.tables.missing([code]) == []
        answer = await host.post("close", **named, sure="yes")
        assert (answer.status, answer.header("location")) == (303, f"{PATH}?done=closed")
        await socket.ended()
        assert socket.code == POLICY
        assert await server.store.tables.missing([code, other]) == [code]
        assert (await host.post("close", **named)).status == 404

    in_house(tmp_path, close)


def test_an_address_is_banned_and_let_in_again(tmp_path: Path) -> None:
    async def ban(server: InProcessServer) -> None:
        code = await new_table(server)
        socket, other = (
            await server.visitor(FAR).connect(code),
            await server.visitor("203.0.113.8").connect(code),
        )
        host = await Host(server).enter()
        assert (await host.post("ban", address=f" {FAR} ")).status == 303
        await socket.ended()
        assert socket.code == POLICY and socket.messages()[-1]["key"] == "web.banned"
        assert not other.code
        answer = await server.visitor(FAR).get("/api/games")
        assert (answer.status, answer.key) == (403, "web.banned")
        late = SocketClient(server.app, socket_path(code), SAME_ORIGIN, FAR)
        await late.ended()
        assert not late.accepted
        assert (await send_request(server.app, "GET", "/healthz", address=FAR)).status == 200
        assert FAR in text(await host.get())
        assert (await host.post("lift", address=FAR)).status == 303
        assert (await server.visitor(FAR).get("/api/games")).status == 200
        assert "No address is banned." in text(await host.get())
        await other.close()

    in_house(tmp_path, ban)


@pytest.mark.parametrize("address", ["", "everybody", "203.0.113.0/24", "<b>", "1.2.3"])
def test_an_invalid_address_is_not_banned(tmp_path: Path, address: str) -> None:
    async def ban(server: InProcessServer) -> None:
        host = await Host(server).enter()
        answer = await host.post("ban", address=address)
        assert answer.status == 400
        assert "<b>" not in text(answer)
        assert await server.store.bans.all() == []

    in_house(tmp_path, ban)


@pytest.mark.parametrize("address", [FAR, "127.0.0.1", "::1", f"::ffff:{FAR}"])
def test_nobody_locks_themselves_out(tmp_path: Path, address: str) -> None:
    async def ban(server: InProcessServer) -> int:
        host = await Host(server, FAR).enter()
        return (await host.post("ban", address=address)).status

    assert in_house(tmp_path, ban) == 409


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("somebody", ""),
        ("", ""),
    ],
)
def test_the_network_of_an_address_is_banned(address: str, network: str) -> None:
    assert network_of(address) == network


def test_a_ban_is_kept_and_known_to_other_processes(tmp_path: Path) -> None:
    async def ban(server: InProcessServer) -> None:
        host = await Host(server).enter()
        await host.post("ban", address=FAR)
        store = open_store(server.path)
        other = Bans(store, Sockets(server.house, server.clock, unlimited=True))
        assert not other.is_banned(FAR)
        await other.load()
        assert other.is_banned(FAR)
        await other.lift(FAR)
        watching = asyncio.create_task(server.house.watch_store())
        for tell in server.house.on_foreign_write:
            await tell()
        assert (await server.visitor(FAR).get("/api/games")).status == 200
        watching.cancel()
        store.close()

    in_house(tmp_path, ban)


def test_what_the_host_does_is_logged_without_secrets(tmp_path: Path) -> None:
    async def work(server: InProcessServer) -> list[str]:
        code = await new_table(server)
        host = Host(server)
        await host.post("enter", token="a-wrong-token-of-some-length")
        await host.enter()
        await host.post("close", code=code, sure="yes")
        await host.post("ban", address=FAR)
        await host.post("lift", address=FAR)
        return [code, TOKEN, FAR, host.cookie, "a-wrong-token-of-some-length"]

    with captured_logs() as lines:
        secrets = in_house(tmp_path, work)
    log = "\n".join(lines)
    for event in ("admin_refused", "admin_entered", "table_closed", "address_banned", "ban_lifted"):
        assert event in log
    assert not any(secret in log for secret in secrets)
