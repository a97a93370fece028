"""What happens in Kuhn poker, and who sees it."""

from cosca.core.errors import Param
from cosca.core.events import EVERYONE, Event
from cosca.core.names import CHANCE, Action, Seat
from tests.kuhn.pieces import BET, NOBODY, SEATS
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
    return events + [_event("won", seat=seat) for seat in range(SEATS) if after.won >> seat & 1]
