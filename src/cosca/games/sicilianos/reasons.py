"""Why things happen in Sicilianos, in the figures of the table; all of it is public."""

from cosca.core.errors import Param
from cosca.core.events import Listing, Reason
from cosca.core.names import Seat
from cosca.games.sicilianos.pieces import (
    BODYGUARD,
    COLOURS,
    KINDS,
    NOTE_WORTH,
    NOTES,
    ONE,
    TWO,
    VALUES,
    WORTH_AS_DEFECTOR,
)
from cosca.games.sicilianos.rules import State


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    return Reason(f"sicilianos.reason.{key}", params, rule)


# --- A turn -------------------------------------------------------------------------------------


def drawn(before: State) -> Reason:
    """S-3, S-4: what the influence die allows."""
    if before.die[2] == TWO:
        return _because("draw_two", "S-3")
    return _because("draw_one", "S-4")


def in_vain(face: int) -> Reason:
    """S-3, S-4, S-5: why nothing can be taken."""
    if face == TWO:
        return _because("rolled_stacks_empty", "S-3")
    if face == ONE:
        return _because("all_stacks_empty", "S-4")
    return _because("nobody_to_rob", "S-5")


def steals(seat: Seat) -> Reason:
    """S-5: what the influence die allows."""
    return _because("rolled_steal", "S-5", seat=seat)


# --- War ----------------------------------------------------------------------------------------


def defects(seat: Seat, other: Seat) -> Reason:
    """S-9: what the 8 counts now, and for whom."""
    return _because("allies", "S-9", seat=seat, other=other, number=WORTH_AS_DEFECTOR)


def bomb(card: int, other: Seat) -> Reason:
    """S-11, S-12: why the bomb may take this card."""
    if card % VALUES + 1 == BODYGUARD:
        return _because("guarded", "S-12", other=other)
    return _because("unguarded", "S-11", other=other, colour=card // VALUES)


def won_war(war: State, head: Seat) -> Reason:
    """S-7, S-16: the strengths, and whose stakes are lost."""
    losers = _in_war(war, {head, war.joined_by[head]})
    if not losers:
        return _because("nobody_joined", "S-7")
    sides = _sides(war)
    strength = war.strength(head)
    tied = tuple(seat for seat, other in sides if other > strength)
    lost: dict[str, Param | Listing] = {"seats": losers, "number": len(losers)}
    if not tied:
        return _because("strongest", "S-16", seat=head, figures=sides, **lost)
    if len({other for _, other in sides if other > strength}) > 1:
        return _because("stronger_tie", "S-16", seat=head, figures=sides, **lost)
    tie: dict[str, Param | Listing] = {"tied": tied, "ties": len(tied), "strength": sides[0][1]}
    return _because("next_strongest", "S-16", seat=head, **tie, own=strength, **lost)


def won_alone(war: State, winner: Seat, head: Seat) -> Reason:
    """S-20: the ally has no card left, and whose stakes are lost."""
    losers = _in_war(war, {winner, head})
    lost: dict[str, Param | Listing] = {"seats": (*losers, head), "number": len(losers) + 1}
    return _because("ally_without_cards", "S-20", other=head, **lost)


def nobody_won(war: State) -> Reason:
    """S-15, S-16: no side is stronger than the others and alone in it; all lose their stakes."""
    losers = _in_war(war, set())
    sides = _sides(war)
    if not any(strength for _, strength in sides):
        return _because("no_cards_left", "S-15", seats=losers)
    fought = tuple(side for side in sides if side[1])
    return _because("all_tie", "S-16", figures=fought, seats=losers)


def _sides(war: State) -> tuple[tuple[Seat, int], ...]:
    """S-8, S-16: the strength of each side, the strongest first."""
    heads = [seat for seat in _in_war(war, set()) if war.joined[seat] < 0]
    return tuple(sorted(((seat, war.strength(seat)) for seat in heads), key=lambda side: -side[1]))


def _in_war(war: State, without: set[Seat]) -> tuple[Seat, ...]:
    """S-6, S-7: the players in the war, from the opener on."""
    players = (war.nth_player(n) for n in range(war.seats))
    return tuple(seat for seat in players if war.family[seat] >= 0 and seat not in without)


def laundered(seat: Seat, thousands: int, is_alliance: bool) -> Reason:
    """S-17, S-19: a stake with as much from the bank, or both stakes of an alliance."""
    if is_alliance:
        return _because("both_stakes", "S-19", seat=seat)
    return _because("stake_doubled", "S-17", seat=seat, thousands=thousands // 2)


def no_business() -> Reason:
    """S-18: all three have owners."""
    return _because("all_owned", "S-18")


def shared(head: Seat) -> Reason:
    """S-19: who chooses."""
    return _because("head_chooses", "S-19", seat=head)


def business(before: State) -> Reason:
    """S-18, S-19: a business of the winning colour."""
    is_alliance = before.joined_by[before.mover] >= 0 or before.joined[before.mover] >= 0
    return _because("winning_colour", "S-19" if is_alliance else "S-18")


# --- The end of the game ------------------------------------------------------------------------


def three_kinds(seat: Seat) -> Reason:
    """S-26: one of each kind, in three colours."""
    return _because("three_kinds", "S-26", seat=seat)


def most_of_kind(state: State, seat: Seat, kind: int) -> Reason:
    """S-27: how many of a kind each player has."""
    numbers = [state.number_of(player, kind) for player in range(state.seats)]
    return _because("most_of_kind", "S-27", seat=seat, kind=kind, figures=_ranked(numbers))


def scored(state: State, seat: Seat) -> Reason:
    """S-25, S-26, S-27: laundered money minus black money, plus what businesses bring."""
    black = sum(state.notes[seat * NOTES + note] * NOTE_WORTH[note] for note in range(NOTES))
    clean = state.laundered[seat]
    bonus = state.money[seat] - clean + black
    return _because("counted", "S-25", laundered=clean, black=black, bonus=bonus)


def monopoly(state: State, seat: Seat) -> Reason:
    """S-23: the colour of which the player has all businesses."""
    owned = [state.owner[colour * KINDS : (colour + 1) * KINDS] for colour in range(COLOURS)]
    colour = next(colour for colour, owners in enumerate(owned) if set(owners) == {seat})
    return _because("all_of_a_colour", "S-23", seat=seat, colour=colour)


def richest(state: State, winners: list[Seat]) -> Reason:
    """S-24, S-28: why the game is over, and who has how much, or how many businesses."""
    seats = range(state.seats)
    broke = tuple(seat for seat in seats if not state.has_money(seat))
    end: dict[str, Param | Listing] = {"seats": broke, "number": len(broke)}
    most = max(state.money[: state.seats])
    equal = [seat for seat in seats if state.money[seat] == most]
    if len(equal) == 1:
        return _because("most_money", "S-28", **end, figures=_ranked(state.money[: state.seats]))
    owned = {seat: sum(owner == seat for owner in state.owner) for seat in equal}
    figures = tuple(sorted(owned.items(), key=lambda pair: -pair[1]))
    key = "most_businesses" if len(winners) == 1 else "equal"
    return _because(key, "S-28", **end, figures=figures)


def _ranked(numbers: list[int]) -> tuple[tuple[Seat, int], ...]:
    """Return each player with a number, the highest first."""
    return tuple(sorted(enumerate(numbers), key=lambda pair: -pair[1]))
