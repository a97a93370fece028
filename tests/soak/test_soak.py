"""The command that runs the long tests: it goes on where it stopped, and its page tells the truth."""

from pathlib import Path

import pytest

from tests.soak import __main__ as command
from tests.soak.careful import walk
from tests.soak.ledger import PAGE, Ledger, page, runs
from tests.soak.soaks import SOAKS, Soak

SOAK = Soak("kills", "kills", 100, lambda piece: 10)


def test_the_page_says_what_the_ledger_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(Ledger(), text) == text


def test_what_passed_is_there_after_a_stop_and_is_counted_by_commit(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    for piece in (0, 1, 3):
        ledger.passed(SOAK, "aaa", piece, 10, 1.5)
    ledger.failed(SOAK, "bbb", 4)
    again = Ledger(tmp_path / "ledger.json")
    assert again.done(SOAK) == 30
    assert again.pieces(SOAK) == {0, 1, 3}
    assert [entry.failed for entry in again.of(SOAK)] == [[], [4]]
    again.passed(SOAK, "bbb", 4, 10, 1.0)
    assert "| 40 | 0 | `aaa` (30), `bbb` (10) |" in page(again, "")


def test_a_soak_begun_anew_forgets_only_itself(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    ledger.passed(SOAK, "aaa", 0, 10, 1.5)
    ledger.passed(SOAKS["seeds"], "aaa", 0, 20, 1.5)
    ledger.forget([SOAK])
    assert (ledger.done(SOAK), ledger.done(SOAKS["seeds"])) == (0, 20)


def test_pieces_are_kept_as_runs() -> None:
    assert runs({5, 1, 2, 3, 9}) == [[1, 3], [5, 5], [9, 9]]


def test_a_wrong_name_and_a_piece_of_nothing_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command.main(["deluge"]) == 2
    assert "Unknown soak “deluge”. Choose kills, " in capsys.readouterr().err
    assert command.main(["--piece", "3"]) == 2


def test_the_fuzz_counts_the_steps_it_does() -> None:
    assert walk("vendetta", 0, steps=300) == 300
