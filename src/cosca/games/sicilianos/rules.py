"""The rules of Sicilianos, in the order a player meets them. Ids are those of RULES.md.

Colours are independent: the cards of one say nothing about another. So each colour has a record of
its deeds: what happened to its cards, in order. Everybody sees that a deed happened; only those who
took part know the value. All that a seat may know of hands and stacks follows from the records.

A card that nobody has seen has no value until somebody sees it: in a stack it is 0.
"""

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.state import State as Base
from cosca.games.sicilianos import pieces

BIT = names.BIT
CHANCE_BIT = names.CHANCE_BIT
MOST_SEATS = pieces.MOST_SEATS
COLOURS = pieces.COLOURS
VALUES = pieces.VALUES
BODYGUARD = pieces.BODYGUARD
BOMB = pieces.BOMB
DEFECTOR = pieces.DEFECTOR
WORTH_AS_DEFECTOR = pieces.WORTH_AS_DEFECTOR
KINDS = pieces.KINDS
SECOND = pieces.SECOND
HITS = pieces.HITS
TWO = pieces.TWO
ONE = pieces.ONE
FACES = pieces.FACES
NOTES = pieces.NOTES
NOTE_WORTH = pieces.NOTE_WORTH
THREE_KINDS = pieces.THREE_KINDS
MOST_OF_A_KIND = pieces.MOST_OF_A_KIND
FIRST_CARDS = pieces.FIRST_CARDS
ROLL = pieces.ROLL
PASS = pieces.PASS
DEFECT = pieces.DEFECT
MONEY = pieces.MONEY
BUSINESS = pieces.BUSINESS
NOTE = pieces.NOTE
COLOUR = pieces.COLOUR
LOOK = pieces.LOOK
VICTIM = pieces.VICTIM
KIND = pieces.KIND
CARD = pieces.CARD
PHASE_START = pieces.PHASE_START
PHASE_DRAFT = pieces.PHASE_DRAFT
PHASE_DRAFTED = pieces.PHASE_DRAFTED
PHASE_TURN = pieces.PHASE_TURN
PHASE_DICE = pieces.PHASE_DICE
PHASE_WHICH = pieces.PHASE_WHICH
PHASE_DRAW = pieces.PHASE_DRAW
PHASE_ONE = pieces.PHASE_ONE
PHASE_LOOK = pieces.PHASE_LOOK
PHASE_TAKE = pieces.PHASE_TAKE
PHASE_STEAL = pieces.PHASE_STEAL
PHASE_VICTIM = pieces.PHASE_VICTIM
PHASE_STOLEN = pieces.PHASE_STOLEN
PHASE_STAKE = pieces.PHASE_STAKE
PHASE_JOIN = pieces.PHASE_JOIN
PHASE_TURN_UP = pieces.PHASE_TURN_UP
PHASE_DEFECT = pieces.PHASE_DEFECT
PHASE_BOMB = pieces.PHASE_BOMB
PHASE_LAY = pieces.PHASE_LAY
PHASE_SHARE = pieces.PHASE_SHARE
PHASE_OPEN = pieces.PHASE_OPEN
PHASE_SHOP = pieces.PHASE_SHOP
PHASE_OVER = pieces.PHASE_OVER
DRAWN = pieces.DRAWN
TAKEN = pieces.TAKEN
STOLEN = pieces.STOLEN
SHOWN = pieces.SHOWN
RETURNED = pieces.RETURNED
EVENTS = pieces.EVENTS
BY_BUSINESSES = pieces.BY_BUSINESSES
BY_MONEY = pieces.BY_MONEY
POWER = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]
NOBODY = -1
NOTHING = -1


