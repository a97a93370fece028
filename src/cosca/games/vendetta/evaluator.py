"""The fast evaluation of Vendetta for the search: `heuristic.py` again, compiled.

The weights are those of `heuristic.py`, and districts are evaluated in the same way, but for all
seats at once and from a state: in Vendetta nothing is hidden.
"""

from typing import Any

from cosca.core import evaluator as core
from cosca.core.buffers import Spans
from cosca.core.dice import Dice
from cosca.core.evaluator import Priors, Values, exponential, mix_hash
from cosca.core.names import Action, Seat
from cosca.core.state import State as AnyState
from cosca.games.vendetta import heuristic, pieces
from cosca.games.vendetta.rules import State

DISTRICTS = pieces.DISTRICTS
MAFIOSI = pieces.MAFIOSI
TURNS = pieces.TURNS
INCOME = pieces.INCOME
DONE = pieces.DONE
POINTS_TO_WIN = pieces.POINTS_TO_WIN
TIMES = heuristic.TIMES
PROGRESS = heuristic.PROGRESS
ENOUGH = heuristic.ENOUGH
IN_HAND = heuristic.IN_HAND
ON_MAP = heuristic.ON_MAP
KEPT = [(1 - heuristic.BREAK_IN) ** turns for turns in range(12)]  # V-6: nobody has broken in
NOBODY = -1
SHARP = 0.012  # a value lower by this gets less than half the prior


