"""What a seat knows in Skeleton, and a state that fits it."""

from dataclasses import dataclass, replace
from typing import Any

from cosca.core import position as core
from cosca.core.dice import Dice
from cosca.core.names import SPECTATOR, Seat
from cosca.games.skeleton.pieces import (
    CARDS,
    MOST_SEATS,
    NO_CARD,
    PHASE_NAMES,
    UNKNOWN,
)
from cosca.games.skeleton.rules import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(core.Position):
    """What one seat, or a spectator, knows."""

    # The house rules that bear on play.
    laps: int
    # Where the game stands.
    phase: str
    lap: int
    active: Seat
    drawn: int
    ending: int
    winners: tuple[Seat, ...]
    # The cards.
    cards: tuple[int, ...]
    up: tuple[int, ...]


def position(state: State, seat: Seat) -> Position:
    """SK-S2, SK-9: the own card, those that lie face up, and who has done what."""
    return Position.combine(public_fields(state), private_fields(state, seat))


def private_fields(state: State, seat: Seat) -> core.Fields:
    """SK-S2: the own card, and those that are shown."""
    return {
        "seat": seat,
        "actors": state.actors(),
        "legal": tuple(state.legal_actions(seat)),
        "cards": tuple(_seen(state, seat, other) for other in range(state.seats)),
    }


def public_fields(state: State) -> core.Fields:
    """SK-9: the cards that lie face up, and who has done what."""
    return {
        "laps": state.laps,
        "phase": PHASE_NAMES[state.phase],
        "lap": state.lap,
        "active": state.active,
        "drawn": state.drawn,
        "ending": state.reason,
        "winners": tuple(other for other in range(state.seats) if state.won >> other & 1),
        "up": tuple(card for card in range(1, CARDS + 1) if state.up[card]),
    }


def _seen(state: State, seat: Seat, other: Seat) -> int:
    """SK-S2, SK-4, SK-7: one's own card, and all of them once they are turned up."""
    card = state.cards[other]
    if card == NO_CARD or other == seat or state.is_shown():
        return card
    return UNKNOWN


def reveal(state: State) -> Position:
    """SK-7: every card, as if all had been turned up."""
    return replace(position(state, SPECTATOR), cards=tuple(state.cards[: state.seats]))


def unseen(position: Position) -> list[int]:
    """SK-9: the cards that are in the pile or in a hand this seat has not seen."""
    seen = {*position.cards, *position.up}
    return [card for card in range(1, CARDS + 1) if card not in seen]


def read_position(data: dict[str, Any]) -> Position:
    """Read a position from plain data."""
    return Position.from_wire(data)


def sample(position: Position, dice: Dice) -> State:
    """SK-9: a state that fits: cards that this seat has not seen are dealt at random."""
    left = unseen(position)
    cards = [
        left.pop(dice.below(len(left))) if card == UNKNOWN else card for card in position.cards
    ]
    state = State(len(cards))
    state.load(
        [
            len(cards),
            position.laps,
            PHASE_NAMES.index(position.phase),
            position.lap,
            position.active,
            position.drawn,
            position.ending,
            sum(1 << seat for seat in position.winners),
            *cards,
            *[NO_CARD] * (MOST_SEATS - len(cards)),
            *(int(card in position.up) for card in range(CARDS + 1)),
        ]
    )
    return state
