"""What a seat knows in Vendetta, and the state that fits it.

Everything is open except the order of the face-down cards, which is decided only when one is turned
up. So every seat knows the same, and exactly one state fits.
"""

from dataclasses import dataclass
from typing import Any

from cosca.core import position as core
from cosca.core.dice import Dice
from cosca.core.names import SPECTATOR, Seat
from cosca.games.vendetta.pieces import DISTRICTS, PHASE_CARD, PHASE_NAMES, PHASE_PLACE
from cosca.games.vendetta.rules import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(core.Position):
    """What one seat, or a spectator, knows. Districts and seats count from 0 here."""

    # House rules.
    only_own_cards: bool
    limit_every_turn: bool
    most_controls: bool
    final_points: bool
    exceed_goal: bool
    max_rounds: int
    # Progress of the game.
    phase: str
    round: int
    turn: int
    start: Seat
    active: Seat
    districts_used: int
    last_placed: int
    dealt: int
    ending: int
    winners: tuple[Seat, ...]
    # The pieces.
    men: tuple[tuple[int, ...], ...]
    hands: tuple[int, ...]
    box: tuple[int, ...]
    points: tuple[int, ...]
    controlled: tuple[int, ...]
    turned_up: tuple[int, ...]
    # What the rules make of it for the active player.
    minimums: tuple[int, ...]
    districts_left: int


def position(state: State, seat: Seat) -> Position:
    """V-8: everything is open to every seat."""
    return Position.combine(public_fields(state), private_fields(state, seat))


def private_fields(state: State, seat: Seat) -> core.Fields:
    """Return what depends on the seat: only its legal actions, for everybody sees the same."""
    return {"seat": seat, "actors": state.actors(), "legal": tuple(state.legal_actions(seat))}


def public_fields(state: State) -> core.Fields:
    """V-8: everything on the map, all cards turned up, hands, box and points."""
    number = state.seats
    in_turn = state.phase in (PHASE_PLACE, PHASE_CARD)
    return {
        "only_own_cards": bool(state.only_own_cards),
        "limit_every_turn": bool(state.limit_every_turn),
        "most_controls": bool(state.most_controls),
        "final_points": bool(state.final_points),
        "exceed_goal": bool(state.exceed_goal),
        "max_rounds": state.max_rounds,
        "phase": PHASE_NAMES[state.phase],
        "round": state.round,
        "turn": state.turn,
        "start": state.start,
        "active": state.active,
        "districts_used": state.districts_used,
        "last_placed": state.last_placed,
        "dealt": state.dealt,
        "ending": state.reason,
        "winners": tuple([other for other in range(number) if state.won >> other & 1]),
        "men": tuple([tuple(row[:number]) for row in state.men]),
        "hands": tuple(state.hand[:number]),
        "box": tuple(state.box[:number]),
        "points": tuple(state.points[:number]),
        "controlled": tuple(state.controlled[:number]),
        "turned_up": tuple([d for d, up in enumerate(state.turned_up) if up]),
        "minimums": tuple(
            [state.minimum(state.active, d) if in_turn else 1 for d in range(DISTRICTS)]
        ),
        "districts_left": state.limit() - state.districts_used if in_turn else 0,
    }


def reveal(state: State) -> Position:
    """V-8: the position of a spectator, for everything is open."""
    return position(state, SPECTATOR)


def read_position(data: dict[str, Any]) -> Position:
    """Read a position from plain data."""
    return Position.from_wire(data)


def sample(position: Position, dice: Dice) -> State:
    """Return the one state that fits: nothing is hidden, so the dice are not used."""
    state = State(len(position.hands))
    full = 5 - state.seats
    state.load(
        [
            state.seats,
            position.only_own_cards,
            position.limit_every_turn,
            position.most_controls,
            position.final_points,
            position.exceed_goal,
            position.max_rounds,
            PHASE_NAMES.index(position.phase),
            position.round,
            position.turn,
            position.start,
            position.active,
            position.districts_used,
            position.last_placed,
            position.dealt,
            position.ending,
            sum(1 << seat for seat in position.winners),
            *(*position.hands, *[0] * full),
            *(*position.box, *[0] * full),
            *(*position.points, *[0] * full),
            *(*position.controlled, *[0] * full),
            *(int(district in position.turned_up) for district in range(DISTRICTS)),
            *(men for row in position.men for men in (*row, *[0] * full)),
        ]
    )
    return state
