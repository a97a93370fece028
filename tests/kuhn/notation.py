"""Moves and states of Kuhn poker as one line of text, both ways."""

from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import Action
from tests.kuhn.pieces import SEATS, VERBS
from tests.kuhn.rules import State


def format_move(move: Move) -> str:
    """`pass` or `bet`."""
    return move.verb


def parse_move(text: str) -> Move:
    """A move as typed."""
    if text.strip() not in VERBS:
        raise Refused("kuhn.not_a_move")
    return Move(text.strip())


def format_action(state: State, action: Action) -> str:
    """One step: `pass` or `bet` of a player, `card 2` of chance."""
    return f"card {action}" if state.dealt < SEATS else VERBS[action]


def parse_action(state: State, text: str) -> Action:
    """Return the step that a line of a story describes."""
    if state.dealt < SEATS:
        return int(text.removeprefix("card "))
    return VERBS.index(text)


def format_state(state: State) -> str:
    """Everything that is true, in one line."""
    return " ".join(map(str, state.ints()))


def parse_state(text: str) -> State:
    """Return the state that a line describes."""
    state = State()
    state.load([int(word) for word in text.split()])
    return state
