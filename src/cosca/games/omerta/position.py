"""What a seat knows in Omerta, field by field, and what a limited memory retains of it.

A position has two parts. What is visible *now* is what a camera behind the seat would see: cards
face down except those being looked at. What the seat has *learnt* is separate, in `learnt`: every
card it has ever seen, followed to its current place.
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
    """A card that can be followed, on the table or before a shuffle."""

    number: int
    kind: int
    """Its kind, or UNKNOWN to this seat."""
    place: int
    seen: int
    """Bit mask of who has seen it. This is public; what they saw is not."""
    shown: int
    since: int
    origin: int
    into: int
    pile: int
    watcher: Seat
    watches: int


class Learnt(NamedTuple):
    """Everything a seat with a perfect memory knows. Rows and safe contain track numbers."""

    rows: tuple[tuple[int, ...], ...]
    safe: tuple[int, ...]
    held: int
    tracks: tuple[Track, ...]
    discards: tuple[int, ...]
    pools: tuple[tuple[int, ...], ...]
    """For each draw pile so far: the cards that have not been face up since."""
    pile: int
    shuffle: int
    shuffles: int
    showing: bool

    def kind(self, seat: Seat, slot: int) -> int:
        """Return the kind of card in a place, or UNKNOWN."""
        return self.by_number()[self.rows[seat][slot]].kind

    def by_number(self) -> dict[int, Track]:
        """Return the tracks by number."""
        return {track.number: track for track in self.tracks}


NOTHING_LEARNT: Final = Learnt((), (), NO_CARD, (), (), (), 0, 0, 0, False)
"""The knowledge of a viewer who remembers nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(core.Position):
    """What one seat, or a spectator, knows. Seats, slots and kinds count from 0 here."""

    # House rules.
    deck: int
    games: int
    sealed: bool
    snap_each: bool
    must_use: bool
    first_up: bool
    first_call: int
    max_rounds: int
    # Progress of the match.
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
    # The table as visible now.
    rows: tuple[tuple[int, ...], ...]
    safe: tuple[int, ...]
    held: int
    from_discards: bool
    top: int
    discarded: int
    pile_count: int
    mammas: tuple[Seat, ...]
    patrols: tuple[tuple[Seat, int, Seat, int], ...]
    """For each patrol: owner and place of the card, who laid it, and how many turns it stays."""
    # The action in progress.
    step: int
    named: tuple[int, ...]
    receiver: Seat
    window: str
    asked: tuple[Seat, ...]
    answer: Action
    """The seat's own answer in an open window."""
    settled: tuple[tuple[Seat, Action], ...]
    # What was seen earlier.
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


# --- View of a seat -------------------------------------------------------------------------------


def position(state: State, seat: Seat) -> Position:
    """Return what is open, shown to this seat or seen by it, with its own answer in a window."""
    return _seen_by(state, seat, _viewer_mask(seat))


def reveal(state: State) -> Position:
    """O-20: every card, as if all had been turned up."""
    return _seen_by(state, SPECTATOR, EVERYONE | TRUTH)


def private_fields(state: State, seat: Seat) -> core.Fields:
    """Return what only this seat knows: cards shown to it and its answer in a window."""
    return _shown_to(state, seat, _viewer_mask(seat))


def _viewer_mask(seat: Seat) -> int:
    """Return the bit mask of a viewer: the seat itself and the public."""
    return PUBLIC | (1 << seat if seat >= 0 else 0)


def _seen_by(state: State, seat: Seat, viewers: int) -> Position:
    own = _shown_to(state, seat, viewers)
    return Position(**public_fields(state), **own, learnt=_learnt(state, viewers))


def _shown_to(state: State, seat: Seat, viewers: int) -> core.Fields:
    """Return what a viewer sees. Lists of a compiled state are copies, so read each once."""
    faces = _faces(state, viewers)
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
        "held": _held(state, viewers),
        "answer": state.answer[seat] if answered else NO_ANSWER,
    }


def _faces(state: State, viewers: int) -> dict[int, int]:
    """Return the cards shown to a viewer now, with their kinds."""
    shown = [card for card, to in enumerate(state.shown) if to & viewers]
    if not shown:  # the usual case
        return {}
    place, kind, seen = state.place, state.kind, state.seen
    return {
        card: kind[card] if (seen[card] | TRUTH) & viewers else UNKNOWN
        for card in shown
        if place[card] != FREE
    }


def _held(state: State, viewers: int) -> int:
    """O-2, O-3, O-10: its taker sees a taken card, nobody a replaced one, all see a bottle."""
    held = state.held
    if held < 0 or state.place[held] == FREE:
        return NO_CARD
    if (state.phase == PHASE_PLACE or state.window == SNAPPING) and state.seen[held] & viewers:
        return state.kind[held]
    return FACE_DOWN


def public_fields(state: State) -> core.Fields:
    """Return what everybody knows: the open cards and the progress of the match."""
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
    """O-9: all who are asked, whether or not they have answered: that stays hidden."""
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


def _learnt(state: State, viewers: int) -> Learnt:
    """O-9, O-13: every card that a viewer has seen, and where each card went."""
    length, row, pools = state.length, state.row, state.pools
    return Learnt(
        rows=tuple(tuple(row[seat][: length[seat]]) for seat in range(state.seats)),
        safe=tuple(state.safe),
        held=state.held,
        tracks=tuple(Track._make(track) for track in state.followed(viewers)),
        discards=tuple(state.discards[: state.discarded]),
        pools=tuple(tuple(pools[pile * KINDS : (pile + 1) * KINDS]) for pile in range(PILES)),
        pile=state.gen,
        shuffle=state.shuffle,
        shuffles=state.shuffles,
        showing=bool(state.showing),
    )


def read_position(data: dict[str, Any]) -> Position:
    """Read a position from plain data."""
    position = Position.from_wire(data)
    learnt = Learnt(*position.learnt)
    tracks = tuple(Track(*track) for track in learnt.tracks)
    return replace(position, learnt=learnt._replace(tracks=tracks))


# --- Limited memory -------------------------------------------------------------------------------


def limit_memory(position: Position, span: int) -> Position:
    """Return the position as remembered with room for `span` cards: the last seen and visible ones.

    A card that lay open after a shuffle (O-13) stays known: others can be inferred from it.
    """
    learnt = position.learnt
    viewers = _viewer_mask(position.seat)
    held = [track for track in learnt.tracks if _can_be_forgotten(track, learnt, viewers)]
    held.sort(key=lambda track: (track.since, track.number))
    gone = {track.number for track in held[: max(0, len(held) - span)]}
    pools = [list(pool) for pool in learnt.pools]
    tracks = []
    for track in learnt.tracks:
        if track.number in gone:
            if track.seen & PUBLIC:  # for this memory it has never left the draw pile
                pools[learnt.pile][track.kind] += 1
                track = track._replace(pile=learnt.pile)
            track = track._replace(kind=UNKNOWN, seen=track.seen & ~viewers)
        tracks.append(track)
    pools_left = tuple(tuple(pool) for pool in pools)
    return replace(position, learnt=learnt._replace(tracks=tuple(tracks), pools=pools_left))


def _can_be_forgotten(track: Track, learnt: Learnt, viewers: int) -> bool:
    in_sight = track.shown & viewers or track.number == learnt.held
    shuffled = track.origin and track.seen & PUBLIC
    return track.kind != UNKNOWN and not in_sight and not shuffled
