"""What happens in Omerta, step by step, and who may know of it.

Events that nobody may see, such as a dealt card, have no audience. They are in the record, which
becomes readable when the match is over.
"""

from collections.abc import Callable, Iterator
from typing import Final

from cosca.core.errors import Param
from cosca.core.events import Event, Reason
from cosca.core.names import Action, Seat
from cosca.games.omerta import reasons
from cosca.games.omerta.actions import GIVEN, PAIRS
from cosca.games.omerta.pieces import (
    BOTTLES,
    CALL,
    CALL_LIMIT,
    DISCARD,
    DRAW,
    DRIVER,
    GIFTS,
    GIVE,
    HENCHMAN,
    INTO,
    KILLING,
    LADY,
    MAMMA,
    MOLE,
    NEXT,
    NO_WINDOW,
    PASS,
    PATROL,
    PEEK,
    PEEKING,
    PHASE_CALLED,
    PHASE_DEAL,
    PHASE_DRAW,
    PHASE_GIFT,
    PHASE_LAY,
    PHASE_LOOK,
    PHASE_PENALTY,
    PHASE_PLACE,
    PHASE_SAFE,
    PHASE_SETTLE,
    PHASE_SHUFFLE,
    PHASE_START,
    PHASE_TURN,
    PHASE_TURN_UP,
    PHASE_USE,
    PHASE_WINDOW,
    ROW,
    SAFE,
    SAFECRACKER,
    SLOT,
    SNAPPING,
    TAKE,
    TARGET,
    TRAITOR,
)
from cosca.games.omerta.rules import State

NOBODY: Final[frozenset[Seat]] = frozenset()


def events(before: State, seat: Seat, action: Action) -> list[Event]:
    """Return the events of an action of a seat or of chance."""
    state = before.copy()
    state.apply(seat, action)
    return [
        *EVENT_MAKERS[before.phase](before, state, seat, action),
        *_second_bottle(before, state),
        *_reshuffle(before, state),
        *_passing(before, state),
        *_next_game(before, state),
    ]


def _event(key: str, why: Reason | None = None, /, **params: Param) -> Event:
    return Event(f"omerta.{key}", params, reason=why)


def _secret(key: str, audience: frozenset[Seat], **params: Param) -> Event:
    return Event(f"omerta.{key}", params, audience)


def _brief(
    key: str, audience: frozenset[Seat] | None, why: Reason | None = None, /, **params: Param
) -> Event:
    """Return the event of a card shown only briefly, to be remembered by those who see it."""
    return Event(f"omerta.{key}", params, audience, is_transient=True, reason=why)


# --- Setup --------------------------------------------------------------------------------------


