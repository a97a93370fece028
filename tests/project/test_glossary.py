"""The glossary: every word still stands in the module that owns it, and has one meaning."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "glossary.md"


class Term(NamedTuple):
    """One row of the page."""

    word: str
    meaning: str
    module: str


def terms() -> list[Term]:
    """All rows of the page, without the head of the table."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return [Term(*row) for row in rows if row[0] != "word"]


def source_of(module: str) -> Path:
    """The file of a module."""
    path = ROOT / "src" / Path(*module.strip("`").split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def plain_words(source: str) -> str:
    """A source as words in a row: `LegalActions` and `legal_actions` are “legal actions”."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", source)
    return " ".join(re.findall(r"[a-z0-9]+", parted.lower()))


def stands_in(word: str, source: str) -> bool:
    """Whether a source uses a word, or its plural."""
    plurals = f"(?:{word}|{word}s|{word}es|{word.removesuffix('y')}ies)"
    return re.search(rf"\b{plurals}\b", plain_words(source)) is not None


def test_the_page_has_its_rows() -> None:
    rows = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(terms()) == len(rows) - 1 >= 60


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.word)
def test_a_word_stands_in_the_module_that_owns_it(term: Term) -> None:
    assert re.fullmatch(r"`cosca(\.\w+)+`", term.module)
    assert source_of(term.module).exists(), f"there is no module {term.module}"
    name = term.module.strip("`").rpartition(".")[2]
    assert stands_in(term.word, f"{name}\n{source_of(term.module).read_text('utf-8')}")


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.word)
def test_a_meaning_is_one_sentence(term: Term) -> None:
    assert re.fullmatch(r"[A-Z][^.]*\.", term.meaning)


def test_words_are_in_order_and_none_has_two_entries() -> None:
    words = [term.word for term in terms()]
    assert words == sorted(set(words))


@pytest.mark.parametrize(
    ("word", "source", "stands"),
    [
        ("legal action", "def legal_actions(self): ...", True),
        ("legal action", "class LegalAction: ...", True),
        ("legal action", "a legal, action", True),
        ("belief", "beliefs = []", True),
        ("ply", "self.plies", True),
        ("seat", "seated = 1", False),
        ("log entry", "catalog_entry", False),
    ],
)
def test_words_are_found_in_names(word: str, source: str, stands: bool) -> None:
    assert stands_in(word, source) == stands
