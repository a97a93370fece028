"""Win chances of a recorded game as text: a curve for each seat and the decisive moves."""

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.progress import track

from cosca.bots.consigliere import percent
from cosca.bots.win_chances import (
    Curve,
    Shares,
    TurningPoint,
    own_win_chances,
    plies_to_refine,
    sampled_plies,
    turning_points,
)
from cosca.match.replay import OMNISCIENT, Replay
from cosca.match.score_sheet import describe_moment, format_ply, seat_name
from cosca.words import say

COLUMNS: Final = 48
"""Width of the longest curve."""
HEIGHTS: Final = "▁▂▃▄▅▆▇█"


def compute_win_chances(replay: Replay) -> Curve:
    """Compute the win chances of a game, with a progress bar if stderr is a terminal."""
    curve = _evaluate(replay, sampled_plies(len(replay.plies)))
    return {**curve, **_evaluate(replay, plies_to_refine(curve))}


def _evaluate(replay: Replay, numbers: list[int]) -> Curve:
    console = Console(stderr=True)
    text = say("replay.chances_working", {})
    curve: dict[int, Shares] = {}
    for number in track(numbers, text, console=console, disable=not console.is_terminal):
        positions = [replay.position(number, seat) for seat in range(replay.seats)]
        curve[number] = own_win_chances(replay.game, positions)
    return curve


def format_win_chances(replay: Replay, curve: Curve) -> Iterator[str]:
    """Yield the curves, one below the other, then the moves that decided the game."""
    numbers = _columns(sorted(curve))
    names = [seat_name(replay.game, seat) for seat in range(replay.seats)]
    width = max(map(len, names))
    yield say("replay.chances_title", {})
    yield ""
    yield f"{'':{width}}  {numbers[0]}{numbers[-1]:>{max(len(numbers) - 1, 2)}}"
    for seat, name in enumerate(names):
        shares = [curve[number][seat] for number in numbers]
        line = "".join(HEIGHTS[min(int(share * len(HEIGHTS)), 7)] for share in shares)
        first, last = percent(shares[0]), percent(shares[-1])
        yield f"{name:<{width}}  {line}  {first:>3} % → {last:>3} %"
    yield ""
    found = turning_points(curve)
    yield say("replay.chances_decided", {}) if found else say("replay.chances_calm", {})
    for turn in found:
        yield from _format_turning_point(replay, turn)


def _columns(numbers: list[int]) -> list[int]:
    """Pick as many move numbers as fit into the width, always with the first and the last."""
    steps = min(len(numbers), COLUMNS) - 1
    return [numbers[round(step * (len(numbers) - 1) / max(steps, 1))] for step in range(steps + 1)]


def _format_turning_point(replay: Replay, turn: TurningPoint) -> Iterator[str]:
    """Yield a decisive move: its line in the score, its events, and the change it made."""
    ply = replay.plies[turn.number - 1]
    yield from format_ply(replay, ply, OMNISCIENT)
    if sentence := describe_moment(replay, ply, turn.seat):
        yield f"      {sentence}"
    name = seat_name(replay.game, turn.seat)
    params = {"before": percent(turn.before), "after": percent(turn.after)}
    key = "replay.chances_rose" if turn.is_rise else "replay.chances_fell"
    yield "      " + say(key, {"name": name, **params})
