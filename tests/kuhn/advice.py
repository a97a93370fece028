"""What a move of Kuhn poker is for. Reads positions only."""

from cosca.core.events import Reason
from cosca.core.move import Move
from tests.kuhn.pieces import BET, CARDS, VERBS
from tests.kuhn.position import Position


def explain(position: Position, move: Move) -> Reason | None:
    """The highest card wins every showdown; any other may lose chips."""
    is_high = position.cards[position.seat] == CARDS - 1
    if move == Move(VERBS[BET]):
        return Reason("kuhn.advice.highest", {}, "K-1") if is_high else None
    return None if is_high else Reason("kuhn.advice.saves", {"pot": position.pot}, "K-1")
