"""The rules of Kuhn poker for three."""

from typing import Self

from cosca.core.buffers import Outcomes, Spans
from cosca.core.names import BIT, CHANCE_BIT
from cosca.core.state import State as Base
from tests.kuhn.pieces import (
    BET,
    BY_FOLDS,
    BY_SHOWDOWN,
    CARDS,
    CHIPS,
    NOBODY,
    PASS,
    SEATS,
    UNKNOWN,
)


class State(Base):
    """One deal of Kuhn poker."""

    def __init__(self, all_show: bool = False) -> None:
        self.seats = SEATS
        self.all_show = all_show
        self.dealt = 0
        self.active = 0
        self.bettor = NOBODY
        self.reason = 0
        self.won = 0
        self.pot = SEATS
        self.cards = [UNKNOWN] * SEATS
        self.folded = [0] * SEATS
        self.chips = [CHIPS - 1] * SEATS

    # --- The deal -----------------------------------------------------------------------------

    def fill_chance(self, outcomes: Outcomes) -> None:
        """Any card that nobody holds."""
        outcomes.clear()
        for card in range(CARDS):
            if card not in self.cards:
                outcomes.add(card, 1)

    def apply_deal(self, card: int) -> None:
        """A card to the next seat, which looks at it."""
        self.cards[self.dealt] = card
        self.dealt += 1

    # --- The bets -----------------------------------------------------------------------------

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """Pass or bet; after a bet, fold or call."""
        legal.clear()
        if self.acting() == CHANCE_BIT or self.reason or seat != self.active:
            return
        legal.add(PASS, BET)

    def apply_bet(self, seat: int, action: int) -> None:
        """One chip more, or none; then the next, until everybody has answered."""
        if action == BET:
            self.chips[seat] -= 1
            self.pot += 1
            self.bettor = seat if self.bettor == NOBODY else self.bettor
        elif self.bettor != NOBODY:
            self.folded[seat] = 1
        self.active = (seat + 1) % SEATS
        if self.active == max(self.bettor, 0):
            self.end()

    # --- The end ------------------------------------------------------------------------------

    def end(self) -> None:
        """The last one left takes the pot, or else the highest card."""
        left = [seat for seat in range(SEATS) if not self.folded[seat]]
        winner = max(left, key=lambda seat: self.cards[seat])
        self.reason = BY_FOLDS if len(left) == 1 else BY_SHOWDOWN
        self.won = BIT[winner]
        self.chips[winner] += self.pot
        self.pot = 0

    def is_shown(self, seat: int) -> bool:
        """Whether a card lies open."""
        return self.reason == BY_SHOWDOWN and (self.all_show or not self.folded[seat])

    # --- The contract -------------------------------------------------------------------------

    def acting(self) -> int:
        """Chance until all have a card, then one seat after another."""
        if self.dealt < SEATS:
            return CHANCE_BIT
        return 0 if self.reason else BIT[self.active]

    def apply(self, seat: int, action: int) -> None:
        """A card from chance, or a bet of a seat."""
        if self.dealt < SEATS:
            self.apply_deal(action)
        else:
            self.apply_bet(seat, action)

    def ending(self) -> int:
        """Why the deal is over; 0 while it is not."""
        return self.reason

    def winners(self) -> int:
        """Who took the pot."""
        return self.won

    def copy(self) -> Self:
        """Another state, equal and independent."""
        new = type(self).__new__(type(self))
        new.load(self.ints())
        return new

    def ints(self) -> list[int]:
        """The whole state as integers."""
        whole = [self.all_show, self.dealt, self.active, self.bettor, self.reason, self.won]
        return [int(n) for n in (*whole, self.pot, *self.cards, *self.folded, *self.chips)]

    def load(self, ints: list[int]) -> None:
        """Become the state that `ints` was taken from."""
        self.seats = SEATS
        self.all_show = bool(ints[0])
        self.dealt, self.active, self.bettor, self.reason, self.won, self.pot = ints[1:7]
        self.cards = ints[7:10]
        self.folded = ints[10:13]
        self.chips = ints[13:16]
