"""What a seat knows in Omerta, field by field, and what is left of it in a shorter memory.

A position has two parts. What is visible *now* is what a camera behind the seat would see: cards
face down but for those being looked at. What the seat has *learnt* is apart from it, in `learnt`:
every card it has ever seen, followed to where it lies now.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from cosca.core import position as core
from cosca.core.names import SPECTATOR, Action, Seat
from cosca.games.omerta.pieces import (
    EVERYONE,
    FREE,
    KINDS,
    NO_WINDOW,
    PHASE_NAMES,
    PHASE_PLACE,
    PHASE_SETTLE,
    PHASE_WINDOW,
    PILES,
    PUBLIC,
    SNAPPING,
    TRUTH,
    WINDOW_NAMES,
)
from cosca.games.omerta.rules import State

FACE_DOWN: Final = -1
NO_CARD: Final = -2
UNKNOWN: Final = -1
NOBODY: Final = -1
NO_ANSWER: Final = -1


class Track(NamedTuple):
    """A card that can be followed, on the table or gone into a shuffle."""

    number: int
    kind: int
    """What it is, or UNKNOWN to this seat."""
    place: int
    seen: int
    """Who has seen it is no secret, only what they saw."""
    shown: int
    since: int
    origin: int
    into: int
    pile: int
    watcher: Seat
    watches: int


class Learnt(NamedTuple):
    """All that a seat can know who forgets nothing. Rows and safe name tracks here."""

    rows: tuple[tuple[int, ...], ...]
    safe: tuple[int, ...]
    held: int
    tracks: tuple[Track, ...]
    discards: tuple[int, ...]
    pools: tuple[tuple[int, ...], ...]
    """Of each draw pile there was: what has not been face up since."""
    pile: int
    shuffle: int
    shuffles: int
    showing: bool

    def kind(self, seat: Seat, slot: int) -> int:
        """What lies in that place, or UNKNOWN."""
        return self.by_number()[self.rows[seat][slot]].kind

    def by_number(self) -> dict[int, Track]:
        """The tracks by their numbers."""
        return {track.number: track for track in self.tracks}


NOTHING_LEARNT: Final = Learnt((), (), NO_CARD, (), (), (), 0, 0, 0, False)
"""Of somebody who looks at the table and remembers nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(core.Position):
    """What one seat, or a spectator, knows. Seats, slots and kinds count from 0 here."""

    # The house rules that bear on play.
    deck: int
    games: int
    sealed: bool
    snap_each: bool
    must_use: bool
    first_up: bool
    first_call: int
    max_rounds: int
    # Where the match stands.
    phase: str
    game: int
    turns: int
    start: Seat
    active: Seat
    dealt: int
    caller: Seat
    ending: int
    winners: tuple[Seat, ...]
    totals: tuple[int, ...]
    scores: tuple[int, ...]
    # The table, as one sees it now.
    rows: tuple[tuple[int, ...], ...]
    safe: tuple[int, ...]
    held: int
    from_discards: bool
    top: int
    discarded: int
    pile_count: int
    mammas: tuple[Seat, ...]
    patrols: tuple[tuple[Seat, int, Seat, int], ...]
    """Whose card, which one, who laid it there, for how many more of that one's turns."""
    # What is being done.
    step: int
    named: tuple[int, ...]
    receiver: Seat
    window: str
    asked: tuple[Seat, ...]
    answer: Action
    """The own answer in an open window."""
    settled: tuple[tuple[Seat, Action], ...]
    # What was seen before.
    learnt: Learnt = NOTHING_LEARNT

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.rows)

    def is_free(self, seat: Seat, slot: int) -> bool:
        """O-19p: whether no patrol lies on a card."""
        return all((seat, slot) != patrol[:2] for patrol in self.patrols)

    def free(self, seat: Seat) -> list[int]:
        """O-19p: the free cards of a row."""
        return [slot for slot in range(len(self.rows[seat])) if self.is_free(seat, slot)]


