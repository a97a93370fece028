"""The rules of Skeleton, in the order a player meets them; ids as in RULES.md."""

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.state import State as Base
from cosca.games.skeleton import pieces

BIT = names.BIT
CHANCE_BIT = names.CHANCE_BIT
CARDS = pieces.CARDS
NO_CARD = pieces.NO_CARD
KEEP = pieces.KEEP
SWAP = pieces.SWAP
SHOW = pieces.SHOW
PHASE_DEAL = pieces.PHASE_DEAL
PHASE_TURN = pieces.PHASE_TURN
PHASE_DRAW = pieces.PHASE_DRAW
PHASE_SHOW = pieces.PHASE_SHOW
PHASE_OVER = pieces.PHASE_OVER
BY_CARD = pieces.BY_CARD


class State(Base):
    """A game of Skeleton. The pile has no order: chance says which card it was."""

    def __init__(self, seats: int, laps: int = 1) -> None:
        self.seats = seats
        self.laps = laps
        self.phase = PHASE_DEAL
        self.lap = 0
        self.active = 0
        self.drawn = 0  # cards that have left the pile
        self.reason = 0
        self.won = 0
        self.cards: list[int] = [NO_CARD] * 5
        self.up: list[int] = [0] * 13  # for each card, from 1 on, whether it lies face up

    # --- Setup --------------------------------------------------------------------------------

    def apply_deal(self, card: int) -> None:
        """SK-S1: a card for the next player; after the last one the first lap begins."""
        self.cards[self.drawn] = card
        self.drawn += 1
        if self.drawn == self.seats:
            self.begin_lap()

    # --- A turn -------------------------------------------------------------------------------

    def begin_lap(self) -> None:
        """SK-1, SK-6: the first player begins each lap."""
        self.lap += 1
        self.active = 0
        self.phase = PHASE_TURN

    def can_swap(self) -> bool:
        """SK-5: there must be a card to draw."""
        return self.drawn < CARDS

    def apply_turn(self, action: int) -> None:
        """SK-2, SK-3: keep, or put the card face up and draw another."""
        if action == SWAP:
            self.up[self.cards[self.active]] = 1
            self.cards[self.active] = NO_CARD
            self.phase = PHASE_DRAW
        else:
            self.end_turn()

    def apply_draw(self, card: int) -> None:
        """SK-4: the top card of the pile, for the active player."""
        self.cards[self.active] = card
        self.drawn += 1
        self.end_turn()

    def is_in_pile(self, card: int) -> bool:
        """SK-S1, SK-3: a card that nobody holds and that is not face up."""
        if self.up[card]:
            return False
        for seat in range(self.seats):
            if self.cards[seat] == card:
                return False
        return True

    def end_turn(self) -> None:
        """SK-1, SK-6, SK-7: the next player, the next lap, or the end."""
        self.active = self.active + 1 if self.active + 1 < self.seats else 0
        if self.active > 0:
            self.phase = PHASE_TURN
        elif self.lap < self.laps:
            self.begin_lap()
        else:
            self.phase = PHASE_SHOW

    # --- The end ------------------------------------------------------------------------------

    def apply_show(self) -> None:
        """SK-7, SK-8: all cards are turned up, and the highest wins.

        This is a step of chance: a step of a player must never show that player a card.
        """
        highest = NO_CARD
        for seat in range(self.seats):
            if self.cards[seat] > highest:
                highest = self.cards[seat]
                self.won = BIT[seat]
        self.reason = BY_CARD
        self.phase = PHASE_OVER

    def is_shown(self) -> bool:
        """SK-7: whether all cards are turned up."""
        return self.phase == PHASE_OVER

    # --- The contract -------------------------------------------------------------------------

    def acting(self) -> int:
        """SK-1: the active player, in a turn; else chance, to the end."""
        if self.phase == PHASE_TURN:
            return BIT[self.active]
        return 0 if self.phase == PHASE_OVER else CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """SK-2, SK-5: keep, or swap while the pile lasts; the others wait."""
        legal.clear()
        if self.phase == PHASE_TURN and seat == self.active:
            legal.add(KEEP, SWAP if self.can_swap() else KEEP)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """SK-S1, SK-4, SK-7: each card of the pile is as likely; all show in one way only."""
        outcomes.clear()
        if self.phase == PHASE_SHOW:
            outcomes.add(SHOW, 1)
            return
        for card in range(1, CARDS + 1):
            if self.is_in_pile(card):
                outcomes.add(card, 1)

    def apply(self, seat: int, action: int) -> None:
        """Apply one action of the active player or of chance."""
        if self.phase == PHASE_TURN:
            self.apply_turn(action)
        elif self.phase == PHASE_DRAW:
            self.apply_draw(action)
        elif self.phase == PHASE_DEAL:
            self.apply_deal(action)
        else:
            self.apply_show()

    def ending(self) -> int:
        """Return why the game is over, or 0 while it is not."""
        return self.reason

    def winners(self) -> int:
        """SK-8: the winners, as one bit for each seat."""
        return self.won

    def copy(self) -> "State":
        """Return an independent copy of the state."""
        new = State.__new__(State)
        new.seats = self.seats
        new.laps = self.laps
        new.phase = self.phase
        new.lap = self.lap
        new.active = self.active
        new.drawn = self.drawn
        new.reason = self.reason
        new.won = self.won
        new.cards = self.cards[:]
        new.up = self.up[:]
        return new

    def ints(self) -> list[int]:
        """Return the whole state as integers: progress of the game, then the cards."""
        whole = [
            self.seats,
            self.laps,
            self.phase,
            self.lap,
            self.active,
            self.drawn,
            self.reason,
            self.won,
        ]
        whole += self.cards
        whole += self.up
        return whole

    def load(self, ints: list[int]) -> None:
        """Restore the state from the integers that `ints` returned."""
        self.seats = ints[0]
        self.laps = ints[1]
        self.phase = ints[2]
        self.lap = ints[3]
        self.active = ints[4]
        self.drawn = ints[5]
        self.reason = ints[6]
        self.won = ints[7]
        self.cards = ints[8:13]
        self.up = ints[13:26]
