"""`cosca new-game`: what it creates passes its tests at once, and a refusal leaves no trace."""

import json
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from cosca.cli import new_game
from cosca.core.errors import Refused
from tests.cli.test_commands import Done, cosca
from tests.processes import SLOW, run

ROOT = Path(__file__).parents[2]
NAME = "mercante"
PREFIX = "ME-"
LONG_NAME, LONG_TITLE = "a_name_as_long_as_20", "A Title of Twenty Four W"
MADE_BY_MACHINES = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "*.egg-info")
DIRECTIVES = ("annotation_typing=False", "boundscheck=False", "wraparound=False", "cdivision=True")


def copy_tree(place: Path) -> Path:
    """Copy the part of the source tree that a new game touches or is tested with."""
    for folder in ("src", "templates", "tests"):
        shutil.copytree(ROOT / folder, place / folder, ignore=MADE_BY_MACHINES)
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


def python(tree: Path, *words: str) -> Done:
    """Run Python in a copy of the source tree, without compiled rules."""
    environ = {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}", "COSCA_PURE": "1"}
    environ["PYTHONIOENCODING"] = "utf-8"
    done = run([sys.executable, *words], cwd=tree, env=environ, limit=SLOW)
    return Done(done.returncode, done.stdout, done.stderr)


def check(tree: Path, *words: str) -> str:
    """Run Python there, which must succeed; return its output."""
    done = python(tree, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def created(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a copy of the source tree with two new games, and the output about the first."""
    tree = copy_tree(tmp_path_factory.mktemp("tree"))
    output = check(tree, "-m", "cosca.cli", "new-game", NAME)
    check(tree, "-m", "cosca.cli", "new-game", LONG_NAME, "--title", LONG_TITLE)
    return tree, output


@pytest.fixture
def tree(created: tuple[Path, str]) -> Path:
    """Return the copy alone."""
    return created[0]


# --- What it lays out -------------------------------------------------------------------------


def test_it_says_what_it_made_and_what_to_do_next(created: tuple[Path, str]) -> None:
    tree, output = created
    first, *made, last = output.splitlines()
    assert first == f"Created Mercante. The ids of its rules begin with {PREFIX}:"
    assert all((tree / path.strip()).is_file() for path in made)
    assert f"  src/cosca/games/{NAME}/rules.py" in made and "  src/cosca/catalog.py" in made
    assert f"./run play {NAME}" in last and new_game.GUIDE in last
    assert (ROOT / new_game.GUIDE).exists()


def test_nothing_of_the_template_is_left_in_it(tree: Path) -> None:
    made = [path for path in tree.glob(f"*/**/*{NAME}*/**/*") if path.suffix in new_game.SUFFIXES]
    assert len(made) == len(list((ROOT / "templates").rglob("*.*"))) - 1  # but for tests/laws
    left = (new_game.TEMPLATE_NAME, new_game.TEMPLATE_PREFIX.lower())
    texts = {path: path.read_text(encoding="utf-8").lower() for path in made}
    assert [path for path, text in texts.items() if any(word in text for word in left)] == []


@pytest.mark.parametrize(
    "tests",
    ["tests/laws", f"tests/games/{NAME}", "tests/golden", "tests/project/test_traceability.py"],
)
def test_it_is_green(tree: Path, tests: str) -> None:
    check(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", NAME, tests)


def test_it_keeps_to_the_style_however_long_its_name_is(tree: Path) -> None:
    check(tree, "-m", "ruff", "check", "--no-cache", "src", "tests")
    check(tree, "-m", "ruff", "format", "--no-cache", "--check", "src", "tests")


def test_its_types_are_right(tree: Path) -> None:
    new = [f"src/cosca/games/{NAME}", f"tests/laws/{NAME}.py", f"tests/games/{NAME}"]
    cache = f"--cache-dir={tree / 'mypy'}"
    check(tree, "-m", "mypy", "--strict", cache, "src/cosca/catalog.py", *new)


def test_bots_can_play_it(tree: Path) -> None:
    words = ["simulate", NAME, "--games", "20", "--seed", "1", "--jobs", "1", "--json"]
    report = json.loads(check(tree, "-m", "cosca.cli", *words, "--bots", "random"))
    assert (report["game"], report["reasons"]) == (NAME, {"card": 20})


@pytest.mark.needs_compiler
def test_its_rules_can_be_compiled(tree: Path, tmp_path: Path) -> None:
    source, c = f"src/cosca/games/{NAME}/rules.py", str(tmp_path / "rules.c")
    options = [word for directive in DIRECTIVES for word in ("-X", directive)]
    check(tree, "-m", "cython", "-3", "-Isrc", *options, "-o", c, source)
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()
    include = f"-I{sysconfig.get_path('include')}"
    made = run([*compiler, "-c", include, c], cwd=tmp_path)
    assert made.returncode == 0, made.stderr


# --- What it refuses --------------------------------------------------------------------------


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the part of a source tree that the command reads; check that it stays the same."""
    shutil.copytree(ROOT / new_game.TEMPLATE, tmp_path / new_game.TEMPLATE)
    (tmp_path / new_game.CATALOG).parent.mkdir(parents=True)
    shutil.copy(ROOT / new_game.CATALOG, tmp_path / new_game.CATALOG)
    (tmp_path / "tests/laws").mkdir(parents=True)
    (tmp_path / "tests/laws/cases.py").write_text("# in the way\n")
    monkeypatch.setattr(new_game, "ROOT", tmp_path)
    before = everything(tmp_path)
    yield tmp_path
    assert everything(tmp_path) == before


def everything(tree: Path) -> dict[Path, bytes]:
    """Return all folders and files of a tree."""
    return {path: path.read_bytes() if path.is_file() else b"" for path in tree.rglob("*")}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        *(
            (
                [name],
                f"“{name}” is not a valid name. Use 2 to 20 lower-case letters, digits and _,"
                " starting with a letter.",
            )
            for name in ("Poker", "x", "7up", "gin-rummy", "../poker", "città", "x" * 21)
        ),
        (["lambda"], "“lambda” is a keyword of Python. Choose another name."),
        (["vendetta"], "The name “vendetta” is taken. Choose another one."),
        (["play"], "The name “play” is taken. Choose another one."),  # a part of the house's words
        (["games"], "The name “games” is taken. Choose another one."),  # a name in the catalog
        (["cases"], "tests/laws/cases.py already exists. Move it away or choose another name."),
        (
            ["poker", "--title", 'Po"ker'],
            '“Po"ker” is not a valid title. Use 2 to 24 letters, digits, spaces and hyphens,'
            " starting with a letter.",
        ),
        (
            ["poker", "--title", "Omerta"],
            "There is already a game called “Omerta”. Choose another title.",
        ),
    ],
)
def test_an_impossible_request_is_refused_in_one_sentence(
    sources: Path, words: list[str], sentence: str
) -> None:
    assert cosca("new-game", *words) == (2, "", sentence + "\n")


