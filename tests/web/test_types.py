"""The client's types are generated from the wire format."""

from pathlib import Path

from msgspec import Struct

from cosca.server import wire
from cosca.server.http.typescript import typescript

TYPES = Path(__file__).parents[2] / "web" / "src" / "wire.ts"


def test_the_types_of_the_client_are_made_from_the_wire() -> None:
    command = "python -m cosca.server.http.typescript > web/src/wire.ts"
    assert TYPES.read_text(encoding="utf-8") == typescript(), f"run: {command}"


def test_the_client_knows_every_message() -> None:
    messages = [
        name
        for name, each in vars(wire).items()
        if isinstance(each, type) and issubclass(each, Struct) and not each.__subclasses__()
    ]
    types = typescript()
    assert [name for name in messages if f" {name} " not in types] == []
