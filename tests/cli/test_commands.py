"""The command line: what it prints, and how it explains mistakes."""

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import click
import pytest

from cosca import is_compiled
from cosca.catalog import GAMES
from cosca.cli.arena import merge_command
from cosca.cli.help import localize_help
from cosca.cli.main import COMMANDS, commands, main
from cosca.words import LANGUAGES, sentences, speaking
from tests.processes import run


class Done(NamedTuple):
    """The result of a command."""

    returncode: int
    stdout: str
    stderr: str


def cosca(*words: str) -> Done:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["cosca", *words])
        patch.setenv("COLUMNS", "100")
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code
    return Done(int(str(code or 0)), out.getvalue(), err.getvalue())


def typed(*words: str, **environ: str) -> Done:
    """Run a command in a process of its own."""
    program = [sys.executable, "-m", "cosca.cli", *words]
    done = run(program, env={**os.environ, **environ})
    return Done(done.returncode, done.stdout, done.stderr)


def simulated(*words: str) -> dict[str, object]:
    """Return the report of a simulation without the time it took."""
    done = cosca("simulate", "vendetta", *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    report: dict[str, object] = json.loads(done.stdout)
    del report["seconds"]
    return report


def test_the_version_says_whether_the_rules_are_compiled() -> None:
    how = "compiled" if is_compiled() else "pure"
    assert typed("--version").stdout == f"cosca 0.1.0 ({how})\n"
    assert typed("--version", COSCA_PURE="1").stdout == "cosca 0.1.0 (pure)\n"


def test_a_mistake_ends_a_process_with_exit_code_2_and_no_traceback() -> None:
    error = f"Unknown game “poker”. Choose one of: {', '.join(GAMES)}.\n"
    assert typed("rules", "poker") == (2, "", error)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = cosca(command, "--help")
    assert done.returncode == 0
    assert f"cosca {command}" in done.stdout
    assert command in cosca("--help").stdout


DEFAULT = {"en": "Default: ", "de": "Standard: ", "fr": "Par défaut\xa0: ", "it": "Predefinit"}
"""How each language says a default."""
REQUIRED = {"en": "Required.", "de": "Erforderlich.", "fr": "Obligatoire.", "it": "Obbligatoria."}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [*COMMANDS, "arena merge"])
def test_every_option_that_takes_a_value_says_its_default(command: str, language: str) -> None:
    with speaking(language):
        found = merge_command
        context = click.Context(commands)
        if command in COMMANDS:
            found = commands.get_command(context, command)  # type: ignore[assignment]
        else:
            localize_help(found, "help.merge", context)
        for option in found.params:
            if isinstance(option, click.Option) and not option.required and not option.is_flag:
                said = (
                    DEFAULT[language] if option.name != "out" or found is not merge_command else ""
                )
                assert (said or REQUIRED[language]) in str(option.help), option.name
                known = option.default
                if isinstance(known, int | float) or (known and isinstance(known, str)):
                    assert str(known) in str(option.help), option.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_commands_says_whole_sentences(language: str) -> None:
    listed = " ".join(cosca("--lang", language, "--help").stdout.split())
    assert "..." not in listed.replace("[ARGS]...", "")
    for command in COMMANDS:
        about = sentences(language)[f"help.{command.replace('-', '_')}.about"].strip()
        assert f"{command} {' '.join(about.partition(chr(10) * 2)[0].split())}" in listed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["simulate", "poker"], f"Unknown game “poker”. Choose one of: {', '.join(GAMES)}."),
        (["simulate"], "GAME is missing. Run the command with --help to see what it needs."),
        (["simulate", "vendetta", "--seats", "9"], "Vendetta is for 3 to 5 players, not 9."),
        (
            ["simulate", "vendetta", "--edition", "dutch"],
            "Unknown edition “dutch” of Vendetta. Choose one of: original, english, french.",
        ),
        (
            ["simulate", "vendetta", "--seed", "many"],
            "“many” is not a whole number. --seed needs one.",
        ),
        (["simulate", "vendetta", "--games", "0"], "--games cannot be 0. Choose 1 to 1000000000."),
        (
            ["simulate", "vendetta", "--seats", "3", "--bots", "random,random"],
            "2 bots do not fit 3 seats. Name one bot for all seats, or one for each.",
        ),
        (
            ["simulate", "vendetta", "--set", "control=best"],
            "Option control cannot be “best”. Choose one of: alone, most.",
        ),
        (
            ["simulate", "vendetta", "--set", "control"],
            "“control” is not a house rule. Write for example --set max_rounds=20.",
        ),
        (["rules", "chess"], f"Unknown game “chess”. Choose one of: {', '.join(GAMES)}."),
        (["dance"], f"Unknown command “dance”. Choose one of: {', '.join(COMMANDS)}."),
        (
            ["bench", "--seconds", "never"],
            "“never” is not a valid time. Choose 0.01 to 60 seconds.",
        ),
        (
            ["completion", "tcsh"],
            "Unknown shell “tcsh”. Choose one of: bash, zsh, fish.",
        ),
    ],
)
def test_a_mistake_is_explained_in_one_sentence(words: list[str], sentence: str) -> None:
    done = cosca(*words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence + "\n")


