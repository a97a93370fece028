"""A model of people who react over connections of different latency.

`python -m tests.server.reaction_model` prints who wins how often, for `docs/fair.md`. The server's
own code decides who wins; only connections and people are simulated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, median

from cosca.server.domain.reaction_order import Reaction, hold_seconds, in_order
from cosca.server.http.latency import KEPT, credited_round_trip

TRIPS = (0.020, 0.040, 0.090, 0.200)
"""Seconds there and back."""
WINDOWS = 20_000
Judge = Callable[["Line", float], float]
"""How long a line is held to be, of one whose pongs are delayed by so much."""


@dataclass(frozen=True)
class Line:
    """The line of one person."""

    rng: Random
    trip: float

    def one_way(self) -> float:
        """Seconds that a message takes: mostly the same, sometimes much more."""
        rng = self.rng
        spike = rng.uniform(0.060, 0.200) if rng.random() < 0.03 else 0.0
        return 0.485 * self.trip + rng.gammavariate(1.5, 0.04 * self.trip + 0.002) + spike

    def there_and_back(self) -> float:
        """Seconds until the answer to a ping."""
        return self.one_way() + self.one_way()

    def measured(self, delay: float = 0.0) -> float:
        """What pings tell; a changed browser may answer late."""
        return median(self.there_and_back() + delay for _ in range(KEPT))

    def by_kernel(self) -> float:
        """What the kernel tells, which no browser can delay: a running mean."""
        return fmean(self.there_and_back() for _ in range(KEPT))

    def reaction(self) -> float:
        """Seconds a person takes from seeing to reaching."""
        return max(0.180, self.rng.lognormvariate(6.1, 0.22) / 1000)

    def took(self) -> float:
        """Seconds from showing a card to hearing the answer."""
        return self.one_way() + self.rng.uniform(0, 0.017) + self.reaction() + self.one_way()


def by_pings(line: Line, delay: float) -> float:
    """Where the kernel tells nothing, as behind a proxy."""
    return credited_round_trip(line.measured(delay), None)


def by_pings_and_kernel(line: Line, delay: float) -> float:
    """Where the house has the line itself."""
    return credited_round_trip(line.measured(delay), line.by_kernel())


def arrivals(
    lines: Sequence[Line], judge: Judge = by_pings, delays: Sequence[float] = ()
) -> list[Reaction]:
    """One window: everybody reaches."""
    late = delays or [0.0] * len(lines)
    return [
        Reaction(seat, line.took(), judge(line, delay))
        for seat, (line, delay) in enumerate(zip(lines, late, strict=True))
    ]


def in_time(hands: Sequence[Reaction]) -> list[Reaction]:
    """Those that have come before it is decided."""
    end = min(hand.took for hand in hands) + hold_seconds([hand.round_trip for hand in hands])
    return [hand for hand in hands if hand.took <= end]


def fastest(hands: Sequence[Reaction], lot: Callable[[int], int]) -> Reaction:
    """Who wins a window."""
    return in_order(in_time(hands), lot)[0]


def first_to_arrive(hands: Sequence[Reaction], lot: Callable[[int], int]) -> Reaction:
    """Who would win if the house did nothing about it."""
    return min(hands, key=lambda hand: hand.took)


Rule = Callable[[Sequence[Reaction], Callable[[int], int]], Reaction]


def shares(
    windows: int = WINDOWS,
    judge: Judge = by_pings,
    delays: Sequence[float] = (),
    rule: Rule = fastest,
    trips: Sequence[float] = TRIPS,
) -> list[float]:
    """How often each line wins, in percent."""
    rng = Random(7)
    lines = [Line(rng, trip) for trip in trips]
    won = [0] * len(lines)
    for _ in range(windows):
        won[rule(arrivals(lines, judge, delays), rng.randrange).seat] += 1
    return [100 * wins / windows for wins in won]


def late_pongs(number: int, delay: float, judge: Judge, windows: int = WINDOWS) -> float:
    """How often a line wins, in percent, whose pongs are delayed."""
    delays = [delay if seat == number else 0.0 for seat in range(len(TRIPS))]
    return shares(windows, judge, delays)[number]


def table() -> str:
    """All figures, as they stand in the docs."""
    head = " | ".join(f"{trip * 1000:.0f} ms" for trip in TRIPS)
    rows = [f"| who wins, in % | {head} |", "|---|" + "---:|" * len(TRIPS)]

    def row(name: str, figures: Sequence[float]) -> None:
        rows.append(f"| {name} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")

    row("order of arrival", shares(rule=first_to_arrive))
    row("as it is decided here", shares())
    row("the same, with the kernel's round trip", shares(judge=by_pings_and_kernel))
    for delay in (0.050, 0.100, 0.200):
        for name, judge in (("pings alone", by_pings), ("with the kernel", by_pings_and_kernel)):
            who = range(len(TRIPS))
            row(
                f"who delays the own pongs by {delay * 1000:.0f} ms, {name}",
                [late_pongs(seat, delay, judge, 5_000) for seat in who],
            )
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
