"""The rules of Omerta, in the order a player meets them. Ids are those of RULES.md.

A card on the table has a *track*: a number by which everybody can follow it from place to place. A
track stores the kind of the card and who has seen it. A shuffle of a row (O-13) ends its tracks
and starts new ones. The old tracks are kept: players who saw them still know what is in the row.

Only chance turns cards up: no action of a player shows that player a card before chance has acted.
"""

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.state import State as Base
from cosca.games.omerta import pieces

BIT = names.BIT
CHANCE_BIT = names.CHANCE_BIT
BOTTLES = pieces.BOTTLES
HENCHMAN = pieces.HENCHMAN
LADY = pieces.LADY
MOLE = pieces.MOLE
TRAITOR = pieces.TRAITOR
ASSASSIN = pieces.ASSASSIN
DRIVER = pieces.DRIVER
SAFECRACKER = pieces.SAFECRACKER
MAMMA = pieces.MAMMA
PATROL = pieces.PATROL
KINDS = pieces.KINDS
WORTH = pieces.WORTH
DECKS = pieces.DECKS
ROW = pieces.ROW
SAFE = pieces.SAFE
PEEKS = pieces.PEEKS
GIFTS = pieces.GIFTS
BLOCKED = pieces.BLOCKED
SHUFFLED_FROM = pieces.SHUFFLED_FROM
PATROL_ROUNDS = pieces.PATROL_ROUNDS
CALL_LIMIT = pieces.CALL_LIMIT
FINE = pieces.FINE
PASS = pieces.PASS
CALL = pieces.CALL
DRAW = pieces.DRAW
TAKE = pieces.TAKE
DISCARD = pieces.DISCARD
LOOK = pieces.LOOK
PEEK = pieces.PEEK
TARGET = pieces.TARGET
GIVE = pieces.GIVE
OF = pieces.OF
WATCH = pieces.WATCH
INTO = pieces.INTO
SLOT = pieces.SLOT
RECEIVERS = pieces.RECEIVERS
NEXT = pieces.NEXT
PHASE_START = pieces.PHASE_START
PHASE_DEAL = pieces.PHASE_DEAL
PHASE_WINDOW = pieces.PHASE_WINDOW
PHASE_SETTLE = pieces.PHASE_SETTLE
PHASE_PENALTY = pieces.PHASE_PENALTY
PHASE_TURN = pieces.PHASE_TURN
PHASE_DRAW = pieces.PHASE_DRAW
PHASE_PLACE = pieces.PHASE_PLACE
PHASE_TURN_UP = pieces.PHASE_TURN_UP
PHASE_USE = pieces.PHASE_USE
PHASE_LOOK = pieces.PHASE_LOOK
PHASE_LAY = pieces.PHASE_LAY
PHASE_SAFE = pieces.PHASE_SAFE
PHASE_SHUFFLE = pieces.PHASE_SHUFFLE
PHASE_GIFT = pieces.PHASE_GIFT
PHASE_CALLED = pieces.PHASE_CALLED
PHASE_OVER = pieces.PHASE_OVER
NO_WINDOW = pieces.NO_WINDOW
PEEKING = pieces.PEEKING
SNAPPING = pieces.SNAPPING
KILLING = pieces.KILLING
PUBLIC = pieces.PUBLIC
EVERYONE = pieces.EVERYONE
TRUTH = pieces.TRUTH
TRACKS = pieces.TRACKS
SHUFFLES = pieces.SHUFFLES
PILES = pieces.PILES
FREE = pieces.FREE
ON_TABLE = pieces.ON_TABLE
GONE = pieces.GONE
BY_TOTALS = pieces.BY_TOTALS
MOST_SEATS = pieces.MOST_SEATS
LATEST = 127
NOBODY = -1
NOTHING = -1


