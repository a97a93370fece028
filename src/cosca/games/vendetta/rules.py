"""The rules of Vendetta, in the order a player meets them. Ids are those of RULES.md."""

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.state import State as Base
from cosca.games.vendetta import pieces

BIT = names.BIT
CHANCE_BIT = names.CHANCE_BIT
DISTRICTS = pieces.DISTRICTS
MAFIOSI = pieces.MAFIOSI
FIRST_HAND = pieces.FIRST_HAND
FIRST_MEN = pieces.FIRST_MEN
CARDS_DEALT = pieces.CARDS_DEALT
TURNS = pieces.TURNS
INCOME = pieces.INCOME
REINFORCEMENT = pieces.REINFORCEMENT
POINTS = pieces.POINTS
DISTRICTS_TO_WIN = pieces.DISTRICTS_TO_WIN
POINTS_TO_WIN = pieces.POINTS_TO_WIN
PHASE_TRUSTEE = pieces.PHASE_TRUSTEE
PHASE_DEAL = pieces.PHASE_DEAL
PHASE_PLACE = pieces.PHASE_PLACE
PHASE_CARD = pieces.PHASE_CARD
PHASE_OVER = pieces.PHASE_OVER
BY_DISTRICTS = pieces.BY_DISTRICTS
BY_POINTS = pieces.BY_POINTS
BY_ROUNDS = pieces.BY_ROUNDS
DONE = pieces.DONE
NOBODY = -1
NOWHERE = -1


