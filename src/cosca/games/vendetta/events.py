"""What happens in Vendetta, step by step, as everybody at the table sees it."""

from cosca.core.errors import Param
from cosca.core.events import Event
from cosca.core.names import Action, Seat
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


def _event(key: str, **params: Param) -> Event:
    return Event(f"vendetta.{key}", params)


def _placing(state: State, seat: Seat, action: Action) -> Event:
    """V-3, V-4: what the active player places, or that they stop."""
    if action == DONE:
        return _event("done" if state.districts_used else "passed", seat=seat)
    district, number = placed(action)
    return _event("placed", seat=seat, district=district, number=number)


def _deal(state: State, district: int) -> list[Event]:
    """V-S2: a card dealt face up; after the last one the first round begins."""
    result = [_event("dealt", seat=state.dealt // 2, district=district + 1)]
    state.apply_deal(district)
    return result + ([_event("round", round=1, seat=state.start)] if state.round else [])


def _card(state: State, district: int) -> list[Event]:
    """V-3, V-9, V-12: the card, who loses, who collects; with the eleventh the round ends."""
    result = _could_not_place(state)
    result.append(_event("turned_up", seat=state.active, district=district + 1))
    loser = state.loser(district)
    if loser >= 0:
        lost = state.men[district][loser]
        result.append(_event("lost", seat=loser, district=district + 1, number=lost))
    state.turn_up(district)
    state.vendetta(district)
    hands = state.hand[:]
    state.collect(district)
    result += _received(state, hands, "collected")
    if state.turn == TURNS - 1:
        result += _end_of_round(state)
    return result


def _could_not_place(state: State) -> list[Event]:
    """V-3, V-6: why the card follows at once: no mafiosi to place, or too few."""
    if state.districts_used or state.can_place():
        return []
    if state.hand[state.active]:
        return [_event("cannot_place", seat=state.active)]
    return [_event("empty_handed", seat=state.active)]


def _received(state: State, hands: list[int], key: str) -> list[Event]:
    """V-12, V-20, V-M4: who took how many from the box."""
    return [
        _event(key, seat=seat, number=state.hand[seat] - hands[seat])
        for seat in range(state.seats)
        if state.hand[seat] > hands[seat]
    ]


def _end_of_round(state: State) -> list[Event]:
    """V-14 to V-21: the raid, the points, and the winner or the next round."""
    result = []
    for district in range(DISTRICTS):
        if not state.turned_up[district]:
            lost = sum(state.men[district])
            result.append(_event("raided", district=district + 1, number=lost))
    state.raid()
    points = state.points[:]
    state.score_round()
    for seat in range(state.seats):
        if state.controlled[seat]:
            gained = state.points[seat] - points[seat]
            result.append(
                _event(
                    "scored",
                    seat=seat,
                    districts=state.controlled[seat],
                    points=gained,
                    total=state.points[seat],
                )
            )
    if state.decide():
        winners = [seat for seat in range(state.seats) if state.won >> seat & 1]
        key = "won" if len(winners) == 1 else "shared"
        return result + [_event(f"{key}_by_{ENDINGS[state.reason]}", seat=seat) for seat in winners]
    hands = state.hand[:]
    state.reinforce()
    result += _received(state, hands, "reinforced")
    return [*result, _event("round", round=state.round + 1, seat=state.after(state.active))]


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
