"""What a move of Skeleton is for, from what the seat knows."""

from cosca.core.events import Reason
from cosca.core.move import Move
from cosca.games.skeleton.pieces import KEEP, VERBS
from cosca.games.skeleton.position import Position, unseen


def explain(position: Position, move: Move) -> Reason | None:
    """SK-4, SK-8: how many of the cards that may come are higher than the own one."""
    card = position.cards[position.seat]
    left = unseen(position)
    higher = sum(other > card for other in left)
    figures = {"higher": higher, "left": len(left)}
    if move != Move(VERBS[KEEP]):
        return Reason("skeleton.advice.swap", figures, "SK-4") if higher else None
    is_high = 2 * higher <= len(left)
    return Reason("skeleton.advice.keep", figures, "SK-8") if is_high else None
