"""What the house counts, and how Prometheus reads it: plain text, a line for each number.

Labels are words of our own, as the kind of a command; never what came from outside.
"""

import bisect
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SIZES: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
MINUTE: Final = 60.0


class Counter:
    """Something that is counted, for each of its labels apart."""

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self.name = name
        self.about = about
        self._labels = labels
        self._values: dict[tuple[str, ...], int] = {} if labels else {(): 0}

    def add(self, *labels: str, by: int = 1) -> None:
        """Count some more."""
        self._values[labels] = self._values.get(labels, 0) + by

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it."""
        yield from _head(self.name, self.about, "counter")
        for labels, value in sorted(self._values.items()):
            yield f"{self.name}{_braces(self._labels, labels)} {value}"


class Histogram:
    """How often something was how large."""

    def __init__(self, name: str, about: str, bounds: Sequence[float]) -> None:
        self.name = name
        self.about = about
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """It was so large once more."""
        self._counts[bisect.bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it."""
        yield from _head(self.name, self.about, "histogram")
        counts, seen = list(self._counts), 0
        for bound, count in zip([*map(str, self._bounds), "+Inf"], counts, strict=True):
            seen += count
            yield f'{self.name}_bucket{{le="{bound}"}} {seen}'
        yield f"{self.name}_sum {self._sum}"
        yield f"{self.name}_count {seen}"


class Gauge:
    """Something that is looked up when it is asked for."""

    def __init__(self, name: str, about: str, look: Callable[[], float]) -> None:
        self.name = name
        self.about = about
        self.look = look

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it."""
        yield from _head(self.name, self.about, "gauge")
        yield f"{self.name} {self.look()}"


class LastMinute:
    """How often something happened in the last minute."""

    def __init__(self) -> None:
        self._seconds: deque[list[float]] = deque()

    def add(self, now: float) -> None:
        """It happens now."""
        if self._seconds and now - self._seconds[-1][0] < 1:
            self._seconds[-1][1] += 1
        else:
            self._seconds.append([now, 1])
        self._forget(now)

    def count(self, now: float) -> int:
        """How often."""
        self._forget(now)
        return int(sum(count for _, count in self._seconds))

    def _forget(self, now: float) -> None:
        while self._seconds and self._seconds[0][0] <= now - MINUTE:
            self._seconds.popleft()


class Metrics:
    """All numbers of one process."""

    def __init__(self) -> None:
        self.began = time.time()
        self.commands = Counter("cosca_commands_total", "Commands from sockets.", "kind", "answer")
        self.refusals = Counter("cosca_refusals_total", "What was refused, and why.", "reason")
        self.responses = Counter("cosca_http_responses_total", "Answers over HTTP.", "status")
        self.cuts = Counter(
            "cosca_connections_cut_total", "TCP connections refused or cut, and why.", "reason"
        )
        self.appends = Counter("cosca_appends_total", "Lines written to the logs of tables.")
        self.batches = Histogram(
            "cosca_batch_jobs", "Jobs the store has done in one transaction.", SIZES
        )
        self.commits = Histogram(
            "cosca_commit_seconds",
            "Seconds from the beginning of a transaction to its end.",
            SECONDS,
        )
        self.thinking = Histogram(
            "cosca_bot_thinking_seconds", "Seconds a bot was waited for.", SECONDS
        )
        self.moves = LastMinute()
        self._gauges = [
            Gauge("process_start_time_seconds", "When the process began.", lambda: self.began),
            Gauge("process_resident_memory_bytes", "Memory of the process.", resident_bytes),
        ]

    def watch(self, name: str, about: str, look: Callable[[], float]) -> None:
        """Look up one more number whenever somebody asks."""
        self._gauges.append(Gauge(name, about, look))

    def text(self) -> str:
        """All numbers, as Prometheus reads them."""
        counted = (self.commands, self.refusals, self.responses, self.cuts, self.appends)
        measured = (self.batches, self.commits, self.thinking)
        parts: list[Counter | Histogram | Gauge] = [*counted, *measured, *self._gauges]
        return "".join(f"{line}\n" for part in parts for line in part.lines())


def _head(name: str, about: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _braces(names: Sequence[str], values: Sequence[str]) -> str:
    pairs = [f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=True)]
    return "{" + ",".join(pairs) + "}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def resident_bytes() -> float:
    """The memory this process has now; the most it ever had where only that is told."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        return _most_resident_bytes()


def _most_resident_bytes() -> float:
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most if sys.platform == "darwin" else most * 1024)
