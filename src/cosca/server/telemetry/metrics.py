"""Metrics of a process, in the text format of Prometheus.

Labels are words of this program, such as the kind of a command, never anything from outside.
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
    """A number that only goes up, one for each combination of labels."""

    def __init__(self, name: str, help: str, *labels: str) -> None:
        self.name = name
        self.help = help
        self._labels = labels
        self._values: dict[tuple[str, ...], int] = {} if labels else {(): 0}

    def add(self, *labels: str, by: int = 1) -> None:
        """Add to the count of these labels."""
        self._values[labels] = self._values.get(labels, 0) + by

    def lines(self) -> Iterator[str]:
        """Yield the lines of the exposition."""
        yield from _head(self.name, self.help, "counter")
        for labels, value in sorted(self._values.items()):
            yield f"{self.name}{_braces(self._labels, labels)} {value}"


class Histogram:
    """A distribution: how many observations were at most each bound."""

    def __init__(self, name: str, help: str, bounds: Sequence[float]) -> None:
        self.name = name
        self.help = help
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Count one observation."""
        self._counts[bisect.bisect_left(self._bounds, value)] += 1
        self._sum += value

    def lines(self) -> Iterator[str]:
        """Yield the lines of the exposition."""
        yield from _head(self.name, self.help, "histogram")
        counts, seen = list(self._counts), 0
        for bound, count in zip([*map(str, self._bounds), "+Inf"], counts, strict=True):
            seen += count
            yield f'{self.name}_bucket{{le="{bound}"}} {seen}'
        yield f"{self.name}_sum {self._sum}"
        yield f"{self.name}_count {seen}"


class Gauge:
    """A number that is read whenever the metrics are."""

    def __init__(self, name: str, help: str, read: Callable[[], float]) -> None:
        self.name = name
        self.help = help
        self.read = read

    def lines(self) -> Iterator[str]:
        """Yield the lines of the exposition."""
        yield from _head(self.name, self.help, "gauge")
        yield f"{self.name} {self.read()}"


class LastMinute:
    """Counts how often something happened in the last minute, to the second."""

    def __init__(self) -> None:
        self._seconds: deque[list[float]] = deque()

    def add(self, now: float) -> None:
        """Count one event at this time, in seconds."""
        if self._seconds and now - self._seconds[-1][0] < 1:
            self._seconds[-1][1] += 1
        else:
            self._seconds.append([now, 1])
        self._forget(now)

    def count(self, now: float) -> int:
        """Return the number of events in the minute before this time."""
        self._forget(now)
        return int(sum(count for _, count in self._seconds))

    def _forget(self, now: float) -> None:
        while self._seconds and self._seconds[0][0] <= now - MINUTE:
            self._seconds.popleft()


class Metrics:
    """All metrics of one process."""

    def __init__(self) -> None:
        self.started = time.time()
        self.commands = Counter(
            "cosca_commands_total", "Commands received over sockets.", "kind", "answer"
        )
        self.refusals = Counter(
            "cosca_refusals_total", "Refused commands and requests, by reason.", "reason"
        )
        self.responses = Counter(
            "cosca_http_responses_total", "HTTP responses by status.", "status"
        )
        self.connections_cut = Counter(
            "cosca_connections_cut_total",
            "TCP connections refused or closed by the server, by reason.",
            "reason",
        )
        self.appends = Counter("cosca_appends_total", "Entries appended to the logs of tables.")
        self.batch_sizes = Histogram(
            "cosca_batch_jobs", "Jobs in one transaction of the store.", SIZES
        )
        self.commit_seconds = Histogram(
            "cosca_commit_seconds",
            "Duration of a transaction of the store, in seconds.",
            SECONDS,
        )
        self.bot_wait = Histogram(
            "cosca_bot_thinking_seconds",
            "Wait for a bot's decision, time in the queue included, in seconds.",
            SECONDS,
        )
        self.moves = LastMinute()
        self._gauges = _process_gauges(self.started)

    def add_gauge(self, name: str, help: str, read: Callable[[], float]) -> None:
        """Add a number that is read whenever the metrics are."""
        self._gauges.append(Gauge(name, help, read))

    def text(self) -> str:
        """Return all metrics in the text format of Prometheus."""
        metrics: list[Counter | Histogram | Gauge] = [
            self.commands,
            self.refusals,
            self.responses,
            self.connections_cut,
            self.appends,
            self.batch_sizes,
            self.commit_seconds,
            self.bot_wait,
            *self._gauges,
        ]
        return "".join(f"{line}\n" for metric in metrics for line in metric.lines())


def _process_gauges(started: float) -> list[Gauge]:
    """Return what Prometheus clients report of every process, under the usual names."""
    return [
        Gauge(
            "process_start_time_seconds",
            "Start time of the process since the Unix epoch, in seconds.",
            lambda: started,
        ),
        Gauge(
            "process_resident_memory_bytes",
            "Resident memory of the process, in bytes.",
            resident_bytes,
        ),
    ]


def _head(name: str, help: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} {kind}"


def _braces(names: Sequence[str], values: Sequence[str]) -> str:
    pairs = [f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=True)]
    return "{" + ",".join(pairs) + "}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def resident_bytes() -> float:
    """Return the memory this process uses, or its peak where the system reports only that."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return float(pages * os.sysconf("SC_PAGE_SIZE"))
    except (OSError, ValueError):
        return _peak_resident_bytes()


def _peak_resident_bytes() -> float:
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)
