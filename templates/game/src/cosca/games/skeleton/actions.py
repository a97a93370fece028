"""The action numbers of Skeleton: each is a whole move."""

from collections.abc import Sequence
from typing import Final

from cosca.core.choice import Choice
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import Action
from cosca.games.skeleton.pieces import SWAP, VERBS
from cosca.games.skeleton.position import Position


def to_actions(move: Move) -> list[Action]:
    """SK-2: the one action of a move."""
    if move.verb not in VERBS or move.numbers:
        raise Refused("skeleton.not_a_move")
    return [VERBS.index(move.verb)]


def to_move(actions: Sequence[Action]) -> Move:
    """Return the complete move, which is this action."""
    return Move(VERBS[actions[0]])


def refusal(position: Position, action: Action) -> Refused:
    """SK-1, SK-5: why this seat may not do this, from what it knows."""
    if position.seat not in position.actors:
        return Refused("not_your_turn")
    if action == SWAP:
        return Refused("skeleton.empty_pile")
    return Refused("skeleton.no_such_action")


RULE_OF_REFUSAL: Final = {"skeleton.empty_pile": "SK-5"}
"""The rule behind each refusal."""


def timeout_action(position: Position) -> Action:
    """Return the action of a player who does not decide in time."""
    return position.legal[0]


def count_moves(position: Position) -> list[int]:
    """Return for each legal action how many complete moves begin with it: one."""
    return [1 for _ in position.legal]


def choice(position: Position, action: Action) -> Choice:
    """SK-2: the button of an action."""
    return Choice(f"skeleton.choice.{VERBS[action]}", {})
