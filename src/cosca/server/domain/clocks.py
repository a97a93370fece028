"""Thinking time: how long a decision may take, and how much each seat has left.

All times are dates of log entries, in milliseconds. So every process that reads the log computes
the same clocks, and they go on where they were when a server starts again.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from cosca.core.names import Seat

Kind = Literal["live", "relaxed", "days"]

SECOND: Final = 1000
DAY: Final = 24 * 3600 * SECOND
GRACE: Final = {"live": 60.0, "relaxed": 300.0}
"""Seconds a person may be absent, while others wait, before a bot takes over."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The time limits of a table: time for each decision, and a bank for those that take longer."""

    kind: Kind = "relaxed"
    move: int = 0
    bank: int = 0

    @property
    def has_clocks(self) -> bool:
        """Whether time can run out."""
        return self.kind != "relaxed"


@dataclass(slots=True)
class Clocks:
    """The clocks of one game."""

    pace: Pace
    banks: list[int]
    since: dict[Seat, int] = field(default_factory=dict)
    """Since when each seat that may act has been thinking."""
    stopped: int | None = None
    """When all clocks were stopped."""

    def moved(self, seat: Seat, at: int) -> None:
        """Take from the bank what a decision took beyond the time of a move."""
        if list(self.since) == [seat]:  # where several act at once, it would reveal who was quick
            late = at - self.since[seat] - self.pace.move
            self.banks[seat] = max(0, self.banks[seat] - max(0, late))

    def start(self, seats: Collection[Seat], at: int) -> None:
        """Start the clocks of the seats that have something new to decide."""
        self.since = dict.fromkeys(seats, at)

    def refund(self, at: int, alive: int | None) -> None:
        """Give back the time since a server last ran; all of it if that is not known."""
        for seat, since in self.since.items():
            ran_until = since if alive is None else max(since, alive)
            self.since[seat] = since + max(0, at - ran_until)

    def stop(self, at: int) -> None:
        """Begin a pause."""
        self.stopped = at

    def resume(self, at: int) -> None:
        """End a pause."""
        if self.stopped is not None:
            rest = at - self.stopped
            self.since = {seat: since + rest for seat, since in self.since.items()}
        self.stopped = None

    def move_until(self, seat: Seat) -> int:
        """Return when the time for the decision is over and that of the bank begins."""
        return self.since[seat] + self.pace.move

    def until(self, seat: Seat) -> int:
        """Return when all time is over."""
        alone = len(self.since) == 1
        return self.move_until(seat) + (self.banks[seat] if alone else 0)
