"""Programs that tests start: they react to signals, and no test waits for ever.

A test that waits too long fails with all output of the program so far. `run` is for programs that
end by themselves, `started` for those that run beside the test.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

LIMIT: Final = 300.0
"""Seconds a test waits for something that takes one to ten."""
SLOW: Final = 1200.0
"""The same for what takes minutes, such as compiling everything."""
HANDLED_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that tests send. Where they are ignored, as in the background of a script, every program
started from there would ignore them too."""


class WaitedTooLong(AssertionError):
    """A program did not do in time what a test waits for."""


def _heed_signals() -> None:
    for number in HANDLED_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


class Program:
    """A program that runs beside a test, with all its output so far."""

    def __init__(self, command: Sequence[str | Path], **options: Any) -> None:
        ignored = any(signal.getsignal(number) is signal.SIG_IGN for number in HANDLED_SIGNALS)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        self.command = [str(word) for word in command]
        self.output: list[str] = []
        self._process: subprocess.Popen[str] = subprocess.Popen(
            self.command,
            encoding="utf-8",
            start_new_session=True,  # so that it can be ended with all that it has started
            preexec_fn=_heed_signals if ignored else None,
            **{**pipes, **options},
        )

    @property
    def is_running(self) -> bool:
        """Return whether it is still running."""
        return self._process.poll() is None

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def line(self, limit: float = LIMIT, *, of_errors: bool = False) -> str:
        """Wait for the next line that it writes; empty if it has ended."""
        pipe = self._process.stderr if of_errors else self._process.stdout
        assert pipe is not None
        with self._within(limit):
            self.output.append(pipe.readline())
        return self.output[-1]

    def until(self, is_so: Callable[[], object], limit: float = LIMIT) -> None:
        """Wait until a condition holds; fail if the program ends before."""
        with self._within(limit):
            while not is_so():
                assert self.is_running, f"{self._summary()} ended with {self._process.returncode}"
                time.sleep(0.001)

    def wait(self, limit: float = LIMIT) -> int:
        """Wait until it has ended; return its exit code."""
        with self._within(limit):
            return self._process.wait()

    def end(self, typed: str | None = None, limit: float = LIMIT) -> tuple[str, str]:
        """Wait until it and all it has started have ended; return output and errors."""
        with self._within(limit):
            written, errors = self._process.communicate(typed)
            self.output += [written or "", errors or ""]
        return written, errors

    @property
    def exit_code(self) -> int:
        """Return its exit code."""
        assert self._process.returncode is not None
        return self._process.returncode

    def kill(self) -> None:
        """End it at once, with all that it has started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it and close its pipes."""
        self.kill()
        self._process.wait()
        for pipe in self._pipes():
            pipe.close()

    @contextlib.contextmanager
    def _within(self, limit: float) -> Iterator[None]:
        """Kill it if something takes longer, so that nobody waits for it any more."""
        is_over = threading.Event()

        def end() -> None:
            is_over.set()
            self.kill()

        watchdog = threading.Timer(limit, end)
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()
            if is_over.is_set():
                self._process.wait()
                self.output += [pipe.read() for pipe in self._pipes() if pipe.readable()]
                raise WaitedTooLong(f"{self._summary()} was waited for too long ({limit} s)")

    def _pipes(self) -> list[IO[str]]:
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        return [pipe for pipe in pipes if pipe is not None and not pipe.closed]

    def _summary(self) -> str:
        output = "".join(self.output).strip()
        return f"{' '.join(self.command)}\noutput so far: {output or 'nothing'}\nand"


@contextlib.contextmanager
def started(command: Sequence[str | Path], **options: Any) -> Iterator[Program]:
    """Start a program that runs beside the test, and end it with the test."""
    program = Program(command, **options)
    try:
        yield program
    finally:
        program.close()


def run(
    command: Sequence[str | Path], *, typed: str | None = None, limit: float = LIMIT, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end, with some input."""
    if typed is not None:
        options["stdin"] = subprocess.PIPE
    with started(command, **options) as program:
        written, errors = program.end(typed, limit)
        return subprocess.CompletedProcess(program.command, program.exit_code, written, errors)
