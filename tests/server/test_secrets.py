"""Tokens, cookies and seeds are sent to nobody else, not logged, and stored only as hashes."""

import asyncio
import secrets
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cosca.core.dice import Dice
from cosca.server.http.identity import COOKIE
from cosca.server.live import house
from tests.server.in_process import (
    InProcessServer,
    SocketClient,
    Visitor,
    captured_logs,
    open_server,
    table,
)

STEPS = 40
LASTS = {32: bytes(range(32))}
"""A seed with which no game ends within the steps of the test."""


@dataclass
class Session:
    """A whole session, with the secrets that nobody may find in it."""

    visitors: list[Visitor] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    seeds: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    kept: bytes = b""

    def said(self) -> bytes:
        """Return all bytes that were sent, except where a secret is sent to its owner."""
        parts: list[bytes] = []
        for visitor in self.visitors:
            for answer in visitor.answers:
                headers = [(name, value) for name, value in answer.headers if name != "set-cookie"]
                body = answer.body
                for secret in self.tokens:  # sent once, to its owner
                    if b'"token":"%s"' % secret.encode() in body and secret in owned(visitor):
                        body = body.replace(secret.encode(), b"")
                parts += [repr(headers).encode(), body]
            for socket in visitor.sockets:
                parts += socket.sent
        return b"\n".join(parts)


def owned(visitor: Visitor) -> list[str]:
    """Return the tokens that a browser got when it took its seats."""
    places = [answer.json() for answer in visitor.answers if b'"token":"' in answer.body]
    return [place["token"] for place in places if place["token"]]


async def play_any(socket: SocketClient, dice: Dice, number: int) -> None:
    """Take one of the offered steps if there is one; else ask questions and chat."""
    views = [message["view"] for message in socket.messages() if message.get("view")]
    choices = views[-1]["choices"] if views else []
    if choices:
        action = choices[dice.below(len(choices))]["action"]
        await socket.do("move", f"m{number}", actions=[action])
    await socket.do(*[("hint", f"h{number}"), ("reclaim_seat", f"t{number}")][dice.below(2)])
    await socket.do("chat", f"c{number}", text=f"I say {number}")
    await socket.do("move", f"w{number}", actions=[dice.below(2000)])


async def session(path: Path, game: str, seats: int) -> Session:
    """Run a session of two people, bots and a spectator over HTTP and sockets, with errors."""
    whole = Session()
    with captured_logs() as whole.log:
        async with open_server(path) as server:
            ada, bob, eve = whole.visitors = [server.visitor() for _ in range(3)]
            chairs = ["you", "open", *["random"] * (seats - 2)]
            options = {"first_call": "20"} if game == "omerta" else {}  # it is to last
            wanted = table(game, chairs, options=options)
            code = (await ada.post("/api/tables", **wanted)).json()["code"]
            await bob.post(f"/api/tables/{code}/join", name="Bob")
            await eve.post(f"/api/tables/{code}/join", name="Eve")  # it is full
            whole.tokens = owned(ada) + owned(bob)
            await eve.post(f"/api/tables/{code}/claim", token="x" * 43)
            sockets = [await one.connect(code) for one in (ada, bob, eve)]
            await sockets[0].do("start", "s")
            await started(sockets)
            dice = Dice(4)
            for number in range(STEPS):
                server.clock.advance(10)
                await play_any(sockets[number % 3], dice, number)
            await look_around(server, whole.visitors, code)
            sockets[1].put("{")
            sockets[1].put(msgspec.json.encode({"do": "claim", "token": owned(bob)[0]}).decode())
            await bob.post(f"/api/tables/{code}/claim", token=owned(bob)[0])
            async with server.house.table(code) as live:
                assert live.room.stage == "playing", "the seed is public when a game is over"
                whole.seeds = [live.room.opened.seed, live.room.deal._seed.hex()]
                whole.kept = b"".join(file.read_bytes() for file in sorted(path.iterdir()))
            for socket in sockets:
                await socket.close()
    return whole


async def started(sockets: list[SocketClient]) -> None:
    """Wait until everybody has got the first view."""
    for socket in sockets:
        await socket.until(partial(has_view, socket))


def has_view(socket: SocketClient) -> bool:
    """Return whether a socket has got a view."""
    return any(message.get("view") for message in socket.messages())


async def look_around(server: InProcessServer, visitors: list[Visitor], code: str) -> None:
    """Request every page."""
    for visitor in visitors:
        for path in ("", "/record", "/replay", "/replay/1", "/qr.svg", "/nothing"):
            await visitor.get(f"/api/tables/{code}{path}")
        for path in ("/api/me/tables", "/api/watch", "/api/games", "/api/openapi.json", "/"):
            await visitor.get(path)


@pytest.mark.parametrize(("game", "seats"), [("omerta", 3), ("sicilianos", 4), ("vendetta", 3)])
def test_no_secret_is_sent_or_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    lasting = SimpleNamespace(token_bytes=LASTS.__getitem__, token_urlsafe=secrets.token_urlsafe)
    monkeypatch.setattr(house, "secrets", lasting)
    whole = asyncio.run(session(tmp_path, game, seats))
    cookies = [visitor.cookie for visitor in whole.visitors[:2]]  # a spectator has none
    assert len(whole.tokens) == 2 and all(map(len, cookies)), "there were secrets at all"
    said = whole.said()
    log = "\n".join(whole.log).encode()
    assert said.count(b'"type":"update"') > 40, "the session is long enough"
    for secret in [*whole.tokens, *cookies, *whole.seeds]:
        assert secret.encode() not in said, "a secret is sent"
        assert bytes.fromhex(secret) not in said if secret in whole.seeds else True
        assert secret.encode() not in log, "a secret is logged"
    for secret in [*whole.tokens, *cookies]:
        assert secret.encode() not in whole.kept, "a secret is kept as it is"
    assert whole.seeds[0].encode() in whole.kept, "the search finds what is there"


def test_hashes_of_secrets_are_not_sent_either(tmp_path: Path) -> None:
    """The hash of a cookie identifies nobody, and still it is not sent."""

    async def steal() -> tuple[list[str], bytes, Any]:
        async with open_server(tmp_path) as server:
            ada = server.visitor()
            code = await ada.post("/api/tables", **table("vendetta", ["you", "open", "random"]))
            socket = await ada.connect(code.json()["code"])
            await look_around(server, [ada], code.json()["code"])
            async with server.house.table(code.json()["code"]) as live:
                chair = live.room.seats[0]
                hashes = [*chair.owners, chair.key, live.room.opened.host]
            thief = server.visitor()
            thief.cookie = hashes[0]
            seen = (await thief.get(f"/api/tables/{code.json()['code']}")).json()
            said = b"".join([*socket.sent, *(answer.body for answer in ada.answers)])
            await socket.close()
            return hashes, said, seen

    hashes, said, seen = asyncio.run(steal())
    assert not any(hash.encode() in said for hash in hashes)
    assert seen["you"] < 0 and not seen["host"]


def test_a_cookie_contains_only_a_random_token(tmp_path: Path) -> None:
    async def cookie() -> str:
        async with open_server(tmp_path) as server:
            answer = await server.visitor().post(
                "/api/tables", **table("vendetta", ["you", "open", "random"])
            )
            return answer.header("set-cookie")

    name, _, value = asyncio.run(cookie()).partition("=")
    assert name == COOKIE
    assert len(value.partition(";")[0]) >= 43, "32 bytes that nobody can guess"
