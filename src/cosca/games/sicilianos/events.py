"""What happens in Sicilianos, step by step, and who may know of it.

It is public that a card is drawn, taken, stolen or laid face down, and so is its colour. Its value
is a separate event for those who see it. Money is in thousands.
"""

from collections.abc import Callable, Iterator
from typing import Final

from cosca.core.errors import Param
from cosca.core.events import Event, Reason
from cosca.core.names import Action, Seat
from cosca.games.sicilianos import reasons
from cosca.games.sicilianos.pieces import (
    BUSINESSES,
    BY_BUSINESSES,
    CARD,
    COLOUR,
    COLOURS,
    DEFECT,
    KIND,
    KINDS,
    LOOK,
    MONEY,
    MOST_OF_A_KIND,
    NOTE,
    NOTE_WORTH,
    NOTES,
    PASS,
    PHASE_BOMB,
    PHASE_DEFECT,
    PHASE_DICE,
    PHASE_DRAFT,
    PHASE_DRAFTED,
    PHASE_DRAW,
    PHASE_JOIN,
    PHASE_LAY,
    PHASE_LOOK,
    PHASE_ONE,
    PHASE_OPEN,
    PHASE_OVER,
    PHASE_SHARE,
    PHASE_SHOP,
    PHASE_STAKE,
    PHASE_START,
    PHASE_STEAL,
    PHASE_STOLEN,
    PHASE_TAKE,
    PHASE_TURN,
    PHASE_TURN_UP,
    PHASE_VICTIM,
    PHASE_WHICH,
    ROLL,
    THREE_KINDS,
    VALUES,
    VICTIM,
)
from cosca.games.sicilianos.rules import State

NOBODY: Final[frozenset[Seat]] = frozenset()
LAST_OF_A_WAR: Final = (PHASE_TURN_UP, PHASE_DEFECT, PHASE_BOMB, PHASE_LAY)


def events(before: State, seat: Seat, action: Action) -> list[Event]:
    """Return the events of an action of a seat or of chance."""
    state = before.copy()
    state.apply(seat, action)
    result = list(EVENT_MAKERS[before.phase](before, state, seat, action))
    return [
        *result,
        *_war_over(before, state, seat, action),
        *_laundered(before, state, seat, action),
        *_no_business(before, state),
        *_game_over(state),
    ]


def _event(key: str, why: Reason | None = None, /, **params: Param) -> Event:
    return Event(f"sicilianos.{key}", params, reason=why)


def _secret(key: str, audience: frozenset[Seat], **params: Param) -> Event:
    return Event(f"sicilianos.{key}", params, audience)


def _brief(key: str, audience: frozenset[Seat], **params: Param) -> Event:
    """Return the event of a card shown only briefly, to be remembered by those who see it."""
    return Event(f"sicilianos.{key}", params, audience, is_transient=True)


def _card(colour: int, value: int) -> int:
    """S-M1: return a card as one number."""
    return colour * VALUES + value - 1


# --- Setup --------------------------------------------------------------------------------------


