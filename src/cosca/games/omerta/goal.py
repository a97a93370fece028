"""What it takes to win in Omerta, and how far everybody is."""

from collections.abc import Mapping

from cosca.core.drawing import Goal, Progress, Say, best_seats
from cosca.core.names import Seat
from cosca.games.omerta.pieces import CALL_LIMIT, FINE, WORTH
from cosca.games.omerta.position import FACE_DOWN, Position


def goal(position: Position, learnt: Mapping[tuple[int, int], int], say: Say) -> Goal:
    """O-20 to O-24: the lowest total; `learnt` is what the memory aid shows, by row and place."""
    seats = range(position.seats)
    rows = [_row(position, seat, learnt, say) for seat in seats]
    return Goal(
        say("omerta.goal.text", {"limit": CALL_LIMIT}),
        [
            Progress(say("omerta.goal.row", {}), rows, ""),
            Progress(say("omerta.goal.total", {}), [str(total) for total in position.totals], ""),
        ],
        leaders(position),
        _details(position, say),
    )


def _row(position: Position, seat: Seat, learnt: Mapping[tuple[int, int], int], say: Say) -> str:
    """O-M1, O-M2: the sum of the cards of a row that are shown now, and how many are not."""
    kinds = [
        learnt.get((seat, slot), FACE_DOWN) if kind == FACE_DOWN else kind
        for slot, kind in enumerate(position.rows[seat])
    ]
    shown = [WORTH[kind] for kind in kinds if kind != FACE_DOWN]
    hidden = len(kinds) - len(shown)
    if not shown and hidden:
        return say("omerta.goal.hidden", {"number": hidden})
    if not hidden:
        return str(sum(shown))
    return say("omerta.goal.part", {"sum": sum(shown), "number": hidden})


def leaders(position: Position) -> list[Seat]:
    """O-23: the lowest totals so far."""
    if position.phase == "over":
        return list(position.winners)
    return best_seats([-total for total in position.totals])


def _details(position: Position, say: Say) -> list[str]:
    """O-1, O-21 to O-24: how many games, when to call, and what a wrong call costs."""
    lines = [
        say("omerta.goal.games", {"number": position.games}),
        say("omerta.goal.call", {"limit": CALL_LIMIT}),
        say("omerta.goal.wrong", {"points": FINE}),
    ]
    if position.first_call > 1:
        lines.append(say("omerta.goal.first_call", {"number": position.first_call}))
    if position.max_rounds:
        lines.append(say("omerta.goal.last_round", {"number": position.max_rounds}))
    return lines
