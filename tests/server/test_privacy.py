"""Privacy: listed tables, who may read the chat, and who sees the number of spectators."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from cosca.server.http.code_guesses import WRONG_CODES
from cosca.server.live.lists import MINE_FOR, MOST_LISTED, WATCHABLE_FOR
from tests.server.in_process import InProcessServer, SocketClient, Visitor, open_server, table

BOTS = ["random", "random", "random"]
SEATS = ["you", "open", "random"]


def in_house(
    path: Path, work: Callable[[InProcessServer], Awaitable[None]], **settings: Any
) -> None:
    async def whole() -> None:
        async with open_server(path, **settings) as server:
            await work(server)
            await server.close_sockets()

    asyncio.run(whole())


async def opened_by(host: Visitor, seats: list[str], **more: object) -> str:
    answer = await host.post("/api/tables", **table("vendetta", seats, **more))
    assert answer.status == 200, answer.json()
    return str(answer.json()["code"])


async def started(host: Visitor, **more: object) -> str:
    """Begin a game of the host against bots, with the host's contribution; return its code."""
    code = await opened_by(host, ["you", "random", "random"], start=True, **more)
    socket = await host.connect(code)
    await socket.until(lambda: room(socket)["stage"] == "playing")
    await socket.close()
    return code


async def found(server: InProcessServer) -> list[str]:
    """Return the codes that a stranger finds on the first page."""
    return [entry["code"] for entry in (await server.visitor().get("/api/watch")).json()]


def room(socket: SocketClient) -> dict[str, Any]:
    """Return the room as a browser knows it."""
    return next(message["room"] for message in reversed(socket.messages()) if message.get("room"))


def chat(socket: SocketClient) -> list[str]:
    return [said["text"] for message in socket.messages() for said in message.get("chat", [])]


# --- Who finds it ---------------------------------------------------------------------------------


