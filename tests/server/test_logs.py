"""Logs: one machine-readable line for each event, without secrets."""

import ast
import asyncio
import contextlib
import io
import json
import logging
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

import cosca.server
from cosca.core.errors import Refused
from cosca.server.domain.log_entries import Moved, Opened, decode_entry
from cosca.server.domain.room import Room
from cosca.server.telemetry.logs import (
    JsonFormatter,
    LogFormat,
    LogLevel,
    TextFormatter,
    configure_logging,
    log_event,
)
from tests.server.in_process import Visitor, open_server, table
from tests.server.server_process import Player, ServerProcess, running_server

NAMES = ("Zebedäus", "Wilhelmina")
CHAT = "the password is swordfish"
TOKEN = "an-admin-token-of-some-length"


@contextlib.contextmanager
def logged(format: LogFormat, level: LogLevel = "info") -> Iterator[io.StringIO]:
    """Capture what is logged, in a format and from a level on."""
    root, ours = logging.getLogger(), logging.getLogger("cosca")
    before = (root.handlers, root.level, ours.level)
    stream = io.StringIO()
    configure_logging(format, level, stream)
    try:
        yield stream
    finally:
        root.handlers, root_level, ours_level = before
        root.setLevel(root_level)
        ours.setLevel(ours_level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    """Return the logged lines, decoded."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


# --- Form -----------------------------------------------------------------------------------------


def test_an_event_is_one_object_on_one_line() -> None:
    with logged("json") as stream:
        log_event("something", table="ab\ncd", number=3)
    (line,) = lines(stream)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("time"))
    assert line == {
        "level": "info",
        "logger": "cosca.server",
        "event": "something",
        "table": "ab\ncd",
        "number": 3,
    }


def test_an_event_as_text_is_one_line_too() -> None:
    with logged("text") as stream:
        log_event("something", logging.WARNING, table="ab\ncd", number=3)
    assert stream.getvalue() == 'WARNING cosca.server: something table="ab\\ncd" number=3\n'


@pytest.mark.parametrize("level", get_args(LogLevel))
def test_only_events_from_the_level_on_are_logged(level: LogLevel) -> None:
    names = list(get_args(LogLevel))
    with logged("json", level=level) as stream:
        for name in names:
            log_event(name, logging.getLevelNamesMapping()[name.upper()])
    assert [line["event"] for line in lines(stream)] == names[names.index(level) :]


def test_details_of_libraries_are_never_logged() -> None:
    """A library that logs each frame and each header would reveal secrets."""
    with logged("json", level="debug") as stream:
        logging.getLogger("websockets.server").debug("> Cookie: %s", "cosca=secret")
        logging.getLogger("uvicorn.error").info("secret")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", get_args(LogFormat))
def test_an_error_is_logged_by_type_and_place_only(form: LogFormat) -> None:
    with logged(form) as stream:
        try:
            raise Refused("web.no_table", code="secret")
        except Refused as error:
            logging.getLogger("cosca.server").exception("request_failed")
            logging.getLogger("asyncio").error(
                "Task exception was never retrieved\nfuture: <Task exception=secret>",
                exc_info=error,
            )
            logging.getLogger("uvicorn.error").warning("what %s said", "secret")
    output = stream.getvalue()
    assert "secret" not in output and output.count("\n") == 3
    assert output.count("Refused") == 2 and "test_logs.py:" in output
    assert "what %s said" in output


def test_a_failing_store_logs_the_reason(tmp_path: Path) -> None:
    async def fail() -> None:
        async with open_server(tmp_path) as server:

            def full(file: sqlite3.Connection) -> None:
                raise sqlite3.OperationalError("database or disk is full")

            with pytest.raises(Refused):
                await server.store.engine.run(full)

    with logged("json") as stream:
        asyncio.run(fail())
    (line,) = lines(stream)
    assert (line["event"], line["reason"]) == ("store_failed", "database or disk is full")
    assert line["level"] == "error"


def test_the_alias_of_a_table_does_not_reveal_its_code(tmp_path: Path) -> None:
    """It never changes, so tables can be distinguished; a plain hash could be reversed."""

    async def open_two() -> list[Room]:
        async with open_server(tmp_path) as server:
            rooms = []
            for _ in range(2):
                wanted = table("vendetta", ["random"] * 3)
                code = (await server.visitor().post("/api/tables", **wanted)).json()["code"]
                first = decode_entry((await server.store.logs.entries(code))[0][2])
                assert isinstance(first, Opened)
                rooms.append(Room(first))
            return rooms

    with logged("json") as stream:
        rooms = asyncio.run(open_two())
    events = [(line["event"], line["table"]) for line in lines(stream)]
    assert events == [("table_opened", room.deal.alias) for room in rooms]
    assert rooms[0].deal.alias != rooms[1].deal.alias
    other = Room(Opened(**{**_fields(rooms[0].opened), "seed": "00" * 32}))
    assert other.code == rooms[0].code and other.deal.alias != rooms[0].deal.alias


def _fields(opened: Opened) -> dict[str, Any]:
    return {name: getattr(opened, name) for name in opened.__struct_fields__}


def test_every_event_is_documented_with_its_level_and_fields() -> None:
    hosting = (Path(__file__).parents[2] / "docs/hosting.md").read_text("utf-8")
    (section,) = re.findall(r"\n### Log events\n(.*?)\n##", hosting, re.DOTALL)
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+?) \| .+ \|$", section, re.MULTILINE)
    assert {event: (level, fields) for event, level, fields in rows} == dict(logged_events())
    assert len(rows) == len(dict(logged_events()))


def logged_events() -> Iterator[tuple[str, tuple[str, str]]]:
    """Return every event in the sources of the server, with its level and fields."""
    for path in Path(cosca.server.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                function = ast.unparse(node.func)
                if function in ("log.exception", "log.error"):
                    yield str(node.args[0].value), ("error", "`error`, `at`")
                elif function == "log_event":
                    yield str(node.args[0].value), (_level(node), _field_names(node))


def _level(call: ast.Call) -> str:
    return ast.unparse(call.args[1]).partition(".")[2].lower() if call.args[1:] else "info"


def _field_names(call: ast.Call) -> str:
    if any(keyword.arg is None for keyword in call.keywords):
        return "the reasons"
    return ", ".join(f"`{keyword.arg}`" for keyword in call.keywords) or "none"


# --- Secrets --------------------------------------------------------------------------------------


def test_no_secret_is_in_the_log_of_a_whole_session(tmp_path: Path) -> None:
    options = ("--log", "json", "--log-level", "debug", "--admin-token", TOKEN, "--metrics")
    with running_server(tmp_path / "tables.db", *options) as house:
        players, tokens = asyncio.run(whole_session(house))
        seeds = [seed_of(house, player.code) for player in players]
        house.terminate()
        assert house.wait_for_exit() == 0
        log = house.log_path.read_text()
        house.start()
    events = [json.loads(line)["event"] for line in log.splitlines()]
    assert events[0] == "started" and events[-2:] == ["stopping", "stopped"]
    assert events.count("table_opened") == 2 and events.count("table_over") == 1
    secrets = [*NAMES, CHAT, "swordfish", TOKEN, *tokens, *seeds]
    for player in players:
        cookie = player.cookie.partition("=")[2]
        secrets += [player.code, cookie, player.key("").partition(":")[0]]
    assert len(tokens) == 2 and all(map(len, secrets))
    room_from_log = log.casefold()
    assert [secret for secret in secrets if secret.casefold() in room_from_log] == []
    assert [secret for secret in secrets if json.dumps(secret)[1:-1] in log] == []


def seed_of(house: ServerProcess, code: str) -> str:
    """Return the seed of a table from the store."""
    with contextlib.closing(sqlite3.connect(house.store)) as file:
        query = "SELECT body FROM lines WHERE code = ? AND seq = 0"
        first = decode_entry(file.execute(query, (code,)).fetchone()[0])
    assert isinstance(first, Opened)
    return first.seed


async def whole_session(house: ServerProcess) -> tuple[list[Player], list[str]]:
    """Let two people open, join, chat, leave and break rules, and bots play a game to the end."""
    ada = Player(house, "")
    wanted: dict[str, Any] = {
        "game": "vendetta",
        "seats": ["you", "open", "random"],
        "name": NAMES[0],
    }
    place = house.post("/api/tables", wanted, ada.cookie)
    ada.code = place["code"]
    bo = Player(house, ada.code)
    joined = house.post(f"/api/tables/{ada.code}/join", {"name": NAMES[1]}, bo.cookie)
    house.request("POST", f"/api/tables/{ada.code}/claim", {"token": "x" * 43}, bo.cookie)
    house.request("POST", f"/api/tables/{ada.code}/join", {"name": NAMES[1] * 99}, bo.cookie)
    house.request("GET", f"/api/tables/{ada.code}/record", cookie=ada.cookie)
    house.request("GET", f"/api/tables/{ada.code}/{place['token']}", cookie=ada.cookie)
    async with bo.connect() as connection:
        await say(bo, connection, "talk", do="chat", text=CHAT)
    async with ada.connect() as connection:
        await connection.send("{" + CHAT)
        await say(ada, connection, "talk", do="chat", text=CHAT)
        await say(ada, connection, "start", do="start")
        await say(ada, connection, "leave", do="leave")
    async with bo.connect() as connection:
        await say(bo, connection, "leave", do="leave")
    quick = {"game": "vendetta", "seats": ["random"] * 3, "name": NAMES[0]}
    eve = Player(
        house,
        house.post(
            "/api/tables", quick | {"start": True, "options": {"max_rounds": "1"}}, ada.cookie
        )["code"],
    )
    async with eve.connect() as connection, asyncio.timeout(60):
        while b'"stage":"over"' not in await connection.recv(decode=False):
            pass
    return [ada, bo, eve], [place["token"], joined["token"]]


async def say(player: Player, connection: Any, id: str, **words: Any) -> None:
    """Send a command that must be granted."""
    player.sent[id] = {"id": id, **words}
    await player.send_and_wait(connection, id)
    (answer,) = player.answers[id]
    assert json.loads(answer)["type"] == "done", answer


def test_a_failing_command_does_not_reveal_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(room: Room, socket: Moved, **how: Any) -> None:
        raise RuntimeError(f"{room.code} {socket}")

    async def attempt() -> str:
        async with open_server(tmp_path) as server:
            ada: Visitor = server.visitor()
            wanted = table("vendetta", ["you", "open", "random"], name=NAMES[0])
            code = str((await ada.post("/api/tables", **wanted)).json()["code"])
            socket = await ada.connect(code)
            monkeypatch.setattr(Room, "apply", broken)
            socket.command("chat", "c", text=CHAT)
            await socket.ended()
            assert (await server.visitor().post(f"/api/tables/{code}/join", name="B")).status == 500
            return code

    with logged("json", level="debug") as stream:
        code = asyncio.run(attempt())
    output = stream.getvalue()
    assert {"socket_failed", "request_failed"} <= {line["event"] for line in lines(stream)}
    assert not any(secret in output for secret in (code, CHAT, *NAMES))


def test_every_format_has_its_formatter() -> None:
    kinds: dict[LogFormat, type[logging.Formatter]]
    kinds = {"text": TextFormatter, "json": JsonFormatter}
    assert set(get_args(LogFormat)) == set(kinds)
    for form, kind in kinds.items():
        with logged(form):
            assert type(logging.getLogger().handlers[0].formatter) is kind