class State(Base):
    """A match of Omerta: one game per player, unless the house rules set another number."""

    def __init__(
        self,
        seats: int,
        deck: int = 0,
        games: int = 0,
        sealed: bool = False,
        snap_each: bool = False,
        must_use: bool = False,
        first_up: bool = False,
        first_call: int = 1,
        max_rounds: int = 0,
    ) -> None:
        self.seats = seats
        self.deck = deck
        self.games = games if games else seats
        self.sealed = sealed
        self.snap_each = snap_each
        self.must_use = must_use
        self.first_up = first_up
        self.first_call = first_call
        self.max_rounds = max_rounds
        self.phase = PHASE_START
        self.game = 0
        self.turns = 0  # of this game, including skipped ones
        self.start = NOBODY
        self.active = NOBODY
        self.dealt = 0
        self.caller = NOBODY
        self.reason = 0
        self.won = 0
        # The card just taken, or just replaced and still face down, or the driver's second bottle
        # while the window for the first is open.
        self.held = NOTHING
        self.from_discards = False
        self.step = 0  # number of parts of a character's action named so far
        self.showing = False  # whether a card is being shown to anybody now
        self.window = NO_WINDOW
        self.asked = 0
        self.answered = 0
        self.reached = 0
        self.settled = 0
        self.cancelled = False
        self.receiver = NOBODY
        self.pile_count = 0
        self.discarded = 0
        self.gen = 0  # number of the current draw pile
        self.shuffle = 0  # number of the last shuffle
        self.shuffles = 0  # number of shuffles remembered
        self.lowest = 0  # no track below this is free
        self.totals: list[int] = [0] * 5
        self.scores: list[int] = [0] * 5  # of the last game
        self.length: list[int] = [0] * 5  # of each row
        self.patrols: list[int] = [0] * 5  # on each row
        self.mamma: list[int] = [NOBODY] * 5  # who laid it there
        self.answer: list[int] = [PASS] * 5
        self.order: list[int] = [NOBODY] * 5  # order in which they answered
        self.named: list[int] = [NOTHING] * 4
        self.safe: list[int] = [NOTHING] * 4
        self.row: list[list[int]] = [[NOTHING] * 58 for _ in range(5)]
        self.discards: list[int] = [NOTHING] * 62
        self.pile: list[int] = [0] * 21
        self.pools: list[int] = [0] * 84  # the part of each draw pile that is not public
        # For every track: the kind of the card, and what is known of it.
        self.kind: list[int] = [0] * 108
        self.place: list[int] = [FREE] * 108
        self.seen: list[int] = [0] * 108
        self.shown: list[int] = [0] * 108  # bit mask of those it is shown to now
        self.since: list[int] = [0] * 108  # turn in which somebody last saw it
        self.origin: list[int] = [0] * 108  # the shuffle it came out of
        self.into: list[int] = [0] * 108  # the shuffle it went into
        self.pile_of: list[int] = [0] * 108  # the draw pile it came from
        self.watcher: list[int] = [NOBODY] * 108  # who laid a patrol on it
        self.watches: list[int] = [0] * 108  # how many turns of the watcher it stays

    # --- Setup --------------------------------------------------------------------------------

    def apply_start(self, seat: int) -> None:
        """O-S1, O-M4: chance chooses who starts the first game."""
        self.start = seat
        self.begin_game()

    def begin_game(self) -> None:
        """O-S2, O-M1, O-M3: all cards are in the draw pile, nothing lies on the table."""
        self.game += 1
        self.turns = 0
        self.active = self.start
        self.caller = NOBODY
        self.dealt = 0
        self.discarded = 0
        self.pile_count = 0
        self.gen = 0
        self.shuffles = 0
        self.lowest = 0
        self.showing = False
        for track in range(TRACKS):
            self.place[track] = FREE
        for seat in range(self.seats):
            self.length[seat] = 0
            self.patrols[seat] = 0
            self.mamma[seat] = NOBODY
        for i in range(SAFE):
            self.safe[i] = NOTHING
        for kind in range(PILES * KINDS):
            self.pools[kind] = 0
        for kind in range(KINDS):
            self.pile[kind] = DECKS[self.deck][kind]
            self.pools[kind] = self.pile[kind]
            self.pile_count += self.pile[kind]
        self.phase = PHASE_DEAL

    def apply_deal(self, kind: int) -> None:
        """O-S2: four cards to each row, then four into the safe, all unseen."""
        track = self.draw(kind)
        rows = ROW * self.seats
        if self.dealt < rows:
            self.join(self.dealt // ROW, track)
        elif self.dealt < rows + SAFE:
            self.safe[self.dealt - rows] = track
        else:
            self.discard(track)
        self.dealt += 1
        if self.dealt == rows + SAFE + self.first_up:
            self.open_window(PEEKING, BIT[self.seats] - 1)

    def peek(self, seat: int, pair: int) -> None:
        """O-S3: the owner alone sees two cards of the own row."""
        for i in range(2):
            self.see(self.row[seat][PEEKS[2 * pair + i]], BIT[seat])

    def after(self, seat: int) -> int:
        """O-2: the next player clockwise."""
        return seat + 1 if seat + 1 < self.seats else 0

    # --- Rows and piles -----------------------------------------------------------------------

    def join(self, seat: int, track: int) -> None:
        """O-6: a new card joins a row on the right."""
        self.row[seat][self.length[seat]] = track
        self.length[seat] += 1

    def remove(self, seat: int, slot: int) -> None:
        """O-6: a card leaves a row, and the row closes up."""
        self.length[seat] -= 1
        for i in range(slot, self.length[seat]):
            self.row[seat][i] = self.row[seat][i + 1]

    def free(self, seat: int) -> int:
        """O-19p: how many cards of a row have no patrol on them."""
        return self.length[seat] - self.patrols[seat]

    def draw(self, kind: int) -> int:
        """O-2: take the top card of the draw pile, face down; return its track."""
        self.pile[kind] -= 1
        self.pile_count -= 1
        track = self.new_track(kind)
        self.pile_of[track] = self.gen
        return track

    def discard(self, track: int) -> None:
        """O-3, O-4: put a card face up on the discard pile."""
        self.see(track, EVERYONE)
        self.put(self.kind[track])
        self.leave(track)

    def put(self, kind: int) -> None:
        """O-3: add a kind of card to the top of the discard pile."""
        self.discards[self.discarded] = kind
        self.discarded += 1

    def top(self) -> int:
        """O-2: the kind on top of the discard pile."""
        return self.discards[self.discarded - 1]

    def refill(self, kept: int) -> bool:
        """O-5: refill the draw pile from the discards if needed; return whether it has a card."""
        if self.pile_count == 0 and self.discarded > kept:
            self.next_pile()
            self.pile_count = self.discarded - kept
            for i in range(self.pile_count):
                kind = self.discards[i]
                self.pile[kind] += 1
                self.pools[self.gen * KINDS + kind] += 1
            if kept:
                self.discards[0] = self.top()
            self.discarded = kept
        return self.pile_count > 0

    # --- A turn -------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """O-1, O-19m, O-24: give the turn to the next player without a mamma, or end the game."""
        while self.turns != self.max_rounds * self.seats or self.max_rounds == 0:
            if self.mamma[self.active] == NOBODY:
                self.phase = PHASE_TURN
                return
            self.lift(self.active)
            self.pass_on()
        self.phase = PHASE_CALLED

    def pass_on(self) -> None:
        """O-2: it is the next player's turn."""
        self.turns += 1
        self.active = self.after(self.active)

    def end_turn(self) -> None:
        """O-2: close everything and pass the turn on."""
        self.step = 0
        for part in range(4):
            self.named[part] = NOTHING
        self.pass_on()
        self.begin_turn()

    def may_call(self) -> bool:
        """O-1, O-19p, O-20: not too early, and with no patrol on any card."""
        return self.turns >= (self.first_call - 1) * self.seats and self.patrols[self.active] == 0

    def legal_turn(self, legal: Spans) -> None:
        """O-1, O-2, O-5, O-6: call, or draw, or take; pass if there is nothing to take."""
        cards = self.pile_count + self.discarded
        if cards == 0:
            legal.add(PASS, PASS)
        if self.may_call():
            legal.add(CALL, CALL)
        if cards > 0:
            takes = self.discarded > 0 and self.free(self.active) > 0
            legal.add(DRAW, TAKE if takes else DRAW)

    def apply_turn(self, action: int) -> None:
        """O-1, O-2, O-20: the turn begins."""
        if action == CALL:
            self.caller = self.active
            self.phase = PHASE_CALLED
        elif action == DRAW:
            self.refill(0)
            self.phase = PHASE_DRAW
        elif action == TAKE:
            self.from_discards = True
            self.discarded -= 1
            self.held = self.new_track(self.discards[self.discarded])
            self.seen[self.held] = EVERYONE
            self.since[self.held] = self.now()
            self.taken()
        else:
            self.lift(self.active)
            self.end_turn()

    def apply_draw(self, kind: int) -> None:
        """O-2: the card from the draw pile; only its taker sees it."""
        self.from_discards = False
        self.held = self.draw(kind)
        self.seen[self.held] = BIT[self.active]
        self.since[self.held] = self.now()
        self.taken()

    def taken(self) -> None:
        """O-19t: after taking a card, the player's mamma and patrols may be lifted."""
        self.lift(self.active)
        self.phase = PHASE_PLACE

    def legal_place(self, legal: Spans) -> None:
        """O-3, O-4, O-6: replace a free card, or discard the card if it came from the draw pile."""
        if not self.from_discards:
            legal.add(DISCARD, DISCARD)
        self.add_free(self.active, NOTHING, legal)

    def add_free(self, seat: int, but: int, legal: Spans) -> None:
        """O-19p: add the free cards of a row, except one."""
        if self.patrols[seat] == 0 and but == NOTHING:
            if self.length[seat]:
                legal.add(SLOT, SLOT + self.length[seat] - 1)
        else:
            for slot in range(self.length[seat]):
                if self.watcher[self.row[seat][slot]] == NOBODY and slot != but:
                    legal.add(SLOT + slot, SLOT + slot)

    def apply_place(self, action: int) -> None:
        """O-3, O-4: replace a card, which chance then turns up, or discard the one just taken."""
        card = self.held
        if action == DISCARD:
            self.held = NOTHING
            self.discard(card)
            self.act()
        else:
            self.held = self.row[self.active][action - SLOT]
            self.row[self.active][action - SLOT] = card
            self.phase = PHASE_TURN_UP

    def apply_turn_up(self) -> None:
        """O-3: the replaced card is turned face up."""
        card = self.held
        self.held = NOTHING
        self.discard(card)
        self.act()

    def act(self) -> None:
        """O-7, O-12 to O-19p: a discarded bottle opens a window, a character may be used."""
        self.step = 0
        if self.top() < BOTTLES:
            self.open_window(SNAPPING, self.who_may_lay(EVERYONE))
        elif self.is_usable():
            self.phase = PHASE_USE
        else:
            self.end_turn()

    # --- Windows ------------------------------------------------------------------------------

    def who_may_lay(self, among: int) -> int:
        """O-7, O-19m: the players among these with a free card and without a mamma."""
        seats = 0
        for seat in range(self.seats):
            if self.mamma[seat] == NOBODY and self.length[seat] > self.patrols[seat]:
                seats += BIT[seat]
        return seats & among

    def open_window(self, window: int, asked: int) -> None:
        """O-S3, O-7, O-16: all who are asked may answer, in any order."""
        self.clear_window()
        self.hide()
        self.window = window
        self.asked = asked
        if asked:
            self.phase = PHASE_WINDOW
        else:
            self.close_window()

    def clear_window(self) -> None:
        """O-9: close the window and clear all answers."""
        self.window = NO_WINDOW
        self.asked = 0
        self.answered = 0
        self.reached = 0
        self.settled = 0
        for seat in range(self.seats):
            self.answer[seat] = PASS
            self.order[seat] = NOBODY

    def legal_answer(self, seat: int, legal: Spans) -> None:
        """O-S3, O-7, O-8, O-16: two cards to peek at; or a free card to lay down, or nothing."""
        if self.window == PEEKING:
            legal.add(PEEK, PEEK + 5)
        else:
            legal.add(PASS, PASS)
            self.add_free(seat, NOTHING, legal)

    def apply_answer(self, seat: int, action: int) -> None:
        """O-8, O-9, O-11: one answer each; nothing happens before all have answered."""
        self.answer[seat] = action
        self.answered += BIT[seat]
        if action != PASS:
            self.order[self.reached] = seat
            self.reached += 1
        if self.answered == self.asked:
            self.phase = PHASE_SETTLE

    def chance_settle(self, outcomes: Outcomes) -> None:
        """O-11: the fastest who answered, or one of them at random; or nobody is left."""
        if self.window == PEEKING or self.settled == self.reached:
            outcomes.add(NEXT, 1)
        elif self.sealed:
            for seat in range(self.seats):
                for i in range(self.settled, self.reached):
                    if self.order[i] == seat:
                        outcomes.add(seat, 1)
        else:
            outcomes.add(self.order[self.settled], 1)

    def apply_settle(self, seat: int) -> None:
        """O-S3, O-7, O-8, O-9: the next answer is carried out; a matching card ends the window."""
        if self.window == PEEKING:
            for player in range(self.seats):
                self.peek(player, self.answer[player] - PEEK)
            self.clear_window()
            self.begin_turn()
        elif seat == NEXT:
            self.close_window()
        else:
            self.come_next(seat)
            self.lay_down(seat, self.answer[seat] - SLOT)

    def come_next(self, seat: int) -> None:
        """O-11: put a seat first in the order of the remaining answers."""
        i = self.settled
        while self.order[i] != seat:
            i += 1
        while i > self.settled:
            self.order[i] = self.order[i - 1]
            i -= 1
        self.order[i] = seat
        self.settled += 1

    def fits(self, kind: int) -> bool:
        """O-7, O-16: the same number as the discard, or an assassin."""
        return kind == (ASSASSIN if self.window == KILLING else self.top())

    def lay_down(self, seat: int, slot: int) -> None:
        """O-7, O-8, O-16: discard a matching card; a wrong one goes back and costs a penalty."""
        card = self.row[seat][slot]
        if self.fits(self.kind[card]):
            self.cancelled = self.window == KILLING
            self.remove(seat, slot)
            self.discard(card)
            self.close_window()
        else:
            self.see(card, EVERYONE)
            self.punish(seat)

    def punish(self, seat: int) -> None:
        """O-5, O-8, O-17: a penalty card, if there is one to draw."""
        self.receiver = seat
        if self.refill(1):
            self.phase = PHASE_PENALTY
        else:
            self.go_on()

    def apply_penalty(self, kind: int) -> None:
        """O-8, O-17: the penalty card joins the row unseen."""
        self.join(self.receiver, self.draw(kind))
        self.go_on()

    def go_on(self) -> None:
        """O-8, O-10: after a mistake the window stays open for others; a driver's action ends."""
        if self.window == NO_WINDOW:
            self.end_turn()
        elif self.settled < self.reached:
            self.phase = PHASE_SETTLE
        else:
            self.close_window()

    def close_window(self) -> None:
        """O-9, O-10, O-16: end the turn, or carry out the action that nobody stopped."""
        goes_on = self.window == KILLING and not self.cancelled
        self.cancelled = False
        self.clear_window()
        if goes_on:
            self.take_effect()
        elif self.held != NOTHING:
            self.unload_second()
        else:
            self.end_turn()

    # --- Characters ---------------------------------------------------------------------------

    def is_usable(self) -> bool:
        """O-12 to O-19p: whether the character on top of the discard pile has any target."""
        kind = self.top()
        if kind == SAFECRACKER:
            return True
        if kind in (MOLE, DRIVER):
            return self.free(self.active) > 0
        if kind == TRAITOR and self.pile_count + self.discarded - 1 < GIFTS:
            return False
        return self.targets(kind) > 0

    def targets(self, kind: int) -> int:
        """O-12, O-13, O-15, O-19m, O-19p: the players a character may be used on."""
        seats = 0
        count = 0
        for seat in range(self.seats):
            free = self.length[seat] - self.patrols[seat]
            open_to_all = self.mamma[seat] == NOBODY
            if kind == HENCHMAN:
                may = open_to_all and free > 0
            elif seat == self.active:
                may = False
            elif kind == LADY:
                may = open_to_all and free >= SHUFFLED_FROM
            elif kind == PATROL:
                may = free > 0
            else:
                may = open_to_all and kind in (TRAITOR, MAMMA)
            if may:
                seats += BIT[seat]
                count += 1
        return 0 if kind == HENCHMAN and count < 2 else seats

    def legal_use(self, legal: Spans) -> None:
        """O-11u to O-19p: decline, or name the next part of the action."""
        kind = self.top()
        if (self.step == 0 and not self.must_use) or (kind == DRIVER and self.step == 1):
            legal.add(PASS, PASS)
        if kind == SAFECRACKER:
            legal.add(LOOK, LOOK)
        elif kind == MOLE:
            self.add_free(self.active, NOTHING, legal)
        elif kind == DRIVER:
            self.add_free(self.active, self.named[0] if self.step else NOTHING, legal)
        elif kind == HENCHMAN:
            self.legal_swap(legal)
        elif kind == PATROL and self.step == 1:
            self.add_free(self.named[0], NOTHING, legal)
        elif kind == TRAITOR:
            self.legal_gifts(legal)
        else:
            self.add_targets(WATCH if kind == PATROL else TARGET, self.targets(kind), legal)

    def add_targets(self, base: int, seats: int, legal: Spans) -> None:
        """Add each of these players as a target."""
        for seat in range(self.seats):
            if seats & BIT[seat]:
                legal.add(base + seat, base + seat)

    def legal_swap(self, legal: Spans) -> None:
        """O-12: a card of one player, then a card of a player with a higher seat number."""
        if self.step % 2:
            self.add_free(self.named[self.step - 1], NOTHING, legal)
            return
        seats = self.targets(HENCHMAN)
        if self.step == 0:
            last = self.seats - 1
            while not seats & BIT[last]:
                last -= 1
            self.add_targets(OF, seats - BIT[last], legal)
        else:
            for seat in range(self.named[0] + 1):
                seats &= EVERYONE - BIT[seat]
            self.add_targets(OF, seats, legal)

    def legal_gifts(self, legal: Spans) -> None:
        """O-15: both to one opponent, or one each to two."""
        seats = self.targets(TRAITOR)
        for pair in range(15):
            both = BIT[RECEIVERS[2 * pair]] | BIT[RECEIVERS[2 * pair + 1]]
            if seats & both == both:
                legal.add(GIVE + pair, GIVE + pair)

    def apply_use(self, action: int) -> None:
        """O-12 to O-19p: decline, or name a part; after the last part the action is announced."""
        kind = self.top()
        if action == PASS and self.step == 0:
            self.end_turn()
        elif kind == SAFECRACKER:
            self.phase = PHASE_LOOK
        elif kind == MOLE:
            self.named[0] = action - SLOT
            self.phase = PHASE_LOOK
        elif kind == DRIVER:
            self.name_load(action)
        else:
            self.name_target(kind, action)

    def name_load(self, action: int) -> None:
        """O-17: name one or two cards before any is turned up."""
        if action != PASS:
            self.named[self.step] = action - SLOT
            self.step += 1
        if action == PASS or self.step == 2 or self.free(self.active) == 1:
            self.phase = PHASE_LAY

    def name_target(self, kind: int, action: int) -> None:
        """O-12, O-13, O-15, O-16, O-19m, O-19p: name the target; an assassin may then stop it."""
        parts = 1
        if kind == HENCHMAN:
            parts = 4
            self.named[self.step] = action - (SLOT if self.step % 2 else OF)
        elif kind == PATROL:
            parts = 2
            self.named[self.step] = action - (SLOT if self.step else WATCH)
        elif kind == TRAITOR:
            self.named[0] = RECEIVERS[2 * (action - GIVE)]
            self.named[1] = RECEIVERS[2 * (action - GIVE) + 1]
        else:
            self.named[0] = action - TARGET
        self.step += 1
        if self.step == parts:
            others = self.who_may_lay(EVERYONE - BIT[self.active])
            self.open_window(KILLING, others if BLOCKED[kind] else 0)

    def take_effect(self) -> None:
        """O-12, O-13, O-15, O-19m, O-19p: carry out an action that nobody stopped."""
        kind = self.top()
        if kind == LADY:
            self.begin_shuffle(self.named[0])
        elif kind == TRAITOR:
            self.begin_gifts()
        else:
            if kind == HENCHMAN:
                self.swap()
            elif kind == MAMMA:
                self.discarded -= 1
                self.mamma[self.named[0]] = self.active
            else:
                self.discarded -= 1
                self.lay_patrol(self.row[self.named[0]][self.named[1]])
            self.end_turn()

    def swap(self) -> None:
        """O-12: two cards change places, unseen."""
        one = self.row[self.named[0]][self.named[1]]
        other = self.row[self.named[2]][self.named[3]]
        self.row[self.named[0]][self.named[1]] = other
        self.row[self.named[2]][self.named[3]] = one

    def begin_gifts(self) -> None:
        """O-15, O-5: give two cards, or none if fewer than two are left."""
        if self.pile_count + self.discarded - 1 < GIFTS:
            self.end_turn()
        else:
            self.step = 0
            self.refill(1)
            self.phase = PHASE_GIFT

    def apply_gift(self, kind: int) -> None:
        """O-15: the gift joins the row unseen."""
        self.join(self.named[self.step], self.draw(kind))
        self.step += 1
        if self.step == GIFTS:
            self.end_turn()
        else:
            self.refill(1)

    def apply_look(self) -> None:
        """O-14, O-18: one player alone sees the mole's card or the four cards of the safe."""
        if self.top() == MOLE:
            self.see(self.row[self.active][self.named[0]], BIT[self.active])
            self.end_turn()
            return
        for i in range(SAFE):
            self.see(self.safe[i], BIT[self.active])
        if self.free(self.active):
            self.step = 0
            self.phase = PHASE_SAFE
        else:
            self.end_turn()

    def legal_safe(self, legal: Spans) -> None:
        """O-18: an own card, then the card of the safe to swap it with; or a pass."""
        if self.step:
            legal.add(INTO, INTO + SAFE - 1)
        else:
            legal.add(PASS, PASS)
            self.add_free(self.active, NOTHING, legal)

    def apply_safe(self, action: int) -> None:
        """O-18: the own card goes into the safe, the other one comes out, both unseen."""
        if action == PASS:
            self.end_turn()
        elif self.step == 0:
            self.named[0] = action - SLOT
            self.step = 1
        else:
            out = self.safe[action - INTO]
            self.safe[action - INTO] = self.row[self.active][self.named[0]]
            self.row[self.active][self.named[0]] = out
            self.end_turn()

    def apply_lay(self) -> None:
        """O-17, O-10: turn up all named cards; bottles are discarded, unless one is a character."""
        mistake = False
        for i in range(self.step):
            card = self.row[self.active][self.named[i]]
            mistake = mistake or self.kind[card] >= BOTTLES
        if mistake:
            for i in range(self.step):
                self.see(self.row[self.active][self.named[i]], EVERYONE)
            self.punish(self.active)
        else:
            self.unload()

    def unload(self) -> None:
        """O-17, O-10: the bottles are discarded; a window opens for the last one, or for each."""
        for i in range(self.step):
            card = self.row[self.active][self.named[i]]
            self.remove(self.active, self.named[i])
            if i == 1 and self.snap_each:
                self.see(card, EVERYONE)
                self.held = card
            else:
                self.discard(card)
            if self.step == 2 and self.named[1] > self.named[0]:
                self.named[1] -= 1
        self.step = 0
        self.open_window(SNAPPING, self.who_may_lay(EVERYONE))

    def unload_second(self) -> None:
        """O-10: the window for the first bottle is closed, and one opens for the second."""
        card = self.held
        self.held = NOTHING
        self.discard(card)
        self.open_window(SNAPPING, self.who_may_lay(EVERYONE))

    # --- Mamma and patrol ---------------------------------------------------------------------

    def lay_patrol(self, card: int) -> None:
        """O-19p: the patrol lies on a card for two rounds."""
        self.watcher[card] = self.active
        self.watches[card] = PATROL_ROUNDS
        self.patrols[self.named[0]] += 1

    def lift(self, seat: int) -> None:
        """O-19t: remove the mammas and patrols of a player when their time is over."""
        for player in range(self.seats):
            if self.mamma[player] == seat:
                self.mamma[player] = NOBODY
                self.put(MAMMA)
        for player in range(self.seats):
            if self.patrols[player]:
                self.lift_patrols(seat, player)

    def lift_patrols(self, seat: int, player: int) -> None:
        """O-19t: a patrol is lifted on the second turn of the player who laid it."""
        for slot in range(self.length[player]):
            card = self.row[player][slot]
            if self.watcher[card] == seat:
                self.watches[card] -= 1
                if self.watches[card] == 0:
                    self.watcher[card] = NOBODY
                    self.patrols[player] -= 1
                    self.put(PATROL)

    # --- What is known of a card --------------------------------------------------------------

    def now(self) -> int:
        """Return the number of this turn, capped."""
        return self.turns if self.turns < LATEST else LATEST

    def followed(self, viewers: int) -> list[tuple[int, ...]]:
        """O-9, O-13: all tracks, with the kinds of the cards that a viewer has seen."""
        found: list[tuple[int, ...]] = []
        for track in range(TRACKS):
            if self.place[track] != FREE:
                found.append(
                    (
                        track,
                        self.kind[track] if (self.seen[track] + TRUTH) & viewers else NOTHING,
                        self.place[track],
                        self.seen[track],
                        self.shown[track],
                        self.since[track],
                        self.origin[track],
                        self.into[track],
                        self.pile_of[track],
                        self.watcher[track],
                        self.watches[track],
                    )
                )
        return found

    def new_track(self, kind: int) -> int:
        """Start a track for a card that comes onto the table unseen."""
        track = self.lowest
        while track == TRACKS or self.place[track] != FREE:
            if track == TRACKS:
                self.forget()
                track = self.lowest
            else:
                track += 1
        self.lowest = track + 1
        self.kind[track] = kind
        self.place[track] = ON_TABLE
        self.seen[track] = 0
        self.shown[track] = 0
        self.since[track] = 0
        self.origin[track] = 0
        self.into[track] = 0
        self.pile_of[track] = 0
        self.watcher[track] = NOBODY
        self.watches[track] = 0
        return track

    def release(self, track: int) -> None:
        """End a track that nobody needs to follow any more."""
        self.place[track] = FREE
        if track < self.lowest:
            self.lowest = track

    def see(self, track: int, viewers: int) -> None:
        """O-S3, O-8, O-14, O-18: show a card to a viewer, who knows it from now on."""
        if viewers & PUBLIC and not self.seen[track] & PUBLIC and self.origin[track] == 0:
            self.pools[self.pile_of[track] * KINDS + self.kind[track]] -= 1
            self.pile_of[track] = 0
        self.seen[track] |= viewers
        self.shown[track] |= viewers
        self.since[track] = self.now()
        self.showing = True

    def hide(self) -> None:
        """O-S3: cards shown to somebody go face down again."""
        if self.showing:
            self.showing = False
            for track in range(TRACKS):
                self.shown[track] = 0

    def leave(self, track: int) -> None:
        """O-3: a card leaves the table; after a shuffle its track still tells about the others."""
        if self.origin[track]:
            self.place[track] = GONE
        else:
            self.release(track)

    def begin_shuffle(self, seat: int) -> None:
        """O-13: the free cards of a row get new tracks, and nobody knows which is which."""
        if self.shuffles == SHUFFLES:
            self.forget()
        self.shuffle = self.shuffle % SHUFFLES + 1
        self.shuffles += 1
        self.receiver = seat
        for slot in range(self.length[seat]):
            card = self.row[seat][slot]
            if self.watcher[card] == NOBODY:
                track = self.new_track(self.kind[card])
                self.row[seat][slot] = track
                self.origin[track] = self.shuffle
                self.place[card] = GONE
                self.into[card] = self.shuffle
        self.step = 0
        self.phase = PHASE_SHUFFLE

    def nth_free(self, seat: int, n: int) -> int:
        """O-13: the nth card of a row that is shuffled."""
        slot = 0
        while n > 0 or self.watcher[self.row[seat][slot]] != NOBODY:
            n -= self.watcher[self.row[seat][slot]] == NOBODY
            slot += 1
        return self.row[seat][slot]

    def apply_shuffle(self, n: int) -> None:
        """O-13: put one of the remaining cards into the next place."""
        card = self.nth_free(self.receiver, self.step)
        other = self.nth_free(self.receiver, n)
        kind = self.kind[card]
        self.kind[card] = self.kind[other]
        self.kind[other] = kind
        self.step += 1
        if self.step == self.free(self.receiver) - 1:
            self.end_turn()

    def forget(self) -> None:
        """Forget the oldest shuffle: its cards then count as just drawn."""
        oldest = (self.shuffle - self.shuffles + SHUFFLES) % SHUFFLES + 1
        pile = self.common_pile(oldest)
        for track in range(TRACKS):
            if self.place[track] != FREE and self.into[track] == oldest:
                if self.seen[track] & PUBLIC:
                    self.pools[pile * KINDS + self.kind[track]] += 1
                self.release(track)
        for track in range(TRACKS):
            if self.place[track] != FREE and self.origin[track] == oldest:
                self.origin[track] = 0
                if self.seen[track] & PUBLIC:
                    self.pools[pile * KINDS + self.kind[track]] -= 1
                else:
                    self.pile_of[track] = pile
                if self.place[track] == GONE and self.into[track] == 0:
                    self.release(track)
        self.shuffles -= 1

    def common_pile(self, shuffle: int) -> int:
        """Return the draw pile of the hidden cards of a shuffle; merge several into one."""
        pile = NOTHING
        for track in range(TRACKS):
            if self.place[track] != FREE and self.into[track] == shuffle:
                if not self.seen[track] & PUBLIC:
                    if pile == NOTHING or self.pile_of[track] == self.gen:
                        other = pile
                        pile = self.pile_of[track]
                    else:
                        other = self.pile_of[track]
                    if other != NOTHING and other != pile:
                        self.merge(other, pile)
        return self.gen if pile == NOTHING else pile

    def next_pile(self) -> None:
        """O-5: start a new draw pile, whose contents are public; merge the two oldest."""
        self.gen = (self.gen + 1) % PILES
        self.merge(self.gen, (self.gen + 1) % PILES)

    def merge(self, old: int, pile: int) -> None:
        """Treat two draw piles as one from now on."""
        for kind in range(KINDS):
            self.pools[pile * KINDS + kind] += self.pools[old * KINDS + kind]
            self.pools[old * KINDS + kind] = 0
        for track in range(TRACKS):
            if self.place[track] != FREE and self.pile_of[track] == old:
                if self.origin[track] == 0 and not self.seen[track] & PUBLIC:
                    self.pile_of[track] = pile

    # --- The end of a game --------------------------------------------------------------------

    def row_worth(self, seat: int) -> int:
        """O-M1, O-M2, O-19t: the worth of a row; mamma and patrol on it do not count."""
        worth = 0
        for slot in range(self.length[seat]):
            worth += WORTH[self.kind[self.row[seat][slot]]]
        return worth

    def lowest_row(self, but: int) -> int:
        """O-21, O-22: the lowest worth of all rows except one player's."""
        lowest = 100000
        for seat in range(self.seats):
            worth = self.row_worth(seat)
            if seat != but and worth < lowest:
                lowest = worth
        return lowest

    def is_good_call(self) -> bool:
        """O-21: whether the caller has 7 or less, and nobody has fewer."""
        worth = self.row_worth(self.caller)
        return worth <= CALL_LIMIT and worth <= self.lowest_row(self.caller)

    def score(self) -> None:
        """O-21, O-22, O-24: everybody's points for this game."""
        good = self.caller != NOBODY and self.is_good_call()
        lowest = self.lowest_row(self.caller)
        for seat in range(self.seats):
            worth = self.row_worth(seat)
            if seat == self.caller:
                worth = 0 if good else worth + FINE
            elif worth == lowest and not good:
                worth = 0
            self.scores[seat] = worth
            self.totals[seat] += worth

    def apply_called(self) -> None:
        """O-20, O-23, O-24: all rows are turned up and counted; then the next game, or the end."""
        self.hide()
        for seat in range(self.seats):
            for slot in range(self.length[seat]):
                self.see(self.row[seat][slot], EVERYONE)
        self.score()
        if self.game == self.games:
            self.crown()
        else:
            self.start = self.next_start()
            self.begin_game()

    def next_start(self) -> int:
        """O-S1: the highest total; in a tie the first clockwise after the last start player."""
        start = self.start
        best = NOBODY
        seat = self.start
        for _ in range(self.seats):
            seat = self.after(seat)
            if self.totals[seat] > best:
                best = self.totals[seat]
                start = seat
        return start

    def crown(self) -> None:
        """O-23: the lowest total wins; equals share."""
        best = self.totals[0]
        for seat in range(self.seats):
            if self.totals[seat] < best:
                best = self.totals[seat]
        for seat in range(self.seats):
            if self.totals[seat] == best:
                self.won += BIT[seat]
        self.reason = BY_TOTALS
        self.phase = PHASE_OVER

    # --- Contract of State --------------------------------------------------------------------

    def acting(self) -> int:
        """O-2, O-7: the active player; in a window all who have not answered; otherwise chance."""
        if self.phase == PHASE_WINDOW:
            return self.asked - self.answered
        if (
            self.phase == PHASE_TURN
            or self.phase == PHASE_PLACE
            or self.phase == PHASE_USE
            or self.phase == PHASE_SAFE
        ):
            return BIT[self.active]
        return 0 if self.phase == PHASE_OVER else CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """O-2, O-7: what that seat may do now."""
        legal.clear()
        if seat < 0 or seat >= self.seats:
            return
        if self.phase == PHASE_WINDOW:
            if self.asked & BIT[seat] and not self.answered & BIT[seat]:
                self.legal_answer(seat, legal)
        elif seat == self.active:
            if self.phase == PHASE_TURN:
                self.legal_turn(legal)
            elif self.phase == PHASE_PLACE:
                self.legal_place(legal)
            elif self.phase == PHASE_USE:
                self.legal_use(legal)
            elif self.phase == PHASE_SAFE:
                self.legal_safe(legal)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """O-S1, O-2, O-11, O-13: the start player, a card, the next answer, or a place in a row."""
        outcomes.clear()
        if (
            self.phase == PHASE_DRAW
            or self.phase == PHASE_PENALTY
            or self.phase == PHASE_DEAL
            or self.phase == PHASE_GIFT
        ):
            for kind in range(KINDS):
                if self.pile[kind]:
                    outcomes.add(kind, self.pile[kind])
        elif self.phase == PHASE_SETTLE:
            self.chance_settle(outcomes)
        elif self.phase == PHASE_SHUFFLE:
            for n in range(self.step, self.free(self.receiver)):
                outcomes.add(n, 1)
        elif self.phase == PHASE_START:
            for seat in range(self.seats):
                outcomes.add(seat, 1)
        else:
            outcomes.add(0, 1)

    def apply(self, seat: int, action: int) -> None:
        """Apply one action of a player or of chance."""
        if seat >= 0:
            self.apply_decision(seat, action)
        elif self.phase == PHASE_SETTLE:
            self.apply_settle(action)
        elif self.phase == PHASE_DRAW:
            self.apply_draw(action)
        elif self.phase == PHASE_PENALTY:
            self.apply_penalty(action)
        elif self.phase == PHASE_TURN_UP:
            self.apply_turn_up()
        elif self.phase == PHASE_DEAL:
            self.apply_deal(action)
        elif self.phase == PHASE_LOOK:
            self.apply_look()
        elif self.phase == PHASE_LAY:
            self.apply_lay()
        elif self.phase == PHASE_SHUFFLE:
            self.apply_shuffle(action)
        elif self.phase == PHASE_GIFT:
            self.apply_gift(action)
        elif self.phase == PHASE_CALLED:
            self.apply_called()
        else:
            self.apply_start(action)

    def apply_decision(self, seat: int, action: int) -> None:
        """Apply one action of a player."""
        if self.phase == PHASE_WINDOW:
            self.apply_answer(seat, action)
        elif self.phase == PHASE_TURN:
            self.hide()
            self.apply_turn(action)
        elif self.phase == PHASE_PLACE:
            self.apply_place(action)
        elif self.phase == PHASE_USE:
            self.apply_use(action)
        else:
            self.apply_safe(action)

    def ending(self) -> int:
        """Return why the match is over, or 0 while it is not."""
        return self.reason

    def winners(self) -> int:
        """O-23: the winners, as one bit for each seat."""
        return self.won

    def copy(self) -> "State":
        """Return an independent copy of the state."""
        new = State.__new__(State)
        self.copy_numbers(new)
        new.totals = self.totals[:]
        new.scores = self.scores[:]
        new.length = self.length[:]
        new.patrols = self.patrols[:]
        new.mamma = self.mamma[:]
        new.answer = self.answer[:]
        new.order = self.order[:]
        new.named = self.named[:]
        new.safe = self.safe[:]
        new.discards = self.discards[:]
        new.pile = self.pile[:]
        new.pools = self.pools[:]
        new.kind = self.kind[:]
        new.place = self.place[:]
        new.seen = self.seen[:]
        new.shown = self.shown[:]
        new.since = self.since[:]
        new.origin = self.origin[:]
        new.into = self.into[:]
        new.pile_of = self.pile_of[:]
        new.watcher = self.watcher[:]
        new.watches = self.watches[:]
        new.row = self.row[:]
        for seat in range(MOST_SEATS):
            new.row[seat] = self.row[seat][:]
        return new

    def copy_numbers(self, new: "State") -> None:
        """Copy the plain integer fields to another state."""
        new.seats = self.seats
        new.deck = self.deck
        new.games = self.games
        new.sealed = self.sealed
        new.snap_each = self.snap_each
        new.must_use = self.must_use
        new.first_up = self.first_up
        new.first_call = self.first_call
        new.max_rounds = self.max_rounds
        new.phase = self.phase
        new.game = self.game
        new.turns = self.turns
        new.start = self.start
        new.active = self.active
        new.dealt = self.dealt
        new.caller = self.caller
        new.reason = self.reason
        new.won = self.won
        new.held = self.held
        new.from_discards = self.from_discards
        new.step = self.step
        new.showing = self.showing
        new.window = self.window
        new.asked = self.asked
        new.answered = self.answered
        new.reached = self.reached
        new.settled = self.settled
        new.cancelled = self.cancelled
        new.receiver = self.receiver
        new.pile_count = self.pile_count
        new.discarded = self.discarded
        new.gen = self.gen
        new.shuffle = self.shuffle
        new.shuffles = self.shuffles
        new.lowest = self.lowest

    def ints(self) -> list[int]:
        """Return the whole state as integers: options, progress of the match, cards, tracks."""
        whole = [
            self.seats,
            self.deck,
            self.games,
            self.sealed,
            self.snap_each,
            self.must_use,
            self.first_up,
            self.first_call,
            self.max_rounds,
            self.phase,
            self.game,
            self.turns,
            self.start,
            self.active,
            self.dealt,
            self.caller,
            self.reason,
            self.won,
            self.held,
            self.from_discards,
            self.step,
            self.showing,
            self.window,
            self.asked,
            self.answered,
            self.reached,
            self.settled,
            self.receiver,
            self.discarded,
            self.gen,
            self.shuffle,
            self.shuffles,
        ]
        for seat in range(self.seats):
            whole += [
                self.totals[seat],
                self.scores[seat],
                self.mamma[seat],
                self.answer[seat],
                self.order[seat],
                self.length[seat],
            ]
            for slot in range(self.length[seat]):
                whole.append(self.row[seat][slot])
        whole += self.named
        whole += self.safe
        for i in range(self.discarded):
            whole.append(self.discards[i])
        whole += self.pile
        whole += self.pools
        for track in self.followed(TRUTH):
            whole += track
        return [int(number) for number in whole]

    def load(self, ints: list[int]) -> None:
        """Restore the state from the integers that `ints` returned."""
        self.seats = ints[0]
        self.deck = ints[1]
        self.games = ints[2]
        self.sealed = bool(ints[3])
        self.snap_each = bool(ints[4])
        self.must_use = bool(ints[5])
        self.first_up = bool(ints[6])
        self.first_call = ints[7]
        self.max_rounds = ints[8]
        self.phase = ints[9]
        self.game = ints[10]
        self.turns = ints[11]
        self.start = ints[12]
        self.active = ints[13]
        self.dealt = ints[14]
        self.caller = ints[15]
        self.reason = ints[16]
        self.won = ints[17]
        self.held = ints[18]
        self.from_discards = bool(ints[19])
        self.step = ints[20]
        self.showing = bool(ints[21])
        self.window = ints[22]
        self.asked = ints[23]
        self.answered = ints[24]
        self.reached = ints[25]
        self.settled = ints[26]
        self.receiver = ints[27]
        self.discarded = ints[28]
        self.gen = ints[29]
        self.shuffle = ints[30]
        self.shuffles = ints[31]
        self.cancelled = False
        self.lowest = 0
        self.load_cards(ints)

    def load_cards(self, ints: list[int]) -> None:
        """Restore rows, piles and tracks."""
        at = 32
        for seat in range(self.seats):
            self.totals[seat] = ints[at]
            self.scores[seat] = ints[at + 1]
            self.mamma[seat] = ints[at + 2]
            self.answer[seat] = ints[at + 3]
            self.order[seat] = ints[at + 4]
            self.length[seat] = ints[at + 5]
            at += 6
            for slot in range(self.length[seat]):
                self.row[seat][slot] = ints[at + slot]
            at += self.length[seat]
        self.named = ints[at : at + 4]
        self.safe = ints[at + 4 : at + 8]
        at += 8
        for i in range(self.discarded):
            self.discards[i] = ints[at + i]
        at += self.discarded
        self.pile = ints[at : at + 21]
        self.pools = ints[at + 21 : at + 105]
        self.pile_count = sum(ints[at : at + 21])
        at += 105
        for track in range(TRACKS):
            self.place[track] = FREE
        while at < len(ints):
            track = ints[at]
            self.kind[track] = ints[at + 1]
            self.place[track] = ints[at + 2]
            self.seen[track] = ints[at + 3]
            self.shown[track] = ints[at + 4]
            self.since[track] = ints[at + 5]
            self.origin[track] = ints[at + 6]
            self.into[track] = ints[at + 7]
            self.pile_of[track] = ints[at + 8]
            self.watcher[track] = ints[at + 9]
            self.watches[track] = ints[at + 10]
            at += 11
        for seat in range(self.seats):
            self.patrols[seat] = 0
            for slot in range(self.length[seat]):
                self.patrols[seat] += self.watcher[self.row[seat][slot]] != NOBODY
