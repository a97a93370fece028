"""What a seat knows in Sicilianos, field by field, and what a limited memory retains of it.

For each colour everybody knows what happened to its cards, in order, and a seat knows the values of
those it took part in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, NamedTuple

from cosca.core import position as core
from cosca.core.names import SPECTATOR, Seat
from cosca.games.sicilianos.pieces import (
    COLOURS,
    DRAWN,
    EVENTS,
    KINDS,
    MOST_SEATS,
    NOTES,
    PHASE_NAMES,
    PHASE_SHOP,
    PHASE_TAKE,
    RETURNED,
    SHOWN,
    STOLEN,
    TAKEN,
    VALUES,
)
from cosca.games.sicilianos.rules import State

UNKNOWN: Final = -1
NOBODY: Final = -1
ALL_SEATS: Final = tuple(range(MOST_SEATS))
NO_BUYERS: Final = (NOBODY,) * KINDS
NO_KINDS: Final = (UNKNOWN,) * KINDS


class Deed(NamedTuple):
    """Something that happened to a card: drawn, taken, stolen, shown or returned."""

    what: int
    seat: Seat
    other: int
    """The victim of a theft; or the place it was taken from, if this seat knows it."""
    value: int
    """The value of the card, or UNKNOWN to this seat."""
    seen: tuple[int, ...]
    """The stack, for the seat that looked through it."""


class Record(NamedTuple):
    """Everything a seat knows of the cards of one colour."""

    before: tuple[int, ...]
    """Number of cards in each hand and in the stack before the first remembered deed."""
    deeds: tuple[Deed, ...]
    hands: tuple[tuple[Seat, int], ...]
    """Known hands: their seats and values."""
    stack: tuple[int, ...]
    """The stack, if this seat is looking through it; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(core.Position):
    """What one seat, or a spectator, knows."""

    # House rules.
    defectors: int
    bombs: int
    faces: int
    hand_limit: int
    # Progress of the game.
    phase: str
    turns: int
    active: Seat
    mover: Seat
    ending: int
    winners: tuple[Seat, ...]
    rolled: int
    die: tuple[int, ...]
    queue: tuple[int, ...]
    queued: int
    colour: int
    victim: Seat
    # Money and businesses.
    laundered: tuple[int, ...]
    money: tuple[int, ...]
    notes: tuple[tuple[int, ...], ...]
    owners: tuple[tuple[Seat, ...], ...]
    """For each colour the buyers of the first, second and third business."""
    known_kinds: tuple[tuple[int, ...], ...]
    # Hands and stacks.
    hands: tuple[tuple[int, ...], ...]
    mine: tuple[int, ...]
    sizes: tuple[int, ...]
    unseen: tuple[int, ...]
    """For each stack, the number of cards that nobody has ever seen."""
    unseen_at: tuple[int, ...]
    """For each stack, the place where these cards begin."""
    looking: tuple[int, ...]
    # The war.
    war_pass: int
    at: int
    winner: Seat
    prize: int
    family: tuple[int, ...]
    stake: tuple[int, ...]
    passed: tuple[int, ...]
    joined: tuple[Seat, ...]
    joined_by: tuple[Seat, ...]
    face_down: tuple[int, ...]
    mine_down: int
    fresh: tuple[int, ...]
    laid: tuple[tuple[int, ...], ...]
    # What happened to the cards of each colour.
    learnt: tuple[Record, ...] = ()
    truth: tuple[tuple[int, ...], ...]
    """All hands, if everything is revealed."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.notes)


# --- View of a seat -------------------------------------------------------------------------------


def position(state: State, seat: Seat) -> Position:
    """Return everything open, the own hand, and what the seat has seen of each colour."""
    return _seen_by(state, seat, _viewers(seat))


def reveal(state: State) -> Position:
    """Return the position with all hands, stacks and businesses revealed."""
    return _seen_by(state, SPECTATOR, ALL_SEATS)


def private_fields(state: State, seat: Seat) -> core.Fields:
    """Return what only this seat knows: its hand, face-down card, businesses and looks."""
    return _shown_to(state, seat, _viewers(seat))


def _viewers(seat: Seat) -> tuple[Seat, ...]:
    return (seat,) if seat >= 0 else ()


def _seen_by(state: State, seat: Seat, viewers: tuple[Seat, ...]) -> Position:
    own = _shown_to(state, seat, viewers)
    return Position(**public_fields(state), **own, learnt=_learnt(state, viewers))


def _shown_to(state: State, seat: Seat, viewers: tuple[Seat, ...]) -> core.Fields:
    """Return what a viewer sees. Lists of a compiled state are copies, so read each once."""
    hand = state.hand
    return {
        "seat": seat,
        "actors": state.actors(),
        "legal": tuple(state.legal_actions(seat)),
        "known_kinds": _known_kinds(state, viewers),
        "mine": tuple(hand[seat * COLOURS : (seat + 1) * COLOURS]) if seat >= 0 else (0,) * COLOURS,
        "looking": tuple(_stack(state, state.colour)) if _looks(state, viewers) else (),
        "mine_down": state.face_down[seat] if seat >= 0 else 0,
        "truth": tuple(_by_seat(hand, state.seats)) if viewers == ALL_SEATS else (),
    }


def public_fields(state: State) -> core.Fields:
    """Return what everybody knows: colours, money, and everything on the table."""
    number = state.seats
    stack, size = state.stack, state.size
    notes, cards, laid = state.notes, state.cards, state.laid
    stacks = [stack[c * VALUES : c * VALUES + size[c]] for c in range(COLOURS)]
    return {
        "defectors": state.defectors,
        "bombs": state.bombs,
        "faces": state.faces,
        "hand_limit": state.hand_limit,
        "phase": PHASE_NAMES[state.phase],
        "turns": state.turns,
        "active": state.active,
        "mover": state.mover,
        "ending": state.reason,
        "winners": tuple([other for other in range(number) if state.won >> other & 1]),
        "rolled": state.rolled,
        "die": tuple(state.die),
        "queue": tuple(state.queue),
        "queued": state.queued,
        "colour": state.colour,
        "victim": state.victim,
        "laundered": tuple(state.laundered[:number]),
        "money": tuple(state.money[:number]),
        "notes": tuple([tuple(notes[s * NOTES : (s + 1) * NOTES]) for s in range(number)]),
        "owners": _owners(state),
        "hands": tuple(
            [tuple([held.bit_count() for held in by]) for by in _by_seat(state.hand, number)]
        ),
        "sizes": tuple(size),
        "unseen": tuple([values.count(0) for values in stacks]),
        "unseen_at": tuple([values.index(0) if 0 in values else NOBODY for values in stacks]),
        "war_pass": state.war_pass,
        "at": state.at,
        "winner": state.winner,
        "prize": state.prize,
        "family": tuple(state.family[:number]),
        "stake": tuple(state.stake[:number]),
        "passed": tuple(state.passed[:number]),
        "joined": tuple(state.joined[:number]),
        "joined_by": tuple(state.joined_by[:number]),
        "face_down": tuple([int(value > 0) for value in state.face_down[:number]]),
        "fresh": tuple(state.fresh[:number]),
        "laid": tuple([tuple(laid[s * VALUES : s * VALUES + cards[s]]) for s in range(number)]),
    }


def _by_seat(hand: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Split a flat list of a state by seat."""
    return [tuple(hand[seat * COLOURS : (seat + 1) * COLOURS]) for seat in range(seats)]


