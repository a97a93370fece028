"""What docs say about files, layers and names is what the sources have."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from cosca.catalog import GAMES

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
HISTORY = {"CHANGELOG.md"}
"""Pages about what was: a file they name may be gone."""
EXAMPLES = ("scopa", "es.toml")
"""Parts of paths that a reader is about to make."""
PLACES = [ROOT, ROOT / "src", ROOT / "src/cosca", ROOT / "web"]
"""Where a path in docs may begin."""
SUFFIXES = "py|pxd|md|toml|js|ts|svelte|svg|css|txt|in"


def contract(name: str) -> list[list[str]]:
    """The layers of a contract, highest first; each with the modules that stand side by side."""
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    (found,) = (one for one in linter["importlinter"]["contracts"] if one["name"].startswith(name))
    return [re.findall(r"\w+", layer) for layer in found["layers"]]


def first_column(page: str, heading: str) -> list[str]:
    """The first cells of the table with that heading, without quotes and suffix."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None
    return re.findall(r"^\| `([\w/]+)(?:\.py)?` ", table[1], re.MULTILINE)


def test_the_table_of_layers_is_the_contract() -> None:
    listed = first_column("architecture.md", "layer")
    layers = [set(layer) - {"research"} for layer in contract("Imports flow one way")]
    assert len(listed) == sum(map(len, layers))
    for layer in layers:
        beside, listed = listed[: len(layer)], listed[len(layer) :]
        assert set(beside) == layer


def test_the_table_of_a_games_files_is_the_contract() -> None:
    listed = first_column("architecture.md", "file")
    layers = contract("Inside a game")[::-1]
    assert len(listed) == sum(map(len, layers))
    for layer in layers:
        beside, listed = listed[: len(layer)], listed[len(layer) :]
        assert set(beside) == set(layer)


def test_the_picture_shows_every_layer_and_every_game() -> None:
    picture = (ROOT / "docs/architecture.svg").read_text(encoding="utf-8")
    shown = re.findall(r"<text [^>]*>(\w+)", picture)
    layers = {name for layer in contract("Imports flow one way") for name in layer} - {"research"}
    assert layers <= set(shown)
    assert f"games: {' · '.join(GAMES)}<" in picture


def test_the_layers_of_the_server_are_its_folders() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `server/(\w+)` \|", text, re.MULTILINE)
    folders = {path.parent.name for path in (ROOT / "src/cosca/server").glob("*/__init__.py")}
    assert set(listed) == folders and len(listed) == len(folders)


def quoted(page: Path) -> list[str]:
    """What stands in single backquotes on a page, outside blocks of code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    return re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    paths = [
        word for word in quoted(page) if re.fullmatch(rf"\w[\w./-]*/[\w.-]+\.({SUFFIXES})", word)
    ]
    places = [*PLACES, page.parent]
    named = [path for path in paths if not any(example in path for example in EXAMPLES)]
    missing = [path for path in named if not any((place / path).exists() for place in places)]
    assert page.name in HISTORY or missing == []


@cache
def classes() -> dict[str, str]:
    """The source of each class of the package, by its name; of two classes both sources."""
    found: dict[str, str] = {}
    for path in (ROOT / "src").rglob("*.py"):
        for part in re.split(r"^(?=class )", path.read_text(encoding="utf-8"), flags=re.M)[1:]:
            name = re.match(r"class (\w+)", part)
            assert name is not None
            found[name[1]] = found.get(name[1], "") + part
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_member_of_a_class_that_a_page_names_is_there(page: Path) -> None:
    named = [
        re.fullmatch(r"([A-Z]\w*[a-z]\w*)\.([a-z_]+)(?:\(.*\))?", word) for word in quoted(page)
    ]
    members = [match.groups() for match in named if match and match[2] not in SUFFIXES.split("|")]
    missing = [
        f"{owner}.{member}"
        for owner, member in members
        if not re.search(rf"\b{member}\b", classes().get(owner, ""))
    ]
    assert page.name in HISTORY or missing == []