def _start(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-S1: who is Al Capone's favourite."""
    yield _event("starts", seat=action)


def _deal(before: State, state: State, seat: Seat, kind: int) -> Iterator[Event]:
    """O-S2: a card face down for a row or the safe, or the first discard."""
    rows = ROW * before.seats
    if before.dealt < rows:
        place = {"seat": before.dealt // ROW, "slot": before.dealt % ROW + 1}
        yield _secret("dealt", NOBODY, card=kind, **place)
    elif before.dealt < rows + SAFE:
        yield _secret("dealt_safe", NOBODY, card=kind, place=before.dealt - rows + 1)
    else:
        yield _event("first_discard", card=kind)


# --- Windows ------------------------------------------------------------------------------------


def _answer(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-9: an answer is known only to its player until the window closes."""
    audience = frozenset({seat})
    if action == PASS:
        yield _secret("stays_put", audience, seat=seat)
    elif before.window == PEEKING:
        one, other = PAIRS[action - PEEK]
        yield _secret("picks", audience, seat=seat, one_slot=one + 1, other_slot=other + 1)
    else:
        yield _secret("reaches", audience, seat=seat, slot=action - SLOT + 1)


def _settle(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-S3, O-7, O-8, O-9, O-16: cards are turned up, one after another."""
    if before.window == PEEKING:
        for player in range(before.seats):
            yield from _peek(before, player)
    elif action == NEXT:
        yield from _effect(before, state)
    else:
        yield from _lay(before, state, action)


def _peek(before: State, seat: Seat) -> Iterator[Event]:
    """O-S3: everybody sees which cards, the owner what they are."""
    pair = PAIRS[before.answer[seat] - PEEK]
    yield _event("peeked", seat=seat, one_slot=pair[0] + 1, other_slot=pair[1] + 1)
    for slot in pair:
        yield _saw(before, seat, slot)


def _saw(before: State, seat: Seat, slot: int) -> Event:
    kind = before.kind[before.row[seat][slot]]
    return _brief("saw", frozenset({seat}), seat=seat, slot=slot + 1, card=kind)


def _lay(before: State, state: State, seat: Seat) -> Iterator[Event]:
    """O-7, O-8, O-16: the right card, or a mistake."""
    slot = before.answer[seat] - SLOT
    kind = before.kind[before.row[seat][slot]]
    laid: dict[str, Param] = {"seat": seat, "slot": slot + 1, "card": kind}
    if before.fits(kind):
        key = "blocked" if before.window == KILLING else "snapped"
        yield _event(key, reasons.laid_right(before), **laid)
        for other in before.order[before.settled : before.reached]:
            if other != seat:
                back = {"seat": other, "slot": before.answer[other] - SLOT + 1}
                yield _event("too_slow", reasons.too_slow(before, seat), **back)
        return
    yield _brief("wrong", None, reasons.wrong(before), **laid)
    yield from _mistake(before, state, seat)


def _mistake(before: State, state: State, seat: Seat) -> Iterator[Event]:
    """O-5, O-8: with no card to draw there is no penalty."""
    if state.phase != PHASE_PENALTY:
        yield _event("no_penalty", reasons.no_cards(), seat=seat)
        yield from _effect(before, state)


def _penalty(before: State, state: State, seat: Seat, kind: int) -> Iterator[Event]:
    """O-8, O-17: an unseen card joins the row."""
    yield _event("penalty", reasons.penalty(before), seat=before.receiver)
    yield _secret("penalty_card", NOBODY, card=kind)
    yield from _effect(before, state)


def _effect(before: State, state: State) -> Iterator[Event]:
    """O-12 to O-19p: an action that nobody has stopped."""
    if before.window == KILLING and state.window != KILLING:
        yield from _done(before, state, list(before.named))


def _done(before: State, state: State, named: list[int]) -> Iterator[Event]:
    """O-12 to O-19p: what an action has done."""
    kind, seat = before.top(), before.active
    if kind == HENCHMAN:
        yield _event("swapped", reasons.took_effect(before), **_swap_params(named))
    elif kind == LADY:
        yield _event("shuffled", reasons.took_effect(before), seat=seat, other=named[0])
    elif kind == MAMMA:
        yield _event("mamma_laid", reasons.mamma(named[0]), seat=seat, other=named[0])
    elif kind == PATROL:
        where = {"other": named[0], "slot": named[1] + 1}
        yield _event("patrol_laid", reasons.patrol(named[0]), seat=seat, **where)
    elif state.phase != PHASE_GIFT:
        yield _event("no_gifts", reasons.no_gifts(), seat=seat)


def _swap_params(named: list[int]) -> dict[str, Param]:
    one, slot, other, other_slot = named
    return {"one": one, "slot": slot + 1, "other": other, "other_slot": other_slot + 1}


# --- A turn -------------------------------------------------------------------------------------


def _turn(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-1, O-2, O-5, O-20: the turn begins."""
    if action == CALL:
        yield _event("called", seat=seat)
    elif action == DRAW:
        yield _event("draws", seat=seat)
    elif action == TAKE:
        yield _event("takes", seat=seat, card=before.top())
        yield from _lifted_by(before, seat)
    else:
        yield _event("nothing_to_take", reasons.no_cards(), seat=seat)
        yield from _lifted_by(before, seat)


def _draw(before: State, state: State, seat: Seat, kind: int) -> Iterator[Event]:
    """O-2, O-19t: the card from the draw pile; then the taker's mamma or patrol may be lifted."""
    active = before.active
    yield _brief("drew", frozenset({active}), seat=active, card=kind)
    yield from _lifted_by(before, active)


def _lifted_by(before: State, layer: Seat) -> Iterator[Event]:
    """O-19t: what a player has laid goes onto the discard pile, mammas first."""
    for seat in range(before.seats):
        if before.mamma[seat] == layer:
            yield _event("mamma_lifted", reasons.mamma_lifted(layer), seat=seat)
    for seat in range(before.seats):
        for card in before.row[seat][: before.length[seat]]:
            if before.watcher[card] == layer and before.watches[card] == 1:
                yield _event("patrol_lifted", reasons.patrol_lifted(layer), seat=seat)


def _place(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-3, O-4: the taken card goes into the row, or away."""
    if action == DISCARD:
        yield _event("discards", seat=seat, card=before.kind[before.held])
    else:
        yield _event("replaces", seat=seat, slot=action - SLOT + 1)


def _turn_up(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-3: the card that lay there."""
    yield _event("turned_up", seat=before.active, card=before.kind[before.held])


# --- Characters ---------------------------------------------------------------------------------


def _use(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-12 to O-19p: declined, or announced when all its parts are named."""
    kind = before.top()
    if action == PASS and before.step == 0:
        yield _event("declines", seat=seat, card=kind)
    elif kind == SAFECRACKER:
        yield _event("opens_safe", seat=seat)
    elif kind == MOLE:
        yield _event("looks", seat=seat, slot=action - SLOT + 1)
    elif kind == DRIVER:
        if state.phase == PHASE_LAY:
            yield from _load(state)
    elif state.phase != PHASE_USE:
        named = _named(before, action)
        yield from _announce(before, seat, named)
        if state.window == NO_WINDOW:  # nobody could lay down a card
            yield from _done(before, state, named)


def _load(state: State) -> Iterator[Event]:
    """O-17: the cards are named together."""
    seat, one, other = state.active, state.named[0] + 1, state.named[1] + 1
    if state.step == 2:
        yield _event("loads_two", seat=seat, slot=one, other_slot=other)
    else:
        yield _event("loads", seat=seat, slot=one)


def _named(before: State, action: Action) -> list[int]:
    """O-12, O-13, O-15, O-19m, O-19p: all parts of an action, with the last one."""
    named = list(before.named)
    if before.top() in (HENCHMAN, PATROL):
        named[before.step] = action - SLOT
    elif before.top() == TRAITOR:
        named[:GIFTS] = GIVEN[action - GIVE]
    else:
        named[0] = action - TARGET
    return named


def _announce(before: State, seat: Seat, named: list[int]) -> Iterator[Event]:
    """O-16: the target is named, and an assassin may still stop it."""
    kind = before.top()
    if kind == HENCHMAN:
        yield _event("plays_henchman", seat=seat, **_swap_params(named))
    elif kind == PATROL:
        yield _event("plays_patrol", seat=seat, other=named[0], slot=named[1] + 1)
    elif kind == TRAITOR:
        key = "plays_traitor" if named[0] == named[1] else "plays_traitor_on_two"
        yield _event(key, seat=seat, one=named[0], other=named[1])
    else:
        key = "plays_lady" if kind == LADY else "plays_mamma"
        yield _event(key, seat=seat, other=named[0])


def _look(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-14, O-18: what one player sees."""
    active = before.active
    if before.top() == MOLE:
        yield _saw(before, active, before.named[0])
        return
    for place, card in enumerate(before.safe):
        kind = before.kind[card]
        yield _brief("safe_holds", frozenset({active}), seat=active, place=place + 1, card=kind)


def _lay_load(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-17: bottles go, a character brings all back."""
    active = before.active
    named = before.named[: before.step]
    kinds = [before.kind[before.row[active][slot]] for slot in named]
    mistake = any(kind >= BOTTLES for kind in kinds)
    for part, (slot, kind) in enumerate(zip(named, kinds, strict=True)):
        laid: dict[str, Param] = {"seat": active, "slot": slot + 1, "card": kind}
        waits = part == 1 and before.snap_each
        key = "second_bottle" if waits else "laid"
        yield _brief("shown", None, **laid) if mistake else _event(key, reasons.driven(), **laid)
        if waits and not mistake and state.held < 0:  # nobody could snap the first
            yield _event("second_laid", reasons.driven(), seat=active, card=kind)
    if mistake:
        yield _event("bad_load", reasons.bad_load(named, kinds), seat=active)
        yield from _mistake(before, state, active)


def _safe(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-18: exchanged or not."""
    if action == PASS:
        yield _event("leaves_safe", seat=seat)
    elif action < SLOT:
        place = action - INTO + 1
        yield _event("exchanged", seat=seat, slot=before.named[0] + 1, place=place)


def _shuffle(before: State, state: State, seat: Seat, n: int) -> Iterator[Event]:
    """O-13: which card goes where; nobody sees it."""
    free = _free_slots(before, before.receiver)
    yield _secret("shuffled_in", NOBODY, slot=free[n], other_slot=free[before.step])


def _free_slots(before: State, seat: Seat) -> list[int]:
    """O-13, O-19p: the cards of a row on which no patrol lies, counted from 1 in the whole row."""
    row = before.row[seat][: before.length[seat]]
    return [slot for slot, card in enumerate(row, start=1) if before.watcher[card] < 0]


def _gift(before: State, state: State, seat: Seat, kind: int) -> Iterator[Event]:
    """O-15: a card from the draw pile."""
    yield _event("gift", reasons.took_effect(before), seat=before.named[before.step])
    yield _secret("gift_card", NOBODY, card=kind)


# --- Consequences -------------------------------------------------------------------------------


def _second_bottle(before: State, state: State) -> Iterator[Event]:
    """O-10: the window for the driver's first bottle is closed, the second one is discarded."""
    if before.window == SNAPPING and before.held >= 0 and state.held < 0:
        kind = before.kind[before.held]
        yield _event("second_laid", reasons.driven(), seat=before.active, card=kind)


def _reshuffle(before: State, state: State) -> Iterator[Event]:
    """O-5: the discards become the draw pile."""
    if state.game == before.game and state.gen != before.gen:
        yield _event("reshuffled", reasons.reshuffled(), number=state.pile_count)


def _passing(before: State, state: State) -> Iterator[Event]:
    """O-19m, O-19t: players who are skipped, and the mammas and patrols they lift."""
    if state.game != before.game or before.phase in (PHASE_START, PHASE_DEAL):
        return
    for turn in range(1, state.turns - before.turns):
        seat = (before.active + turn) % before.seats
        yield _event("skipped", reasons.skipped(seat), seat=seat)
        yield from _lifted_by(before, seat)


def _called(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """O-20 to O-24: all rows, and what they score."""
    if before.caller < 0:
        yield _event("uncalled", reasons.uncalled(before))
    for player in range(before.seats):
        for card in before.row[player][: before.length[player]]:
            yield _event("shows", seat=player, card=before.kind[card])
    if before.caller >= 0:
        good = before.is_good_call()
        worth = before.row_worth(before.caller)
        key = "good_call" if good else "bad_call" if worth <= CALL_LIMIT else "high_call"
        yield _event(key, reasons.call(before), seat=before.caller, worth=worth)
    for player in range(before.seats):
        yield _scored(before, state, player)
    winners = [player for player in range(before.seats) if state.won >> player & 1]
    for player in winners:
        yield _event("won" if len(winners) == 1 else "shared", reasons.won(state), seat=player)


def _scored(before: State, state: State, seat: Seat) -> Event:
    """O-21, O-22, O-24: what a row is worth, and what its player scores."""
    worth, points, total = before.row_worth(seat), state.scores[seat], state.totals[seat]
    why = reasons.scored(before, seat)
    return _event("scored", why, seat=seat, worth=worth, points=points, total=total)


def _next_game(before: State, state: State) -> Iterator[Event]:
    """O-S1, O-23: another game begins."""
    if state.game > before.game:
        why = reasons.begins(before, state)
        yield _event("game", why, game=state.game, games=state.games, seat=state.start)


EVENT_MAKERS: Final[dict[int, Callable[[State, State, Seat, Action], Iterator[Event]]]] = {
    PHASE_START: _start,
    PHASE_DEAL: _deal,
    PHASE_WINDOW: _answer,
    PHASE_SETTLE: _settle,
    PHASE_PENALTY: _penalty,
    PHASE_TURN: _turn,
    PHASE_DRAW: _draw,
    PHASE_PLACE: _place,
    PHASE_TURN_UP: _turn_up,
    PHASE_USE: _use,
    PHASE_LOOK: _look,
    PHASE_LAY: _lay_load,
    PHASE_SAFE: _safe,
    PHASE_SHUFFLE: _shuffle,
    PHASE_GIFT: _gift,
    PHASE_CALLED: _called,
}


# --- Events as in records of format 1 -----------------------------------------------------------


def format_1_events(before: State, seat: Seat, action: Action) -> list[Event]:
    """Return the events as in format 1: slots count free cards only, lifts come elsewhere."""
    result = [event for event in events(before, seat, action) if event.key not in LIFTED]
    if before.phase == PHASE_SHUFFLE:
        slots = {"slot": action + 1, "other_slot": before.step + 1}
        result[0] = _secret("shuffled_in", NOBODY, **slots)
    state = before.copy()
    state.apply(seat, action)
    if state.game == before.game and before.phase not in (PHASE_START, PHASE_DEAL):
        at = 1 if before.phase in (PHASE_TURN, PHASE_DRAW) else len(result)
        result[at:at] = _lifted_by_seat(before, state)
    return result


LIFTED: Final = ("omerta.mamma_lifted", "omerta.patrol_lifted")


def _lifted_by_seat(before: State, state: State) -> Iterator[Event]:
    """O-19t: mamma and patrol, seat by seat, whoever laid them."""
    for seat in range(before.seats):
        if before.mamma[seat] >= 0 and state.mamma[seat] < 0:
            yield _event("mamma_lifted", seat=seat)
        for _ in range(before.patrols[seat] - state.patrols[seat]):
            yield _event("patrol_lifted", seat=seat)
