"""What happens in Vendetta, step by step, as everybody at the table sees it."""

from collections.abc import Callable

from cosca.core.errors import Param
from cosca.core.events import Event, Reason
from cosca.core.names import Action, Seat
from cosca.games.vendetta import reasons
from cosca.games.vendetta.actions import placed
from cosca.games.vendetta.pieces import (
    DISTRICTS,
    DONE,
    ENDINGS,
    PHASE_CARD,
    PHASE_DEAL,
    PHASE_PLACE,
    TURNS,
)
from cosca.games.vendetta.rules import State


def events(before: State, seat: Seat, action: Action) -> list[Event]:
    """V-8: the events of an action of a seat or of chance; all of them are public."""
    state = before.copy()
    if state.phase == PHASE_PLACE:
        return [_placing(before, seat, action)]
    if state.phase == PHASE_CARD:
        return _card(state, action)
    if state.phase == PHASE_DEAL:
        return _deal(state, action)
    return [_event("trustee", seat=action)]


def format_1_events(before: State, seat: Seat, action: Action) -> list[Event]:
    """V-6: the events as in records of format 1, which omit who could not place."""
    result = events(before, seat, action)
    return [event for event in result if event.key != "vendetta.cannot_place"]


def _event(key: str, why: Reason | None = None, /, **params: Param) -> Event:
    return Event(f"vendetta.{key}", params, reason=why)


def _placing(state: State, seat: Seat, action: Action) -> Event:
    """V-3, V-4: what the active player places, or that they stop."""
    if action == DONE:
        return _event("done" if state.districts_used else "passed", seat=seat)
    district, number = placed(action)
    return _event("placed", seat=seat, district=district, number=number)


def _deal(state: State, district: int) -> list[Event]:
    """V-S2: a card dealt face up; after the last one the first round begins."""
    seat = state.dealt // 2
    result = [_event("dealt", reasons.dealt(state, seat), seat=seat, district=district + 1)]
    state.apply_deal(district)
    if state.round:
        start = state.start
        result.append(_event("round", reasons.first_round(start), round=1, seat=start))
    return result


def _card(state: State, district: int) -> list[Event]:
    """V-3, V-9, V-12: the card, who loses, who collects; with the eleventh the round ends."""
    result = _could_not_place(state)
    card = {"seat": state.active, "district": district + 1}
    result.append(_event("turned_up", reasons.turned_up(state, district), **card))
    loser = state.loser(district)
    if loser >= 0:
        loss = {"seat": loser, "district": district + 1, "number": state.men[district][loser]}
        result.append(_event("lost", reasons.lost(state, district, loser), **loss))
    state.turn_up(district)
    state.vendetta(district)
    hands = state.hand[:]
    state.collect(district)
    result += _received(state, hands, "collected", lambda _: reasons.collected())
    if state.turn == TURNS - 1:
        result += _end_of_round(state)
    return result


def _could_not_place(state: State) -> list[Event]:
    """V-3, V-6: why the card follows at once: no mafiosi to place, or too few."""
    if state.districts_used or state.can_place():
        return []
    seat = state.active
    if state.hand[seat]:
        return [_event("cannot_place", reasons.cannot_place(state), seat=seat)]
    return [_event("empty_handed", reasons.empty_handed(seat), seat=seat)]


def _received(
    state: State, hands: list[int], key: str, why: Callable[[int], Reason]
) -> list[Event]:
    """V-12, V-20, V-M4: who took how many from the box."""
    taken = [state.hand[seat] - hands[seat] for seat in range(state.seats)]
    return [
        _event(key, why(number), seat=seat, number=number)
        for seat, number in enumerate(taken)
        if number > 0
    ]


def _end_of_round(state: State) -> list[Event]:
    """V-14 to V-21: the raid, the points, and the winner or the next round."""
    result = _raid(state)
    points = state.points[:]
    state.score_round()
    for seat in range(state.seats):
        if state.controlled[seat]:
            result.append(_scored(state, seat, state.points[seat] - points[seat]))
    if state.decide():
        return result + _winners(state)
    hands = state.hand[:]
    state.reinforce()
    result += _received(state, hands, "reinforced", reasons.reinforced)
    start = state.after(state.active)
    return [*result, _event("round", reasons.next_round(start), round=state.round + 1, seat=start)]


def _raid(state: State) -> list[Event]:
    """V-14: two districts lose everybody."""
    result = []
    for district in range(DISTRICTS):
        if not state.turned_up[district]:
            loss = {"district": district + 1, "number": sum(state.men[district])}
            result.append(_event("raided", reasons.raided(state, district), **loss))
    state.raid()
    return result


def _scored(state: State, seat: Seat, gained: int) -> Event:
    """V-15 to V-16e: the districts that a player controls, and their points."""
    why = reasons.scored(state, seat, is_counted=gained > 0)
    held, total = state.controlled[seat], state.points[seat]
    return _event("scored", why, seat=seat, districts=held, points=gained, total=total)


def _winners(state: State) -> list[Event]:
    """V-17 to V-19r, V-21: who wins, alone or together, and how."""
    winners = [seat for seat in range(state.seats) if state.won >> seat & 1]
    key = "won" if len(winners) == 1 else "shared"
    why = reasons.won(state, winners)
    return [_event(f"{key}_by_{ENDINGS[state.reason]}", why, seat=seat) for seat in winners]


# --- Facts for verifiers --------------------------------------------------------------------------


def unspoken_events(before: State, seat: Seat, action: Action) -> list[Event]:
    """V-15, V-M3, V-20: control, hands and boxes after each round."""
    if before.phase != PHASE_CARD or before.turn < TURNS - 1:
        return []
    state = before.copy()
    state.apply(seat, action)
    return [*_control(state), *_holdings(state)]


def _control(state: State) -> list[Event]:
    """V-15: the districts that somebody controls."""
    controllers = [(state.controller(district), district) for district in range(DISTRICTS)]
    return [
        _event("controls", seat=seat, district=district + 1)
        for seat, district in controllers
        if seat >= 0
    ]


def _holdings(state: State) -> list[Event]:
    """V-M3, V-20: hands and boxes, as the next round begins with them."""
    return [
        _event("holds", seat=seat, hand=state.hand[seat], box=state.box[seat])
        for seat in range(state.seats)
    ]