def _start(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-S4: the lot."""
    yield _event("starts", seat=action)


def _draft(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-S3: a stack is chosen."""
    yield _event("drafts", seat=seat, colour=action - COLOUR)


def _drafted(before: State, state: State, seat: Seat, value: int) -> Iterator[Event]:
    """S-S3: the card, visible to the player who has drawn it."""
    mover = before.mover
    yield _secret("drafted", frozenset({mover}), seat=mover, card=_card(before.colour, value))


# --- A turn -------------------------------------------------------------------------------------


def _turn(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-2, S-6: the dice, or a war."""
    if action == ROLL:
        yield _event("rolls", seat=seat)
    else:
        yield from _face_down("opens", seat, action - CARD)


def _face_down(key: str, seat: Seat, card: int) -> Iterator[Event]:
    """S-6, S-7, S-14: the colour is open; only the player knows the value."""
    yield _event(key, seat=seat, colour=card // VALUES)
    yield _secret("laid", frozenset({seat}), seat=seat, card=card)


def _dice(before: State, state: State, seat: Seat, face: int) -> Iterator[Event]:
    """S-2: one event for all three dice, after the last one."""
    active = before.active
    if before.rolled < 2:
        yield _event("die", seat=active, colour=face)
        return
    colours = {"colour": before.die[0], "other_colour": before.die[1]}
    yield _event("rolled", seat=active, **colours, face=face)
    if state.phase == PHASE_TURN:
        yield _event("in_vain", reasons.in_vain(face), seat=active)


def _choose(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-1: the stack for the only card there is room for."""
    yield _event("chooses", seat=seat, colour=action - COLOUR)


def _draw(before: State, state: State, seat: Seat, value: int) -> Iterator[Event]:
    """S-3, S-4: everybody sees the back, the player sees the card."""
    active, colour = before.active, before.queue[0]
    yield _event("draws", reasons.drawn(before), seat=active, colour=colour)
    yield _secret("drew", frozenset({active}), seat=active, card=_card(colour, value))


def _one(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-4: a stack to draw from, or to look through."""
    if action < LOOK:
        yield _event("chooses", seat=seat, colour=action - COLOUR)
    else:
        yield _event("looks", seat=seat, colour=action - LOOK)


def _look(before: State, state: State, seat: Seat, value: int) -> Iterator[Event]:
    """S-4: what lies where is decided card by card; then the looker sees all of it."""
    active, colour = before.active, before.colour
    if value:
        place = before.first_unseen() + 1
        yield _secret("lies", NOBODY, place=place, card=_card(colour, value))
        return
    stack = before.stack[colour * VALUES : colour * VALUES + before.size[colour]]
    for place, seen in enumerate(stack):
        card = _card(colour, seen)
        yield _brief("saw", frozenset({active}), seat=active, place=place + 1, card=card)


def _take(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-4: only the player knows which card it is, and so its place."""
    yield _event("takes", seat=seat, colour=before.colour)
    yield _secret("took", frozenset({seat}), seat=seat, card=action - CARD)


def _steal(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-5: one of the two colours rolled."""
    yield _event("wants", seat=seat, colour=action - COLOUR)


def _victim(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-5: from whom."""
    yield _event("turns_to", seat=seat, other=action - VICTIM)


def _stolen(before: State, state: State, seat: Seat, value: int) -> Iterator[Event]:
    """S-5: thief and victim see the card."""
    active, victim, colour = before.active, before.victim, before.colour
    yield _event("steals", reasons.steals(active), seat=active, other=victim, colour=colour)
    card = _card(colour, value)
    yield _secret("stolen", frozenset({active, victim}), seat=active, other=victim, card=card)


# --- War ----------------------------------------------------------------------------------------


def _stake(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-6, S-7: a note, open."""
    yield _event("stakes", seat=seat, note=NOTE_WORTH[action - NOTE])


def _join(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-7: in or out."""
    if action == PASS:
        yield _event("stays_out", seat=seat)
    else:
        yield from _face_down("joins", seat, action - CARD)


def _turn_up(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-8: all cards of this pass, the opener's first."""
    for n in range(before.seats):
        player = before.nth_player(n)
        value = before.face_down[player]
        if value:
            yield _event("turned_up", seat=player, card=_card(before.family[player], value))


def _defect(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-9: over to the second colour, or loyal."""
    if action == DEFECT:
        other = before.who_leads(before.second_colour(seat))
        yield _event("defects", reasons.defects(seat, other), seat=seat, other=other)
    else:
        yield _event("stays", seat=seat)


def _bomb(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-11: what it hits, if it goes off."""
    if action == PASS:
        yield _event("keeps_bomb", seat=seat)
    else:
        card = action - CARD
        other = before.who_leads(card // VALUES)
        yield _event("bomb", reasons.bomb(card, other), seat=seat, other=other, card=card)


def _lay(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-14: one more card, or no more."""
    if action == PASS:
        yield _event("lays_no_more", seat=seat)
    else:
        yield from _face_down("lays", seat, action - CARD)


# --- The end of a war ---------------------------------------------------------------------------


def _war_over(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-16, S-20: who wins, if this action ends the war."""
    ends = state.phase in (PHASE_OPEN, PHASE_SHARE, PHASE_TURN, PHASE_OVER)
    if before.phase not in LAST_OF_A_WAR or not ends:
        return
    war = _as_it_ended(before, seat, action)
    cards = _with_all_cards(before, seat, action)
    if war.phase not in (PHASE_OPEN, PHASE_SHARE):
        yield _event("nobody_wins", reasons.nobody_won(cards))
        return
    head = war.who_leads(war.prize)
    ally = war.joined_by[head]
    params: dict[str, Param] = {"colour": war.prize, "strength": war.strength(head)}
    if war.phase == PHASE_SHARE:
        yield _event("win_together", reasons.won_war(cards, head), seat=head, other=ally, **params)
    elif war.winner != head:
        why = reasons.won_alone(cards, war.winner, head)
        yield _event("wins_for", why, seat=war.winner, other=head, **params)
    else:
        yield _event("wins", reasons.won_war(cards, head), seat=head, **params)


def _as_it_ended(before: State, seat: Seat, action: Action) -> State:
    """Return the end of the war with its cards still on the table."""
    war = before.copy()
    war.owner = [-1] * BUSINESSES
    war.apply(seat, action)
    return war


def _laundered(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-17, S-19: the money that is laundered."""
    for winner in range(before.seats):
        total = state.laundered[winner]
        thousands = total - before.laundered[winner]
        if thousands > 0:
            alone = before.phase != PHASE_SHARE
            alone = alone and _as_it_ended(before, seat, action).phase != PHASE_SHARE
            why = reasons.laundered(winner, thousands, is_alliance=not alone)
            yield _event("laundered", why, seat=winner, thousands=thousands, total=total)


def _no_business(before: State, state: State) -> Iterator[Event]:
    """S-18, S-19: nothing is left of the winning colour."""
    if before.phase in LAST_OF_A_WAR and state.phase in (PHASE_TURN, PHASE_OVER):
        if state.prize >= 0:
            yield _event("no_business", reasons.no_business(), colour=state.prize)


def _share(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-19: one takes both stakes, the other the business."""
    key = "takes_money" if action == MONEY else "takes_shop"
    yield _event(key, reasons.shared(seat), seat=seat, other=before.joined_by[seat])


def _open(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-18: the winner sees which businesses are left."""
    winner, colour = before.winner, before.prize
    for kind in range(KINDS):
        if before.owner[colour * KINDS + kind] < 0:
            yield _brief("left", frozenset({winner}), seat=winner, colour=colour, kind=kind)


def _shop(before: State, state: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-18: the colour is open, the kind is not."""
    colour = before.prize
    yield _event("takes_business", reasons.business(before), seat=seat, colour=colour)
    yield _secret("bought", frozenset({seat}), seat=seat, colour=colour, kind=action - KIND)


# --- The end of the game ------------------------------------------------------------------------


def _game_over(state: State) -> Iterator[Event]:
    """S-23 to S-28: all businesses, all money, and the winner."""
    if state.phase != PHASE_OVER:
        return
    for seat in range(state.seats):
        yield from _shows(state, seat)
    yield from _bonuses(state)
    for seat in range(state.seats):
        yield _score(state, seat)
    winners = [seat for seat in range(state.seats) if state.won >> seat & 1]
    by_money = "won_by_money" if len(winners) == 1 else "shared_by_money"
    key = "won_by_businesses" if state.reason == BY_BUSINESSES else by_money
    for seat in winners:
        is_monopoly = state.reason == BY_BUSINESSES
        why = reasons.monopoly(state, seat) if is_monopoly else reasons.richest(state, winners)
        yield _event(key, why, seat=seat)


def _shows(state: State, seat: Seat) -> Iterator[Event]:
    """S-26, S-27: the businesses of a player are turned up."""
    for colour in range(COLOURS):
        for kind in range(KINDS):
            if state.owner[colour * KINDS + kind] == seat:
                yield _event("shows", seat=seat, colour=colour, kind=kind)


def _bonuses(state: State) -> Iterator[Event]:
    """S-26, S-27: what businesses bring."""
    for seat in range(state.seats):
        if state.has_three_kinds(seat):
            yield _event("three_kinds", reasons.three_kinds(seat), seat=seat, thousands=THREE_KINDS)
    for kind in range(KINDS):
        leader = state.leader_of(kind)
        if leader >= 0:
            why = reasons.most_of_kind(state, leader, kind)
            yield _event("most_of_kind", why, seat=leader, kind=kind, thousands=MOST_OF_A_KIND)


def _score(state: State, seat: Seat) -> Event:
    """S-25: laundered money, black money, and the total."""
    black = sum(state.notes[seat * NOTES + note] * NOTE_WORTH[note] for note in range(NOTES))
    holds = {"laundered": state.laundered[seat], "black": black, "money": state.money[seat]}
    return _event("scored", reasons.scored(state, seat), seat=seat, **holds)


EVENT_MAKERS: Final[dict[int, Callable[[State, State, Seat, Action], Iterator[Event]]]] = {
    PHASE_START: _start,
    PHASE_DRAFT: _draft,
    PHASE_DRAFTED: _drafted,
    PHASE_TURN: _turn,
    PHASE_DICE: _dice,
    PHASE_WHICH: _choose,
    PHASE_DRAW: _draw,
    PHASE_ONE: _one,
    PHASE_LOOK: _look,
    PHASE_TAKE: _take,
    PHASE_STEAL: _steal,
    PHASE_VICTIM: _victim,
    PHASE_STOLEN: _stolen,
    PHASE_STAKE: _stake,
    PHASE_JOIN: _join,
    PHASE_TURN_UP: _turn_up,
    PHASE_DEFECT: _defect,
    PHASE_BOMB: _bomb,
    PHASE_LAY: _lay,
    PHASE_SHARE: _share,
    PHASE_OPEN: _open,
    PHASE_SHOP: _shop,
}


# --- Facts for verifiers ------------------------------------------------------------------------


def unspoken_events(before: State, seat: Seat, action: Action) -> list[Event]:
    """S-13, S-16, S-21: how strong each side was, and which cards went under which stack."""
    state = before.copy()
    state.apply(seat, action)
    ends = any(_war_over(before, state, seat, action))
    return [*(_strengths(before, seat, action) if ends else ()), *_returned(before, state)]


def _strengths(before: State, seat: Seat, action: Action) -> Iterator[Event]:
    """S-8, S-9, S-16: each family in the war from the opener on; 0 if it has joined another."""
    war = _with_all_cards(before, seat, action)
    for n in range(war.seats):
        player = war.nth_player(n)
        if war.family[player] >= 0:
            params = {"colour": war.family[player], "strength": war.strength(player)}
            yield _event("fought", seat=player, **params)


def _with_all_cards(before: State, seat: Seat, action: Action) -> State:
    """S-16: return the war at its end, with all its cards still on the table."""
    war = before.copy()
    if before.phase != PHASE_LAY:
        # Pretend that more can be laid and won, so that the cards stay on the table.
        war.passed = [0] * len(war.passed)
        war.hand = [1] * len(war.hand)
        war.owner = [-1] * BUSINESSES
        war.apply(seat, action)
    return war


def _returned(before: State, state: State) -> Iterator[Event]:
    """S-13, S-21: the cards that now lie under a stack, the place counted from its top."""
    if before.phase not in WARLIKE:
        return
    for colour in range(COLOURS):
        for place in range(before.size[colour], state.size[colour]):
            card = _card(colour, state.stack[colour * VALUES + place])
            yield _event("returned", card=card, place=place + 1)


WARLIKE: Final = (*LAST_OF_A_WAR, PHASE_SHARE, PHASE_SHOP)
