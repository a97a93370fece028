"""The house names no game, so that a new one needs no change there."""

import re
from pathlib import Path

import pytest

import cosca
from cosca.catalog import GAMES

SOURCES = Path(cosca.__file__).parent
LAYERS = ("core", "match", "testing", "arena", "cli")
SUFFIXES = (".py", ".pxd", ".pyx", ".toml")


@pytest.mark.parametrize("layer", LAYERS)
def test_the_house_names_no_game(layer: str) -> None:
    named = re.compile(rf"(?<![a-z])({'|'.join(GAMES)})(?![a-z])", re.IGNORECASE)
    files = [path for path in (SOURCES / layer).rglob("*") if path.suffix in SUFFIXES]
    assert files
    found = [
        f"{path.relative_to(SOURCES)}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if named.search(line)
    ]
    assert found == []
