"""Try the mutants of a game against its rule tests and golden stories: `python -m … GAME`.

The tests are imported once. Then a process is forked for each mutant, so that one costs no more
than the tests that notice it: only those that reach the changed lines are run, those that have
found the most mutants of the same function first, and the first that fails ends it. A test that
takes many times the processor time that it should has failed, too: a mutant may never end.

Tests are run in plain Python. What a test or a story must prove is a rule, so no others count:
neither random games compared by a checksum, nor what drawings and bots happen to notice.
"""

import ast
import gc
import hashlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

from tests.mutants.mutations import MODULE, Mutant, Text, mutants, places
from tests.mutants.results import LOOP, Outcome, Results, rules_file

ROOT = Path(__file__).parents[2]
STORY = "test_a_story_comes_out_the_same_when_it_is_played_again"
OTHERS = (
    "test_beliefs.py",
    "test_drawing.py",
    "test_heuristic.py",
    "test_evaluator.py",
    "test_layout.py",
)
STATES = "test_states.py"  # that a state is copied, written down and read back whole
PATIENCE = 5  # times as long as the test took when its lines were traced
SPARE_MEMORY = 1 << 30


class Trial:
    """A plugin for pytest that runs mutants where pytest would run tests."""

    def __init__(self, game: str, function: str, jobs: int) -> None:
        self.game = game
        self.jobs = jobs
        self.path = rules_file(game)
        self.text = Text(self.path.read_text(encoding="utf-8"))
        self.places = places(self.path.read_text(encoding="utf-8"))
        self.all = mutants(self.path.read_text(encoding="utf-8"))
        self.mutants = [one for one in self.all if function in ("", one.function)]
        self.results = Results(game)
        self.items: dict[str, pytest.Item] = {}
        self.reach: dict[str, set[int]] = {}
        self.cost: dict[str, float] = {}
        self.kills: dict[str, Counter[str]] = {}
        self.digests: dict[str, str] = {}
        self.failed = False

    # --- What pytest calls --------------------------------------------------------------------

    def pytest_configure(self, config: pytest.Config) -> None:
        """Ask for the traceback that costs the least."""
        config.option.tbstyle = "native"

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Stop where tests cannot be imported."""
        if report.failed:
            raise pytest.UsageError(f"{report.nodeid} cannot be imported: {report.longreprtext}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that the test which runs now has failed."""
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every mutant that is not known yet."""
        self.items = {item.nodeid: item for item in session.items if self.counts(item)}
        waiting = [one for one in self.mutants if not self.is_known(one)]
        self.results.forget_all_but({one.id for one in self.all})
        print(f"{self.game}: {len(self.mutants)} mutants, {len(waiting)} to try", flush=True)
        if waiting:
            gc.collect()
            gc.freeze()  # so that children share what they do not change
            self.measure()
            self.try_all(waiting)
        return True

    def counts(self, item: pytest.Item) -> bool:
        """Whether a test is one of those that may notice a mutant."""
        if item.name.startswith(STORY) or item.path.name == STATES:
            return f"[{self.game}/" in item.name
        return item.get_closest_marker("rule") is not None and item.path.name not in OTHERS

    def digest(self, killer: str) -> str:
        """Return a hash of all that an outcome depends on, to know when to try again.

        Of a mutant that a test has noticed, that is the rules and the test; else all tests.
        """
        if killer in self.digests:
            return self.digests[killer]
        game = [f"games/{self.game}/rules.py", f"games/{self.game}/pieces.py"]
        sources = [*game, "core/buffers.py", "core/names.py", "core/state.py"]  # all the rules read
        files = [ROOT / "src" / "cosca" / source for source in sources]
        files += (ROOT / "tests" / "games" / self.game).glob("*.py")
        files += (ROOT / "tests" / "golden").glob("*.py")
        if killer:
            noticed_by = ROOT / killer.partition("::")[0]
            files = [path for path in files if path == noticed_by or path.name[:5] != "test_"]
        if not killer or "golden" in killer:
            files += (ROOT / "tests" / "golden" / self.game).glob("*.txt")
        sha = hashlib.sha256()
        for path in sorted(files):
            sha.update(path.read_bytes())
        self.digests[killer] = sha.hexdigest()[:16]
        return self.digests[killer]

    def is_known(self, mutant: Mutant) -> bool:
        """Whether a mutant was tried already, and would come out the same."""
        before = self.results.outcomes.get(mutant.id)
        return before is not None and before.digest == self.digest(before.killer)

    # --- What tests reach ---------------------------------------------------------------------

    def measure(self) -> None:
        """Learn which lines of the rules each test runs, and how long it takes, unchanged."""
        known = self.results.read_reach()
        fresh = [
            name for name in self.items if known.get(name, {}).get("digest") != self.digest(name)
        ]
        for line in self.in_child(self.measure_all(fresh)):
            known_test = json.loads(line)
            if known_test["failed"]:
                raise pytest.UsageError(
                    f"{known_test['test']} fails without any mutant: mend it first"
                )
            known[known_test["test"]] = {**known_test, "digest": self.digest(known_test["test"])}
        if not self.items.keys() <= known.keys():
            raise pytest.UsageError("the tests did not run to their end without any mutant")
        self.results.write_reach({name: known[name] for name in self.items})
        self.reach = {name: set(known[name]["lines"]) for name in self.items}
        self.cost = {name: known[name]["seconds"] for name in self.items}

    def measure_all(self, names: list[str]) -> Callable[[Callable[[str], None]], None]:
        """Return what a child does: run tests, so that what they remember helps no mutant."""

        def run(say: Callable[[str], None]) -> None:
            for name in names:
                began = time.process_time()
                lines = self.lines_of(self.items[name])
                seconds = time.process_time() - began
                result = {"test": name, "lines": lines, "seconds": seconds, "failed": self.failed}
                say(json.dumps(result))

        return run

    def lines_of(self, item: pytest.Item) -> list[int]:
        """Run a test; return the lines of the rules that it came through."""
        lines: set[int] = set()
        path = str(self.path)

        def inside(frame: FrameType, event: str, argument: Any) -> Any:
            lines.add(frame.f_lineno)
            return inside

        def enter(frame: FrameType, event: str, argument: Any) -> Any:
            return inside if frame.f_code.co_filename == path else None

        sys.settrace(enter)
        self.run_test(item)
        sys.settrace(None)
        return sorted(lines)

    def run_test(self, item: pytest.Item) -> None:
        """Run one test, with its fixtures; `failed` says what came of it."""
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    # --- Mutants ------------------------------------------------------------------------------

    def try_all(self, waiting: list[Mutant]) -> None:
        """Try mutants, several at a time, and write down what comes of each as it comes."""
        began = time.monotonic()
        running: deque[tuple[Mutant, Iterator[str]]] = deque()
        for done, mutant in enumerate(waiting):
            running.append((mutant, self.in_child(self.attack(mutant))))
            if len(running) == self.jobs:
                self.finish(*running.popleft())
            if done % 100 == 99:
                print(f"{done + 1} tried in {time.monotonic() - began:.0f} s", flush=True)
        while running:
            self.finish(*running.popleft())

    def finish(self, mutant: Mutant, output: Iterator[str]) -> None:
        """Wait for a mutant's end and write it down."""
        lines = list(output)
        noticed = bool(lines) and lines[-1] in ("failed", LOOP)
        killer = lines[-2] if noticed else ""
        if killer:
            self.kills.setdefault(mutant.function, Counter())[killer] += 1
        how = lines[-1] if noticed else "" if lines else "not reached"
        self.results.add(Outcome(mutant.id, killer, how, self.digest(killer)))

    def order(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant, those that are likely to notice it first."""
        first, last = mutant.reached
        lines = set(range(first, last + 1))
        is_table = mutant.function == MODULE
        names = [name for name in self.items if is_table or lines & self.reach[name]]
        kills = self.kills.get(mutant.function, Counter())
        before = self.results.killer(mutant.id)
        return sorted(
            names,
            key=lambda name: (name != before, -kills[name], self.cost[name]),
        )

    def attack(self, mutant: Mutant) -> Callable[[Callable[[str], None]], None]:
        """Return what a child does: become the mutant, and run tests until one fails."""

        def run(say: Callable[[str], None]) -> None:
            tests = self.order(mutant)
            if not tests:
                return
            self.become(mutant)
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + SPARE_MEMORY, used + SPARE_MEMORY))
            for name in tests:
                say(name)
                signal.setitimer(signal.ITIMER_PROF, 0.5 + PATIENCE * self.cost[name])
                self.run_test(self.items[name])
                if self.failed:
                    say("failed")
                    return
            signal.setitimer(signal.ITIMER_PROF, 0)
            say("survived")

        return run

    def become(self, mutant: Mutant) -> None:
        """Change the rules in this process. States that were made before change with them."""
        module = importlib.import_module(f"cosca.games.{self.game}.rules")
        if mutant.function == MODULE:
            run_in(module, self.text.line_with(mutant.edit), mutant.line)
            return
        owner, first, last = self.places[mutant.function]
        body = self.text.with_edit(mutant.edit, first, last)
        if not owner:
            run_in(module, body, first)
            return
        before = getattr(module, owner)
        run_in(module, f"class {owner}:\n{body}", first - 1)
        changed = getattr(module, owner).__dict__[mutant.function]
        setattr(module, owner, before)
        setattr(before, mutant.function, changed)

    def in_child(self, work: Callable[[Callable[[str], None]], None]) -> Iterator[str]:
        """Do some work in a process of its own; yield the lines it says, and how it ended."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                gc.disable()
                os.close(reading)
                quiet = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(quiet, stream)
                work(lambda line: void(os.write(writing, f"{line}\n".encode())))
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        return self.output(child, reading)

    def output(self, child: int, reading: int) -> Iterator[str]:
        """Yield what a child says until it ends."""
        with os.fdopen(reading, encoding="utf-8") as lines:
            for line in lines:
                yield line.rstrip("\n")
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
            yield LOOP
        elif status:
            yield "failed"  # not even pytest could go on, as where memory is gone


def void(_: object) -> None:
    """Return nothing, whatever comes."""


def run_in(module: ModuleType, source: str, line: int) -> None:
    """Run a piece of source in a module, as if it stood there from that line on."""
    tree = ast.increment_lineno(ast.parse(source), line - 1)
    exec(compile(tree, str(module.__file__), "exec"), vars(module))


def main(game: str, function: str, jobs: str) -> int:
    """Collect the tests with pytest and hand over to the trial."""
    folders = [f"tests/games/{game}", "tests/golden/test_golden.py", f"tests/golden/{STATES}"]
    plain = ["-p", "no:terminal", "-p", "no:cacheprovider", "-p", "no:xdist", "--capture=no"]
    plain += [
        "--assert=plain"
    ]  # nobody reads why a test failed, and long texts take long to compare
    return int(pytest.main([*plain, *folders], plugins=[Trial(game, function, int(jobs))]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
