"""Programs that tests start: they have a limit, and heed the signals that tests send."""

import ast
import os
import socket
import sys
from pathlib import Path

import pytest

from tests.processes import WaitedTooLong, run, started

TESTS = Path(__file__).parents[1]
STARTERS = {"Popen", "run", "call", "check_call", "check_output", "getoutput"}
SLEEPS = "import time; print('here I am', flush=True); time.sleep(1000)"
STARTS = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {SLEEPS!r}], close_fds=False)
"""
ENDS_BY_CTRL_C = """
import time
try:
    print("ready", flush=True)
    time.sleep(1000)
except KeyboardInterrupt:
    print("ended", flush=True)
"""
IN_A_SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from tests.processes import started
with started([sys.executable, "-c", sys.argv[1]]) as program:
    assert program.line() == "ready\\n"
    program.send(signal.SIGINT)
    assert program.line() == "ended\\n"
"""


@pytest.mark.parametrize("program", [SLEEPS, STARTS], ids=["alone", "by another"])
def test_a_program_that_never_ends_fails_with_what_it_has_said(program: str) -> None:
    with started([sys.executable, "-c", program]) as endless:
        assert endless.line() == "here I am\n"
        with pytest.raises(
            WaitedTooLong, match=r"output so far: here I am(?s:.*)too long \(0\.1 s\)"
        ):
            endless.end(limit=0.1)
    with pytest.raises(WaitedTooLong, match="output so far: "):
        run([sys.executable, "-c", program], limit=0.1)


def test_every_kind_of_waiting_has_a_limit() -> None:
    with started([sys.executable, "-c", SLEEPS]) as program:
        assert program.line() == "here I am\n"
        with pytest.raises(WaitedTooLong, match="here I am"):
            program.line(0.1)
    with started([sys.executable, "-c", SLEEPS]) as program, pytest.raises(WaitedTooLong):
        program.wait(0.1)
    with started([sys.executable, "-c", SLEEPS]) as program, pytest.raises(WaitedTooLong):
        program.until(lambda: False, 0.1)


def test_waiting_for_what_a_program_does_ends_when_it_does() -> None:
    program = "print('sorry'); exit(3)"
    with started([sys.executable, "-c", program]) as gone, pytest.raises(AssertionError) as failed:
        gone.until(lambda: False)
    assert "ended with 3" in str(failed.value)


def test_signals_are_heeded_though_they_are_ignored_where_the_tests_run() -> None:
    path = os.pathsep.join([str(TESTS.parent), *filter(None, sys.path)])
    program = [sys.executable, "-c", IN_A_SCRIPT, ENDS_BY_CTRL_C]
    done = run(program, env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_of_a_program_is_left() -> None:
    theirs, ours = socket.socketpair()
    with started([sys.executable, "-c", STARTS], pass_fds=[theirs.fileno()]) as program:
        theirs.close()
        assert program.line() == "here I am\n"
    ours.settimeout(20)
    assert ours.recv(1) == b"", "it is closed when all who have it are gone"
    ours.close()


def test_nobody_starts_a_program_without_a_limit() -> None:
    paths = [path for path in TESTS.rglob("*.py") if "node_modules" not in path.parts]
    found = {path.relative_to(TESTS): starts(path) for path in paths}
    ours = (
        Path("processes.py"),
        Path("mutants/__main__.py"),
    )  # the second is a command, not a test
    others = {path: calls for path, calls in found.items() if calls and path not in ours}
    assert others == {}, "use tests.processes"


def starts(path: Path) -> list[str]:
    """Where a file starts programs by itself."""
    return [
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == "subprocess"
        and node.func.attr in STARTERS
    ]