@pytest.mark.parametrize("words", [["--set", "colour=red"], ["--bots", "hal"]])
def test_an_unknown_name_is_answered_with_those_there_are(words: list[str]) -> None:
    done = cosca("simulate", "vendetta", *words)
    assert done.returncode == 2
    assert " Choose one of: " in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_simulation_prints_all_its_figures() -> None:
    report = simulated("--seats", "3", "--games", "4", "--seed", "7", "--bots", "random")
    assert report["game"] == "vendetta"
    assert report["edition"] == "original"
    assert (report["seats"], report["games"]) == (3, 4)
    assert {"decisions", "rounds_mean", "wins_by_seat", "reasons"} <= set(report)
    wins = report["wins_by_seat"]
    assert isinstance(wins, list)
    assert sum(wins) == pytest.approx(4)


def test_the_same_seed_gives_the_same_games_whatever_the_jobs() -> None:
    words = ("--seats", "4", "--games", "45", "--seed", "11", "--bots", "random", "--rotate")
    assert simulated(*words, "--jobs", "1") == simulated(*words, "--jobs", "3")


def test_another_seed_gives_other_games() -> None:
    words = ("--seats", "3", "--games", "20", "--bots", "random")
    assert simulated(*words, "--seed", "1") != simulated(*words, "--seed", "2")


def test_a_game_that_reaches_the_round_limit_is_counted_as_such() -> None:
    report = simulated("--games", "3", "--seed", "1", "--bots", "random", "--set", "max_rounds=1")
    assert report["rounds_mean"] == 1
    assert isinstance(report["reasons"], dict)
    assert "max_rounds" in report["reasons"]


def test_a_house_rule_makes_a_house_edition() -> None:
    report = simulated("--games", "1", "--seed", "1", "--bots", "random", "--set", "control=most")
    assert report["edition"] == "house"


def test_a_simulation_is_a_table_for_people() -> None:
    done = cosca("simulate", "vendetta", "--games", "3", "--seed", "1", "--bots", "random")
    assert done.returncode == 0
    assert done.stdout.startswith("Vendetta: 3 games\n")
    assert "Red" in done.stdout
    assert "seed 1" in done.stdout


def test_the_rules_are_printed_with_code_and_tests() -> None:
    done = cosca("rules", "vendetta")
    assert done.returncode == 0
    assert "V-6" in done.stdout
    assert "rules.minimum" in done.stdout
    assert "one other player alone must be matched" in " ".join(done.stdout.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str) -> None:
    assert "_COSCA_COMPLETE" in cosca("completion", shell).stdout


BASH = """
compopt() { echo "compopt $*"; }
eval "$SCRIPT"
while IFS= read -r line; do
    read -r -a COMP_WORDS <<< "$line"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); COMPREPLY=()
    found=$(_cosca_completion "${COMP_WORDS[0]}"; echo "${COMPREPLY[*]}")
    echo "$line| "$found
done
complete -p cosca ./run
"""
"""Completes each line of the input as bash does, and prints what it finds."""


def test_bash_completes_commands_options_games_editions_bots_rules_and_files() -> None:
    script = cosca("completion", "bash").stdout
    wanted = {
        "cosca si": "simulate",
        "cosca --la": "--lang",
        "cosca --lang f": "fr",
        "cosca simulate --ed": "--edition",
        "cosca simulate s": "sicilianos",
        "cosca simulate vendetta --edition f": "french",
        "cosca simulate sicilianos --bots random,cap": "random,capo",
        "cosca simulate omerta --set me": "memory=own memory=aided",
        "cosca completion z": "zsh",
        "cosca verify ": "compopt -o default",
        "./run cosca simulate om": "omerta",
        "./run play vendetta --edition e": "english",
    }
    env = {**os.environ, "SCRIPT": script}
    done = run(["bash", "-c", BASH], env=env, typed="".join(f"{line}\n" for line in wanted))
    lines = done.stdout.splitlines()
    assert dict(line.split("| ") for line in lines[:-2]) == wanted, done.stderr
    assert all("_cosca_completion" in line for line in lines[-2:])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_needs_no_cosca_on_the_path(shell: str) -> None:
    script = cosca("completion", shell).stdout
    assert f"{sys.executable} -m cosca.cli" in script
    assert "$commands[cosca]" not in script


def test_the_speed_of_a_game_can_be_measured() -> None:
    done = cosca("bench", "vendetta", "--seconds", "0.01", "--json")
    report = json.loads(done.stdout)
    assert report["compiled"] == is_compiled()
    assert report["games"]["vendetta"]["playout_decisions_per_second"] > 0
