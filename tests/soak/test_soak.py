"""The soak command: it continues where it stopped, and its page is true."""

from pathlib import Path

import pytest

from tests.soak import __main__ as command
from tests.soak.fuzz import walk
from tests.soak.ledger import PAGE, Ledger, page, runs
from tests.soak.running import run
from tests.soak.soaks import SOAKS, Soak


def ten(piece: int) -> int:
    """Do ten units successfully."""
    return 10


def all_but_the_third(piece: int) -> int:
    """Fail in one piece."""
    assert piece != 2, "the third fails"
    return 10


def nothing(piece: int) -> int:
    """Do no unit."""
    return 0


SOAK = Soak("kills", "kills", 100, ten)


def test_the_page_says_what_the_ledger_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(Ledger(), text) == text


def test_passed_runs_survive_a_stop_and_are_counted_by_commit(tmp_path: Path) -> None:
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


def test_a_piece_that_failed_and_has_passed_since_counts_as_passed(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    ledger.failed(SOAK, "aaa", 4)
    ledger.passed(SOAK, "bbb", 4, 10, 1.0)
    assert [entry.failed for entry in ledger.of(SOAK)] == [[], []]


def test_a_soak_runs_to_its_target_and_no_further(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    ledger.passed(SOAK, "aaa", 1, 10, 1.5)
    assert run(ledger, [SOAK], workers=2) == 0
    assert Ledger(tmp_path / "ledger.json").pieces(SOAK) == set(range(10))


def test_a_failure_is_stored_reported_and_ends_its_soak(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    broken = Soak("seeds", "seeds", 100, all_but_the_third)
    assert run(ledger, [broken], workers=1) == 1
    assert [entry.failed for entry in ledger.of(broken)] == [[2]]
    assert ledger.done(broken) == 20
    output = capsys.readouterr().out
    assert "the third fails" in output and "./run soak seeds --piece 2" in output


def test_a_piece_that_does_nothing_fails_instead_of_going_on_for_ever(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = Soak("seeds", "seeds", 100, nothing)
    assert run(Ledger(tmp_path / "ledger.json"), [empty], workers=1) == 1
    assert "it looked at nothing" in capsys.readouterr().out


def test_only_games_with_secrets_have_twins() -> None:
    assert [name for name in SOAKS if name.startswith("twins-")] == [
        "twins-omerta",
        "twins-sicilianos",
    ]


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
