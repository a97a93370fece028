"""Heuristic policies of Skeleton's bots. They read positions only."""

from cosca.core.dice import Dice
from cosca.core.move import Move
from cosca.core.names import Action
from cosca.games.skeleton.actions import to_move
from cosca.games.skeleton.pieces import KEEP, SWAP
from cosca.games.skeleton.position import Position, unseen


def candidates(position: Position) -> list[Move]:
    """SK-2: the legal moves, the better first."""
    return [to_move([action]) for action in sorted(position.legal, reverse=_is_low(position))]


def careful(position: Position, dice: Dice) -> Action:
    """Swaps a card below the middle of those that may come."""
    return SWAP if SWAP in position.legal and _is_low(position) else KEEP


def _is_low(position: Position) -> bool:
    left = unseen(position)
    return position.cards[position.seat] * len(left) < sum(left)
