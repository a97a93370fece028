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

ROUND_TRIPS = (0.020, 0.040, 0.090, 0.200)
"""Round trips in seconds."""
WINDOWS = 20_000
Measure = Callable[["Connection", float], float]
"""Returns the round trip credited to a connection whose pongs are delayed by some seconds."""


@dataclass(frozen=True)
class Connection:
    """The connection of one person."""

    rng: Random
    round_trip: float

    def one_way(self) -> float:
        """Return how many seconds a message takes: mostly the same, sometimes much more."""
        rng = self.rng
        spike = rng.uniform(0.060, 0.200) if rng.random() < 0.03 else 0.0
        return (
            0.485 * self.round_trip + rng.gammavariate(1.5, 0.04 * self.round_trip + 0.002) + spike
        )

    def ping(self) -> float:
        """Return how many seconds the answer to a ping takes."""
        return self.one_way() + self.one_way()

    def measured(self, delay: float = 0.0) -> float:
        """Return the round trip by pings; a modified browser may answer them late."""
        return median(self.ping() + delay for _ in range(KEPT))

    def by_kernel(self) -> float:
        """Return the kernel's round trip, a running mean that no browser can delay."""
        return fmean(self.ping() for _ in range(KEPT))

    def reaction(self) -> float:
        """Return how many seconds a person takes to react."""
        return max(0.180, self.rng.lognormvariate(6.1, 0.22) / 1000)

    def took(self) -> float:
        """Return the seconds from sending a card to receiving the answer."""
        return self.one_way() + self.rng.uniform(0, 0.017) + self.reaction() + self.one_way()


def by_pings(connection: Connection, delay: float) -> float:
    """Return the credited round trip without the kernel's, as behind a proxy."""
    return credited_round_trip(connection.measured(delay), None)


def by_pings_and_kernel(connection: Connection, delay: float) -> float:
    """Return the credited round trip of a direct connection."""
    return credited_round_trip(connection.measured(delay), connection.by_kernel())


def arrivals(
    connections: Sequence[Connection], measure: Measure = by_pings, delays: Sequence[float] = ()
) -> list[Reaction]:
    """Return the reactions of one window in which everybody reacts."""
    late = delays or [0.0] * len(connections)
    return [
        Reaction(seat, connection.took(), measure(connection, delay))
        for seat, (connection, delay) in enumerate(zip(connections, late, strict=True))
    ]


def in_time(reactions: Sequence[Reaction]) -> list[Reaction]:
    """Return the reactions that arrive before the decision."""
    end = min(reaction.took for reaction in reactions) + hold_seconds(
        [reaction.round_trip for reaction in reactions]
    )
    return [reaction for reaction in reactions if reaction.took <= end]


def fastest(reactions: Sequence[Reaction], lot: Callable[[int], int]) -> Reaction:
    """Return the winner of a window."""
    return in_order(in_time(reactions), lot)[0]


def first_to_arrive(reactions: Sequence[Reaction], lot: Callable[[int], int]) -> Reaction:
    """Return who would win by order of arrival."""
    return min(reactions, key=lambda reaction: reaction.took)


Rule = Callable[[Sequence[Reaction], Callable[[int], int]], Reaction]


def shares(
    windows: int = WINDOWS,
    measure: Measure = by_pings,
    delays: Sequence[float] = (),
    rule: Rule = fastest,
    round_trips: Sequence[float] = ROUND_TRIPS,
) -> list[float]:
    """Return how often each connection wins, in percent."""
    rng = Random(7)
    connections = [Connection(rng, round_trip) for round_trip in round_trips]
    won = [0] * len(connections)
    for _ in range(windows):
        won[rule(arrivals(connections, measure, delays), rng.randrange).seat] += 1
    return [100 * wins / windows for wins in won]


def late_pongs(number: int, delay: float, measure: Measure, windows: int = WINDOWS) -> float:
    """Return how often a connection with delayed pongs wins, in percent."""
    delays = [delay if seat == number else 0.0 for seat in range(len(ROUND_TRIPS))]
    return shares(windows, measure, delays)[number]


def table() -> str:
    """Return all figures as the table of the docs."""
    head = " | ".join(f"{round_trip * 1000:.0f} ms" for round_trip in ROUND_TRIPS)
    rows = [f"| wins, in % | {head} |", "|---|" + "---:|" * len(ROUND_TRIPS)]

    def row(name: str, figures: Sequence[float]) -> None:
        rows.append(f"| {name} | " + " | ".join(f"{figure:.1f}" for figure in figures) + " |")

    row("order of arrival", shares(rule=first_to_arrive))
    row("with compensation", shares())
    row("the same, with the kernel's round trip", shares(measure=by_pings_and_kernel))
    for delay in (0.050, 0.100, 0.200):
        for name, measure in (("pings alone", by_pings), ("with the kernel", by_pings_and_kernel)):
            who = range(len(ROUND_TRIPS))
            row(
                f"pongs delayed by {delay * 1000:.0f} ms, {name}",
                [late_pongs(seat, delay, measure, 5_000) for seat in who],
            )
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
