"""What it takes to win in Vendetta, and how far everybody is."""

from cosca.core.drawing import Goal, Progress, Say, best_seats
from cosca.core.names import Seat
from cosca.games.vendetta.pieces import (
    BY_DISTRICTS,
    BY_ROUNDS,
    DISTRICTS_TO_WIN,
    POINTS,
    POINTS_TO_WIN,
)
from cosca.games.vendetta.position import Position
from cosca.games.vendetta.rules import State


def goal(position: Position, now: State, say: Say) -> Goal:
    """V-15 to V-18: enough districts at the end of a round, or enough points in all.

    `now` is the state of the position, with its districts counted.
    """
    seats = len(position.hands)
    win = {"districts": DISTRICTS_TO_WIN[seats], "points": POINTS_TO_WIN[seats]}
    held, points = now.controlled[:seats], position.points
    round_points = [now.round_points(seat) for seat in range(seats)]
    figures = [
        _figure(say, "districts", [str(number) for number in held], str(win["districts"])),
        _figure(say, "points", [str(number) for number in points], str(win["points"])),
    ]
    if position.phase != "over":
        figures.append(_figure(say, "now", [f"+{number}" for number in round_points], ""))
    return Goal(
        say(f"vendetta.goal.{'more' if position.exceed_goal else 'text'}", win),
        figures,
        leaders(position, now),
        _details(position, say),
    )


def _figure(say: Say, key: str, values: list[str], target: str) -> Progress:
    return Progress(say(f"vendetta.goal.{key}", {}), values, target)


def leaders(position: Position, now: State) -> list[Seat]:
    """V-16 to V-19: who would be ahead if the round ended now, without the raid."""
    if position.phase == "over":
        return list(position.winners)
    then = now.copy()
    then.score_round()
    return best_seats(
        [
            (then.claim(seat, BY_DISTRICTS), then.claim(seat, BY_ROUNDS))
            for seat in range(len(position.hands))
        ]
    )


def _details(position: Position, say: Say) -> list[str]:
    """V-14 to V-17, V-21: when districts count, what they score, and the last round."""
    steps = range(1, DISTRICTS_TO_WIN[len(position.hands)] + 1)
    ladder = [
        say("vendetta.goal.step", {"districts": districts, "points": POINTS[districts]})
        for districts in steps
    ]
    lines = [
        say(f"vendetta.goal.{'most' if position.most_controls else 'alone'}", {}),
        say("vendetta.goal.ladder", {"steps": " · ".join(ladder)}),
    ]
    if not position.final_points:
        lines.append(say("vendetta.goal.no_points", {}))
    if position.max_rounds:
        lines.append(say("vendetta.goal.last_round", {"number": position.max_rounds}))
    return lines
