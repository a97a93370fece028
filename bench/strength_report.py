"""Results of games among bots, as a table and as a curve of strength against time."""

from pathlib import Path
from typing import NamedTuple

from cosca.arena.interval import Interval

PAR = 0.25
WIDE, HIGH = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 40, 48
COLOURS = ("#b3261e", "#1d6f5c", "#a66f00", "#3b5ba5")


class Figure(NamedTuple):
    """How often a bot has won against three others."""

    game: str
    one: str
    others: str
    games: int
    won: Interval


class Gain(NamedTuple):
    """How much more time has won of the same deals."""

    game: str
    before: str
    after: str
    deals: int
    more: Interval


def write(figures: list[Figure], gains: list[Gain], file: Path) -> None:
    """Return two tables as text."""
    lines = ["| game | one | against three | games | won (par is 25 %) |", "|---|---|---|---|---|"]
    lines += [
        f"| {figure.game} | `{figure.one}` | `{figure.others}` | {figure.games} | "
        f"{figure.won.value:.0%} ({figure.won.low:.0%} to {figure.won.high:.0%}) |"
        for figure in figures
    ]
    lines += ["", "| game | from | to | deals | won more |", "|---|---|---|---|---|"]
    lines += [
        f"| {gain.game} | `{gain.before}` | `{gain.after}` | {gain.deals} | "
        f"{gain.more.value:+.0%} ({gain.more.low:+.0%} to {gain.more.high:+.0%}) |"
        for gain in gains
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def seconds_of(figure: Figure) -> float | None:
    """Return the time of a boss against a game's own bot; None for other pairings."""
    name, _, time = figure.one.partition("@")
    if name != "boss" or not time.endswith("s") or "@" in figure.others:
        return None
    return float(time[:-1])


def draw(figures: list[Figure], file: Path) -> None:
    """Draw strength against time: a line for each game, with equal steps on the time axis."""
    curves: dict[str, list[tuple[float, Figure]]] = {}
    for figure in figures:
        if (seconds := seconds_of(figure)) is not None:
            curves.setdefault(f"{figure.game} (against {figure.others})", []).append(
                (seconds, figure)
            )
    times = sorted({seconds for curve in curves.values() for seconds, _ in curve})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img"'
        ' font-family="sans-serif" font-size="13" fill="#333">',
        "<title>How often the boss wins against three of the game's own, by its time</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>',
        *(grid(share) for share in (0.0, PAR, 0.5, 0.75, 1.0)),
        *(
            f'<text x="{across(seconds, times):.0f}" y="{HIGH - 24}" text-anchor="middle">'
            f"{seconds:g} s</text>"
            for seconds in times
        ),
    ]
    for number, (name, curve) in enumerate(curves.items()):
        parts += line(name, sorted(curve), times, number)
    file.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def grid(share: float) -> str:
    """Draw a horizontal line at a share, dashed at par."""
    y = up(share)
    dashes = ' stroke-dasharray="5 4"' if share == PAR else ""
    label = f"{share:.0%}" + (" par" if share == PAR else "")
    return (
        f'<line x1="{LEFT}" x2="{WIDE - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#bbb"{dashes}/>'
        f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
    )


def line(
    name: str, curve: list[tuple[float, Figure]], times: list[float], number: int
) -> list[str]:
    """Draw one curve with its intervals, shifted a little so that none hides another."""
    colour = COLOURS[number % len(COLOURS)]
    at = [(across(seconds, times) + 6 * (number - 1), figure.won) for seconds, figure in curve]
    points = " ".join(f"{x:.1f},{up(won.value):.1f}" for x, won in at)
    return [
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
        *(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{up(won.low):.1f}" y2="{up(won.high):.1f}"'
            f' stroke="{colour}"/><circle cx="{x:.1f}" cy="{up(won.value):.1f}" r="4"'
            f' fill="{colour}"><title>{won.value:.0%}</title></circle>'
            for x, won in at
        ),
        f'<text x="{LEFT + 180 * number}" y="20" fill="{colour}">{name}</text>',
    ]


def across(seconds: float, times: list[float]) -> float:
    """Return the x coordinate of a time."""
    room = WIDE - LEFT - RIGHT
    return LEFT + room * (times.index(seconds) + 0.5) / len(times)


def up(share: float) -> float:
    """Return the y coordinate of a share."""
    return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * share
