"""Plots for a report, as SVG and tables, each readable as text too.

Coordinates are in percent, so that a plot is as wide as its page while its text stays readable.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

HEIGHT: Final = 160
"""The height of a histogram in pixels."""


class Scale(NamedTuple):
    """The range of an axis."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Return the coordinate of a value, a little inside the edges."""
        span = self.high - self.low or 1.0
        share = min(max((value - self.low) / span, 0.0), 1.0)
        return f"{2 + 96 * share:.2f}%"


def scale(intervals: Iterable[dict[str, float]], *more: float) -> Scale:
    """Return an axis that includes all of these values."""
    values = [value for one in intervals for value in (one["low"], one["high"])] + list(more)
    return Scale(min(values), max(values)) if values else Scale(0.0, 1.0)


def interval_plot(interval: dict[str, float], on: Scale, par: float | None = None) -> str:
    """Return a dot on its interval, with a line at par; the numbers stand beside it."""
    line = ""
    if par is not None:
        line = f'<line class="par" x1="{on.at(par)}" x2="{on.at(par)}" y1="0" y2="24"/>'
    low, high, value = on.at(interval["low"]), on.at(interval["high"]), on.at(interval["value"])
    return (
        f'<svg class="dot" width="100%" height="24" aria-hidden="true">{line}'
        f'<line class="reach" x1="{low}" x2="{high}" y1="12" y2="12"/>'
        f'<circle cx="{value}" cy="12" r="5"/></svg>'
    )


def histogram(bars: Sequence[Sequence[int]], name: str) -> str:
    """Return a histogram of lengths."""
    if len(bars) < 2:
        return ""  # all are equal, as the figures already say
    most = max(count for _, _, count in bars) or 1
    width = 100 / len(bars)
    drawn = []
    for number, (low, high, count) in enumerate(bars):
        tall = HEIGHT * count / most
        label = f"{low}: {count}" if low == high else f"{low}-{high}: {count}"
        drawn.append(
            f'<rect x="{number * width + width * 0.06:.2f}%" y="{HEIGHT - tall:.1f}"'
            f' width="{width * 0.88:.2f}%" height="{tall:.1f}"><title>{label}</title></rect>'
        )
    ends = (
        f'<text x="0%" y="{HEIGHT + 18}">{bars[0][0]}</text>'
        f'<text x="100%" y="{HEIGHT + 18}" text-anchor="end">{bars[-1][1]}</text>'
    )
    return (
        f'<svg class="bars" width="100%" height="{HEIGHT + 24}" role="img"'
        f' aria-label="{escape(name)}">{"".join(drawn)}'
        f'<line class="axis" x1="0%" x2="100%" y1="{HEIGHT}" y2="{HEIGHT}"/>{ends}</svg>'
    )


def heat_cell(value: float) -> str:
    """Return class and strength of a cell: the further from a half, the stronger."""
    kind = "above" if value >= 0.5 else "below"
    return f'class="{kind}" style="--heat: {round(200 * abs(value - 0.5))}%"'
