"""The habits of a player of Kuhn poker. Reads positions only."""

from cosca.core.dice import Dice
from cosca.core.move import Move
from cosca.core.names import Action
from tests.kuhn.pieces import BET, CARDS, PASS, VERBS
from tests.kuhn.position import Position


def candidates(position: Position) -> list[Move]:
    """Both moves, the better first."""
    return [Move(VERBS[action]) for action in sorted(position.legal, reverse=_is_high(position))]


def careful(position: Position, dice: Dice) -> Action:
    """Bets on the highest card only."""
    return BET if _is_high(position) else PASS


def _is_high(position: Position) -> bool:
    return position.cards[position.seat] == CARDS - 1