class State(Base):
    """A game of Sicilianos."""

    def __init__(
        self,
        seats: int,
        defectors: int = 0,
        bombs: int = 0,
        faces: int = 0,
        hand_limit: int = 10,
        notes: int = 2,
    ) -> None:
        self.seats = seats
        self.defectors = defectors
        self.bombs = bombs
        self.faces = faces
        self.hand_limit = hand_limit
        self.phase = PHASE_START
        self.turns = 0
        self.active = NOBODY  # who rolls, or has opened the war
        self.mover = NOBODY  # who decides now
        self.reason = 0
        self.won = 0
        self.rolled = 0  # how many dice lie on the table
        self.queued = 0  # cards to be drawn
        self.colour = NOTHING  # of the stack being looked through, or of the card to be stolen
        self.victim = NOBODY
        self.war_pass = 0
        self.at = 0  # number of players asked so far, from the opener on
        self.winner = NOBODY
        self.prize = NOTHING  # the colour that has won
        self.die: list[int] = [NOTHING] * 3
        self.queue: list[int] = [NOTHING] * 2
        self.hand_size: list[int] = [0] * 6
        self.laundered: list[int] = [0] * 6
        self.money: list[int] = [0] * 6  # at the final count
        self.notes: list[int] = [0] * 30  # five values for each player
        self.hand: list[int] = [0] * 36  # six colours for each player, one bit a value
        self.pool: list[int] = [0] * 6  # of each colour, the values nobody has seen
        self.size: list[int] = [0] * 6  # of each stack
        self.stack: list[int] = [0] * 66  # eleven places for each colour, the top first
        self.owner: list[int] = [NOBODY] * 18  # three businesses of each colour
        self.bought: list[int] = [NOTHING] * 18  # of each colour, the kinds in the order bought
        # In a war, of each player.
        self.family: list[int] = [NOTHING] * 6
        self.stake: list[int] = [NOTHING] * 6
        self.passed: list[int] = [0] * 6
        self.joined: list[int] = [NOBODY] * 6  # whose family this one has joined
        self.joined_by: list[int] = [NOBODY] * 6
        self.face_down: list[int] = [0] * 6
        self.fresh: list[int] = [0] * 6  # turned up in this pass
        self.cards: list[int] = [0] * 6
        self.laid: list[int] = [0] * 66  # eleven for each player, in order
        # For each colour the deeds: what, by whom, from whom or where, and the value.
        self.happened: list[int] = [0] * 6
        self.before: list[int] = [0] * 42  # cards in each hand and the stack before the first deed
        self.deed: list[int] = [0] * 432
        self.value: list[int] = [0] * 432
        self.set_up(notes)

    # --- Setup --------------------------------------------------------------------------------

    def set_up(self, notes: int) -> None:
        """S-S1, S-S2, S-M1, S-M6: black money for all, and every card in its stack."""
        for place in range(self.seats * NOTES):
            self.notes[place] = notes
        for colour in range(COLOURS):
            self.pool[colour] = POWER[VALUES] - 1
            self.size[colour] = VALUES
            self.before[colour * 7 + MOST_SEATS] = VALUES

    def apply_start(self, seat: int) -> None:
        """S-S4: chance chooses the start player, who drafts first."""
        self.active = seat
        self.mover = seat
        self.phase = PHASE_DRAFT

    def after(self, seat: int) -> int:
        """S-22: the left neighbour."""
        return seat + 1 if seat + 1 < self.seats else 0

    def legal_draft(self, legal: Spans) -> None:
        """S-S3: a stack whose colour is not yet in hand."""
        for colour in range(COLOURS):
            if self.size[colour] and not self.hand[self.mover * COLOURS + colour]:
                legal.add(COLOUR + colour, COLOUR + colour)

    def apply_draft(self, colour: int) -> None:
        """S-S3: the top card of that stack comes next."""
        self.colour = colour
        self.phase = PHASE_DRAFTED

    def apply_drafted(self, value: int) -> None:
        """S-S3: players draw one card each in turn, until all have four."""
        self.draw_top(self.mover, self.colour, value)
        self.colour = NOTHING
        self.mover = self.after(self.mover)
        if self.hand_size[self.mover] == FIRST_CARDS:
            self.begin_turn()
        else:
            self.phase = PHASE_DRAFT

    # --- Cards and what is known of them ------------------------------------------------------

    def remember(self, colour: int, deed: int, seat: int, other: int, value: int) -> None:
        """Add a deed to the record of a colour; very long records lose their beginning."""
        if self.happened[colour] == EVENTS:
            self.forget(colour)
        place = colour * EVENTS + self.happened[colour]
        self.deed[place] = deed + 8 * seat + 64 * other
        self.value[place] = value
        self.happened[colour] += 1

    def forget(self, colour: int) -> None:
        """Drop about the older half of the record of a colour, but never half a war.

        The number of cards in each place is kept; for cards on the table it would be unknown.
        """
        first = colour * EVENTS
        cut = 0
        lying = 0
        for i in range(EVENTS // 2):
            lying += self.deed[first + i] % 8 == SHOWN
            lying -= self.deed[first + i] % 8 == RETURNED
            cut = cut if lying else i + 1
        for i in range(cut):
            deed = self.deed[first + i]
            self.count_back(colour * 7, deed % 8, deed // 8 % 8, deed // 64)
        self.happened[colour] -= cut
        for i in range(self.happened[colour]):
            self.deed[first + i] = self.deed[first + cut + i]
            self.value[first + i] = self.value[first + cut + i]

    def count_back(self, row: int, deed: int, seat: int, other: int) -> None:
        """Update the number of cards in each place by a deed."""
        if deed in (DRAWN, TAKEN):
            self.before[row + MOST_SEATS] -= 1
            self.before[row + seat] += 1
        elif deed == STOLEN:
            self.before[row + other] -= 1
            self.before[row + seat] += 1
        elif deed == SHOWN:
            self.before[row + seat] -= 1
        else:
            self.before[row + MOST_SEATS] += 1

    def draw_top(self, seat: int, colour: int, value: int) -> None:
        """S-3, S-4: the top card of a stack comes into a hand."""
        self.take_out(colour, 0, value)
        self.hold(seat, colour, value)
        self.remember(colour, DRAWN, seat, 0, value)

    def take_out(self, colour: int, place: int, value: int) -> None:
        """S-4: a card leaves its stack, the order kept."""
        first = colour * VALUES
        if self.stack[first + place] == 0:
            self.pool[colour] -= POWER[value - 1]
        self.size[colour] -= 1
        for i in range(place, self.size[colour]):
            self.stack[first + i] = self.stack[first + i + 1]
        self.stack[first + self.size[colour]] = 0

    def hold(self, seat: int, colour: int, value: int) -> None:
        """S-1: add a card to a hand."""
        self.hand[seat * COLOURS + colour] += POWER[value - 1]
        self.hand_size[seat] += 1

    def let_go(self, seat: int, colour: int, value: int) -> None:
        """S-5, S-6: remove a card from a hand."""
        self.hand[seat * COLOURS + colour] -= POWER[value - 1]
        self.hand_size[seat] -= 1

    def put_under(self, colour: int, value: int) -> None:
        """S-13, S-21: put a card face down under the stack of its colour."""
        self.stack[colour * VALUES + self.size[colour]] = value
        self.size[colour] += 1
        self.remember(colour, RETURNED, 0, 0, value)

    def chance_top(self, colour: int, outcomes: Outcomes) -> None:
        """S-S2: the top card of a stack: any that nobody has seen, or the one that lies there."""
        top = self.stack[colour * VALUES]
        if top:
            outcomes.add(top, 1)
        else:
            self.chance_values(self.pool[colour], outcomes)

    def chance_values(self, values: int, outcomes: Outcomes) -> None:
        """Add these values as equally likely outcomes."""
        for value in range(VALUES):
            if values & POWER[value]:
                outcomes.add(value + 1, 1)

    # --- A turn -------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """S-1: roll, or go to war."""
        self.mover = self.active
        self.rolled = 0
        self.queued = 0
        self.colour = NOTHING
        self.victim = NOBODY
        for i in range(3):
            self.die[i] = NOTHING
        self.phase = PHASE_TURN

    def end_turn(self) -> None:
        """S-22: the left neighbour is next."""
        self.turns += 1
        self.active = self.after(self.active)
        self.begin_turn()

    def legal_turn(self, legal: Spans) -> None:
        """S-1, S-6: roll unless the hand is full; or any card to open a war with."""
        if self.hand_size[self.active] < self.hand_limit:
            legal.add(ROLL, ROLL)
        for colour in range(COLOURS):
            self.add_cards(self.active, colour, legal)

    def add_cards(self, seat: int, colour: int, legal: Spans) -> None:
        """Add the cards of a colour in a hand."""
        values = self.hand[seat * COLOURS + colour]
        if values:
            for value in range(VALUES):
                if values & POWER[value]:
                    card = CARD + colour * VALUES + value
                    legal.add(card, card)

    def apply_turn(self, action: int) -> None:
        """S-2, S-6: the dice, or the first card of a war."""
        if action == ROLL:
            self.phase = PHASE_DICE
        else:
            self.begin_war(action - CARD)

    def chance_dice(self, outcomes: Outcomes) -> None:
        """S-M5: two colours, then what to do with them."""
        if self.rolled < 2:
            for colour in range(COLOURS):
                outcomes.add(colour, 1)
        else:
            for face in range(3):
                outcomes.add(face, FACES[3 * self.faces + face])

    def apply_die(self, face: int) -> None:
        """S-2: with the third die it is clear what to do."""
        self.die[self.rolled] = face
        self.rolled += 1
        if self.rolled == 3:
            if face == TWO:
                self.draw_two()
            elif face == ONE:
                self.draw_one()
            else:
                self.steal()

    # --- Draw two -----------------------------------------------------------------------------

    def draw_two(self) -> None:
        """S-1, S-3: a card of each colour rolled, as far as stacks and hand allow."""
        for i in range(2):
            colour = self.die[i]
            wanted = 1 + (i == 1 and self.die[0] == colour)
            if self.size[colour] >= wanted:
                self.queue[self.queued] = colour
                self.queued += 1
        room = self.hand_limit - self.hand_size[self.active]
        if self.queued == 2 and room == 1:
            if self.die[0] != self.die[1]:
                self.phase = PHASE_WHICH
                return
            self.queued = 1
        self.go_on_drawing()

    def legal_which(self, legal: Spans) -> None:
        """S-1: one of the two colours rolled."""
        low = self.die[0] if self.die[0] < self.die[1] else self.die[1]
        high = self.die[0] + self.die[1] - low
        legal.add(COLOUR + low, COLOUR + low)
        legal.add(COLOUR + high, COLOUR + high)

    def apply_which(self, colour: int) -> None:
        """S-1: only one card is drawn."""
        self.queue[0] = colour
        self.queued = 1
        self.phase = PHASE_DRAW

    def go_on_drawing(self) -> None:
        """S-3: the next card, if there is one to draw."""
        if self.queued:
            self.phase = PHASE_DRAW
        else:
            self.end_turn()

    def apply_draw(self, value: int) -> None:
        """S-3, S-4: a card from the top of a stack."""
        colour = self.queue[0]
        self.queue[0] = self.queue[1]
        self.queue[1] = NOTHING
        self.queued -= 1
        self.draw_top(self.active, colour, value)
        self.go_on_drawing()

    # --- Draw one -----------------------------------------------------------------------------

    def draw_one(self) -> None:
        """S-4: a stack of choice; with all stacks empty there is nothing to draw."""
        cards = 0
        for colour in range(COLOURS):
            cards += self.size[colour]
        if cards:
            self.phase = PHASE_ONE
        else:
            self.end_turn()

    def legal_one(self, legal: Spans) -> None:
        """S-4: the top card of any stack, or a look into one of a rolled colour."""
        for colour in range(COLOURS):
            if self.size[colour]:
                legal.add(COLOUR + colour, COLOUR + colour)
        for colour in range(COLOURS):
            if self.size[colour] and (colour == self.die[0] or colour == self.die[1]):
                legal.add(LOOK + colour, LOOK + colour)

    def apply_one(self, action: int) -> None:
        """S-4: draw it, or look."""
        if action < LOOK:
            self.queue[0] = action - COLOUR
            self.queued = 1
            self.phase = PHASE_DRAW
        else:
            self.colour = action - LOOK
            self.phase = PHASE_LOOK

    def first_unseen(self) -> int:
        """S-4: the first card of the stack that nobody has seen yet."""
        first = self.colour * VALUES
        for place in range(self.size[self.colour]):
            if self.stack[first + place] == 0:
                return place
        return NOTHING

    def chance_look(self, outcomes: Outcomes) -> None:
        """S-4: card by card what lies in the stack; then the look is over."""
        if self.first_unseen() == NOTHING:
            outcomes.add(0, 1)
        else:
            self.chance_values(self.pool[self.colour], outcomes)

    def apply_look(self, value: int) -> None:
        """S-4: the looker sees one card after another."""
        if value == 0:
            self.phase = PHASE_TAKE
        else:
            self.stack[self.colour * VALUES + self.first_unseen()] = value
            self.pool[self.colour] -= POWER[value - 1]

    def legal_take(self, legal: Spans) -> None:
        """S-4: any card of the stack."""
        values = 0
        for place in range(self.size[self.colour]):
            values += POWER[self.stack[self.colour * VALUES + place] - 1]
        for value in range(VALUES):
            if values & POWER[value]:
                card = CARD + self.colour * VALUES + value
                legal.add(card, card)

    def apply_take(self, card: int) -> None:
        """S-4: take the card out; its place stays hidden."""
        value = card % VALUES + 1
        place = 0
        while self.stack[self.colour * VALUES + place] != value:
            place += 1
        self.take_out(self.colour, place, value)
        self.hold(self.active, self.colour, value)
        self.remember(self.colour, TAKEN, self.active, place, value)
        self.end_turn()

    # --- Steal --------------------------------------------------------------------------------

    def victims(self, colour: int) -> int:
        """S-5: the other players who have a card of that colour."""
        seats = 0
        for seat in range(self.seats):
            if seat != self.active and self.hand[seat * COLOURS + colour]:
                seats += BIT[seat]
        return seats

    def steal(self) -> None:
        """S-5: from whom, and which colour, if there is a choice; else the turn is over."""
        one = self.victims(self.die[0])
        other = self.victims(self.die[1])
        if one and other and self.die[0] != self.die[1]:
            self.phase = PHASE_STEAL
        elif one:
            self.choose_victim(self.die[0])
        elif other:
            self.choose_victim(self.die[1])
        else:
            self.end_turn()

    def choose_victim(self, colour: int) -> None:
        """S-5: with one possible victim there is nothing to choose."""
        self.colour = colour
        seats = self.victims(colour)
        for seat in range(self.seats):
            if seats == BIT[seat]:
                self.apply_victim(seat)
                return
        self.phase = PHASE_VICTIM

    def legal_victim(self, legal: Spans) -> None:
        """S-5: whoever has that colour."""
        seats = self.victims(self.colour)
        for seat in range(self.seats):
            if seats & BIT[seat]:
                legal.add(VICTIM + seat, VICTIM + seat)

    def apply_victim(self, seat: int) -> None:
        """S-5: chance picks the card."""
        self.victim = seat
        self.phase = PHASE_STOLEN

    def apply_stolen(self, value: int) -> None:
        """S-5: thief and victim see it, nobody else."""
        self.let_go(self.victim, self.colour, value)
        self.hold(self.active, self.colour, value)
        self.remember(self.colour, STOLEN, self.active, self.victim, value)
        self.end_turn()

    # --- War: cards and stakes ----------------------------------------------------------------

    def begin_war(self, card: int) -> None:
        """S-6: the opener lays a card face down, and then a note."""
        self.war_pass = 0
        self.at = 0
        self.winner = NOBODY
        self.prize = NOTHING
        for seat in range(self.seats):
            self.family[seat] = NOTHING
            self.stake[seat] = NOTHING
            self.passed[seat] = 0
            self.joined[seat] = NOBODY
            self.joined_by[seat] = NOBODY
            self.face_down[seat] = 0
            self.fresh[seat] = 0
            self.cards[seat] = 0
        self.enter(card)

    def enter(self, card: int) -> None:
        """S-6, S-7: a family goes to war."""
        self.family[self.mover] = card // VALUES
        self.lay_face_down(card)
        self.phase = PHASE_STAKE

    def lay_face_down(self, card: int) -> None:
        """S-6, S-14: a card of the own hand, its colour open and its value hidden."""
        self.let_go(self.mover, card // VALUES, card % VALUES + 1)
        self.face_down[self.mover] = card % VALUES + 1

    def legal_stake(self, legal: Spans) -> None:
        """S-6, S-7: any one note of black money."""
        for note in range(NOTES):
            if self.notes[self.mover * NOTES + note]:
                legal.add(NOTE + note, NOTE + note)

    def apply_stake(self, note: int) -> None:
        """S-6, S-7: the note lies open; then the next may join."""
        self.notes[self.mover * NOTES + note] -= 1
        self.stake[self.mover] = note
        self.ask_to_join()

    def nth_player(self, n: int) -> int:
        """S-9, S-11: the nth player, counted from the opener on."""
        seat = self.active + n
        return seat - self.seats if seat >= self.seats else seat

    def ask_to_join(self) -> None:
        """S-7: the next who could take part; after the last all turn up."""
        self.at += 1
        while self.at < self.seats:
            self.mover = self.nth_player(self.at)
            if self.can_join(self.mover):
                self.phase = PHASE_JOIN
                return
            self.at += 1
        self.phase = PHASE_TURN_UP

    def is_in_war(self, colour: int) -> bool:
        """S-7: whether a colour is in this war already."""
        return self.who_leads(colour) != NOBODY

    def who_leads(self, colour: int) -> int:
        """S-7: the player who has entered with that colour."""
        for seat in range(self.seats):
            if self.family[seat] == colour:
                return seat
        return NOBODY

    def has_money(self, seat: int) -> bool:
        """S-24: whether a player has any black money."""
        for note in range(NOTES):
            if self.notes[seat * NOTES + note]:
                return True
        return False

    def can_join(self, seat: int) -> bool:
        """S-7: with a note, and a card of a colour not yet in this war."""
        if not self.has_money(seat):
            return False
        for colour in range(COLOURS):
            if self.hand[seat * COLOURS + colour] and not self.is_in_war(colour):
                return True
        return False

    def legal_join(self, legal: Spans) -> None:
        """S-7: stay out, or a card of a colour not yet in this war."""
        legal.add(PASS, PASS)
        for colour in range(COLOURS):
            if not self.is_in_war(colour):
                self.add_cards(self.mover, colour, legal)

    def apply_join(self, action: int) -> None:
        """S-7: who passes stays out of this war."""
        if action == PASS:
            self.ask_to_join()
        else:
            self.enter(action - CARD)

    def apply_turn_up(self) -> None:
        """S-8, S-14: all cards of this pass are turned up."""
        armies = 0
        for n in range(self.seats):
            seat = self.nth_player(n)
            armies += self.family[seat] != NOTHING
            value = self.face_down[seat]
            self.fresh[seat] = value
            self.face_down[seat] = 0
            if value:
                self.laid[seat * VALUES + self.cards[seat]] = value
                self.cards[seat] += 1
                self.remember(self.family[seat], SHOWN, seat, 0, value)
        self.at = NOTHING
        if armies == 1:
            self.end_war()
        elif self.war_pass == 0:
            self.ask_defector()
        else:
            self.ask_bomber()

    # --- War: defectors -----------------------------------------------------------------------

    def ask_defector(self) -> None:
        """S-9: from the opener on, each who may defect; then the bombs."""
        self.at += 1
        while self.at < self.seats:
            self.mover = self.nth_player(self.at)
            if self.may_defect(self.mover):
                self.phase = PHASE_DEFECT
                return
            self.at += 1
        self.at = NOTHING
        self.ask_bomber()

    def second_colour(self, seat: int) -> int:
        """S-M2: the other colour on the defector of a player's family."""
        return SECOND[self.defectors][self.family[seat]]

    def may_defect(self, seat: int) -> bool:
        """S-9, S-10: to a family in this war without an ally; of two opposites only the nearer."""
        if self.fresh[seat] != DEFECTOR:
            return False
        other = self.who_leads(self.second_colour(seat))
        if other in (NOBODY, seat):
            return False
        if self.joined_by[seat] != NOBODY or self.joined_by[other] != NOBODY:
            return False
        if self.joined[other] != NOBODY:
            return False
        opposite = self.fresh[other] == DEFECTOR
        opposite = opposite and self.second_colour(other) == self.family[seat]
        return not (opposite and self.place_of(other) < self.place_of(seat))

    def place_of(self, seat: int) -> int:
        """S-10: how far a player sits from the opener, clockwise."""
        return seat - self.active if seat >= self.active else seat - self.active + self.seats

    def apply_defect(self, action: int) -> None:
        """S-9: the 8 stays, or it defects as a 4 and its owner lays no more cards."""
        if action == DEFECT:
            other = self.who_leads(self.second_colour(self.mover))
            self.joined[self.mover] = other
            self.joined_by[other] = self.mover
            self.passed[self.mover] = 1
        self.ask_defector()

    # --- War: bombs ---------------------------------------------------------------------------

    def ask_bomber(self) -> None:
        """S-11: in player order, each whose bomb has a target; then the next pass."""
        self.at += 1
        while self.at < self.seats:
            self.mover = self.nth_player(self.at)
            if self.fresh[self.mover] == BOMB and self.has_target():
                self.phase = PHASE_BOMB
                return
            self.at += 1
        self.war_pass += 1
        self.at = NOTHING
        self.ask_to_lay()

    def can_hit(self, seat: int) -> bool:
        """S-11: another player's family of a colour the bomb shows, with a card on the table."""
        if seat == self.mover or self.family[seat] == NOTHING or self.cards[seat] == 0:
            return False
        return HITS[self.bombs][self.family[self.mover]] & BIT[self.family[seat]] != 0

    def has_target(self) -> bool:
        """S-11: whether the bomb could be set off."""
        for seat in range(self.seats):
            if self.can_hit(seat):
                return True
        return False

    def lies(self, seat: int, value: int) -> bool:
        """S-12: whether a player has that card in the war."""
        for i in range(self.cards[seat]):
            if self.laid[seat * VALUES + i] == value:
                return True
        return False

    def legal_bomb(self, legal: Spans) -> None:
        """S-11, S-12: keep the bomb, or hit a card of a possible victim; a bodyguard first."""
        legal.add(PASS, PASS)
        for colour in range(COLOURS):
            seat = self.who_leads(colour)
            if seat != NOBODY and self.can_hit(seat):
                guarded = self.lies(seat, BODYGUARD)
                for value in range(1, VALUES + 1):
                    if self.lies(seat, value) and (value == BODYGUARD or not guarded):
                        card = CARD + colour * VALUES + value - 1
                        legal.add(card, card)

    def apply_bomb(self, action: int) -> None:
        """S-11, S-13: the bomb and the card it hits leave the war."""
        if action != PASS:
            colour = (action - CARD) // VALUES
            value = (action - CARD) % VALUES + 1
            seat = self.who_leads(colour)
            self.blow_up(self.mover, BOMB)
            self.blow_up(seat, value)
        self.ask_bomber()

    def blow_up(self, seat: int, value: int) -> None:
        """S-13: a card goes face down under its stack; a bomb that is hit does not go off."""
        first = seat * VALUES
        i = 0
        while self.laid[first + i] != value:
            i += 1
        self.cards[seat] -= 1
        while i < self.cards[seat]:
            self.laid[first + i] = self.laid[first + i + 1]
            i += 1
        self.laid[first + i] = 0
        if self.fresh[seat] == value:
            self.fresh[seat] = 0
        self.put_under(self.family[seat], value)

    # --- War: further passes ------------------------------------------------------------------

    def ask_to_lay(self) -> None:
        """S-14, S-15: the opener, then the others still in, as long as they have such cards."""
        self.at += 1
        while self.at < self.seats:
            self.mover = self.nth_player(self.at)
            if self.can_lay(self.mover):
                self.phase = PHASE_LAY
                return
            self.at += 1
        laid = 0
        for seat in range(self.seats):
            laid += self.face_down[seat] > 0
        if laid:
            self.phase = PHASE_TURN_UP
        else:
            self.end_war()

    def can_lay(self, seat: int) -> bool:
        """S-14: still in, and with a card of the own family in hand."""
        if self.family[seat] == NOTHING or self.passed[seat]:
            return False
        return self.hand[seat * COLOURS + self.family[seat]] != 0

    def legal_lay(self, legal: Spans) -> None:
        """S-14: no more cards, or one more of the same colour."""
        legal.add(PASS, PASS)
        self.add_cards(self.mover, self.family[self.mover], legal)

    def apply_lay(self, action: int) -> None:
        """S-14: who passes plays no more cards in this war."""
        if action == PASS:
            self.passed[self.mover] = 1
        else:
            self.lay_face_down(action - CARD)
        self.ask_to_lay()

    # --- War: who wins ------------------------------------------------------------------------

    def strength(self, seat: int) -> int:
        """S-8, S-9, S-16: a family's strength with its ally; 0 if it has defected or no cards."""
        if self.family[seat] == NOTHING or self.joined[seat] != NOBODY:
            return 0
        strength = 0
        for i in range(self.cards[seat]):
            strength += self.laid[seat * VALUES + i]
        ally = self.joined_by[seat]
        if ally != NOBODY and self.cards[ally]:
            strength += WORTH_AS_DEFECTOR
        return strength

    def strongest(self) -> int:
        """S-16: the side with the highest strength; strengths that several have do not count."""
        best = 0
        winner = NOBODY
        for seat in range(self.seats):
            strength = self.strength(seat)
            alone = strength > best
            for other in range(self.seats):
                if other != seat and self.strength(other) == strength:
                    alone = False
            if alone:
                best = strength
                winner = seat
        return winner

    def end_war(self) -> None:
        """S-16 to S-20: one family wins, or an alliance, or nobody."""
        self.at = NOTHING
        head = self.strongest()
        if head == NOBODY:
            self.finish_war()
            return
        self.prize = self.family[head]
        ally = self.joined_by[head]
        if ally == NOBODY or self.cards[ally] == 0:
            self.win_alone(head)
        elif self.cards[head] == 0:
            self.win_alone(ally)
        else:
            self.win_together(head, ally)

    def stake_worth(self, seat: int) -> int:
        """S-17: what a player has staked, in thousands."""
        return NOTE_WORTH[self.stake[seat]]

    def win_alone(self, seat: int) -> None:
        """S-17, S-18, S-20: the stake is laundered and doubled, and a business is taken."""
        self.laundered[seat] += 2 * self.stake_worth(seat)
        self.go_shopping(seat)

    def win_together(self, head: int, ally: int) -> None:
        """S-19: the owner of the winning family chooses; without a business it takes the money."""
        self.mover = head
        if self.businesses_left(self.prize):
            self.phase = PHASE_SHARE
        else:
            self.laundered[head] += self.stake_worth(head) + self.stake_worth(ally)
            self.finish_war()

    def apply_share(self, action: int) -> None:
        """S-19: one takes both stakes, the other the business."""
        head = self.mover
        ally = self.joined_by[head]
        both = self.stake_worth(head) + self.stake_worth(ally)
        if action == MONEY:
            self.laundered[head] += both
            self.go_shopping(ally)
        else:
            self.laundered[ally] += both
            self.go_shopping(head)

    def businesses_left(self, colour: int) -> int:
        """S-18: how many businesses of a colour nobody owns."""
        left = 0
        for kind in range(KINDS):
            left += self.owner[colour * KINDS + kind] == NOBODY
        return left

    def go_shopping(self, seat: int) -> None:
        """S-18: the winner looks through the businesses of the colour, if there are any."""
        self.winner = seat
        self.mover = seat
        if self.businesses_left(self.prize):
            self.phase = PHASE_OPEN
        else:
            self.finish_war()

    def legal_shop(self, legal: Spans) -> None:
        """S-18: one of those that are left."""
        for kind in range(KINDS):
            if self.owner[self.prize * KINDS + kind] == NOBODY:
                legal.add(KIND + kind, KIND + kind)

    def apply_shop(self, kind: int) -> None:
        """S-18: it lies face down before its owner."""
        place = KINDS - self.businesses_left(self.prize)
        self.bought[self.prize * KINDS + place] = kind
        self.owner[self.prize * KINDS + kind] = self.mover
        self.finish_war()

    def finish_war(self) -> None:
        """S-21 to S-24: cards go under their stacks; then the game ends or the next turn begins."""
        for n in range(self.seats):
            seat = self.nth_player(n)
            for i in range(self.cards[seat]):
                self.put_under(self.family[seat], self.laid[seat * VALUES + i])
                self.laid[seat * VALUES + i] = 0
            self.cards[seat] = 0
        for seat in range(self.seats):
            self.family[seat] = NOTHING
            self.stake[seat] = NOTHING
            self.fresh[seat] = 0
            self.joined[seat] = NOBODY
            self.joined_by[seat] = NOBODY
            self.passed[seat] = 0
        if self.winner != NOBODY and self.has_monopoly(self.winner):
            self.crown_owner(self.winner)
        elif self.somebody_is_broke():
            self.count_money()
            self.crown_richest()
        else:
            self.end_turn()

    # --- The end ------------------------------------------------------------------------------

    def has_monopoly(self, seat: int) -> bool:
        """S-23: whether a player has all three businesses of one colour."""
        for colour in range(COLOURS):
            owned = 0
            for kind in range(KINDS):
                owned += self.owner[colour * KINDS + kind] == seat
            if owned == KINDS:
                return True
        return False

    def somebody_is_broke(self) -> bool:
        """S-24: whether any player has no black money."""
        for seat in range(self.seats):
            if not self.has_money(seat):
                return True
        return False

    def count_money(self) -> None:
        """S-25, S-26, S-27: laundered minus black money, plus bonuses for businesses."""
        for seat in range(self.seats):
            self.money[seat] = self.laundered[seat]
            for note in range(NOTES):
                self.money[seat] -= self.notes[seat * NOTES + note] * NOTE_WORTH[note]
            if self.has_three_kinds(seat):
                self.money[seat] += THREE_KINDS
        for kind in range(KINDS):
            best = self.leader_of(kind)
            if best != NOBODY:
                self.money[best] += MOST_OF_A_KIND

    def has_three_kinds(self, seat: int) -> bool:
        """S-26: whether a player has one of each kind, in three different colours."""
        for one in range(COLOURS):
            for two in range(COLOURS):
                for three in range(COLOURS):
                    if one != two and two != three and one != three:
                        if (
                            self.owner[one * KINDS] == seat
                            and self.owner[two * KINDS + 1] == seat
                            and self.owner[three * KINDS + 2] == seat
                        ):
                            return True
        return False

    def number_of(self, seat: int, kind: int) -> int:
        """S-27: how many businesses of a kind a player has."""
        number = 0
        for colour in range(COLOURS):
            number += self.owner[colour * KINDS + kind] == seat
        return number

    def leader_of(self, kind: int) -> int:
        """S-27: the only player with the most of a kind."""
        best = 0
        leader = NOBODY
        for seat in range(self.seats):
            number = self.number_of(seat, kind)
            if number > best:
                best = number
                leader = seat
            elif number == best:
                leader = NOBODY
        return leader

    def crown_owner(self, seat: int) -> None:
        """S-23: three businesses of a colour win at once."""
        self.count_money()
        self.won = BIT[seat]
        self.reason = BY_BUSINESSES
        self.phase = PHASE_OVER

    def crown_richest(self) -> None:
        """S-28: the most money wins, then the most businesses; equal players share."""
        best = -1000000
        for seat in range(self.seats):
            claim = self.claim(seat)
            if claim > best:
                best = claim
                self.won = 0
            if claim == best:
                self.won += BIT[seat]
        self.reason = BY_MONEY
        self.phase = PHASE_OVER

    def claim(self, seat: int) -> int:
        """S-28: money first, businesses second."""
        businesses = 0
        for kind in range(KINDS):
            businesses += self.number_of(seat, kind)
        return 100 * self.money[seat] + businesses

    # --- Contract of State --------------------------------------------------------------------

    def acting(self) -> int:
        """S-1, S-7: the player who is asked; otherwise chance, until the game ends."""
        if (
            self.phase == PHASE_DRAFT
            or self.phase == PHASE_TURN
            or self.phase == PHASE_WHICH
            or self.phase == PHASE_ONE
            or self.phase == PHASE_TAKE
            or self.phase == PHASE_STEAL
            or self.phase == PHASE_VICTIM
            or self.phase == PHASE_STAKE
            or self.phase == PHASE_JOIN
            or self.phase == PHASE_DEFECT
            or self.phase == PHASE_BOMB
            or self.phase == PHASE_LAY
            or self.phase == PHASE_SHARE
            or self.phase == PHASE_SHOP
        ):
            return BIT[self.mover]
        return 0 if self.phase == PHASE_OVER else CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """S-1, S-7: what the player who is asked may do; the others wait."""
        legal.clear()
        if seat != self.mover or seat < 0:
            return
        if self.phase == PHASE_TURN:
            self.legal_turn(legal)
        elif self.phase == PHASE_JOIN:
            self.legal_join(legal)
        elif self.phase == PHASE_LAY:
            self.legal_lay(legal)
        elif self.phase == PHASE_STAKE:
            self.legal_stake(legal)
        elif self.phase == PHASE_ONE:
            self.legal_one(legal)
        elif self.phase == PHASE_DRAFT:
            self.legal_draft(legal)
        elif self.phase == PHASE_TAKE:
            self.legal_take(legal)
        elif self.phase == PHASE_WHICH or self.phase == PHASE_STEAL:
            self.legal_which(legal)
        elif self.phase == PHASE_VICTIM:
            self.legal_victim(legal)
        elif self.phase == PHASE_DEFECT:
            legal.add(PASS, DEFECT)
        elif self.phase == PHASE_BOMB:
            self.legal_bomb(legal)
        elif self.phase == PHASE_SHARE:
            legal.add(MONEY, BUSINESS)
        elif self.phase == PHASE_SHOP:
            self.legal_shop(legal)

    def fill_chance(self, outcomes: Outcomes) -> None:
        """S-S2, S-S4, S-M5, S-5: who starts, which card, which face."""
        outcomes.clear()
        if self.phase == PHASE_DICE:
            self.chance_dice(outcomes)
        elif self.phase == PHASE_DRAW:
            self.chance_top(self.queue[0], outcomes)
        elif self.phase == PHASE_DRAFTED:
            self.chance_top(self.colour, outcomes)
        elif self.phase == PHASE_STOLEN:
            self.chance_values(self.hand[self.victim * COLOURS + self.colour], outcomes)
        elif self.phase == PHASE_LOOK:
            self.chance_look(outcomes)
        elif self.phase == PHASE_START:
            for seat in range(self.seats):
                outcomes.add(seat, 1)
        else:
            outcomes.add(0, 1)

    def apply(self, seat: int, action: int) -> None:
        """Apply one action of a player or of chance."""
        if seat >= 0:
            self.apply_decision(action)
        elif self.phase == PHASE_DICE:
            self.apply_die(action)
        elif self.phase == PHASE_DRAW:
            self.apply_draw(action)
        elif self.phase == PHASE_TURN_UP:
            self.apply_turn_up()
        elif self.phase == PHASE_STOLEN:
            self.apply_stolen(action)
        elif self.phase == PHASE_LOOK:
            self.apply_look(action)
        elif self.phase == PHASE_DRAFTED:
            self.apply_drafted(action)
        elif self.phase == PHASE_OPEN:
            self.phase = PHASE_SHOP
        else:
            self.apply_start(action)

    def apply_decision(self, action: int) -> None:
        """Apply one action of the player who is to decide."""
        if self.phase == PHASE_TURN:
            self.apply_turn(action)
        elif self.phase == PHASE_JOIN:
            self.apply_join(action)
        elif self.phase == PHASE_LAY:
            self.apply_lay(action)
        elif self.phase == PHASE_STAKE:
            self.apply_stake(action - NOTE)
        elif self.phase == PHASE_ONE:
            self.apply_one(action)
        elif self.phase == PHASE_DRAFT:
            self.apply_draft(action - COLOUR)
        elif self.phase == PHASE_TAKE:
            self.apply_take(action - CARD)
        elif self.phase == PHASE_WHICH:
            self.apply_which(action - COLOUR)
        elif self.phase == PHASE_STEAL:
            self.choose_victim(action - COLOUR)
        elif self.phase == PHASE_VICTIM:
            self.apply_victim(action - VICTIM)
        elif self.phase == PHASE_DEFECT:
            self.apply_defect(action)
        elif self.phase == PHASE_BOMB:
            self.apply_bomb(action)
        elif self.phase == PHASE_SHARE:
            self.apply_share(action)
        else:
            self.apply_shop(action - KIND)

    def ending(self) -> int:
        """Return why the game is over, or 0 while it is not."""
        return self.reason

    def winners(self) -> int:
        """S-23, S-28: the winners, as one bit for each seat."""
        return self.won

    def copy(self) -> "State":
        """Return an independent copy of the state."""
        new = State.__new__(State)
        self.copy_numbers(new)
        new.die = self.die[:]
        new.queue = self.queue[:]
        new.hand_size = self.hand_size[:]
        new.laundered = self.laundered[:]
        new.money = self.money[:]
        new.notes = self.notes[:]
        new.hand = self.hand[:]
        new.pool = self.pool[:]
        new.size = self.size[:]
        new.stack = self.stack[:]
        new.owner = self.owner[:]
        new.bought = self.bought[:]
        new.family = self.family[:]
        new.stake = self.stake[:]
        new.passed = self.passed[:]
        new.joined = self.joined[:]
        new.joined_by = self.joined_by[:]
        new.face_down = self.face_down[:]
        new.fresh = self.fresh[:]
        new.cards = self.cards[:]
        new.laid = self.laid[:]
        new.happened = self.happened[:]
        new.before = self.before[:]
        new.deed = self.deed[:]
        new.value = self.value[:]
        return new

    def copy_numbers(self, new: "State") -> None:
        """Copy the plain integer fields to another state."""
        new.seats = self.seats
        new.defectors = self.defectors
        new.bombs = self.bombs
        new.faces = self.faces
        new.hand_limit = self.hand_limit
        new.phase = self.phase
        new.turns = self.turns
        new.active = self.active
        new.mover = self.mover
        new.reason = self.reason
        new.won = self.won
        new.rolled = self.rolled
        new.queued = self.queued
        new.colour = self.colour
        new.victim = self.victim
        new.war_pass = self.war_pass
        new.at = self.at
        new.winner = self.winner
        new.prize = self.prize

    def ints(self) -> list[int]:
        """Return the whole state as integers: options, progress of the game, pieces, records."""
        whole = [
            self.seats,
            self.defectors,
            self.bombs,
            self.faces,
            self.hand_limit,
            self.phase,
            self.turns,
            self.active,
            self.mover,
            self.reason,
            self.won,
            self.rolled,
            self.queued,
            self.colour,
            self.victim,
            self.war_pass,
            self.at,
            self.winner,
            self.prize,
        ]
        whole += self.die
        whole += self.queue
        whole += self.laundered
        whole += self.money
        whole += self.notes
        whole += self.hand
        whole += self.pool
        whole += self.size
        whole += self.stack
        whole += self.owner
        whole += self.bought
        whole += self.family
        whole += self.stake
        whole += self.passed
        whole += self.joined
        whole += self.joined_by
        whole += self.face_down
        whole += self.fresh
        whole += self.cards
        whole += self.laid
        whole += self.happened
        whole += self.before
        for colour in range(COLOURS):
            for i in range(self.happened[colour]):
                whole.append(self.deed[colour * EVENTS + i])
                whole.append(self.value[colour * EVENTS + i])
        return [int(number) for number in whole]

    def load(self, ints: list[int]) -> None:
        """Restore the state from the integers that `ints` returned."""
        self.seats = ints[0]
        self.defectors = ints[1]
        self.bombs = ints[2]
        self.faces = ints[3]
        self.hand_limit = ints[4]
        self.phase = ints[5]
        self.turns = ints[6]
        self.active = ints[7]
        self.mover = ints[8]
        self.reason = ints[9]
        self.won = ints[10]
        self.rolled = ints[11]
        self.queued = ints[12]
        self.colour = ints[13]
        self.victim = ints[14]
        self.war_pass = ints[15]
        self.at = ints[16]
        self.winner = ints[17]
        self.prize = ints[18]
        self.die = ints[19:22]
        self.queue = ints[22:24]
        self.laundered = ints[24:30]
        self.money = ints[30:36]
        self.notes = ints[36:66]
        self.hand = ints[66:102]
        self.pool = ints[102:108]
        self.size = ints[108:114]
        self.stack = ints[114:180]
        self.owner = ints[180:198]
        self.bought = ints[198:216]
        self.family = ints[216:222]
        self.stake = ints[222:228]
        self.passed = ints[228:234]
        self.joined = ints[234:240]
        self.joined_by = ints[240:246]
        self.face_down = ints[246:252]
        self.fresh = ints[252:258]
        self.cards = ints[258:264]
        self.laid = ints[264:330]
        self.happened = ints[330:336]
        self.before = ints[336:378]
        self.load_records(ints)

    def load_records(self, ints: list[int]) -> None:
        """Restore the records of each colour and the sizes of the hands."""
        at = 378
        for colour in range(COLOURS):
            for i in range(self.happened[colour]):
                self.deed[colour * EVENTS + i] = ints[at]
                self.value[colour * EVENTS + i] = ints[at + 1]
                at += 2
        for seat in range(MOST_SEATS):
            self.hand_size[seat] = 0
            for colour in range(COLOURS):
                for value in range(VALUES):
                    held = self.hand[seat * COLOURS + colour] & POWER[value]
                    self.hand_size[seat] += held > 0
