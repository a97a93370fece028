"""The tool that changes the rules: what it changes, what it notices, and what it refuses."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mutants import __main__ as command
from tests.mutants.mutations import MODULE, Mutant, mutants, places
from tests.mutants.page import PAGE, row, with_row
from tests.mutants.report import Report, read_equal, report
from tests.mutants.results import LOOP, ROOT, Outcome, Results, rules_file
from tests.mutants.trial import Trial
from tests.processes import run

FUNCTION = "    def f(self, a: int, b: int) -> {}:\n        {}\n"


def changes(statement: str, returns: str = "int") -> set[str]:
    """Return how the mutants of a statement in a method read."""
    source = f"class State:\n{FUNCTION.format(returns, statement)}"
    return {mutant.becomes for mutant in mutants(source)}


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("self.x = a", {"pass"}),
        ("self.go(a)", {"pass"}),
        ("self.x += a", {"self.x -= a", "pass"}),
        ("a += b & self.x", {"a -= b & self.x", "a += b | self.x", "pass"}),
        ("return a < b", {"return a <= b", "return a >= b"}),
        ("return a == b", {"return a != b"}),
        ("return a // b", {"return a * b", "return (a // b) + 1"}),
        ("return 5", {"return 6", "return 4"}),
        ("return -1", {"return 0", "return -2"}),
        (
            "return self.x if a else b",
            {"return self.x if not (a) else b", "return (self.x if a else b) + 1"},
        ),
        ("for i in self.x: break", {"for i in self.x: continue"}),
        ("for i in self.x: continue", {"for i in self.x: break"}),
        ("self.x = [0] * 5", {"self.x = [1] * 5", "self.x = [-1] * 5", "self.x = [0] * 4", "pass"}),
        ("c = a", set()),  # without it nothing would run at all
    ],
)
def test_a_statement_goes_wrong_in_these_ways(statement: str, wrong: set[str]) -> None:
    assert changes(statement) == wrong


def test_what_is_true_goes_wrong_by_its_opposite() -> None:
    assert changes("return a and not b", "bool") == {
        "return not (a and not b)",
        "return a or not b",
        "return a and b",
    }
    assert changes("if self.x: return True", "bool") == {
        "if not (self.x): return True",
        "if self.x: return False",
    }


def test_a_mutant_keeps_its_name_when_lines_are_added_above() -> None:
    source = "class State:\n" + FUNCTION.format("int", "return a + b")
    names = [mutant.id for mutant in mutants(source)]
    assert names == [mutant.id for mutant in mutants(f"# one more\n{source}")]
    assert len(set(names)) == len(names)


def test_equal_lines_of_a_function_have_names_of_their_own() -> None:
    twice = FUNCTION.format("None", "self.go(a)\n        self.go(a)")
    names = [mutant.id for mutant in mutants(f"class State:\n{twice}")]
    assert names == ["f: self.go(a) => pass", "f: self.go(a) => pass #1"]


def test_tables_of_numbers_have_mutants_and_names_for_others_have_none() -> None:
    found = mutants("POWER = [1, 2]\nBIT = names.BIT\n")
    assert {mutant.function for mutant in found} == {MODULE}
    assert {mutant.becomes for mutant in found} == {
        *("POWER = [2, 2]", "POWER = [0, 2]", "POWER = [1, 3]", "POWER = [1, 1]")
    }


def test_every_function_of_the_rules_is_found() -> None:
    source = "def f():\n    return 1\n\n\nclass State:\n    def g(self):\n        return 1\n"
    assert places(source) == {"f": ("", 1, 2), "g": ("State", 6, 7)}


# --- Results and the report -------------------------------------------------------------------


def mutant(becomes: str, was: str = "return 1") -> Mutant:
    """Return a mutant that is in no rules."""
    return Mutant("f", 1, was, becomes, 0, (1, 1), (0, 0, ""))


def judged(*killers: str, equal: dict[tuple[str, str, str], str] | None = None) -> Report:
    """Return a report on as many mutants, each with the test that noticed it."""
    tried = [
        (mutant(f"return {number}"), Outcome(f"f: {number}", killer, "", ""))
        for number, killer in enumerate(killers)
    ]
    return Report("vendetta", tried, 0, equal or {})


def test_results_are_read_back_also_where_the_last_line_is_half_written(tmp_path: Path) -> None:
    results = Results("vendetta", tmp_path)
    results.add(Outcome("a", "test_one", "failed", "1"))
    results.add(Outcome("b", "", "", "1"))
    results.add(Outcome("a", "", "", "2"))
    with results.path.open("a") as file:
        file.write('{"mutant": "c", "kill')
    again = Results("vendetta", tmp_path)
    assert again.outcomes == {"a": Outcome("a", "", "", "2"), "b": Outcome("b", "", "", "1")}
    again.forget_all_but({"b"})
    assert [json.loads(line)["mutant"] for line in again.path.read_text().splitlines()] == ["b"]


def test_enough_must_be_killed_and_every_survivor_explained() -> None:
    assert judged(*["test"] * 20).errors() == []
    (one,) = judged(*["test"] * 19, "").errors()
    assert one.startswith("1 survivors of vendetta are not explained")
    equal = {("f", "return 1", "return 19"): "It is the same."}
    assert judged(*["test"] * 19, "", equal=equal).errors() == []
    few = {("f", "return 1", f"return {number}"): "It is the same." for number in (18, 19)}
    assert judged(*["test"] * 18, "", "", equal=few).errors() == [
        "Too few mutants of vendetta are killed: 18 of 20 killed (90.0 %)."
    ]


def test_an_entry_that_fits_no_survivor_is_an_error() -> None:
    equal = {("f", "return 1", "return 0"): "It is the same."}
    (error,) = judged("test", equal=equal).errors()
    assert error.endswith("Remove it: f: return 1 => return 0")


def test_every_entry_of_the_list_is_a_mutant_of_the_rules_as_they_are() -> None:
    for game in command.GAMES:
        result = report(game)
        every = mutants(rules_file(game).read_text(encoding="utf-8"))
        known = {(one.function, one.was, one.becomes) for one in every}
        assert set(read_equal(game)) <= known, game
        assert set(result.equal) == set(read_equal(game))


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["tarot"], "Unknown game “tarot”. Choose omerta, sicilianos, vendetta."),
        (["--function", "castle"], "No rules have a function “castle”."),
    ],
)
def test_what_is_not_there_is_refused(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert error in capsys.readouterr().err


def test_the_page_has_one_line_for_each_game() -> None:
    text = PAGE.read_text(encoding="utf-8")
    page = with_row(text, row(judged("test", "", ""), "abc"))
    assert "| `vendetta` | 3 | 1 | 33.3 % | 2 | `abc` |" in page
    assert page.count("| `vendetta` |") == 1
    assert len(page.splitlines()) == len(text.splitlines())


# --- Children ---------------------------------------------------------------------------------


def test_a_child_that_never_ends_is_ended_and_says_how_far_it_came() -> None:
    def forever(say: Callable[[str], None]) -> None:
        say("test_one")
        signal.setitimer(signal.ITIMER_PROF, 0.01)
        while True:
            pass

    assert list(Trial("vendetta", "", 1).in_child(forever)) == ["test_one", LOOP]


IN_A_CHILD = """
from cosca.games.vendetta.rules import State
from tests.mutants.trial import Trial

trial = Trial("vendetta", "after", 1)
wrong = next(one for one in trial.mutants if one.becomes.endswith("else 1"))

def ask(say):
    trial.become(wrong)
    say(str(State(3).after(2)))

print(*trial.in_child(ask), State(3).after(2))
"""


def test_a_mutant_changes_the_rules_in_its_child_and_nowhere_else() -> None:
    environ = {**os.environ, "COSCA_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", IN_A_CHILD]
    done = run(command, env=environ, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 0\n", "")