def _stack(state: State, colour: int) -> Sequence[int]:
    return state.stack[colour * VALUES : colour * VALUES + state.size[colour]]


def _looks(state: State, viewers: tuple[Seat, ...]) -> bool:
    """S-4: whether a viewer is looking through a stack."""
    return state.phase == PHASE_TAKE and state.mover in viewers


def _owners(state: State) -> tuple[tuple[Seat, ...], ...]:
    """S-18: the first, second and third buyer of each colour."""
    bought, owner = state.bought, state.owner
    return tuple([_buyers(bought, owner, c) for c in range(COLOURS)])


def _buyers(bought: Sequence[int], owner: Sequence[Seat], colour: int) -> tuple[Seat, ...]:
    first = colour * KINDS
    if bought[first] < 0:  # the usual case
        return NO_BUYERS
    kinds = bought[first : first + KINDS]
    return tuple([owner[first + kind] if kind >= 0 else NOBODY for kind in kinds])


def _known_kinds(state: State, viewers: tuple[Seat, ...]) -> tuple[tuple[int, ...], ...]:
    """S-18, S-23, S-26: the own kinds, those a later buyer can infer, and at the end all."""
    bought, owner, over = state.bought, state.owner, state.reason
    shops = state.prize if state.phase == PHASE_SHOP and state.mover in viewers else NOBODY
    result: list[tuple[int, ...]] = [NO_KINDS] * COLOURS
    for colour in range(COLOURS):
        buyers = _buyers(bought, owner, colour)
        if buyers is not NO_BUYERS:
            kinds = bought[colour * KINDS : (colour + 1) * KINDS]
            known = [
                kind if buyer in viewers or over else UNKNOWN
                for kind, buyer in zip(kinds, buyers, strict=True)
            ]
            if buyers[1] in viewers or (shops == colour and buyers[1] == NOBODY):
                known[0] = kinds[0]
            result[colour] = tuple(known)
    return tuple(result)


