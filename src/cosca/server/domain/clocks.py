"""The pace of a table: how long a decision may take, and how much time everybody has left.

All times are those of the log, in milliseconds. So the clocks are the same wherever the log is
read, and go on where they were when a house is opened again.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final, Literal

from cosca.core.names import Seat

Kind = Literal["live", "relaxed", "days"]

SECOND: Final = 1000
DAY: Final = 24 * 3600 * SECOND
GRACE: Final = {"live": 60.0, "relaxed": 300.0}
"""Seconds somebody may be gone, while others wait, before a bot keeps the seat."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What was agreed: so much for each decision, and so much in all for those that take longer."""

    kind: Kind = "relaxed"
    move: int = 0
    bank: int = 0

    @property
    def has_clocks(self) -> bool:
        """Whether time can run out."""
        return self.kind != "relaxed"


@dataclass(slots=True)
class Times:
    """The clocks of one game."""

    pace: Pace
    banks: list[int]
    since: dict[Seat, int] = field(default_factory=dict)
    """Since when each of those who may act has been thinking."""
    stopped: int | None = None
    """When all clocks were stopped."""

    def moved(self, seat: Seat, at: int) -> None:
        """Somebody has acted: whoever took longer than a move may take, took it from the bank."""
        if list(self.since) == [seat]:  # where several act at once, it would tell who was quick
            late = at - self.since[seat] - self.pace.move
            self.banks[seat] = max(0, self.banks[seat] - max(0, late))

    def begin(self, seats: Collection[Seat], at: int) -> None:
        """Others may act now, or the same ones something else: everybody begins anew."""
        self.since = dict.fromkeys(seats, at)

    def wake(self, at: int, alive: int | None) -> None:
        """Give everybody back the time since a house last ran; all of it if that is not known."""
        for seat, since in self.since.items():
            ran_until = since if alive is None else max(since, alive)
            self.since[seat] = since + max(0, at - ran_until)

    def stop(self, at: int) -> None:
        """A pause begins."""
        self.stopped = at

    def go_on(self, at: int) -> None:
        """A pause ends."""
        if self.stopped is not None:
            rest = at - self.stopped
            self.since = {seat: since + rest for seat, since in self.since.items()}
        self.stopped = None

    def move_until(self, seat: Seat) -> int:
        """When the time for the decision is over, and that of the bank begins."""
        return self.since[seat] + self.pace.move

    def until(self, seat: Seat) -> int:
        """When all time is over."""
        alone = len(self.since) == 1
        return self.move_until(seat) + (self.banks[seat] if alone else 0)
