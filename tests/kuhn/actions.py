"""The action numbers of Kuhn poker: each is a whole move."""

from collections.abc import Sequence
from typing import Final

from cosca.core.choice import Choice
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import Action
from tests.kuhn.pieces import VERBS
from tests.kuhn.position import Position


def to_actions(move: Move) -> list[Action]:
    """The one action that a move is."""
    if move.verb not in VERBS or move.numbers:
        raise Refused("kuhn.not_a_move")
    return [VERBS.index(move.verb)]


def to_move(actions: Sequence[Action]) -> Move:
    """The whole move this action is."""
    return Move(VERBS[actions[0]])


def refusal(position: Position, action: Action) -> Refused:
    """Why the active player may not do this."""
    if position.seat not in position.actors:
        return Refused("not_your_turn")
    return Refused("kuhn.no_such_action", pot=position.pot)


RULE_OF_REFUSAL: Final[dict[str, str]] = {}
"""No rule has an id here."""


def timeout_action(position: Position) -> Action:
    """What a player does who does not decide in time."""
    return position.legal[0]


def count_moves(position: Position) -> list[int]:
    """For each legal action, how many whole moves begin with it: itself."""
    return [1 for _ in position.legal]


def choice(position: Position, action: Action) -> Choice:
    """What stands on the button of an action."""
    return Choice(f"kuhn.choice.{VERBS[action]}", {})
