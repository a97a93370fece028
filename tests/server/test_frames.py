"""Whatever comes over a socket is answered or ends it cleanly, and the next good command works."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import websockets
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from cosca.server import wire
from cosca.server.app import COOKIE, application
from cosca.server.serve import Listeners, free_port
from cosca.server.settings import Settings
from tests.server.doors import Line, NoDoors, Place, Visitor, heard, opened, table

IDS = st.from_regex(r"\A[A-Za-z0-9_-]{1,64}\Z")
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308, -0.0]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
)
JSON = st.recursive(
    ODD,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=12,
)
COMMANDS: dict[str, dict[str, Any]] = {
    "move": {"actions": [0]},
    "think": {"actions": []},
    "read": {"text": "x"},
    "hint": {},
    "chat": {"text": "hello"},
    "entropy": {"entropy": "0f" * 16},
    "fill": {"seat": 1, "bot": "random"},
    "take_back": {},
    "remove": {"seat": 1},
    "rematch": {},
}
"""One of each that leaves the table as it is, or does not matter."""


@st.composite
def near_commands(draw: st.DrawFn) -> str:
    """A command with something wrong in it, or nothing."""
    do = draw(st.sampled_from(list(COMMANDS)))
    frame: dict[str, Any] = {"do": do, "id": draw(IDS), **COMMANDS[do]}
    for _ in range(draw(st.integers(0, 2))):
        name = draw(st.sampled_from([*frame, "more", "seat", "owner"]))
        if draw(st.booleans()):
            frame[name] = draw(JSON)
        else:
            frame.pop(name, None)
    return json.dumps(frame)


@st.composite
def steps(draw: st.DrawFn) -> str:
    """Moves and thoughts with numbers from anywhere."""
    numbers = st.one_of(
        st.integers(-3, 700), st.integers(), st.sampled_from([2**31, 2**63, 10**60])
    )
    actions = draw(st.lists(numbers, max_size=70))
    do = draw(st.sampled_from(["move", "think"]))
    return json.dumps({"do": do, "id": draw(IDS), "actions": actions})


FRAMES = st.one_of(
    st.text(max_size=60),
    st.binary(max_size=60),
    JSON.map(json.dumps),
    JSON.map(lambda told: json.dumps(told).encode()),
    near_commands(),
    near_commands().map(str.encode),
    steps(),
)
CORNERS: list[str | bytes | None] = [
    None,
    "",
    b"",
    "null",
    "{",
    "[" * 8192,
    "[" * 4000 + "]" * 4000,
    '{"do":' * 1300,
    '{"a":' * 1300 + "1" + "}" * 1300,
    '{"do":"chat","id":"x","text":"\\ud800"}',
    '{"do":"chat","id":"\\udc00","text":"x"}',
    '{"do":"chat","id":"x","text":"\\u0000"}',
    b'{"do":"chat","id":"x","text":"\xff\xfe"}',
    b'{"do":"chat","id":"x","text":"\xed\xa0\x80"}',
    b"\x00" * 100,
    '{"do":"move","id":"x","actions":[1e999]}',
    '{"do":"move","id":"x","actions":[' + "9" * 8000 + "]}",
    '{"do":"move","id":"x","actions":[0.0]}',
    '{"do":"move","id":"x","actions":[true]}',
    '{"do":"move","do":"chat","id":"x"}',
    '{"do":"nothing","id":"x"}',
    '{"do":["move"],"id":"x"}',
    '{"id":"' + "x" * 65 + '","do":"hint"}',
    '{"id":"x\\n","do":"hint"}',
    '{"do":"read","id":"x","text":"' + "9" * 200 + '"}',
    '{"do":"read","id":"x","text":"\\u202e\\u0000"}',
    '{"do":"fill","id":"x","seat":15,"bot":"random"}',
    '{"do":"fill","id":"x","seat":1,"bot":"../../etc/passwd"}',
    '{"do":"remove","id":"x","seat":-1}',
    "\ufeff{}",
    "x" * (wire.FRAME_BYTES + 1),
]


class Bench:
    """A table with a game in progress, kept for many examples."""

    def __init__(self, place: Place, ada: Visitor, code: str) -> None:
        self.place = place
        self.ada = ada
        self.code = code
        self.number = 0

    async def hear(self, frames: list[Any]) -> None:
        """Send frames, each is answered; and then a good command works."""
        line = await self.ada.sit(self.code)
        for frame in frames:
            before = answered(line)
            line.put(frame)
            await line.until(partial(more_answered, line, before))
            assert answered(line) == before + 1, f"not answered, or twice: {frame!r}"
        self.number += 1
        good = await line.do("think", f"good-{self.number}", actions=[])
        assert good["type"] == "thought", f"the next good command is refused after {frames!r}"
        await line.close()
        for message in line.sent:
            msgspec.json.decode(message, type=wire.AnyMessage)


def answered(line: Line) -> int:
    """How many answers have come."""
    return sum(told["type"] in ("done", "refused", "thought", "hinted") for told in line.told())


def more_answered(line: Line, than: int) -> bool:
    """Whether one more answer has come."""
    return answered(line) > than


@contextlib.asynccontextmanager
async def bench(path: Path, game: str) -> AsyncIterator[Bench]:
    """Three people's game, of which one sends whatever is to be tried."""
    async with opened(path) as place:
        ada, bob, eve = (place.visitor() for _ in range(3))
        wanted = table(game, ["open", "you", "open"])  # the others' turn never ends
        code = str((await ada.post("/api/tables", **wanted)).told()["code"])
        for other in (bob, eve):
            await other.post(f"/api/tables/{code}/join", name="Bob")
        line = await ada.sit(code)
        await line.do("start", "start")
        place.clock.go_on(5)
        await line.until(lambda: any(told.get("view") for told in line.told()))
        await line.close()
        yield Bench(place, ada, code)