def test_outside_of_a_source_tree_there_is_nothing_to_add_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_game, "ROOT", tmp_path)
    done = cosca("new-game", "poker")
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [])
    assert done.stderr.startswith("A new game needs the source tree of Cosca")


def test_a_catalog_that_is_not_understood_is_left_alone() -> None:
    with pytest.raises(Refused, match="odd_catalog"):
        new_game.add_to_catalog("GAMES = {}\n", new_game.Plan("poker", "Poker", "PO"))


@pytest.mark.parametrize("wrong", [OSError(28, "No space left"), KeyboardInterrupt()])
def test_what_goes_wrong_on_the_way_leaves_no_trace(
    sources: Path, monkeypatch: pytest.MonkeyPatch, wrong: BaseException
) -> None:
    def fail(plan: new_game.Plan) -> Iterator[tuple[Path, str]]:
        yield new_game.stories_folder(plan) / "3-seats.txt", "a story"
        raise wrong

    monkeypatch.setattr(new_game, "stories", fail)
    done = cosca("new-game", "poker")
    assert done.returncode == (2 if isinstance(wrong, OSError) else 130)


@pytest.mark.parametrize(
    ("name", "prefix"),
    [("scopa", "SC"), ("a_b", "AB"), ("a1", "AX"), ("poker", "POKE"), ("pok", "POKX")],
)
def test_the_prefix_of_the_rules_is_made_of_the_name_and_not_that_of_another_game(
    monkeypatch: pytest.MonkeyPatch, name: str, prefix: str
) -> None:
    taken = {"S-1": None, "PO-1": None, "POK-M2": None, "E1": None}
    monkeypatch.setattr(new_game, "rules_of", lambda game: taken)
    assert new_game.free_prefix(name) == prefix
