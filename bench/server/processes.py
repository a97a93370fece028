"""Measured processes: started, pinned to a core, observed, and ended."""

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

SERVER_CORE: Final = 0
LOAD_CORE: Final = 1
START_TIMEOUT: Final = 60.0
"""Seconds until a process must have started."""


class MeasuredProcess:
    """A process that is being measured."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def resident(self) -> int:
        """Return its resident memory in bytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def resume(self) -> None:
        """Send it a line, so that it continues."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def read_line(self) -> str:
        """Return the next line of its output; raise an error if there is none."""
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        if not text:
            raise RuntimeError(f"{self.process.args!r} has ended with {self.process.wait(10)}")
        return text.strip()


def cpu_of(pid: int) -> float:
    """Return the seconds of CPU a process has used, user and system, in all its threads."""
    after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def waited_by(pid: int) -> float:
    """Return the seconds a process was ready but others had its core; 0 where unknown."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    return 0.0


@contextlib.contextmanager
def running(
    command: Sequence[str], core: int, environment: Mapping[str, str] | None = None
) -> Iterator[MeasuredProcess]:
    """Run a process on one core, as a context."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    pin(process.pid, core)
    try:
        yield MeasuredProcess(process)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()


def pin(pid: int, core: int) -> None:
    """Pin a process to one core, where there are two and the system allows it."""
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(pid, {core})


def free_port() -> int:
    """Return a port of this computer that is not in use."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until a port accepts connections."""
    deadline = time.monotonic() + START_TIMEOUT
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if time.monotonic() > deadline:
            raise RuntimeError(f"nothing listens on port {port}")
        time.sleep(0.05)
