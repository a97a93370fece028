"""A page or program of another version gets an explanation instead of being misunderstood."""

import asyncio
import re
from pathlib import Path
from typing import Final, get_args

import pytest

from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.http.request_body import BODY_BYTES
from cosca.server.http.routes import ENDPOINTS
from cosca.server.http.sockets import POLICY
from tests.server.in_process import (
    InProcessServer,
    SocketClient,
    open_server,
    socket_path,
    table,
    wait_until,
)

PAGE: Final = (Path(__file__).parents[2] / "docs/protocol.md").read_text("utf-8")


async def new_table(server: InProcessServer) -> str:
    """Open a table, and return its code."""
    answer = await server.visitor().post(
        "/api/tables", **table("vendetta", ["you", "open", "open"])
    )
    return str(answer.json()["code"])


@pytest.mark.parametrize("query", ["", "view=text&hand=0&lang=de", "protocol=1", "protocol=02"])
def test_a_socket_of_another_version_is_closed_with_the_reason(tmp_path: Path, query: str) -> None:
    """A page of Cosca 0.1.0 takes a refusal without a command as final."""

    async def attempt() -> SocketClient:
        async with open_server(tmp_path) as server:
            socket = SocketClient(server.app, f"/ws/{await new_table(server)}?{query}")
            await wait_until(lambda: socket.code)
            return socket

    socket = asyncio.run(attempt())
    assert (socket.accepted, socket.code) == (True, POLICY)
    (message,) = socket.messages()
    assert (message["type"], message["id"], message["key"]) == ("refused", "", "web.other_protocol")
    assert ("Lade" if "lang=de" in query else "Reload") in message["text"]


def test_the_first_message_names_the_protocol(tmp_path: Path) -> None:
    async def attempt() -> SocketClient:
        async with open_server(tmp_path) as server:
            socket = SocketClient(server.app, socket_path(await new_table(server)))
            await socket.synced()
            await socket.close()
            return socket

    first = asyncio.run(attempt()).messages()[0]
    assert (first["type"], first["protocol"]) == ("sync", wire.PROTOCOL)


def test_an_unknown_command_is_refused_by_its_id(tmp_path: Path) -> None:
    async def attempt() -> object:
        async with open_server(tmp_path) as server:
            socket = SocketClient(server.app, socket_path(await new_table(server)))
            await socket.synced()
            answer = await socket.do("think", "t1", actions=[])
            await socket.close()
            return answer

    answer = asyncio.run(attempt())
    assert isinstance(answer, dict)
    assert (answer["type"], answer["id"], answer["key"]) == ("refused", "t1", "web.not_json")


# --- The page about the protocol ------------------------------------------------------------------


def rows(heading: str, cells: int = 3) -> list[list[str]]:
    """Return the rows of the first table below a heading, without its head."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in line.strip("|").split("|", cells - 1)] for line in lines]


def names(cell: str) -> list[str]:
    """Return the names in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def structs(union: object) -> dict[str, list[str]]:
    """Return the fields of each struct of a union, by its tag."""
    return {
        str(each.__struct_config__.tag): list(each.__struct_fields__) for each in get_args(union)
    }


def test_the_page_lists_every_command_with_its_fields() -> None:
    listed = {names(do)[0]: names(fields) for do, fields, _ in rows("Commands")}
    known = structs(commands.AnyCommand)
    assert listed == {
        tag: [name for name in fields if name != "id"] for tag, fields in known.items()
    }


def test_the_page_lists_every_message_with_its_fields() -> None:
    assert {names(kind)[0]: names(fields) for kind, fields, _ in rows("Messages")} == structs(
        wire.AnyMessage
    )


def test_the_page_lists_every_endpoint() -> None:
    listed = [names(endpoint)[0] for endpoint, _ in rows("The HTTP API", 2)]
    assert listed == [f"{each.method} {each.path}" for each in ENDPOINTS]


def test_the_page_names_the_protocol_and_its_bounds() -> None:
    newest, *_ = rows("Versions", 2)
    assert newest[0] == str(wire.PROTOCOL)
    assert f"version {wire.PROTOCOL} of the protocol" in PAGE
    assert f"/ws/CODE?protocol={wire.PROTOCOL}`" in PAGE
    bounds = PAGE.partition("\n## Bounds\n")[2]
    for number in (wire.FRAME_BYTES, BODY_BYTES, commands.NAME, commands.CHAT):
        assert f"{number:,}" in bounds
