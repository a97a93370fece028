"""Compiled rules check no bounds; a build with sanitizers finds no mistake."""

import re
from pathlib import Path

import pytest

from tests.compiled.builds import ROOT, build_with_sanitizers, checksums, python

GAMES_PLAYED = 500
SEED = 4
MISTAKES = {
    "a district that is not there": (
        "from cosca.games.vendetta.rules import State; State(3).minimum(0, 99)"
    ),
    "more spans than there is room for": (
        "from cosca.core.buffers import Spans; s = Spans(); [s.add(0, 0) for _ in range(129)]"
    ),
    "more weight than an integer holds": (
        "from cosca.core.buffers import Outcomes; o = Outcomes(); o.add(0, 2**30); o.add(1, 2**30)"
    ),
}
IN_PYTHON = ("learns", "worlds", "wire", "sentences", "drawn", "laid_out", "visible_position")
KEPT = " and not ".join(("original", *IN_PYTHON))
"""The laws that play. Those of secrecy and of texts run in Python for minutes, and reach no other C
code.
"""


@pytest.mark.needs_compiler
def test_the_sanitized_build_finds_no_mistake(tmp_path: Path) -> None:
    sanitized = str(build_with_sanitizers(tmp_path))  # once for all, because it takes a while
    for what, mistake in MISTAKES.items():
        check_it_stops(sanitized, what, mistake)
    check_random_games(sanitized)
    check_the_laws(sanitized)
    check_golden_stories(sanitized)


def check_it_stops(sanitized: str, what: str, mistake: str) -> None:
    """Check that the build, and not Python, stops at a mistake."""
    done = python("-c", f"{mistake}; print('went on')", PYTHONPATH=sanitized)
    assert done.returncode != 0 and "went on" not in done.stdout, f"it did not stop at {what}"
    assert "Traceback" not in done.stderr, done.stderr


def check_random_games(sanitized: str) -> None:
    """Check that random games end, and are the same as in the fast build."""
    result = checksums(GAMES_PLAYED, SEED, PYTHONPATH=sanitized)
    assert result["compiled"] and result["home"] == str(Path(sanitized) / "cosca")
    assert result["checksums"] == checksums(GAMES_PLAYED, SEED)["checksums"]


def check_the_laws(sanitized: str) -> None:
    """Check the laws, with all the invalid moves and numbers they try."""
    laws = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", KEPT, "tests/laws"]
    done = python(*laws, PYTHONPATH=sanitized)
    assert done.returncode == 0, done.stdout + done.stderr


def check_golden_stories(sanitized: str) -> None:
    """Check the golden stories."""
    assert list((ROOT / "tests/golden").rglob("*.txt")), "there are no golden stories"
    done = python("-m", "cosca.testing.golden", "tests/golden", PYTHONPATH=sanitized)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "pxd", sorted(ROOT.glob("src/**/*.pxd")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_no_class_ends_with_an_array(pxd: Path) -> None:
    text = pxd.read_text(encoding="utf-8")
    for body in re.split(r"^cdef class ", text, flags=re.MULTILINE)[1:]:
        fields = re.findall(r"^    cdef ([^(#\n]+)(?:#.*)?$", body, flags=re.MULTILINE)
        is_array = fields and re.search(r"\[\w+\]", fields[-1])  # a view, [::1], lies elsewhere
        assert not is_array, f"move a number behind {fields[-1]}"
