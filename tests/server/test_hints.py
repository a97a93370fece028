"""Hints: for people who play alone, in their language, from what their seat knows."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cosca.bots.consigliere import (
    Advice,
    advise,
    describe_move,
    format_explanation,
    format_figures,
)
from cosca.catalog import GAMES, find
from cosca.core.names import Action
from cosca.core.position import Position
from cosca.server.live import bot_pool
from cosca.words import LANGUAGES, say, speaking
from tests.server.in_process import ImmediateBots, InProcessServer, Visitor, open_server, table


async def begun(server: InProcessServer, game: str, seats: list[str]) -> tuple[Visitor, str]:
    """Open a table whose game has begun; return the browser and the code."""
    ada = server.visitor()
    body = table(game, seats, start=True)
    return ada, (await ada.post("/api/tables", **body)).json()["code"]


@pytest.mark.parametrize("game", GAMES)
def test_a_person_who_plays_alone_gets_hints(tmp_path: Path, game: str) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            ada, code = await begun(server, game, ["you", "random", "random", "random"])
            async with server.house.table(code) as live:
                socket = await ada.connect(code)
                await socket.until(lambda: 0 in live.room.actors())
                advice = advise(find(game), live.room.position(0))
                for language in LANGUAGES:
                    other = await ada.connect(code, more=f"&lang={language}")
                    hint = await other.do("hint", f"h-{language}")
                    with speaking(language):
                        assert hint["figures"] == format_figures(
                            live.room.game, advice, describe_move
                        )
                        assert hint["explanation"]["text"] == format_explanation(advice)
                        assert hint["moves"][0]["text"] == describe_move(advice.moves[0])
                        expected = {"seat": 0, "text": describe_move(advice.moves[0])}
                        assert hint["principal_variation"][0] == expected
                    assert 0 <= hint["moves"][0]["win_chance"] <= 1
                done = await socket.do("move", "m", actions=hint["moves"][0]["actions"])
                assert done["type"] == "done"

    asyncio.run(asked())


def test_a_hint_for_a_move_that_has_begun_contains_its_steps(tmp_path: Path) -> None:
    """Also in the order in which a person chose them: 10 first, then a district before it."""

    async def asked() -> None:
        async with open_server(tmp_path) as server:
            ada, code = await begun(server, "vendetta", ["you", "random", "random"])
            async with server.house.table(code) as live:
                socket = await ada.connect(code)
                await socket.until(lambda: 0 in live.room.actors())
                legal = live.room.position(0).legal
                hint = await socket.do("hint", "h", actions=[legal[-2]])  # all men in 13
                assert hint["moves"] and all(legal[-2] in move["actions"] for move in hint["moves"])
                assert hint["warning"].endswith(f"Better would be: {hint['better']['text']}.")
                assert legal[-2] not in hint["better"]["actions"]
                best = hint["better"]["actions"]
                hint = await socket.do("hint", "g", actions=best[:1])
                assert hint["moves"][0]["actions"] == best
                assert (hint["better"], hint["warning"]) == (None, "")
                refused = await socket.do("hint", "r", actions=[9999])
                assert refused["type"] == "refused"

    asyncio.run(asked())


def test_among_people_there_are_no_hints(tmp_path: Path) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            ada, bo = server.visitor(), server.visitor()
            body = table("vendetta", ["you", "open", "random"])
            code = (await ada.post("/api/tables", **body)).json()["code"]
            await bo.post(f"/api/tables/{code}/join", name="Bo")
            sockets = [await ada.connect(code), await bo.connect(code)]
            await sockets[0].do("start", "s")
            async with server.house.table(code) as live:
                await sockets[0].until(lambda: {0, 1} & set(live.room.actors()))
                (seat, *_) = live.room.actors()
                refused = await sockets[seat].do("hint", "h")
                for socket in sockets:
                    await socket.close()
            assert refused["text"] == say("web.no_hints", {})

    asyncio.run(asked())


class Slow(ImmediateBots):
    """Bots that answer only when the test lets them."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def advise(self, game: str, position: Position, begun: Sequence[Action] = ()) -> Advice:
        """Return what the consigliere advises, once he is let."""
        self.asked.set()
        await self.may_answer.wait()
        return bot_pool.advise(game, position, begun)


def test_a_hint_is_empty_if_the_game_has_gone_on(tmp_path: Path) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            slow = server.house.bots = Slow()
            ada, code = await begun(server, "vendetta", ["you", "random", "random"])
            async with server.house.table(code) as live:
                asking, moving = await ada.connect(code), await ada.connect(code)
                await asking.until(lambda: 0 in live.room.actors())
                asking.command("hint", "h")
                await slow.asked.wait()
                first: Action = live.room.position(0).legal[0]
                done = await moving.do("move", "m", actions=[first])
                assert done["type"] == "done"
                slow.may_answer.set()
                await asking.until(lambda: asking.answers("h"))
            hint: dict[str, Any] = asking.answers("h")[-1]
            assert (hint["moves"], hint["figures"], hint["principal_variation"]) == ([], "", [])
            assert (hint["explanation"], hint["better"], hint["warning"]) == (None, None, "")

    asyncio.run(asked())