# --- What a seat sees -----------------------------------------------------------------------------


def position(state: State, seat: Seat) -> Position:
    """What lies open, what this seat is shown, what it has seen; of open windows the own answer."""
    return _seen_by(state, seat, _eyes(seat))


def reveal(state: State) -> Position:
    """O-20: every card, as if all had been turned up."""
    return _seen_by(state, SPECTATOR, EVERYONE | TRUTH)


def private_fields(state: State, seat: Seat) -> core.Fields:
    """What this seat is shown of the cards; of open windows the own answer."""
    return _shown_to(state, seat, _eyes(seat))


def _eyes(seat: Seat) -> int:
    """A seat's own eyes, and those of everybody."""
    return PUBLIC | (1 << seat if seat >= 0 else 0)


def _seen_by(state: State, seat: Seat, eyes: int) -> Position:
    own = _shown_to(state, seat, eyes)
    return Position(**public_fields(state), **own, learnt=_learnt(state, eyes))


def _shown_to(state: State, seat: Seat, eyes: int) -> core.Fields:
    """What these eyes see. Every list of a state is a copy, so each is asked for once."""
    faces = _faces(state, eyes)
    length, seats = state.length, range(state.seats)
    if faces:
        row = state.row
        rows = [tuple([faces.get(c, FACE_DOWN) for c in row[s][: length[s]]]) for s in seats]
    else:
        rows = [(FACE_DOWN,) * length[s] for s in seats]
    answered = seat >= 0 and state.answered >> seat & 1
    return {
        "seat": seat,
        "actors": _actors(state, seat) if _is_open(state) else state.actors(),
        "legal": tuple(state.legal_actions(seat)),
        "rows": tuple(rows),
        "safe": tuple([faces.get(card, FACE_DOWN) for card in state.safe]),
        "held": _held(state, eyes),
        "answer": state.answer[seat] if answered else NO_ANSWER,
    }


def _faces(state: State, eyes: int) -> dict[int, int]:
    """The cards that are being shown to these eyes, and what they are."""
    shown = [card for card, to in enumerate(state.shown) if to & eyes]
    if not shown:  # as most of the time
        return {}
    place, kind, seen = state.place, state.kind, state.seen
    return {
        card: kind[card] if (seen[card] | TRUTH) & eyes else UNKNOWN
        for card in shown
        if place[card] != FREE
    }


def _held(state: State, eyes: int) -> int:
    """O-2, O-3, O-10: who took a card sees it, nobody a replaced one, everybody a bottle."""
    held = state.held
    if held < 0 or state.place[held] == FREE:
        return NO_CARD
    if (state.phase == PHASE_PLACE or state.window == SNAPPING) and state.seen[held] & eyes:
        return state.kind[held]
    return FACE_DOWN


def public_fields(state: State) -> core.Fields:
    """What lies open on the table, and what everybody knows of the match."""
    number = state.seats
    seats = range(number)
    settled = state.settled if state.window != NO_WINDOW else 0
    answers = state.answer
    return {
        "deck": state.deck,
        "games": state.games,
        "sealed": bool(state.sealed),
        "snap_each": bool(state.snap_each),
        "must_use": bool(state.must_use),
        "first_up": bool(state.first_up),
        "first_call": state.first_call,
        "max_rounds": state.max_rounds,
        "phase": PHASE_NAMES[PHASE_WINDOW if _is_open(state) else state.phase],
        "game": state.game,
        "turns": state.turns,
        "start": state.start,
        "active": state.active,
        "dealt": state.dealt,
        "caller": state.caller,
        "ending": state.reason,
        "winners": tuple([other for other in seats if state.won >> other & 1]),
        "totals": tuple(state.totals[:number]),
        "scores": tuple(state.scores[:number]),
        "from_discards": bool(state.from_discards),
        "top": state.top() if state.discarded else NO_CARD,
        "discarded": state.discarded,
        "pile_count": state.pile_count,
        "mammas": tuple(state.mamma[:number]),
        "patrols": tuple(_patrols(state)),
        "step": state.step,
        "named": tuple(state.named),
        "receiver": state.receiver,
        "window": WINDOW_NAMES[state.window],
        "asked": tuple([other for other in seats if state.asked >> other & 1]),
        "settled": tuple([(other, answers[other]) for other in state.order[:settled]]),
    }