def test_a_table_is_listed_only_if_its_host_wants_it(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        private, public = await started(ada), await started(ada, listed=True)
        assert await found(server) == [public]
        assert (await server.visitor().get(f"/api/tables/{private}")).status == 200, "by its code"

    in_house(tmp_path, attempt)


def test_a_table_of_bots_is_listed_only_on_request(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        await opened_by(ada, BOTS, start=True, options={"max_rounds": "99"})
        assert await found(server) == []

    in_house(tmp_path, attempt)


def test_the_host_may_list_a_table_and_hide_it_again_at_any_time(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bo = server.visitor(), server.visitor()
        code = await opened_by(ada, SEATS)
        await bo.post(f"/api/tables/{code}/join", name="Bo")
        host, friend = await ada.connect(code), await bo.connect(code)
        assert (await host.do("privacy", "p1", listed=True, spectator_chat=False))["type"] == "done"
        assert await found(server) == [], "it is not being played yet"
        await host.do("start", "go")
        await host.until(lambda: room(host)["stage"] == "playing")
        await friend.until(lambda: room(friend)["listed"])
        await until_found(server, [code])
        assert (await friend.do("privacy", "no", listed=False, spectator_chat=True))["key"] == (
            "web.only_host"
        )
        assert (await host.do("privacy", "p2", listed=False, spectator_chat=False))["type"] == (
            "done"
        )
        assert await found(server) == []
        await friend.until(lambda: not room(friend)["listed"])

    in_house(tmp_path, attempt)


def test_a_table_that_everybody_has_left_is_no_longer_listed(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await started(ada, listed=True)
        assert await found(server) == [code]
        server.clock.advance(WATCHABLE_FOR / 1000 - 1)
        assert await found(server) == [code], "somebody may come back"
        server.clock.advance(1)
        assert await found(server) == []
        mine = await ada.get("/api/me/tables")
        assert [table["code"] for table in mine.json()] == [code], "it is still theirs"
        again = await ada.connect(code)
        await again.synced()
        assert await found(server) == [code], "it is being played again"

    in_house(tmp_path, attempt)


def test_a_table_without_anything_new_for_long_is_no_longer_listed_as_mine(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await started(ada)
        slow = await started(ada, pace="days")
        server.clock.advance(MINE_FOR / 1000)
        mine = await ada.get("/api/me/tables")
        assert [table["code"] for table in mine.json()] == [slow]
        assert (await ada.get(f"/api/tables/{code}")).status == 200, "it is not deleted"

    in_house(tmp_path, attempt)


async def until_found(server: InProcessServer, codes: list[str]) -> None:
    """Wait until the first page lists these tables: their stages are saved in the background."""
    async with asyncio.timeout(30):
        while await found(server) != codes:
            await asyncio.sleep(0)


def test_privacy_settings_survive_a_restart(tmp_path: Path) -> None:
    async def before(server: InProcessServer) -> None:
        ada = server.visitor()
        codes.append(await started(ada))
        codes.append(await started(ada, listed=True))
        host = await ada.connect(codes[0])
        await host.do("privacy", "p", listed=True, spectator_chat=True)
        host = await ada.connect(codes[1])
        await host.do("privacy", "p", listed=False, spectator_chat=False)

    async def after(server: InProcessServer) -> None:
        assert await found(server) == [codes[0]]
        body = (await server.visitor().get(f"/api/tables/{codes[0]}")).json()
        assert (body["listed"], body["spectator_chat"]) == (True, True)

    codes: list[str] = []
    in_house(tmp_path, before)
    in_house(tmp_path, after)


def test_private_tables_do_not_crowd_out_those_that_are_listed(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await started(ada, listed=True)
        for _ in range(MOST_LISTED):
            server.clock.advance(1)
            await started(ada)
        assert await found(server) == [code]

    in_house(tmp_path, attempt)


def test_a_deleted_table_leaves_nothing_in_the_list(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        code = await started(server.visitor(), listed=True)
        await server.house.delete(code)
        assert await server.store.tables.listed(9) == []
        rows = await server.store.engine.run(
            lambda file: file.execute("SELECT * FROM listed").fetchall()
        )
        assert rows == []

    in_house(tmp_path, attempt)


@pytest.mark.parametrize(("listed", "spectator_chat"), [(True, False), (False, True)])
def test_a_rematch_keeps_the_privacy_settings(
    tmp_path: Path, listed: bool, spectator_chat: bool
) -> None:
    async def attempt(server: InProcessServer) -> None:
        host = server.visitor()
        code = await opened_by(host, BOTS, start=True, options={"max_rounds": "1"})
        socket = await host.connect(code)
        await socket.until(lambda: room(socket)["stage"] == "over")
        await socket.do("privacy", "p", listed=listed, spectator_chat=spectator_chat)
        answer = await socket.do("rematch", "again")
        body = (await host.get(f"/api/tables/{answer['code']}")).json()
        assert (body["listed"], body["spectator_chat"]) == (listed, spectator_chat)

    in_house(tmp_path, attempt)


# --- Chat -----------------------------------------------------------------------------------------


def test_spectators_read_only_messages_sent_while_the_chat_was_open(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, eve = server.visitor(), server.visitor()
        code = await opened_by(ada, SEATS)
        host, stranger = await ada.connect(code), await eve.connect(code)
        second = await ada.connect(code)
        await host.do("chat", "1", text="among us")
        await host.do("privacy", "p1", listed=False, spectator_chat=True)
        await host.do("chat", "2", text="to all")
        await host.do("privacy", "p2", listed=False, spectator_chat=False)
        await host.do("chat", "3", text="among us again")
        await stranger.until(lambda: chat(stranger))
        late, friend = await server.visitor().connect(code), await ada.connect(code)
        assert chat(stranger) == chat(late) == ["to all"]
        assert chat(friend) == chat(second) == ["among us", "to all", "among us again"]
        everything = b"".join([*stranger.sent, *late.sent])
        assert b"among us" not in everything

    in_house(tmp_path, attempt)


def test_a_spectator_gets_no_message_when_somebody_chats(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, eve = server.visitor(), server.visitor()
        code = await opened_by(ada, SEATS)
        host, stranger = await ada.connect(code), await eve.connect(code)
        before = len(stranger.sent)
        await host.do("chat", "1", text="among us")
        await host.do("privacy", "p", listed=True, spectator_chat=False)
        await stranger.until(lambda: room(stranger)["listed"])
        assert len(stranger.sent) == before + 1

    in_house(tmp_path, attempt)


def test_sitting_down_opens_the_chat_and_leaving_closes_it(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bo = server.visitor(), server.visitor()
        code = await opened_by(ada, SEATS)
        host = await ada.connect(code)
        await host.do("chat", "1", text="among us")
        await bo.post(f"/api/tables/{code}/join", name="Bo")
        friend = await bo.connect(code)
        assert chat(friend) == ["among us"]
        await friend.do("leave", "l")
        await host.do("chat", "2", text="he is gone")
        again = await bo.connect(code)
        assert chat(again) == []
        assert b"he is gone" not in b"".join(friend.sent)

    in_house(tmp_path, attempt)


def test_a_host_without_a_seat_is_a_spectator(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bo = server.visitor(), server.visitor()
        code = await opened_by(ada, ["open", "random", "random"])
        await bo.post(f"/api/tables/{code}/join", name="Bo")
        friend = await bo.connect(code)
        await friend.do("chat", "1", text="to myself")
        host = await ada.connect(code)
        assert chat(host) == []
        assert room(host)["watchers"] == 1
        await friend.until(lambda: room(friend)["watchers"] == 1)

    in_house(tmp_path, attempt)


# --- Who watches ----------------------------------------------------------------------------------


def test_players_see_live_how_many_watch(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bo = server.visitor(), server.visitor()
        code = await started(ada)
        player = await ada.connect(code)
        assert room(player)["watchers"] == 0
        one = await server.visitor().connect(code)
        await player.until(lambda: room(player)["watchers"] == 1)
        two = await server.visitor().connect(code, view="data")
        await player.until(lambda: room(player)["watchers"] == 2)
        assert (await ada.get(f"/api/tables/{code}")).json()["watchers"] == 2
        assert (await bo.get(f"/api/tables/{code}")).json()["watchers"] == 0
        assert room(one)["watchers"] == room(two)["watchers"] == 0, (
            "only players and the host see it"
        )
        assert (await ada.connect(code)).messages()[0]["room"]["watchers"] == 2
        await one.close()
        await two.close()
        await player.until(lambda: room(player)["watchers"] == 0)

    in_house(tmp_path, attempt)


def test_a_browser_with_two_windows_watches_once(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, eve = server.visitor(), server.visitor()
        code = await started(ada)
        player = await ada.connect(code)
        await opened_by(eve, SEATS)  # so that it has a cookie
        sockets = [await eve.connect(code), await eve.connect(code, more="&local_player=0")]
        await player.until(lambda: room(player)["watchers"] == 1)
        await sockets[0].close()
        assert room(await ada.connect(code))["watchers"] == 1
        await sockets[1].close()
        await player.until(lambda: room(player)["watchers"] == 0)

    in_house(tmp_path, attempt)


def test_a_shared_device_of_players_is_not_a_spectator(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await started(ada)
        player = await ada.connect(code)
        await ada.connect(code, more="&local_player=9")
        assert room(await ada.connect(code))["watchers"] == 0
        assert room(player)["watchers"] == 0

    in_house(tmp_path, attempt)


def test_a_spectator_who_sits_down_is_not_counted_any_more(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada, bo = server.visitor(), server.visitor()
        code = await opened_by(ada, SEATS)
        await opened_by(bo, SEATS)
        host, friend = await ada.connect(code), await bo.connect(code)
        await host.until(lambda: room(host)["watchers"] == 1)
        await bo.post(f"/api/tables/{code}/join", name="Bo")
        await host.until(lambda: room(host)["watchers"] == 0)
        await friend.until(lambda: room(friend)["you"] == 1)
        assert room(friend)["watchers"] == 0

    in_house(tmp_path, attempt)


def test_spectators_get_no_message_when_others_come_to_watch(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        code = await opened_by(server.visitor(), SEATS)  # where nobody moves meanwhile
        one = await server.visitor().connect(code)
        before = len(one.sent)
        two = await server.visitor().connect(code)
        await two.close()
        await one.do("ping", "still")
        assert len(one.sent) == before + 1

    in_house(tmp_path, attempt)


# --- Who guesses ----------------------------------------------------------------------------------


async def socket_code(server: InProcessServer, code: str, address: str) -> int:
    """Return the code with which a socket to a table is closed; 0 if it stays open."""
    socket = await server.visitor(address).connect(code)
    if socket.messages()[0]["type"] == "sync":
        await socket.close()
        return 0
    await socket.ended()
    return socket.code


def test_guessing_codes_is_limited_at_every_endpoint(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        eve = server.visitor("203.0.113.9")
        code = await opened_by(server.visitor(), SEATS)
        most, rate = WRONG_CODES
        ways = ("", "/qr.svg", "/record", "/replay", "/replay/1", "/chances")
        for number in range(most - len(ways) - 1):
            assert (await eve.get(f"/api/tables/wrong{number}")).status == 404
            server.clock.advance(0.0001)  # not so long that another try is earned
        for way in ways:
            assert (await eve.get(f"/api/tables/wrong{way}")).status == 404
        assert await socket_code(server, "wrong", eve.address) == 1008
        assert (await eve.get(f"/api/tables/{code}")).status == 429, "right or wrong"
        assert (await eve.get("/api/tables/wrong")).status == 429
        assert (await eve.post(f"/api/tables/{code}/join", name="Eve")).status == 429
        assert await socket_code(server, code, eve.address) == 1013, "come again later"
        assert (await server.visitor("203.0.113.8").get(f"/api/tables/{code}")).status == 200
        assert (await eve.get("/api/games")).status == 200
        server.clock.advance(1 / rate)
        assert (await eve.get(f"/api/tables/{code}")).status == 200
        assert await socket_code(server, code, eve.address) == 0

    in_house(tmp_path, attempt, unlimited=False)


def test_known_codes_do_not_count_as_guesses(tmp_path: Path) -> None:
    async def attempt(server: InProcessServer) -> None:
        ada = server.visitor()
        code = await opened_by(ada, SEATS)
        for _ in range(WRONG_CODES[0] + 5):
            assert (await ada.get(f"/api/tables/{code}")).status == 200

    in_house(tmp_path, attempt, unlimited=False)
