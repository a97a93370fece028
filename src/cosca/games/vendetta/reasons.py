"""Why things happen in Vendetta, in the figures of the table; all of it is public."""

from cosca.core.errors import Param
from cosca.core.events import Listing, Reason
from cosca.core.names import Seat
from cosca.games.vendetta.pieces import (
    BY_DISTRICTS,
    BY_POINTS,
    DISTRICTS,
    DISTRICTS_TO_WIN,
    POINTS_TO_WIN,
    REINFORCEMENT,
)
from cosca.games.vendetta.rules import State


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    return Reason(f"vendetta.reason.{key}", params, rule)


def dealt(state: State, seat: Seat) -> Reason:
    """V-S3, V-S3f: what the card means for the player's first mafiosi."""
    if state.only_own_cards:
        return _because("starts_there", "V-S3f", seat=seat)
    return _because("starts_elsewhere", "V-S3", seat=seat)


def first_round(seat: Seat) -> Reason:
    """V-S1: who starts the first round."""
    return _because("trustee_starts", "V-S1", seat=seat)


def next_round(seat: Seat) -> Reason:
    """V-20: who starts a later round."""
    return _because("next_in_turn", "V-20", seat=seat)


def empty_handed(seat: Seat) -> Reason:
    """V-3: without mafiosi in hand the card follows at once."""
    return _because("card_at_once", "V-3", seat=seat)


def cannot_place(state: State) -> Reason:
    """V-6: how few the player has, and how many every district asks for."""
    seat = state.active
    least = min(state.minimum(seat, district) for district in range(DISTRICTS))
    return _because("too_few", "V-6", seat=seat, hand=state.hand[seat], least=least)


def turned_up(state: State, district: int) -> Reason | None:
    """V-11, V-13: why nobody loses anything; none if somebody does."""
    there = _figures(state, district)
    if not there:
        return _because("nobody_there", "V-13")
    return _because("alone_there", "V-11", seat=there[0][0]) if len(there) == 1 else None


def lost(state: State, district: int, loser: Seat) -> Reason:
    """V-9, V-10: the fewest, or the first of those who tie for it."""
    there = _figures(state, district)
    number = state.men[district][loser]
    in_turn = [(state.active + n) % state.seats for n in range(1, state.seats + 1)]
    tied = tuple(seat for seat in in_turn if state.men[district][seat] == number)
    if len(tied) == 1:
        return _because("fewest", "V-9", seat=loser, figures=there)
    return _because("next_of_tied", "V-10", seat=loser, seats=tied, number=number)


def _figures(state: State, district: int) -> tuple[tuple[Seat, int], ...]:
    """V-9: how many mafiosi each player has in a district, the fewest first."""
    there = [(seat, state.men[district][seat]) for seat in range(state.seats)]
    return tuple(sorted((pair for pair in there if pair[1]), key=lambda pair: pair[1]))


def collected() -> Reason:
    """V-12: one each, however many they have there."""
    return _because("still_there", "V-12")


def raided(state: State, district: int) -> Reason:
    """V-14: whose card was not turned up, and what that costs whom."""
    there = _figures(state, district)
    if not there:
        return _because("raid_card", "V-14")
    return _because("raid_losses", "V-14", figures=there)


def scored(state: State, seat: Seat, is_counted: bool) -> Reason:
    """V-15, V-15e, V-16, V-16e: which districts the player controls, and what they score."""
    held = [at for at in range(DISTRICTS) if state.controller(at) == seat]
    params: dict[str, Param | Listing] = {
        "seat": seat,
        "district": tuple(at + 1 for at in held),
        "number": len(held),
    }
    how = "most_in" if state.most_controls else "alone_in"
    if is_counted:
        return _because(how, "V-16", **params, points=state.round_points(seat))
    return _because(f"{how}_unscored", "V-16e", **params)


def reinforced(number: int) -> Reason:
    """V-20, V-M4: three each, or what the box has left."""
    if number == REINFORCEMENT:
        return _because("nobody_has_won", "V-20", number=number)
    return _because("box_is_low", "V-M4", number=number, full=REINFORCEMENT)


def won(state: State, winners: list[Seat]) -> Reason:
    """V-17 to V-19r, V-21: the figures that were needed, or that were the best."""
    if len(winners) > 1:
        return _shared(state, winners)
    winner = winners[0]
    rivals = [seat for seat in range(state.seats) if state.claim(seat, state.reason) >= 0]
    if len(rivals) > 1:
        return _best(state, winner, rivals)
    if state.reason == BY_DISTRICTS:
        needed = DISTRICTS_TO_WIN[state.seats]
        held = state.controlled[winner]
        return _because(
            "enough_districts", "V-17", seat=winner, number=held, needed=needed, players=state.seats
        )
    key = "more_points" if state.exceed_goal else "enough_points"
    needed, points = POINTS_TO_WIN[state.seats], state.points[winner]
    return _because(key, "V-18", seat=winner, number=points, needed=needed, players=state.seats)


def _shared(state: State, winners: list[Seat]) -> Reason:
    """V-19r, V-21: what the winners have in common."""
    first = winners[0]
    rule = "V-19r" if state.reason in (BY_DISTRICTS, BY_POINTS) else "V-21"
    figures = {"districts": state.controlled[first], "points": state.points[first]}
    return _because("equal", rule, seats=tuple(winners), **figures)


def _best(state: State, winner: Seat, rivals: list[Seat]) -> Reason:
    """V-19, V-21: by what the winner is ahead of the others who could win."""
    rule = "V-19" if state.reason in (BY_DISTRICTS, BY_POINTS) else "V-21"
    measures = {"districts": state.controlled, "points": state.points}
    order = ("districts", "points") if state.reason == BY_DISTRICTS else ("points", "districts")
    for measure in order:
        figures = tuple((seat, measures[measure][seat]) for seat in rivals)
        if sum(number == measures[measure][winner] for _, number in figures) == 1:
            break
        rivals = [seat for seat, number in figures if number == measures[measure][winner]]
    ranked = tuple(sorted(figures, key=lambda pair: -pair[1]))
    return _because(f"most_{measure}", rule, seat=winner, figures=ranked)
