"""External bots over the same socket as people; and no stranger can run a program."""

import json
import sys
from secrets import token_hex
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from cosca.catalog import GAMES
from tests.bots.programs import EXAMPLES, LUCKY
from tests.processes import run, started
from tests.web.houses import opened
from tests.web.nodejs import find_node

PROGRAMS = {"seat.py": [sys.executable], "seat.js": [str(find_node())]}
"""The examples, and the commands that run them."""


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the address of a server."""
    with opened(tmp_path_factory.mktemp("outside") / "tables.db") as address:
        yield address


def words(example: str, link: str) -> list[str]:
    """Return the command line of an example."""
    return [*PROGRAMS[example], str(EXAMPLES / example), link]


def plays(example: str, link: str) -> str:
    """Return what the example prints at the end of a game."""
    done = run(words(example, link))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def connected(origin: str, place: dict[str, Any]) -> ClientConnection:
    """Open the socket of the browser that opened a table."""
    headers = {"origin": origin, "cookie": place["cookie"]}
    address = f"{origin.replace('http', 'ws', 1)}/ws/{place['code']}?protocol=2&view=data"
    return connect(address, additional_headers=headers)


def open_table(origin: str, **wishes: object) -> dict[str, Any]:
    """Open a table as a browser does."""
    headers = {"origin": origin, "content-type": "application/json"}
    request = Request(f"{origin}/api/tables", json.dumps(wishes).encode(), headers)
    with urlopen(request) as answer:
        server: dict[str, Any] = json.loads(answer.read())
        return server | {"cookie": answer.headers["set-cookie"].partition(";")[0]}


@pytest.mark.parametrize("example", PROGRAMS)
@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_the_seat_of_a_link_to_the_end(
    origin: str, game: str, example: str
) -> None:
    seats = ["you", *["random"] * (GAMES[game].seats[0] - 1)]
    place = open_table(origin, game=game, seats=seats, name="Ann", start=True)
    output = plays(example, f"{origin}/seat/{place['code']}#{place['token']}")
    assert "win" in output or "share" in output


@pytest.mark.parametrize("example", PROGRAMS)
def test_the_example_takes_an_open_seat(origin: str, example: str) -> None:
    place = open_table(origin, game="vendetta", seats=["you", "open", "random"], name="Ann")
    code = place["code"]
    statuses: list[str] = []
    example_words = words(example, f"{origin}/t/{code}")
    with started(example_words) as program, connected(origin, place) as ann:
        for frame in ann:
            message = json.loads(frame)
            room, view = message.get("room"), message.get("view")
            if room:
                statuses = [given["status"] for given in room["contributions"]]
            if room and room["stage"] == "lobby" and room["seats"][1]["kind"] == "person":
                ann.send(json.dumps({"do": "start", "id": "start"}))
            elif view and view["result"]:
                break
            elif view and view["position"]["legal"]:
                actions = view["position"]["legal"][-1:]
                ann.send(json.dumps({"do": "move", "id": token_hex(8), "actions": actions}))
        said, complaints = program.end()
    assert (program.exit_code, complaints) == (0, "")
    assert "win" in said or "share" in said
    assert statuses == ["silent", "revealed", "bot"], "Ann sent nothing, the example took part"


def test_a_stranger_cannot_run_a_program(origin: str) -> None:
    with pytest.raises(HTTPError) as refused:
        open_table(origin, game="vendetta", seats=["you", LUCKY[:40], "random"], name="Eve")
    problem = json.loads(refused.value.read())
    refused.value.close()
    assert problem["key"] == "bad_bot"
