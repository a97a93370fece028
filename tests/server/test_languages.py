"""Everybody gets texts in their own language, whatever language others use."""

import asyncio
from html import escape
from pathlib import Path
from typing import Any

import pytest

from cosca.catalog import GAMES
from cosca.words import LANGUAGE, LANGUAGES, RULES, accepted, say, sentences, spoken
from tests.server.in_process import SocketClient, Visitor, open_server, table


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en;q=0.5, de-CH;q=0.9", "de"),
        ("xx, de;q=0.1", "de"),
        ("de;q=0, en", "en"),
        ("*", "en"),
        ("tlh;q=1.0, nonsense;;q=2, ,", "en"),
        ("DE_de", "de"),
    ],
)
def test_a_browser_says_which_languages_it_accepts(header: str, language: str) -> None:
    assert accepted(header) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_api_answers_in_the_accepted_language(tmp_path: Path, language: str) -> None:
    async def asked() -> None:
        async with open_server(tmp_path) as server:
            ada = Visitor(server.app, language=f"xx, {language};q=0.5")
            for game in (await ada.get("/api/games")).json():
                name = game["name"]
                assert game["tagline"] == say(f"{name}.about.tagline", {}, language)
                for option in game["options"]:
                    key = f"{name}.option.{option['key']}.name"
                    assert option["text"] == say(key, {}, language)
                for bot in game["bots"]:
                    own = f"{name}." if bot["name"] in GAMES[name].heuristic_bots else ""
                    assert bot["text"].startswith(say(f"{own}bot.{bot['name']}", {}, language))
                rules = await ada.get(f"/api/games/{name}/rules")
                assert rules.body.decode() == sentences(language)[f"{name}.{RULES}"]
            page = (await ada.get("/")).body.decode()
            assert f'<html lang="{language}"' in page
            assert escape(say("web.no_script", {}, language)) in page
            assert escape(say("web.description", {}, language)) in page
            refused = await ada.get("/api/tables/nowhere")
            assert refused.json()["text"] == say("web.no_table", {"code": "nowhere"}, language)
            assert spoken() == LANGUAGE, "the house itself goes on as before"

    asyncio.run(asked())


def test_two_pages_at_one_seat_get_the_same_in_two_languages(tmp_path: Path) -> None:
    """One browser with two pages: events, choices and refusals are in the language of each."""

    async def played() -> None:
        async with open_server(tmp_path) as server:
            ada = Visitor(server.app, language="en")
            body = table("vendetta", ["you", "random", "random"], start=True)
            code = (await ada.post("/api/tables", **body)).json()["code"]
            sockets = {each: await ada.connect(code, more=f"&lang={each}") for each in LANGUAGES}
            for number in range(3):
                await _my_turn(sockets[LANGUAGE])
                first = _known(sockets[LANGUAGE])["view"]["choices"][0]["action"]
                await sockets[LANGUAGE].do("move", f"move{number}", actions=[first])
            await _my_turn(sockets[LANGUAGE])
            keys = [event["key"] for event in _known(sockets[LANGUAGE])["events"]]
            for language, socket in sockets.items():
                await _has_received(socket, len(keys))
                _is_in(language, _known(socket))
                refused = await socket.do("move", f"no-{language}", actions=[10**6])
                assert refused["text"] == say(refused["key"], {}, language)
                thought = await socket.do("preview_actions", f"preview-{language}", actions=[])
                for choice in thought["view"]["choices"]:
                    key = f"vendetta.choice.{choice['name']}"
                    assert choice["text"] == say(key, choice["params"], language)

    asyncio.run(played())


async def _my_turn(socket: SocketClient) -> None:
    await socket.until(lambda: (_known(socket)["view"] or {}).get("choices"))


async def _has_received(socket: SocketClient, events: int) -> None:
    await socket.until(lambda: len(_known(socket)["events"]) == events)


def _known(socket: SocketClient) -> dict[str, Any]:
    """Return what a page knows after all its messages."""
    known: dict[str, Any] = {"view": None, "events": []}
    for message in socket.messages():
        if message["type"] == "sync":
            known = {"view": message["view"], "events": list(message["events"])}
        elif message["type"] == "update":
            known["view"] = message.get("view", known["view"])
            known["events"] += message.get("events", [])
    return known


def _is_in(language: str, known: dict[str, Any]) -> None:
    """Check that all texts are in a language, as far as it differs from others."""
    questions = {say(f"vendetta.question.{key}", {}, language) for key in ("two", "one", "more")}
    assert known["view"]["question"] in questions
    captions = [grid["caption"] for grid in known["view"]["grids"]]
    assert captions == [
        say(f"vendetta.layout.{key}", {}, language) for key in ("districts", "players")
    ]
    turned = [event["text"] for event in known["events"] if event["key"] == "vendetta.turned_up"]
    texts = {
        say("vendetta.turned_up", {"seat": seat, "district": district}, language)
        for seat in range(3)
        for district in range(1, 14)
    }
    assert turned and set(turned) <= texts
    rounds = [event["text"] for event in known["events"] if event["key"] == "vendetta.round"]
    assert set(rounds) <= {
        say("vendetta.round", {"seat": seat, "round": 1}, language) for seat in range(3)
    }
