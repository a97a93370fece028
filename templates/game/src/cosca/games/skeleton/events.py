"""What happens in Skeleton, step by step, and who sees it."""

from cosca.core.errors import Param
from cosca.core.events import EVERYONE, Event, Listing, Reason
from cosca.core.names import Action, Seat
from cosca.games.skeleton.pieces import PHASE_DEAL, PHASE_DRAW, PHASE_TURN, SWAP
from cosca.games.skeleton.rules import State


def events(before: State, seat: Seat, action: Action) -> list[Event]:
    """SK-9: what happens when a seat, or chance, does this now."""
    after = before.copy()
    after.apply(seat, action)
    return [*_step(before, after, action), *_next_lap(before, after)]


def _event(
    key: str,
    audience: frozenset[Seat] | None = EVERYONE,
    why: Reason | None = None,
    **params: Param,
) -> Event:
    return Event(f"skeleton.{key}", params, audience, reason=why)


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    """Return why something happened; the rules or another player decided it."""
    return Reason(f"skeleton.reason.{key}", params, rule)


def _step(before: State, after: State, action: Action) -> list[Event]:
    if before.phase == PHASE_DEAL:
        return _given("dealt", before.drawn, action)
    if before.phase == PHASE_TURN:
        return [_turn(before, action)]
    if before.phase == PHASE_DRAW:
        why = _because("swapped", "SK-4", seat=before.active)
        return _given("draws", before.active, action, why)
    return _ending(after)


def _given(key: str, seat: Seat, card: int, why: Reason | None = None) -> list[Event]:
    """SK-S2, SK-4: all see that a player gets a card; only that player sees which."""
    seen = _event("sees", frozenset([seat]), seat=seat, card=card)
    return [_event(key, why=why, seat=seat), seen]


def _turn(before: State, action: Action) -> Event:
    """SK-2, SK-3: the active player keeps, or shows the card that goes."""
    if action == SWAP:
        return _event("swaps", seat=before.active, card=before.cards[before.active])
    return _event("keeps", seat=before.active)


def _next_lap(before: State, after: State) -> list[Event]:
    """SK-6: another lap begins."""
    why = _because("laps", "SK-6", number=after.laps)
    return [_event("lap", why=why, lap=after.lap)] if after.lap > before.lap else []


def _ending(after: State) -> list[Event]:
    """SK-7, SK-8: every card, and who wins."""
    events = [_event("shows", seat=seat, card=after.cards[seat]) for seat in range(after.seats)]
    winners = [seat for seat in range(after.seats) if after.won >> seat & 1]
    cards = tuple((seat, after.cards[seat]) for seat in range(after.seats))
    why = _because("highest", "SK-8", figures=cards)
    return events + [_event("won", why=why, seat=seat) for seat in winners]
