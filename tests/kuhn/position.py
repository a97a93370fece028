"""What a seat knows in Kuhn poker, and a state that fits it."""

from dataclasses import dataclass, replace
from typing import Any

from cosca.core import position as core
from cosca.core.dice import Dice
from cosca.core.names import SPECTATOR, Seat
from tests.kuhn.pieces import CARDS, SEATS, UNKNOWN
from tests.kuhn.rules import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(core.Position):
    """What one seat, or a spectator, knows."""

    all_show: bool
    dealt: int
    active: Seat
    bettor: Seat
    ending: int
    winners: tuple[Seat, ...]
    pot: int
    cards: tuple[int, ...]
    folded: tuple[int, ...]
    chips: tuple[int, ...]


def position(state: State, seat: Seat) -> Position:
    """The own card and those that lie open; all bets and chips."""
    return Position.combine(public_fields(state), private_fields(state, seat))


def private_fields(state: State, seat: Seat) -> core.Fields:
    """The own card and those that lie open."""
    return {
        "seat": seat,
        "actors": state.actors(),
        "legal": tuple(state.legal_actions(seat)),
        "cards": tuple(
            card if other == seat or state.is_shown(other) else UNKNOWN
            for other, card in enumerate(state.cards)
        ),
    }


def public_fields(state: State) -> core.Fields:
    """All bets and chips."""
    return {
        "all_show": state.all_show,
        "dealt": state.dealt,
        "active": state.active,
        "bettor": state.bettor,
        "ending": state.reason,
        "winners": tuple(other for other in range(SEATS) if state.won >> other & 1),
        "pot": state.pot,
        "folded": tuple(state.folded),
        "chips": tuple(state.chips),
    }


def reveal(state: State) -> Position:
    """All cards."""
    return replace(position(state, SPECTATOR), cards=tuple(state.cards))


def read_position(data: dict[str, Any]) -> Position:
    """The position that came over the wire."""
    return Position.from_wire(data)


def sample(position: Position, dice: Dice) -> State:
    """Deal the cards that this seat has not seen, each as likely."""
    unseen = [card for card in range(CARDS) if card not in position.cards]
    cards = list(position.cards)
    for seat in range(position.dealt):
        if cards[seat] == UNKNOWN:
            cards[seat] = unseen.pop(dice.below(len(unseen)))
    state = State()
    state.load(
        [
            position.all_show,
            position.dealt,
            position.active,
            position.bettor,
            position.ending,
            sum(1 << seat for seat in position.winners),
            position.pot,
            *cards,
            *position.folded,
            *position.chips,
        ]
    )
    return state
