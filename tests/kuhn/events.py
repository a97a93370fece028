"""What happens in Kuhn poker, and who sees it."""

from dataclasses import replace

from cosca.core.errors import Param
from cosca.core.events import EVERYONE, Event, Reason
from cosca.core.names import CHANCE, Action, Seat
from tests.kuhn.pieces import BET, BY_FOLDS, NOBODY, SEATS
from tests.kuhn.rules import State


def events(before: State, seat: Seat, action: Action) -> list[Event]:
    """What happens when a seat, or chance, does this now."""
    if seat == CHANCE:
        return _dealt(before.dealt, action)
    verbs = ("passes", "bets") if before.bettor == NOBODY else ("folds", "calls")
    after = before.copy()
    after.apply(seat, action)
    return [_event(verbs[action == BET], seat=seat), *_ending(after)]


def _event(key: str, audience: frozenset[Seat] | None = EVERYONE, **params: Param) -> Event:
    return Event(f"kuhn.{key}", params, audience)


def _dealt(seat: Seat, card: int) -> list[Event]:
    """All see that a card is dealt, one sees which."""
    return [_event("dealt", seat=seat), _event("card", frozenset([seat]), card=card)]


def _ending(after: State) -> list[Event]:
    """The cards that are shown, and who takes the pot."""
    shown = [seat for seat in range(SEATS) if after.is_shown(seat)]
    events = [_event("shows", seat=seat, card=after.cards[seat]) for seat in shown]
    won = [_event("won", seat=seat) for seat in range(SEATS) if after.won >> seat & 1]
    return events + [replace(event, reason=_why(after)) for event in won]


def _why(after: State) -> Reason:
    """All others have folded, or the highest card of those who are left."""
    if after.reason == BY_FOLDS:
        return Reason("kuhn.reason.folds", {}, "K-1")
    left = [seat for seat in range(SEATS) if not after.folded[seat]]
    figures = tuple((seat, after.cards[seat]) for seat in left)
    return Reason("kuhn.reason.highest", {"figures": figures}, "K-2")
