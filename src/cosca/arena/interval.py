"""How certain a figure is: 95 % confidence intervals of rates and means, over deals.

Games of one deal are not independent: the same cards are played again from another seat. So deals
are the unit of sampling, and a rate is as certain as one of that many independent games.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

Z: Final = 1.959964
"""Standard errors to each side for 95 %."""
MANY: Final = 30
"""From this many deals on, duplicate deals may count for more than independent games."""


class Interval(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """Return it as JSON, rounded."""
        return {name: round(number, 6) for name, number in self._asdict().items()}


class DealSum(NamedTuple):
    """What one deal adds to a figure: a sum, and over how many games or seats."""

    total: float
    number: int


def wilson(wins: float, games: float, z: float = Z) -> tuple[float, float]:
    """Return the 95 % interval of a rate, by Wilson; it also holds near 0 and 1."""
    rate = wins / games
    middle = rate + z * z / (2 * games)
    reach: float = z * (max(rate * (1 - rate), 0) / games + z * z / (4 * games * games)) ** 0.5
    scale = 1 + z * z / games
    return (middle - reach) / scale, (middle + reach) / scale


def rate(deals: Mapping[int, DealSum]) -> Interval:
    """Return a rate with its interval, by how much the deals differ."""
    total, count = _sums(deals)
    if not count:
        return Interval(0.0, 0.0, 1.0)
    value = total / count
    variance = _variance(deals)
    worth = value * (1 - value) / variance if variance > 0 else len(deals)
    if len(deals) < MANY:
        worth = min(worth, count)
    return Interval(value, *wilson(value * worth, worth))


def mean(deals: Mapping[int, DealSum]) -> Interval:
    """Return a mean with its interval."""
    total, count = _sums(deals)
    if not count:
        return Interval(0.0, 0.0, 0.0)
    value = total / count
    reach: float = student_t(len(deals) - 1) * _variance(deals) ** 0.5
    return Interval(value, value - reach, value + reach)


def student_t(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t, approximately."""
    if freedom < 1:
        return Z
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)


def _sums(deals: Mapping[int, DealSum]) -> tuple[float, int]:
    parts = deals.values()
    return sum(part.total for part in parts), sum(part.number for part in parts)


def _variance(deals: Mapping[int, DealSum]) -> float:
    """Return the variance of a ratio of sums over deals; 0 for a single deal."""
    total, count = _sums(deals)
    if len(deals) < 2:
        return 0.0
    off = sum((part.total - total / count * part.number) ** 2 for part in deals.values())
    return len(deals) / (len(deals) - 1) * off / count**2
