"""`cosca play` on the command line: what it does, and how it refuses impossible requests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cosca.catalog import GAMES
from tests.processes import run


def cosca(home: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "COSCA_HOME": str(home), "PYTHONIOENCODING": "utf-8"}
    program = [sys.executable, "-c", "from cosca.cli import main; main()", "play", *words]
    return run(program, typed=typed, env=environ)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], f"Unknown game “chess”. Choose one of: {', '.join(GAMES)}."),
        (["--edition", "klingon"], "Unknown edition “klingon” of Vendetta. Choose one of: "),
        (["--bots", "nobody"], "Unknown bot “nobody” for Vendetta. Choose one of: "),
        (["--bots", "random,random"], "2 bots do not fit 3 opponents. "),
        (["--seats", "9"], "Vendetta is for 3 to 5 players, not 9."),
        (["--seats", "many"], "“many” is not a whole number. --seats needs one."),
        (["--seat", "5"], "There is no seat 5 at this table. The seats are 1 to 4."),
        (["--seed", "luck"], "“luck” is not a whole number. --seed needs one."),
        (["--set", "hands"], "“hands” is not a house rule. "),
        (["--set", "hands=sticky"], "Option hands cannot be “sticky”. "),
        (["--set", "weather=fine"], "Unknown option “weather” of Vendetta. Choose one of: "),
        (["--resume"], "There is no saved game of Vendetta. "),
        (["vendetta", "--lan"], "--lan works only in the browser. "),
        (["--colour"], "Unknown option --colour. Run the command with --help to see all options."),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_an_impossible_request_gets_one_sentence(
    tmp_path: Path, words: list[str], sentence: str
) -> None:
    done = cosca(tmp_path, *words)
    assert done.returncode == 2
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_an_illegal_move_in_a_pipe_gets_one_sentence(tmp_path: Path) -> None:
    done = cosca(tmp_path, "--seed", "5", "--set", "trustee=1", typed="40>6\n")
    assert done.returncode == 2
    assert done.stderr == "You have 10 mafiosi in hand, so you cannot place 40.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    first = cosca(tmp_path, "--seed", "5", "--set", "max_rounds=1", typed="pass\n\nq\n")
    assert first.returncode == 0
    assert first.stdout.endswith("Your game is saved. Continue it with “cosca play vendetta”.\n")
    last = cosca(tmp_path, "--terminal", typed="pass\n\n" * 11)
    assert "The game is over. " in last.stdout
    assert last.returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["records"]


def test_an_unfinished_game_is_not_given_up_by_accident(tmp_path: Path) -> None:
    cosca(tmp_path, "--seed", "5", typed="pass\n\n")
    kept = (tmp_path / "vendetta.json").read_text()
    for words in (["--seats", "3"], ["--resume", "--seats", "3"], ["--seed", "5"]):
        refused = cosca(tmp_path, *words)
        assert refused.returncode == 2
        assert refused.stderr.count("\n") == 1
    assert (tmp_path / "vendetta.json").read_text() == kept
    assert cosca(tmp_path, "--new", "--seats", "3", typed="pass\n\n").returncode == 0
    assert (tmp_path / "vendetta.json").read_text() != kept


@pytest.mark.parametrize("words", [["--terminal"], ["--new"], ["--resume"]])
def test_a_damaged_save_is_neither_read_nor_overwritten(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "vendetta.json").write_text("{")
    done = cosca(tmp_path, *words, typed="pass\n\n")
    assert done.returncode == 2
    assert str(tmp_path / "vendetta.json") in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "vendetta.json").read_text() == "{"


def test_help_is_in_plain_words(tmp_path: Path) -> None:
    page = cosca(tmp_path, "--help").stdout
    for word in ("--seats", "--edition", "--set", "--bots", "--seat", "--seed", "--new", "--plain"):
        assert word in page
