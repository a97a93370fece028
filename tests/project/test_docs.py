"""The pages are tested too: commands, the program of the README, tables, links."""

import json
import re
import shlex
import sys
from pathlib import Path

import click
import pytest

from cosca.arena.result import Result
from cosca.bots import characters
from cosca.bots.characters import CHARACTERS, LEVELS, Style
from cosca.cli.main import COMMANDS, commands
from tests.processes import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
PRESENT = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""Pages about what is; the changelog is about what was."""


def readme_commands() -> list[str]:
    """Return the lines of the README that begin with ./run, without their descriptions."""
    lines = re.findall(r"^\./run .*$", README, re.MULTILINE)
    return [re.split(r"\s{2,}", line)[0] for line in lines]


def test_the_readme_opens_with_the_two_commands() -> None:
    assert readme_commands()[:2] == ["./run play", "./run test"]


@pytest.mark.parametrize("line", readme_commands())
def test_every_command_of_the_readme_is_one_that_is_understood(line: str) -> None:
    _, command, *words = shlex.split(line)
    script = (ROOT / "run").read_text(encoding="utf-8")
    assert f"  ./run {command} " in script
    if command in ("play", "cosca") and words != ["--help"]:
        understand([*(["play"] if command == "play" else []), *words])


def page_commands() -> list[str]:
    """Return the lines of other pages that begin with cosca."""
    names = ("arena.md", "bot-protocol.md", "bots.md")
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in names]
    lines = [line for page in pages for line in re.findall(r"^cosca .*$", page, re.MULTILINE)]
    return [re.split(r"\s{2,}", line)[0] for line in lines]


@pytest.mark.parametrize("line", page_commands())
def test_every_command_of_the_pages_is_one_that_is_understood(line: str) -> None:
    understand(shlex.split(line)[1:])


def code_of(page: Path) -> list[str]:
    """Return what stands in backquotes or in a code block on a page."""
    blocks = re.split(r"^```.*$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    quoted = [code for text in blocks[::2] for code in re.findall(r"`([^`]+)`", text)]
    return [*quoted, *(line for block in blocks[1::2] for line in block.splitlines())]


@pytest.mark.parametrize("page", PRESENT, ids=lambda page: page.name)
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    code = "\n".join(code_of(page))
    script = (ROOT / "run").read_text(encoding="utf-8")
    run_words = re.findall(r"\./run ([a-z][\w-]*)", code)
    assert [word for word in run_words if f"  ./run {word} " not in script] == []
    outer = click.Context(commands, info_name="cosca")
    cosca_words = re.findall(r"(?:^|/run )cosca ([a-z][\w-]*)", code, re.MULTILINE)
    assert [word for word in cosca_words if commands.get_command(outer, word) is None] == []


def test_commands_are_found_on_the_pages() -> None:
    code = "\n".join(line for page in PRESENT for line in code_of(page))
    assert len(re.findall(r"\./run [a-z]", code)) > 40
    assert len(re.findall(r"^cosca [a-z]", code, re.MULTILINE)) > 20


def understand(words: list[str]) -> None:
    """Parse a command without running it."""
    outer = click.Context(commands, info_name="cosca")
    command = commands.get_command(outer, words[0])
    assert command is not None
    command.make_context(words[0], words[1:], parent=outer)


# --- Tables of the pages -----------------------------------------------------------------------


def table(page: str, heading: str) -> list[list[str]]:
    """Return the rows of the table with this heading, cell by cell, without code marks."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    _, found, after = text.partition(f"{heading}\n|---")
    assert found, f"{page} has no table {heading}"
    rows = after.partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in rows]


def test_the_characters_in_the_docs_are_those_of_the_code() -> None:
    styles = {
        id(style): name.lower() for name, style in vars(characters).items() if type(style) is Style
    }
    assert table("bots.md", "| name | level | style | memory | reaction time |") == [
        [
            who.name,
            str(who.level),
            styles[id(who.style)],
            "all" if who.memory is None else str(who.memory),
            f"{who.reaction_time:g} s",
        ]
        for who in CHARACTERS.values()
    ]


def test_the_levels_in_the_docs_are_those_of_the_code() -> None:
    text = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
    budgets = [level.budget.simulations for level in LEVELS.values()]
    rates = [round(100 * level.blunder_rate) for level in LEVELS.values()]
    (sentence,) = re.findall(r"\*\*Level\*\* sets .*?never\.", text, re.DOTALL)
    assert [int(number) for number in re.findall(r"(?<![\d.])\d+(?![\d.])", sentence)] == [
        *filter(None, budgets),
        *filter(None, rates),
    ]
    assert f"{LEVELS[5].budget.seconds} s" in sentence


def test_the_fields_of_an_arena_game_in_the_docs_are_those_of_the_code() -> None:
    rows = table("arena.md", "| field | content |")
    assert [field for field, _ in rows] == list(Result.__struct_fields__)


def test_the_messages_of_the_laws_in_the_docs_are_those_of_the_code() -> None:
    folder = ROOT / "src/cosca/testing"
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    rows = table("add-a-game.md", "| message | look at |")
    parts = [part.strip() for row in rows for part in re.split(r"[\d\[\]“”`…',]+|\(.*\)", row[0])]
    missing = [part for part in parts if " " in part and part not in source]
    assert missing == []
    assert len(rows) > 15


def test_the_program_of_the_readme_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = run([sys.executable, "-c", program])
    assert done.returncode == 0, done.stderr
    assert re.match(r"(districts|points) \[", done.stdout)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_our_own_files_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not leads_somewhere(page, link)] == []


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a link leads to a file that exists, and to a heading of it if it names one."""
    name, _, wanted = link.partition("#")
    file = page.parent / name if name else page
    return file.exists() and (not wanted or wanted in anchors(file))


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub makes anchors of them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("group", ["run", "dev", "bench"])
def test_every_dependency_has_its_reason(group: str) -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower()
    wanted = (ROOT / f"requirements/{group}.in").read_text(encoding="utf-8")
    names = re.findall(r"^([a-z][\w-]*)", wanted, re.MULTILINE)
    titles = {"open-spiel": "openspiel", "open_spiel": "openspiel"}
    assert names
    assert [name for name in names if titles.get(name, name) not in page] == []


@pytest.mark.parametrize("place", ["web", "tests/web/tools"])
def test_every_package_of_the_client_has_its_reason(place: str) -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").lower()
    listed = json.loads((ROOT / place / "package.json").read_text(encoding="utf-8"))
    names = [*listed.get("dependencies", {}), *listed.get("devDependencies", {})]
    assert names and [name for name in names if name not in page] == []


def test_every_command_is_named_in_the_changes() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if name not in changes] == []
