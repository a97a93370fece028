"""Why things happen in Omerta, in the figures of the table.

A reason has the audience of its event, so it uses what all of them have seen.
"""

from typing import Final

from cosca.core.errors import Param
from cosca.core.events import Listing, Reason
from cosca.core.names import Seat
from cosca.games.omerta.pieces import (
    ASSASSIN,
    BOTTLES,
    CALL_LIMIT,
    FINE,
    HENCHMAN,
    KILLING,
    LADY,
    NO_WINDOW,
    TRAITOR,
)
from cosca.games.omerta.rules import State

RULE_OF: Final = {HENCHMAN: "O-12", LADY: "O-13", TRAITOR: "O-15"}
"""The rule of each character whose effect can be stopped and needs no more words."""


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    return Reason(f"omerta.reason.{key}", params, rule)


# --- Setup --------------------------------------------------------------------------------------


def begins(before: State, state: State) -> Reason:
    """O-S1: why this player starts the game."""
    seat = state.start
    if state.game == 1:
        return _because("by_lot", "O-S1", seat=seat)
    figures = _figures(state.totals, state.seats)
    most = state.totals[seat]
    seats = tuple(player for player, total in figures if total == most)
    if len(seats) == 1:
        return _because("highest_total", "O-S1", seat=seat, figures=figures[::-1])
    params: dict[str, Param | Listing] = {"seats": seats, "total": most}
    return _because("tied_for_highest", "O-S1", seat=seat, other=before.start, **params)


def _figures(numbers: list[int], seats: int) -> tuple[tuple[Seat, int], ...]:
    """Return what each player has, the lowest first."""
    return tuple(sorted(enumerate(numbers[:seats]), key=lambda pair: pair[1]))


# --- Windows ------------------------------------------------------------------------------------


def laid_right(before: State) -> Reason:
    """O-7, O-16: the number was right, or an assassin stops an action."""
    if before.window == KILLING:
        return _because("stopped", "O-16", seat=before.active)
    return _because("same_number", "O-7")


def too_slow(before: State, first: Seat) -> Reason:
    """O-9, O-11: who came first, by speed or by lot."""
    return _because(*(("lot", "O-11") if before.sealed else ("faster", "O-9")), seat=first)


def wrong(before: State) -> Reason:
    """O-8, O-16: which card was needed."""
    if before.window == KILLING:
        return _because("only_assassin", "O-16", card=ASSASSIN)
    return _because("only_same", "O-8", card=before.top())


def penalty(before: State) -> Reason:
    """O-8, O-17: what the penalty is for."""
    if before.window == NO_WINDOW:
        return _because("driver_penalty", "O-17")
    return _because("penalty", "O-8")


def no_cards() -> Reason:
    """O-5: no card can be drawn."""
    return _because("no_cards", "O-5")


def reshuffled() -> Reason:
    """O-5: why the discards are shuffled now."""
    return _because("empty_pile", "O-5")


# --- Characters ---------------------------------------------------------------------------------


def took_effect(before: State) -> Reason:
    """O-12, O-13, O-15: who has played what."""
    kind = before.top()
    return _because("unstopped", RULE_OF[kind], seat=before.active, card=kind)


def mamma(seat: Seat) -> Reason:
    """O-19m: what Mamma means."""
    return _because("mamma", "O-19m", seat=seat)


def patrol(seat: Seat) -> Reason:
    """O-19p: what the patrol means."""
    return _because("patrol", "O-19p", seat=seat)


def mamma_lifted(layer: Seat) -> Reason:
    """O-19t: one round is over."""
    return _because("round_over", "O-19t", seat=layer)


def patrol_lifted(layer: Seat) -> Reason:
    """O-19t: two rounds are over."""
    return _because("two_rounds_over", "O-19t", seat=layer)


def skipped(seat: Seat) -> Reason:
    """O-19m: Mamma keeps the player from the turn."""
    return _because("with_mamma", "O-19m", seat=seat)


def no_gifts() -> Reason:
    """O-15: two cards or none."""
    return _because("two_or_none", "O-15")


def driven() -> Reason:
    """O-17: the driver takes bottles."""
    return _because("bottle", "O-17")


def bad_load(slots: list[int], kinds: list[int]) -> Reason:
    """O-17: which of the cards is a character."""
    part = next(part for part, kind in enumerate(kinds) if kind >= BOTTLES)
    return _because("no_bottle", "O-17", slot=slots[part] + 1, card=kinds[part])


# --- Omerta -------------------------------------------------------------------------------------


def uncalled(before: State) -> Reason:
    """O-24: after how many rounds a game ends."""
    return _because("last_round", "O-24", number=before.max_rounds)


def call(before: State) -> Reason:
    """O-21, O-22: the caller's row against the others."""
    caller = before.caller
    rows = _rows(before)
    worth = before.row_worth(caller)
    equal = tuple(seat for seat, row in rows if row == worth and seat != caller)
    if worth > CALL_LIMIT:
        return _because("too_high", "O-22", seat=caller, worth=worth, limit=CALL_LIMIT)
    if not before.is_good_call():
        return _because("not_lowest", "O-22", seat=caller, figures=rows)
    if equal:
        return _because(
            "caller_wins_ties", "O-21", seat=caller, seats=(caller, *equal), worth=worth
        )
    params: dict[str, Param | Listing] = {"limit": CALL_LIMIT, "figures": rows}
    return _because("lowest_call", "O-21", seat=caller, **params)


def _rows(before: State) -> tuple[tuple[Seat, int], ...]:
    """O-21: what each row is worth, the lowest first."""
    return _figures([before.row_worth(seat) for seat in range(before.seats)], before.seats)


def scored(before: State, seat: Seat) -> Reason:
    """O-21, O-22, O-24: how the row became points."""
    worth = before.row_worth(seat)
    good = before.caller >= 0 and before.is_good_call()
    rule = "O-21" if good else "O-22" if before.caller >= 0 else "O-24"
    if seat == before.caller:
        if good:
            return _because("good_call", rule)
        return _because("fined", rule, worth=worth, fine=FINE, points=worth + FINE)
    if good or worth > before.lowest_row(before.caller):
        return _because("row_counts", rule, worth=worth)
    equal = tuple(
        player for player, row in _rows(before) if row == worth and player != before.caller
    )
    if len(equal) > 1:
        return _because("tied_for_lowest", rule, seats=equal, worth=worth)
    return _because("lowest_row" if before.caller < 0 else "lowest_other", rule, worth=worth)


def won(state: State) -> Reason:
    """O-23: all totals."""
    return _because("totals", "O-23", figures=_figures(state.totals, state.seats))
