"""A bot from outside over the same socket as people; and no program over it."""

import json
import subprocess
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from cosca.catalog import GAMES
from tests.bots.programs import EXAMPLES, LUCKY
from tests.web.houses import opened


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The address of a house."""
    with opened(tmp_path_factory.mktemp("outside") / "tables.db") as address:
        yield address


def open_table(origin: str, **wishes: object) -> dict[str, Any]:
    """Open a table as a browser does."""
    headers = {"origin": origin, "content-type": "application/json"}
    request = Request(f"{origin}/api/tables", json.dumps(wishes).encode(), headers)
    with urlopen(request) as answer:
        place: dict[str, Any] = json.loads(answer.read())
        return place | {"cookie": answer.headers["set-cookie"].partition(";")[0]}


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_the_seat_of_a_link_to_the_end(origin: str, game: str) -> None:
    seats = ["you", *["random"] * (GAMES[game].seats[0] - 1)]
    place = open_table(origin, game=game, seats=seats, name="Ann", start=True)
    link = f"{origin}/seat/{place['code']}#{place['token']}"
    words = [sys.executable, str(EXAMPLES / "seat.py"), link]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "won" in done.stdout or "share" in done.stdout


def test_a_stranger_cannot_have_a_program_run(origin: str) -> None:
    with pytest.raises(HTTPError) as refused:
        open_table(origin, game="vendetta", seats=["you", LUCKY[:40], "random"], name="Eve")
    told = json.loads(refused.value.read())
    refused.value.close()
    assert told["key"] == "bad_bot"