def _learnt(state: State, viewers: tuple[Seat, ...]) -> tuple[Record, ...]:
    """S-4, S-5, S-8: the records of each colour as a viewer has seen them."""
    deed, value, happened = state.deed, state.value, state.happened
    stack, size, before = state.stack, state.size, state.before
    hands = _held(state, viewers)
    through = state.colour if _looks(state, viewers) else NOBODY
    result = []
    for colour in range(COLOURS):
        first, last = colour * EVENTS, colour * EVENTS + happened[colour]
        cards = stack[colour * VALUES : colour * VALUES + size[colour]]
        result.append(
            Record(
                tuple(before[colour * 7 : colour * 7 + 7]),
                _deeds(deed[first:last], value[first:last], cards, viewers),
                hands[colour],
                tuple(cards) if viewers == ALL_SEATS or colour == through else (),
            )
        )
    return tuple(result)


def _deeds(
    codes: Sequence[int], values: Sequence[int], stack: Sequence[int], viewers: tuple[Seat, ...]
) -> tuple[Deed, ...]:
    """Return the deeds of a colour as a viewer saw them, worked back from the stack now."""
    now = list(stack)
    result = []
    for code, value in zip(reversed(codes), reversed(values), strict=True):
        deed = _deed(code, value)
        _undo(now, deed)
        result.append(_masked(deed, viewers, now))
    return tuple(reversed(result))


@cache
def _deed(code: int, value: int) -> Deed:
    """Return the deed of a code; cached, because positions repeat the same deeds."""
    return Deed(code % 8, code // 8 % 8, code // 64, value, ())


def _held(state: State, viewers: tuple[Seat, ...]) -> list[tuple[tuple[Seat, int], ...]]:
    """S-6: for each colour the values in a viewer's hands, with the face-down card."""
    hand, family, down = state.hand, state.family, state.face_down
    seats = [seat for seat in viewers if seat < state.seats]
    return [
        tuple([(s, hand[s * COLOURS + c] | bit(down[s] if family[s] == c else 0)) for s in seats])
        for c in range(COLOURS)
    ]


def bit(value: int) -> int:
    """Return the bit of a value in a bit mask; 0 for no card."""
    return 1 << (value - 1) if value else 0


def _undo(stack: list[int], deed: Deed) -> None:
    """Undo a deed in a stack."""
    if deed.what == RETURNED:
        stack.pop()
    elif deed.what == DRAWN:
        stack.insert(0, deed.value)
    elif deed.what == TAKEN:
        stack.insert(deed.other, deed.value)


def _masked(deed: Deed, viewers: tuple[Seat, ...], stack: list[int]) -> Deed:
    """Return a deed as a viewer saw it."""
    what, seat, other, value, _ = deed
    if what in (SHOWN, RETURNED):
        return deed
    if what == TAKEN:
        if seat not in viewers:
            return Deed(what, seat, UNKNOWN, UNKNOWN, ())
        return Deed(what, seat, other, value, tuple(stack))
    known = seat in viewers or (what == STOLEN and other in viewers)
    return deed if known else Deed(what, seat, other, UNKNOWN, ())


def read_position(data: dict[str, Any]) -> Position:
    """Read a position from plain data."""
    fields = {name: core.tuples(value) for name, value in data.items()}
    fields["learnt"] = tuple(
        Record(before, tuple(Deed(*deed) for deed in deeds), hands, stack)
        for before, deeds, hands, stack in fields["learnt"]
    )
    return Position(**fields)


# --- Limited memory -------------------------------------------------------------------------------


def limit_memory(position: Position, span: int) -> Position:
    """Return the position with the last `span` deeds of each colour, and whole wars."""
    return replace(position, learnt=tuple(_shortened(record, span) for record in position.learnt))


def _shortened(record: Record, span: int) -> Record:
    """Shorten a record to a deed before which no card was on the table."""
    lay = [0]
    for deed in record.deeds:
        lay.append(lay[-1] + (deed.what == SHOWN) - (deed.what == RETURNED))
    cut = max(0, len(record.deeds) - span)
    while lay[cut]:
        cut -= 1
    sizes = list(record.before)
    for deed in record.deeds[:cut]:
        count_deed(sizes, deed)
    return record._replace(before=tuple(sizes), deeds=record.deeds[cut:])


def count_deed(sizes: list[int], deed: Deed) -> None:
    """Update the number of cards in each hand and in the stack after a deed."""
    if deed.what in (DRAWN, TAKEN):
        sizes[MOST_SEATS] -= 1
        sizes[deed.seat] += 1
    elif deed.what == STOLEN:
        sizes[deed.other] -= 1
        sizes[deed.seat] += 1
    elif deed.what == SHOWN:
        sizes[deed.seat] -= 1
    else:
        sizes[MOST_SEATS] += 1
