"""Moves, steps and states of Skeleton as one line of text, both ways.

A move: `keep` or `swap`, or its first letter. A step of chance: `card 7`, or `show`. A state: words
`key=value`, without default values; seats count from 1.
"""

from typing import Final

from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import Action
from cosca.games.skeleton.actions import to_actions
from cosca.games.skeleton.pieces import (
    CARDS,
    ENDINGS,
    MOST_SEATS,
    NO_CARD,
    PHASE_NAMES,
    PHASE_SHOW,
    PHASE_TURN,
    SHOW,
    VERBS,
)
from cosca.games.skeleton.rules import State

TYPED: Final = {verb[:1]: verb for verb in VERBS}


def format_move(move: Move) -> str:
    """`keep` or `swap`."""
    return move.verb


def parse_move(text: str) -> Move:
    """Parse a move as typed. It need not be legal."""
    word = text.strip().lower()
    verb = TYPED.get(word, word)
    if verb not in VERBS:
        raise Refused("skeleton.bad_move", text=text[:40])
    return Move(verb)


# --- Single actions, chance among them --------------------------------------------------------


def format_action(state: State, action: Action) -> str:
    """One step: `keep` or `swap` of a player, `card 7` or `show` of chance."""
    if state.phase == PHASE_TURN:
        return VERBS[action]
    return "show" if state.phase == PHASE_SHOW else f"card {action}"


def parse_action(state: State, text: str) -> Action:
    """Parse an action from a line of a story."""
    if state.phase == PHASE_TURN:
        return to_actions(parse_move(text))[0]
    word, _, number = text.partition(" ")
    if state.phase == PHASE_SHOW and text == "show":
        return SHOW
    if word != "card" or not number.isdecimal():
        raise Refused("skeleton.bad_move", text=text[:40])
    return int(number)


# --- States -----------------------------------------------------------------------------------


def format_state(state: State) -> str:
    """Format the whole state as one line."""
    words = {
        "laps": str(state.laps) if state.laps > 1 else "",
        "phase": PHASE_NAMES[state.phase],
        "lap": str(state.lap),
        "active": str(state.active + 1),
        "cards": ".".join(str(card) for card in state.cards[: state.seats]),
        "up": ".".join(str(card) for card in range(CARDS + 1) if state.up[card]),
        "ending": ENDINGS[state.reason],
        "won": ".".join(str(seat + 1) for seat in range(state.seats) if state.won >> seat & 1),
    }
    return " ".join(f"{key}={value}" for key, value in words.items() if value)


def parse_state(text: str) -> State:
    """Parse a state from one line. Missing values are those of the first turn."""
    words = dict(_word(word) for word in text.split())
    cards = _numbers(words.get("cards", ""), NO_CARD, CARDS)
    up = _numbers(words.get("up", ""), 1, CARDS)
    held = [card for card in cards if card != NO_CARD]
    if len({*held, *up}) < len(held) + len(up):
        raise Refused("skeleton.card_twice")
    state = State(len(cards))
    state.load(
        [
            len(cards),
            int(words.get("laps", "1")),
            PHASE_NAMES.index(words.get("phase", "turn")),
            int(words.get("lap", "1")),
            int(words.get("active", "1")) - 1,
            len(held) + len(up),  # SK-S1: what is neither held nor face up is in the pile
            ENDINGS.index(words.get("ending", "")),
            sum(1 << seat - 1 for seat in _numbers(words.get("won", ""), 1, MOST_SEATS)),
            *cards,
            *[NO_CARD] * (MOST_SEATS - len(cards)),
            *(int(card in up) for card in range(CARDS + 1)),
        ]
    )
    return state


def _word(word: str) -> tuple[str, str]:
    key, equals, value = word.partition("=")
    if not equals:
        raise Refused("skeleton.bad_state", text=word[:40])
    return key, value


def _numbers(text: str, least: int, most: int) -> list[int]:
    """Numbers between dots. Compiled rules check no bounds, so they are checked here."""
    numbers = [int(number) for number in text.split(".") if number]
    if not all(least <= number <= most for number in numbers):
        raise Refused("skeleton.bad_state", text=text[:40])
    return numbers
