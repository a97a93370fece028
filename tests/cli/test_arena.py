"""`cosca arena` and `cosca bot-check` as a researcher uses them, and their errors."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from arro3.io import read_parquet

from cosca.arena import parquet
from cosca.catalog import GAMES
from cosca.cli.saved_game import HOME
from tests.bots.programs import EXAMPLES, LUCKY, answering
from tests.cli.test_commands import Done, cosca
from tests.processes import run
from tests.web.nodejs import find_node

SMALL = ("arena", "vendetta", "--seats", "3", "--jobs", "1", "--set", "max_rounds=2")


def arena(*words: str) -> Done:
    """Run a small arena of Vendetta, which must succeed."""
    done = cosca(*SMALL, "--bots", "random,soldato", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return done


def report(folder: Path) -> dict[str, Any]:
    """Return the report of an arena without the times."""
    report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    del report["time"]
    return report


def test_the_result_is_a_table_and_a_folder(tmp_path: Path) -> None:
    done = arena("--deals", "4", "--out", str(tmp_path / "a"))
    assert done.stdout.startswith("Vendetta: 12 games from 4 deals, each played from every seat\n")
    assert "soldato" in done.stdout and "Par is 33.3 %." in done.stdout
    assert f"Report: {tmp_path / 'a' / 'report.html'}" in "".join(done.stdout.split("\n"))
    names = {file.name for file in (tmp_path / "a").iterdir()}
    assert names == {"contest.json", "games.jsonl", "report.json", "report.html"}
    assert len((tmp_path / "a" / "games.jsonl").read_text().splitlines()) == 12


def test_shared_work_put_together_is_the_whole(tmp_path: Path) -> None:
    one, two, both, whole = (str(tmp_path / name) for name in ("one", "two", "both", "whole"))
    arena("--deals", "0:2", "--out", one)
    arena("--deals", "2:5", "--out", two)
    done = cosca("arena", "merge", two, one, "--out", both)
    assert (done.returncode, done.stderr) == (0, "")
    assert "15 games from 5 deals" in done.stdout
    arena("--deals", "5", "--out", whole)
    assert report(tmp_path / "both") == report(tmp_path / "whole")


def test_the_same_command_again_plays_nothing_twice(tmp_path: Path) -> None:
    arena("--deals", "3", "--out", str(tmp_path / "a"))
    before = (tmp_path / "a" / "games.jsonl").read_bytes()
    arena("--deals", "3", "--out", str(tmp_path / "a"))
    assert (tmp_path / "a" / "games.jsonl").read_bytes() == before


def test_all_that_answer_at_once_compete_if_none_is_named() -> None:
    report = json.loads(cosca(*SMALL, "--deals", "2", "--json").stdout)
    assert [bot["name"] for bot in report["bots"]] == ["random", "soldato"]


def test_the_balance_compares_house_rules(tmp_path: Path) -> None:
    words = ("--bots", "random", "--deals", "2", "--balance", "--out", str(tmp_path / "b"))
    done = cosca(*SMALL, *words)
    assert (done.returncode, done.stderr) == (0, "")
    reports = json.loads((tmp_path / "b" / "report.json").read_text(encoding="utf-8"))
    assert list(reports)[:4] == ["original", "english", "french", "setup=only"]
    assert {one["games"] for one in reports.values()} == {2}
    assert all(one["options"]["max_rounds"] == 2 for one in reports.values())
    assert "control=most" in done.stdout
    page = (tmp_path / "b" / "report.html").read_text(encoding="utf-8")
    assert "Who controls a district: the player with the most mafiosi there" in page
    assert cosca(*SMALL, *words).stdout == done.stdout  # nothing is left to play


def test_the_games_are_written_as_parquet(tmp_path: Path) -> None:
    arena("--deals", "3", "--out", str(tmp_path / "a"), "--parquet")
    table = read_parquet(tmp_path / "a" / "games.parquet").read_all()
    lines = (tmp_path / "a" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    games = [json.loads(line) for line in lines]
    assert table.num_rows == len(games) == 9
    assert table.column_names == list(games[0])
    for name in table.column_names:
        assert table[name].to_pylist() == [game[name] for game in games]


def test_without_the_extra_parquet_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "find_spec", lambda name: None)
    done = cosca(*SMALL, "--out", str(tmp_path / "a"), "--parquet")
    error = (
        "Writing Parquet needs the package cosca[parquet]."
        " The games are in games.jsonl in any case.\n"
    )
    assert done == (2, "", error)
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["vendetta", "--deals", "many"],
            "“many” is not a number of deals."
            " Write --deals 500, or a range such as --deals 500:1000.",
        ),
        (
            ["vendetta", "--deals", "5:5"],
            "“5:5” is not a number of deals."
            " Write --deals 500, or a range such as --deals 500:1000.",
        ),
        (
            ["vendetta", "--seats", "4", "--bots", "random,random,soldato"],
            "A bot is named twice, so all 4 seats need a bot, but you named 3.",
        ),
        (["vendetta", "--seats", "9"], "Vendetta is for 3 to 5 players, not 9."),
        (["vendetta", "--bots", "hal"], "Unknown bot “hal” for Vendetta. Choose one of: random, "),
        (
            ["vendetta", "--bots", "run:"],
            "“run:” does not name a program."
            " Write for example run:./mybot or 'run:python mybot.py'.",
        ),
        (["merge", "nowhere"], "There is no folder to write to. Add --out DIR."),
        (["vendetta", "--parquet"], "There is no folder to write to. Add --out DIR."),
        (
            ["merge", "nowhere", "--out", "x"],
            "Cannot use the folder nowhere (No such file or directory).",
        ),
        (["merge"], "FOLDERS is missing. Run the command with --help to see what it needs."),
    ],
)
def test_a_mistake_is_explained_in_one_sentence(words: list[str], sentence: str) -> None:
    done = cosca("arena", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_merging_explains_itself() -> None:
    done = cosca("arena", "merge", "--help")
    assert "cosca arena merge" in done.stdout
    assert "--out" in done.stdout
    assert "cosca arena merge DIR" in cosca("arena", "--help").stdout.replace("\n  ", " ")


# --- Programs -------------------------------------------------------------------------------------


def test_a_program_competes_and_simulates_and_is_listed_by_its_name() -> None:
    report = json.loads(cosca(*SMALL, "--deals", "1", "--bots", f"random,{LUCKY}", "--json").stdout)
    assert [bot["name"] for bot in report["bots"]] == ["random", LUCKY]
    words = ("--seats", "3", "--games", "2", "--seed", "1", "--jobs", "2", "--json")
    done = cosca("simulate", "vendetta", "--bots", f"random,{LUCKY},soldato", *words)
    assert LUCKY in json.loads(done.stdout)["wins_by_bot"]


def test_a_program_plays_against_a_person(tmp_path: Path) -> None:
    words = ["play", "vendetta", "--seats", "3", "--plain", "--new", "--bots", LUCKY]
    words += ["--set", "max_rounds=1", "--set", "trustee=1", "--seed", "4"]
    program = [sys.executable, "-m", "cosca.cli", *words]
    done = run(program, typed="pass\ny\n" * 5, env={**os.environ, HOME: str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over." in done.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_program_that_fails_ends_the_arena_in_one_sentence(tmp_path: Path, jobs: str) -> None:
    name = answering(tmp_path, "raise ValueError('I am lost')")
    out = tmp_path / "a"
    done = cosca(*SMALL, "--bots", f"random,{name}", "--jobs", jobs, "--out", str(out))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("Its last message was: ValueError: I am lost\n")
    assert (out / "contest.json").exists()


@pytest.mark.parametrize(
    "program",
    [f"{sys.executable} {EXAMPLES / 'lucky.py'}", f"{find_node()} {EXAMPLES / 'lucky.js'}"],
    ids=["python", "javascript"],
)
def test_the_examples_are_good_bots(program: str) -> None:
    done = cosca("bot-check", program, "--games", "1")
    assert (done.returncode, done.stderr) == (0, "")
    passed = [line.partition(",")[0] for line in done.stdout.splitlines()]
    assert passed == [f"OK: {game.title}" for game in GAMES.values()]


@pytest.mark.parametrize("name", ["lucky.py", "lucky.js"])
def test_an_example_has_thirty_lines(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 30


def test_a_check_can_show_what_is_said() -> None:
    program = LUCKY.removeprefix("run:")
    done = cosca("bot-check", program, "--game", "vendetta", "--games", "1", "--show")
    assert '> {"type":"hello","protocol":1' in done.stdout
    assert '< {"type": "ready"' in done.stdout


def test_a_check_says_what_is_wrong(tmp_path: Path) -> None:
    name = answering(tmp_path, "print(json.dumps({'id': message['id'], 'action': -1}), flush=True)")
    done = cosca("bot-check", name.removeprefix("run:"))
    error = f"The bot {name} chose -1, which is not one of the legal actions it was given.\n"
    assert done == (2, "", error)