@pytest.mark.parametrize("game", ["omerta", "sicilianos", "vendetta"])
def test_any_frames_are_answered(tmp_path: Path, game: str) -> None:
    with heard() as log, asyncio.Runner() as runner:
        house = bench(tmp_path, game)
        one = runner.run(house.__aenter__())

        @settings(derandomize=True, max_examples=40, deadline=None, database=None)
        @given(st.lists(FRAMES, min_size=1, max_size=6))
        def try_them(frames: list[Any]) -> None:
            runner.run(one.hear(frames))

        try:
            try_them()
            runner.run(one.hear(CORNERS))
        finally:
            runner.run(house.__aexit__(None, None, None))
    assert not [line for line in log if "Traceback" in line], "nothing has failed inside"


def test_a_repeated_id_with_another_command_is_refused_and_with_the_same_answered_again(
    tmp_path: Path,
) -> None:
    async def attempt() -> None:
        async with bench(tmp_path, "vendetta") as one:
            line = await one.ada.sit(one.code)
            first = await line.do("chat", "c", text="hello")
            assert await line.do("chat", "c", text="hello") == first
            line.command("chat", "c", text="other")
            await line.until(lambda: len(line.answers("c")) == 3)
            assert line.answers("c")[-1]["key"] == "web.command_reused"
            await line.close()

    asyncio.run(attempt())


# --- The same against a server that really listens ------------------------------------------------


@pytest.mark.parametrize("frame", CORNERS[1:], ids=range(len(CORNERS) - 1))
def test_a_real_server_answers_or_closes(
    frame: str | bytes, real: tuple[asyncio.Runner, Bench, int]
) -> None:
    runner, one, port = real
    runner.run(asyncio.wait_for(talk(one, port, frame), 20))


async def talk(one: Bench, port: int, frame: str | bytes) -> None:
    """Send a frame; the answer is a refusal, or the socket is closed for a good reason."""
    headers = {"cookie": f"{COOKIE}={one.ada.cookie}"}
    home = f"127.0.0.1:{port}"
    async with websockets.connect(
        f"ws://{home}/ws/{one.code}", origin=Origin(f"http://{home}"), additional_headers=headers
    ) as socket:
        assert b'"sync"' in (await socket.recv(decode=False))[:20]
        await socket.send(frame)
        try:
            told = msgspec.json.decode(await socket.recv())
        except ConnectionClosed as closed:
            assert closed.rcvd and closed.rcvd.code in (1007, 1009), closed
        else:
            assert told["type"] in ("refused", "done"), told
            await socket.send('{"do":"think","id":"good","actions":[]}')
            told = {"id": ""}
            while told.get("id") != "good":
                told = msgspec.json.decode(await socket.recv())
            assert told["type"] == "thought"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A house that listens, with a game in progress."""
    with asyncio.Runner() as runner:
        house = bench(tmp_path_factory.mktemp("real"), "vendetta")
        one = runner.run(house.__aenter__())
        port = free_port()
        told = Settings(store=Path("unused"), port=port, generous=True)
        listeners = Listeners(told)
        listeners.app = application(one.place.house, NoDoors(), told, one.place.clock)
        runner.run(listeners.listen("127.0.0.1", port, lifespan=False))
        yield runner, one, port
        listeners.stop()
        runner.run(listeners.wait())
        runner.run(house.__aexit__(None, None, None))