class State(Base):
    """A game of Vendetta. Nothing is hidden: the next card is decided when it is turned up."""

    def __init__(
        self,
        seats: int,
        only_own_cards: bool = False,
        limit_every_turn: bool = False,
        most_controls: bool = False,
        final_points: bool = True,
        exceed_goal: bool = False,
        trustee: int = NOBODY,
        max_rounds: int = 0,
    ) -> None:
        self.seats = seats
        self.only_own_cards = only_own_cards
        self.limit_every_turn = limit_every_turn
        self.most_controls = most_controls
        self.final_points = final_points
        self.exceed_goal = exceed_goal
        self.max_rounds = max_rounds
        self.phase = PHASE_TRUSTEE
        self.round = 0
        self.turn = 0
        self.start = NOBODY
        self.active = NOBODY
        self.districts_used = 0
        self.last_placed = NOWHERE
        self.dealt = 0
        self.reason = 0
        self.won = 0
        self.men: list[list[int]] = [[0] * 5 for _ in range(13)]
        self.hand: list[int] = [0] * 5
        self.box: list[int] = [0] * 5
        self.points: list[int] = [0] * 5
        self.controlled: list[int] = [0] * 5  # districts, when last counted
        self.turned_up: list[int] = [0] * 13
        self.players: list[int] = [0] * 13  # in each district
        self.alone: list[int] = [NOBODY] * 13  # who is the only one there
        self.least: list[int] = [1] * 65  # thirteen districts for each seat in turn
        self.fill_box()
        if trustee != NOBODY:
            self.apply_trustee(trustee)

    # --- Setup --------------------------------------------------------------------------------

    def fill_box(self) -> None:
        """V-M3, V-S4: all fifty of each colour are in the box, but for the ten in hand."""
        for seat in range(self.seats):
            self.hand[seat] = FIRST_HAND
            self.box[seat] = MAFIOSI - FIRST_HAND

    def apply_trustee(self, seat: int) -> None:
        """V-S1: the trustee is the first start player; then the cards are dealt."""
        self.start = seat
        self.phase = PHASE_DEAL
        if not self.only_own_cards:
            for district in range(DISTRICTS):
                for player in range(self.seats):
                    self.settle(district, player)

    def apply_deal(self, district: int) -> None:
        """V-S2, V-S3, V-S3f: a player's cards are the only districts without, or with, two men."""
        player = self.dealt // CARDS_DEALT
        if self.only_own_cards:
            self.settle(district, player)
        else:
            self.clear_out(district, player)
        self.turned_up[district] = 1
        self.dealt += 1
        if self.dealt == CARDS_DEALT * self.seats:
            for place in range(DISTRICTS):
                self.count_players(place)
            self.begin_round()

    def settle(self, district: int, seat: int) -> None:
        """V-S3: two mafiosi from the box into a district."""
        self.men[district][seat] += FIRST_MEN
        self.box[seat] -= FIRST_MEN

    # --- Round --------------------------------------------------------------------------------

    def begin_round(self) -> None:
        """V-1: all thirteen cards are face down again, two on Razzia, eleven on Schutzgeld."""
        for district in range(DISTRICTS):
            self.turned_up[district] = 0
        self.round += 1
        self.turn = 0
        self.active = self.start
        self.begin_turn()

    def begin_turn(self) -> None:
        """V-3: place, then turn up a card; a player who cannot place goes straight to the card."""
        self.districts_used = 0
        self.last_placed = NOWHERE
        self.phase = PHASE_PLACE if self.can_place() else PHASE_CARD

    def after(self, seat: int) -> int:
        """V-2: the next player clockwise."""
        return seat + 1 if seat + 1 < self.seats else 0

    # --- Placing ------------------------------------------------------------------------------

    def limit(self) -> int:
        """V-4, V-7, V-7e: two districts a turn, but one for the start player when limited."""
        if self.active == self.start and (self.turn == 0 or self.limit_every_turn):
            return 1
        return 2

    def minimum(self, seat: int, district: int) -> int:
        """V-6: against one other player alone there, at least as many; anywhere else, one."""
        return self.least[seat * DISTRICTS + district]

    def look_who_is_alone(self, district: int) -> None:
        """V-6, V-11, V-15: who is the only player in a district, and what others must match."""
        if self.players[district] == 1:
            alone = 0
            for seat in range(self.seats):
                alone += seat * (self.men[district][seat] > 0)  # true of one seat only
            self.alone[district] = alone
            self.set_minimum(district, self.men[district][alone])
            self.least[alone * DISTRICTS + district] = 1
        elif self.alone[district] != NOBODY:
            self.alone[district] = NOBODY
            self.set_minimum(district, 1)

    def set_minimum(self, district: int, number: int) -> None:
        """V-6: set the number that everyone must place in a district at least."""
        for seat in range(self.seats):
            self.least[seat * DISTRICTS + district] = number

    def count_players(self, district: int) -> None:
        """V-6: count again how many players have mafiosi in a district."""
        self.players[district] = 0
        for seat in range(self.seats):
            self.players[district] += self.men[district][seat] > 0
        self.look_who_is_alone(district)

    def can_place(self) -> bool:
        """V-4, V-5: whether the hand allows one more placement this turn."""
        hand = self.hand[self.active]
        if hand == 0 or self.districts_used == self.limit():
            return False
        for district in range(self.last_placed + 1, DISTRICTS):
            if self.least[self.active * DISTRICTS + district] <= hand:
                return True
        return False

    def legal_places(self, legal: Spans) -> None:
        """V-3, V-4, V-5, V-6: any number from the minimum to the whole hand, or done."""
        hand = self.hand[self.active]
        mine = self.active * DISTRICTS
        first = legal.first
        last = legal.last
        count = 0
        total = 1
        none = (self.last_placed + 1) * MAFIOSI - 1  # the action number of placing nobody there
        for district in range(self.last_placed + 1, DISTRICTS):
            # Write first and count later: a branch on random data costs more than all the rest.
            least = self.least[mine + district]
            choices = hand + 1 - least
            first[count] = none + least
            last[count] = none + hand
            count += choices > 0
            total += choices if choices > 0 else 0
            none += MAFIOSI
        first[count] = DONE
        last[count] = DONE
        legal.count = count + 1
        legal.total = total

    def apply_place(self, district: int, number: int) -> None:
        """V-4, V-5: from the hand into a district; a second district lies further on the map."""
        self.hand[self.active] -= number
        self.players[district] += self.men[district][self.active] == 0
        self.men[district][self.active] += number
        self.look_who_is_alone(district)
        self.districts_used += 1
        self.last_placed = district
        if not self.can_place():
            self.phase = PHASE_CARD

    # --- The card and the vendetta ------------------------------------------------------------

    def apply_card(self, district: int) -> None:
        """V-2, V-3: one card a turn; after the eleventh the round ends."""
        self.turn_up(district)
        self.vendetta(district)
        self.collect(district)
        self.turn += 1
        self.active = self.after(self.active)
        if self.turn < TURNS:
            self.begin_turn()
        else:
            self.end_round()

    def turn_up(self, district: int) -> None:
        """V-3: the card lies open for the rest of the round."""
        self.turned_up[district] = 1

    def loser(self, district: int) -> int:
        """V-9, V-10, V-11: the fewest lose; in a tie the next in turn, the active player last."""
        fewest = MAFIOSI + 1
        loser = NOBODY
        seat = self.active
        for _ in range(self.seats):
            seat = seat + 1 if seat + 1 < self.seats else 0
            men = self.men[district][seat]
            fewer = (men > 0) & (men < fewest)
            fewest = men if fewer else fewest
            loser = seat if fewer else loser
        return NOBODY if loser == self.alone[district] else loser

    def vendetta(self, district: int) -> None:
        """V-9, V-11, V-13: the loser's mafiosi go to the box; a lone player loses none."""
        loser = self.loser(district)
        if loser != NOBODY:
            self.clear_out(district, loser)
            self.look_who_is_alone(district)

    def collect(self, district: int) -> None:
        """V-12: everyone still there takes one mafioso from the box."""
        for seat in range(self.seats):
            self.receive(seat, INCOME * (self.men[district][seat] > 0))

    def receive(self, seat: int, number: int) -> None:
        """V-M4: take mafiosi from the box, at most as many as it holds."""
        if number > self.box[seat]:
            number = self.box[seat]
        self.box[seat] -= number
        self.hand[seat] += number

    def clear_out(self, district: int, seat: int) -> None:
        """V-9, V-14: all of a player's mafiosi in a district go to the box."""
        self.players[district] -= self.men[district][seat] > 0
        self.box[seat] += self.men[district][seat]
        self.men[district][seat] = 0

    # --- End of a round -----------------------------------------------------------------------

    def end_round(self) -> None:
        """V-14 to V-21: raid, points, and either a winner or a new round."""
        self.raid()
        self.score_round()
        if not self.decide():
            self.reinforce()
            self.start = self.active
            self.begin_round()

    def raid(self) -> None:
        """V-14: the two cards never turned up empty their districts."""
        for district in range(DISTRICTS):
            if not self.turned_up[district]:
                for seat in range(self.seats):
                    self.clear_out(district, seat)
                self.look_who_is_alone(district)

    def controller(self, district: int) -> int:
        """V-15, V-15e: the only player there, or the one with the most; nobody in a tie."""
        if not self.most_controls:
            return self.alone[district]
        most = 0
        controller = NOBODY
        for seat in range(self.seats):
            men = self.men[district][seat]
            if men > most:
                most = men
                controller = seat
            elif men == most:
                controller = NOBODY
        return controller

    def count_districts(self) -> None:
        """V-15, V-15e: how many districts each player controls."""
        for seat in range(self.seats):
            self.controlled[seat] = 0
        for district in range(DISTRICTS):
            controller = self.controller(district)
            if controller != NOBODY:
                self.controlled[controller] += 1

    def round_points(self, seat: int) -> int:
        """V-16: points for the districts controlled; more than seven count as seven."""
        return POINTS[self.controlled[seat] if self.controlled[seat] < 7 else 7]

    def score_round(self) -> None:
        """V-16, V-16e: points add up, unless a win by districts ends the scoring."""
        self.count_districts()
        if self.final_points or not self.is_won_by_districts():
            for seat in range(self.seats):
                self.points[seat] += self.round_points(seat)

    def is_won_by_districts(self) -> bool:
        """V-17: whether somebody controls enough districts."""
        for seat in range(self.seats):
            if self.controlled[seat] >= DISTRICTS_TO_WIN[self.seats]:
                return True
        return False

    def claim(self, seat: int, reason: int) -> int:
        """V-17, V-18, V-19, V-21: the strength of a player's claim to win this way; -1 for none."""
        districts = self.controlled[seat]
        points = self.points[seat]
        if reason == BY_DISTRICTS:
            return districts * 100000 + points if districts >= DISTRICTS_TO_WIN[self.seats] else -1
        if reason == BY_POINTS and points < POINTS_TO_WIN[self.seats] + self.exceed_goal:
            return -1
        return points * 100 + districts

    def decide(self) -> bool:
        """V-17, V-18, V-21: districts come before points, and both before the round limit."""
        if self.crown(BY_DISTRICTS) or self.crown(BY_POINTS):
            return True
        return self.round == self.max_rounds and self.crown(BY_ROUNDS)

    def crown(self, reason: int) -> bool:
        """V-19, V-19r: the best claim wins, equal ones share; return whether there was one."""
        best = -1
        for seat in range(self.seats):
            claim = self.claim(seat, reason)
            if claim > best:
                best = claim
                self.won = 0
            if claim >= 0 and claim == best:
                self.won += BIT[seat]
        if best < 0:
            return False
        self.reason = reason
        self.phase = PHASE_OVER
        return True

    def reinforce(self) -> None:
        """V-20: everyone takes three mafiosi before the next round."""
        for seat in range(self.seats):
            self.receive(seat, REINFORCEMENT)

    # --- Contract of State --------------------------------------------------------------------

    def acting(self) -> int:
        """V-2: the active player while placing; chance otherwise, until the game ends."""
        if self.phase == PHASE_PLACE:
            return BIT[self.active]
        return 0 if self.phase == PHASE_OVER else CHANCE_BIT

    def fill_legal(self, seat: int, legal: Spans) -> None:
        """V-3: what the active player may do; the others wait."""
        if self.phase == PHASE_PLACE and seat == self.active:
            self.legal_places(legal)
        else:
            legal.clear()

    def fill_chance(self, outcomes: Outcomes) -> None:
        """V-S1, V-S2, V-1: every seat, or every face-down card, is equally likely."""
        if self.phase == PHASE_TRUSTEE:
            outcomes.clear()
            for seat in range(self.seats):
                outcomes.add(seat, 1)
        else:
            action = outcomes.action
            weight = outcomes.weight
            count = 0
            for district in range(DISTRICTS):
                action[count] = district
                weight[count] = 1
                count += 1 - self.turned_up[district]
            outcomes.count = count
            outcomes.total = count

    def apply(self, seat: int, action: int) -> None:
        """Apply one action of the active player or of chance."""
        if self.phase == PHASE_PLACE:
            if action == DONE:
                self.phase = PHASE_CARD
            else:
                self.apply_place(action // MAFIOSI, action % MAFIOSI + 1)
        elif self.phase == PHASE_CARD:
            self.apply_card(action)
        elif self.phase == PHASE_DEAL:
            self.apply_deal(action)
        else:
            self.apply_trustee(action)

    def ending(self) -> int:
        """Return why the game is over, or 0 while it is not."""
        return self.reason

    def winners(self) -> int:
        """V-19r: the winners, as one bit for each seat."""
        return self.won

    def copy(self) -> "State":
        """Return an independent copy of the state."""
        new = State.__new__(State)
        new.seats = self.seats
        new.only_own_cards = self.only_own_cards
        new.limit_every_turn = self.limit_every_turn
        new.most_controls = self.most_controls
        new.final_points = self.final_points
        new.exceed_goal = self.exceed_goal
        new.max_rounds = self.max_rounds
        new.phase = self.phase
        new.round = self.round
        new.turn = self.turn
        new.start = self.start
        new.active = self.active
        new.districts_used = self.districts_used
        new.last_placed = self.last_placed
        new.dealt = self.dealt
        new.reason = self.reason
        new.won = self.won
        new.hand = self.hand[:]
        new.box = self.box[:]
        new.points = self.points[:]
        new.controlled = self.controlled[:]
        new.turned_up = self.turned_up[:]
        new.players = self.players[:]
        new.alone = self.alone[:]
        new.men = self.men[:]
        new.least = self.least[:]
        for district in range(DISTRICTS):
            new.men[district] = self.men[district][:]
        return new

    def ints(self) -> list[int]:
        """Return the whole state as integers: options, progress of the game, pieces."""
        whole = [
            self.seats,
            self.only_own_cards,
            self.limit_every_turn,
            self.most_controls,
            self.final_points,
            self.exceed_goal,
            self.max_rounds,
            self.phase,
            self.round,
            self.turn,
            self.start,
            self.active,
            self.districts_used,
            self.last_placed,
            self.dealt,
            self.reason,
            self.won,
        ]
        whole += self.hand
        whole += self.box
        whole += self.points
        whole += self.controlled
        whole += self.turned_up
        for district in range(DISTRICTS):
            whole += self.men[district]
        return [int(number) for number in whole]

    def load(self, ints: list[int]) -> None:
        """Restore the state from the integers that `ints` returned."""
        self.seats = ints[0]
        self.only_own_cards = bool(ints[1])
        self.limit_every_turn = bool(ints[2])
        self.most_controls = bool(ints[3])
        self.final_points = bool(ints[4])
        self.exceed_goal = bool(ints[5])
        self.max_rounds = ints[6]
        self.phase = ints[7]
        self.round = ints[8]
        self.turn = ints[9]
        self.start = ints[10]
        self.active = ints[11]
        self.districts_used = ints[12]
        self.last_placed = ints[13]
        self.dealt = ints[14]
        self.reason = ints[15]
        self.won = ints[16]
        self.hand = ints[17:22]
        self.box = ints[22:27]
        self.points = ints[27:32]
        self.controlled = ints[32:37]
        self.turned_up = ints[37:50]
        for district in range(DISTRICTS):
            self.men[district] = ints[50 + 5 * district : 55 + 5 * district]
            self.count_players(district)