def _is_open(state: State) -> bool:
    """O-9: until the first card is turned up nobody can tell whether all have answered."""
    return state.phase == PHASE_WINDOW or (state.phase == PHASE_SETTLE and state.settled == 0)


def _actors(state: State, seat: Seat) -> tuple[Seat, ...]:
    """O-9: all who are asked; who of the others has answered is not shown."""
    asked = state.asked & ~(state.answered & (1 << seat)) if seat >= 0 else state.asked
    return tuple(other for other in range(state.seats) if asked >> other & 1)


def _patrols(state: State) -> Iterator[tuple[Seat, int, Seat, int]]:
    """O-19p: where a patrol lies."""
    patrols = state.patrols
    if not any(patrols):
        return
    watcher, watches, row, length = state.watcher, state.watches, state.row, state.length
    for seat in range(state.seats):
        if patrols[seat]:
            for slot, card in enumerate(row[seat][: length[seat]]):
                if watcher[card] != NOBODY:
                    yield seat, slot, watcher[card], watches[card]


def _learnt(state: State, eyes: int) -> Learnt:
    """O-9, O-13: every card that these eyes have seen, and where each card went."""
    length, row, pools = state.length, state.row, state.pools
    return Learnt(
        rows=tuple(tuple(row[seat][: length[seat]]) for seat in range(state.seats)),
        safe=tuple(state.safe),
        held=state.held,
        tracks=tuple(Track._make(track) for track in state.followed(eyes)),
        discards=tuple(state.discards[: state.discarded]),
        pools=tuple(tuple(pools[pile * KINDS : (pile + 1) * KINDS]) for pile in range(PILES)),
        pile=state.gen,
        shuffle=state.shuffle,
        shuffles=state.shuffles,
        showing=bool(state.showing),
    )


def read_position(told: dict[str, Any]) -> Position:
    """The position that came over the wire."""
    position = Position.from_wire(told)
    learnt = Learnt(*position.learnt)
    tracks = tuple(Track(*track) for track in learnt.tracks)
    return replace(position, learnt=learnt._replace(tracks=tracks))


# --- What is forgotten ----------------------------------------------------------------------------


def limit_memory(position: Position, span: int) -> Position:
    """What is left in a mind that holds so many cards: those seen last, and what is in sight.

    Of a card that lay open after a shuffle (O-13) it still knows: others may be told from it.
    """
    learnt = position.learnt
    eyes = _eyes(position.seat)
    held = [track for track in learnt.tracks if _can_be_forgotten(track, learnt, eyes)]
    held.sort(key=lambda track: (track.since, track.number))
    gone = {track.number for track in held[: max(0, len(held) - span)]}
    pools = [list(pool) for pool in learnt.pools]
    tracks = []
    for track in learnt.tracks:
        if track.number in gone:
            if track.seen & PUBLIC:  # to this mind it has never been out of the draw pile
                pools[learnt.pile][track.kind] += 1
                track = track._replace(pile=learnt.pile)
            track = track._replace(kind=UNKNOWN, seen=track.seen & ~eyes)
        tracks.append(track)
    pools_left = tuple(tuple(pool) for pool in pools)
    return replace(position, learnt=learnt._replace(tracks=tuple(tracks), pools=pools_left))


def _can_be_forgotten(track: Track, learnt: Learnt, eyes: int) -> bool:
    in_sight = track.shown & eyes or track.number == learnt.held
    shuffled = track.origin and track.seen & PUBLIC
    return track.kind != UNKNOWN and not in_sight and not shuffled