class Evaluator(core.Evaluator):
    """Evaluates districts, and from them each seat's share of the victory."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.opponent_view_period = 0
        self.simulations_per_world = 500
        self.seats = 0
        self.safe = 0.0  # V-14: the chance that a card face down is not a raid
        self.cards: list[int] = [0] * 5  # V-2: how many cards each seat will turn up
        self.turns: list[int] = [0] * 5  # how many times each seat may still break in
        self.control: list[float] = [0.0] * 5  # of one district: the chance to control it
        self.mafiosi: list[float] = [0.0] * 5  # of one district: left there and brought in
        self.control_before: list[float] = [0.0] * 65
        self.mafiosi_before: list[float] = [0.0] * 65
        self.points_sum: list[float] = [0.0] * 5
        self.mafiosi_sum: list[float] = [0.0] * 5
        self.strength: list[float] = [0.0] * 5
        self.wanted: list[int] = [0] * 64

    # --- Knowledge of a seat ------------------------------------------------------------------

    def information_key(self, state: AnyState, seat: Seat) -> int:
        """V-8: the hash of everything, for nothing is hidden."""
        at: State = state  # type: ignore[assignment]  # the game descriptor pairs state and instinct
        key = at.round * 64 + at.turn
        for player in range(at.seats):
            key = mix_hash(key, at.hand[player] * 65536 + at.points[player])
        for district in range(DISTRICTS):
            number = at.turned_up[district]
            for player in range(at.seats):
                number = number * 64 + at.men[district][player]
            key = mix_hash(key, number)
        return mix_hash(key, at.active * 1024 + at.districts_used * 64 + at.last_placed + 1)

    # --- Looking ahead ------------------------------------------------------------------------

    def look_ahead(self, at: State, mover: Seat) -> None:
        """V-1, V-2: count the face-down cards and the turns to come, except those of the mover."""
        self.seats = at.seats
        left = TURNS - at.turn
        down = 0
        for district in range(DISTRICTS):
            down += 1 - at.turned_up[district]
        self.safe = left / (1.0 * down)
        for seat in range(at.seats):
            ahead = seat - at.active if seat >= at.active else seat - at.active + at.seats
            self.cards[seat] = (left - ahead + at.seats - 1) // at.seats if left > ahead else 0
            self.turns[seat] = 0 if seat == mover else self.cards[seat]

    def outlook(self, at: State, district: int, mover: Seat, more: int) -> None:
        """V-9 to V-15e: the expected fate of a district with `more` mafiosi of one seat."""
        at.men[district][mover] += more
        at.hand[mover] -= more
        present = 0
        fewest = MAFIOSI + 1
        equals = 0
        for seat in range(self.seats):
            men = at.men[district][seat]
            self.control[seat] = 0.0
            self.mafiosi[seat] = ON_MAP * men
            if men:
                present += 1
                if men < fewest:
                    fewest = men
                    equals = 0
                equals += men == fewest
        if present and at.turned_up[district]:
            self.add_control(at, district, NOBODY, 1.0)
        elif present:
            for seat in range(self.seats):
                if at.men[district][seat]:
                    self.mafiosi[seat] = (self.mafiosi[seat] + INCOME) * self.safe
            if present == 1:
                self.add_control(at, district, NOBODY, self.safe)
            else:
                self.lose(at, district, fewest, equals)
        at.men[district][mover] -= more
        at.hand[mover] += more

    def lose(self, at: State, district: int, fewest: int, equals: int) -> None:
        """V-9, V-10: who may lose the vendetta, and what remains for the others."""
        left = TURNS - at.turn
        for seat in range(self.seats):
            if at.men[district][seat] == fewest:
                chance = 1.0
                if equals > 1:
                    chance = self.cards_against(at, district, seat) / (1.0 * left)
                self.mafiosi[seat] *= 1 - chance
                self.add_control(at, district, seat, chance * self.safe)

    def cards_against(self, at: State, district: int, seat: Seat) -> int:
        """V-10: on how many of the coming cards this seat would lose a tie."""
        active = seat - 1 if seat else self.seats - 1
        cards = self.cards[active]
        while at.men[district][active] != at.men[district][seat]:
            active = active - 1 if active else self.seats - 1
            cards += self.cards[active]
        return cards

    def add_control(self, at: State, district: int, loser: Seat, chance: float) -> None:
        """V-15, V-15e: the only one there, or the strongest, keeps it unless a rival breaks in."""
        most = 0
        strongest = NOBODY
        number = 0
        for seat in range(self.seats):
            men = at.men[district][seat]
            if men and seat != loser:
                number += 1
                if men == most:
                    strongest = NOBODY
                elif men > most:
                    most = men
                    strongest = seat
        if strongest != NOBODY and (number == 1 or at.most_controls):
            turns = 0
            for rival in range(self.seats):
                reach = at.hand[rival]
                if at.most_controls:
                    reach += at.men[district][rival]
                if rival != strongest and reach >= most:
                    turns += self.turns[rival]
            self.control[strongest] += chance * KEPT[turns]

    def look_around(self, at: State, mover: Seat) -> None:
        """Evaluate all districts as they are."""
        self.look_ahead(at, mover)
        for seat in range(self.seats):
            self.points_sum[seat] = 1 / TIMES
            self.mafiosi_sum[seat] = at.hand[seat]
        for district in range(DISTRICTS):
            self.outlook(at, district, 0, 0)
            for seat in range(self.seats):
                self.control_before[district * 5 + seat] = self.control[seat]
                self.mafiosi_before[district * 5 + seat] = self.mafiosi[seat]
                self.points_sum[seat] *= 1 + (TIMES - 1) * self.control[seat]
                self.mafiosi_sum[seat] += self.mafiosi[seat]

    # --- Values -------------------------------------------------------------------------------

    def strength_of(self, at: State, seat: Seat, points: float, mafiosi: float) -> float:
        """V-17, V-18: how close a seat is to victory."""
        way = (at.points[seat] + points) / (POINTS_TO_WIN[self.seats] + at.exceed_goal)
        return exponential(PROGRESS * (way if way < ENOUGH else ENOUGH) + IN_HAND * mafiosi)

    def share(self, at: State, mover: Seat, district: int, number: int) -> float:
        """Return a seat's share of the victory with `number` more mafiosi in a district."""
        self.outlook(at, district, mover, number)
        whole = 0.0
        own = 0.0
        for seat in range(self.seats):
            place = district * 5 + seat
            strength = self.strength[seat]
            before = self.control_before[place]
            after = self.control[seat]
            more = self.mafiosi[seat] - self.mafiosi_before[place]
            if seat == mover:
                more -= number
            if after != before or more != 0:
                times = (1 + (TIMES - 1) * after) / (1 + (TIMES - 1) * before)
                points = self.points_sum[seat] * times
                strength = self.strength_of(at, seat, points, self.mafiosi_sum[seat] + more)
            whole += strength
            if seat == mover:
                own = strength
        return own / whole

    def fill_values(self, state: AnyState, dice: Dice, values: Values) -> None:
        """V-17, V-18: each seat's share of the victory, as things stand."""
        at: State = state  # type: ignore[assignment]  # as above
        self.look_around(at, NOBODY)
        whole = 0.0
        for seat in range(self.seats):
            points, mafiosi = self.points_sum[seat], self.mafiosi_sum[seat]
            self.strength[seat] = self.strength_of(at, seat, points, mafiosi)
            whole += self.strength[seat]
        for seat in range(self.seats):
            values.share[seat] = self.strength[seat] / whole

    # --- Pricing moves ------------------------------------------------------------------------

    def fill_priors(self, state: AnyState, seat: Seat, legal: Spans, priors: Priors) -> None:
        """V-4: the candidate numbers for each district, or done."""
        at: State = state  # type: ignore[assignment]  # as above
        self.price_moves(at, seat, legal, priors)
        priors.softmax(SHARP)

    def price_moves(self, at: State, seat: Seat, legal: Spans, priors: Priors) -> None:
        """Fill in the value of each candidate for the seat to act."""
        priors.clear()
        self.look_around(at, seat)
        whole = 0.0
        for player in range(self.seats):
            points, mafiosi = self.points_sum[player], self.mafiosi_sum[player]
            self.strength[player] = self.strength_of(at, player, points, mafiosi)
            whole += self.strength[player]
        for i in range(legal.count):
            if legal.first[i] == DONE:
                priors.add(DONE, self.strength[seat] / whole)
            else:
                self.price_district(at, seat, legal.first[i], legal.last[i], priors)

    def price_district(
        self, at: State, seat: Seat, first: Action, last: Action, priors: Priors
    ) -> None:
        """V-6: the minimum, equal to a rival, one more, out of reach, and the whole hand."""
        district = first // MAFIOSI
        least = first % MAFIOSI + 1
        hand = last % MAFIOSI + 1
        mine = at.men[district][seat]
        for number in range(least, hand + 1):
            self.wanted[number] = 0
        self.want(least, least, hand)
        self.want(least + 1, least, hand)
        self.want(least + 2, least, hand)
        self.want(hand, least, hand)
        for rival in range(self.seats):
            if rival != seat:
                there = at.men[district][rival]
                reach = at.hand[rival] + (there if at.most_controls else 0)
                self.want(there - mine, least, hand)
                self.want(there - mine + 1, least, hand)
                self.want(reach - mine + 1, least, hand)
        for number in range(least, hand + 1):
            if self.wanted[number]:
                priors.add(first - least + number, self.share(at, seat, district, number))

    def want(self, number: int, least: int, hand: int) -> None:
        """V-6: add a candidate number, if it is legal."""
        if least <= number <= hand:
            self.wanted[number] = 1

    def playout_action(self, state: AnyState, seat: Seat, legal: Spans, dice: Dice) -> Action:
        """Return the best placement one turn ahead."""
        at: State = state  # type: ignore[assignment]  # as above
        self.price_moves(at, seat, legal, self.priors)
        return self.priors.best(dice)
