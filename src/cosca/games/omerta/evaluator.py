"""The fast evaluation of Omerta for the search: `heuristic.py` again, compiled.

The weights are those of `heuristic.py`. A picciotto computes the odds of every card; here an unseen
card is an average one. Everything asked for a seat uses only what that seat has seen.
"""

from typing import Any

from cosca.core import evaluator as core
from cosca.core import names
from cosca.core.buffers import Spans
from cosca.core.dice import Dice
from cosca.core.evaluator import Priors, Values, exponential, mix_hash
from cosca.core.names import Action, Seat
from cosca.core.playout import random_actor, resolve_chance_once
from cosca.core.state import State as AnyState
from cosca.games.omerta import heuristic, pieces
from cosca.games.omerta.rules import State

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
KINDS = pieces.KINDS
WORTH = pieces.WORTH
SAFE = pieces.SAFE
RECEIVERS = pieces.RECEIVERS
CALL_LIMIT = pieces.CALL_LIMIT
FINE = pieces.FINE
PASS = pieces.PASS
CALL = pieces.CALL
DRAW = pieces.DRAW
TAKE = pieces.TAKE
DISCARD = pieces.DISCARD
LOOK = pieces.LOOK
TARGET = pieces.TARGET
GIVE = pieces.GIVE
OF = pieces.OF
WATCH = pieces.WATCH
INTO = pieces.INTO
SLOT = pieces.SLOT
PUBLIC = pieces.PUBLIC
PHASE_DEAL = pieces.PHASE_DEAL
PHASE_WINDOW = pieces.PHASE_WINDOW
PHASE_TURN = pieces.PHASE_TURN
PHASE_PLACE = pieces.PHASE_PLACE
PHASE_USE = pieces.PHASE_USE
PHASE_OVER = pieces.PHASE_OVER
PEEKING = pieces.PEEKING
KILLING = pieces.KILLING
CALL_AT = heuristic.CALL_AT
LEAD = heuristic.LEAD
BOLDEST = heuristic.BOLDEST
SAFEST = heuristic.SAFEST
KNOWING = heuristic.KNOWING
FASTEST = heuristic.FASTEST
NOBODY = -1
NOTHING = -1

DECK = pieces.DECKS[0]
MEAN = sum(n * w for n, w in zip(DECK, WORTH, strict=True)) / sum(DECK)  # of a card not seen
SPREAD = 3.2  # logistic slope for the sum of unseen cards, for one card
AT_MOST = [  # probability that an unseen card is worth at most this
    sum(n for n, w in zip(DECK, WORTH, strict=True) if w <= worth) / sum(DECK)
    for worth in range(21)
]
USES = [  # value of the best use of a character, in points of the own row
    {10: 4.0, 11: 1.6, 12: 0.8, 13: 6.0, 15: 4.0, 16: 6.0, 19: 3.0, 20: 3.3}.get(kind, 0.0)
    for kind in range(KINDS)
]
DRAWING = [  # value of a draw by the worth of the dearest card of the row
    sum(n * max(use, dearest - w) for n, w, use in zip(DECK, WORTH, USES, strict=True)) / sum(DECK)
    for dearest in range(24)
]
STAGES = 40  # turns of a game that are distinguished
TRIES = 16  # cards tried at most for one that its owner would keep
ONE = 1 << 20  # a roll of the dice as a number below one
KEPT = [  # probability that an owner keeps a seen card, by turn and kind: fitted
    exponential(-(0.03 + 0.0125 * turns if turns else 0.0) * worth)
    for turns in range(STAGES)
    for worth in WORTH
]
SHARP = 2.0  # a value lower by this gets less than half the prior
CALLING = 16.0  # value of a surely good call over a surely bad one
AHEAD = 16  # turns played by habit before a state is evaluated

# --- Weights of totals and rows: fitted to the winners of some thousand matches by habit ---------

# Indexed by the number of games after this one; the last entry stands for nine or more.
BY_TOTAL = [0.160, 0.080, 0.056, 0.042, 0.034, 0.028, 0.024, 0.021, 0.019, 0.017]  # each point
BY_SCORE = [0.0, 0.103, 0.066, 0.046, 0.036, 0.030, 0.026, 0.022, 0.020, 0.018]  # between games
BY_ROW = [0.037, 0.023, 0.022, 0.011, 0.009, 0.008, 0.007, 0.006, 0.005, 0.005]  # in the own row,
BY_LOW = [0.063, 0.080, 0.036, 0.012, 0.010, 0.008, 0.007, 0.006, 0.005, 0.005]  # of the first ten
BY_UNSEEN = [0.32, 0.22, 0.14, 0.12, 0.09, 0.08, 0.07, 0.06, 0.05, 0.05]  # each own card not seen
BY_TURN = [0.21, 0.19, 0.15, 0.12, 0.09, 0.08, 0.07, 0.06, 0.05, 0.05]  # being at turn


class Evaluator(core.Evaluator):
    """Prices moves from what a seat has seen, and evaluates rows and totals."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.ahead = AHEAD
        self.simulations_per_world = 128

    # --- Knowledge of a seat ------------------------------------------------------------------

    def resample(self, world: AnyState, seat: Seat, dice: Dice) -> None:
        """O-2: a card that a seat has not seen may be any of its draw pile.

        A player who has seen an own card and kept it most likely found it cheap, the more so the
        longer the game lasts.
        """
        at: State = world  # type: ignore[assignment]  # the game descriptor pairs state and instinct
        stage = at.turns if at.turns < STAGES else STAGES - 1
        for player in range(at.seats):
            for slot in range(at.length[player]):
                card = at.row[player][slot]
                self.exchange(at, seat, card, stage if self.sees(at, player, card) else 0, dice)
        for i in range(SAFE):
            self.exchange(at, seat, at.safe[i], 0, dice)
        if at.held != NOTHING:
            self.exchange(at, seat, at.held, 0, dice)

    def exchange(self, at: State, seat: Seat, card: int, stage: int, dice: Dice) -> None:
        """Return an unseen card to the draw pile and draw a random one instead."""
        if at.origin[card] or at.pile_of[card] != at.gen or at.seen[card] & (BIT[seat] | PUBLIC):
            return
        at.pile[at.kind[card]] += 1
        kind = self.drawn(at, dice)
        for _ in range(TRIES):
            if dice.below(ONE) < ONE * KEPT[stage * KINDS + kind]:
                break
            kind = self.drawn(at, dice)
        at.pile[kind] -= 1
        at.kind[card] = kind

    def drawn(self, at: State, dice: Dice) -> int:
        """O-2: draw a random card from the draw pile."""
        roll = dice.below(at.pile_count + 1)
        kind = 0
        while roll >= at.pile[kind]:
            roll -= at.pile[kind]
            kind += 1
        return kind

    def information_key(self, state: AnyState, seat: Seat) -> int:
        """Return a hash of what the seat knows: where cards lie, and the ones it has seen."""
        at: State = state  # type: ignore[assignment]  # as above
        key = mix_hash(at.game * 1024 + at.turns, at.phase * 64 + at.step * 8 + at.window)
        top = at.top() if at.discarded else 63
        key = mix_hash(key, at.discarded * 4096 + at.pile_count * 64 + top)
        for player in range(at.seats):
            number = at.totals[player] * 64 + at.mamma[player] + 1
            for slot in range(at.length[player]):
                card = at.row[player][slot]
                number = number * 31 + at.watcher[card] + 2
                number = number * 31 + (at.kind[card] + 1 if at.seen[card] & BIT[seat] else 0)
                if slot % 4 == 3:
                    key = mix_hash(key, number)
                    number = 0
            key = mix_hash(key, number + 7)
        for i in range(SAFE):
            card = at.safe[i]
            key = mix_hash(key, at.kind[card] + 1 if at.seen[card] & BIT[seat] else 0)
        for i in range(at.step):
            key = mix_hash(key, at.named[i] + 1)
        if at.held != NOTHING and at.seen[at.held] & BIT[seat]:
            key = mix_hash(key, at.kind[at.held] + 1)
        return key

    def sees(self, at: State, seat: Seat, card: int) -> bool:
        """Return whether a seat has seen a card."""
        return at.seen[card] & BIT[seat] != 0

    def worth(self, at: State, seat: Seat, card: int) -> float:
        """Return the expected worth of a card, as far as a seat knows."""
        return WORTH[at.kind[card]] if at.seen[card] & BIT[seat] else MEAN

    def row_worth(self, at: State, seat: Seat, player: Seat) -> float:
        """Return the expected worth of a row, as far as a seat knows."""
        worth = 0.0
        for slot in range(at.length[player]):
            worth += self.worth(at, seat, at.row[player][slot])
        return worth

    def unseen(self, at: State, seat: Seat, player: Seat) -> int:
        """Return how many cards of a row a seat has not seen."""
        number = 0
        for slot in range(at.length[player]):
            number += at.seen[at.row[player][slot]] & BIT[seat] == 0
        return number

    # --- Pricing moves ------------------------------------------------------------------------

    def price(self, at: State, seat: Seat, legal: Spans, priors: Priors) -> None:
        """Fill in every legal action with its value in points of the own row."""
        priors.clear()
        for i in range(legal.count):
            for action in range(legal.first[i], legal.last[i] + 1):
                priors.add(action, 0.0)
        if at.phase == PHASE_WINDOW:
            self.price_answers(at, seat, priors)
        elif at.phase == PHASE_TURN:
            self.price_turn(at, seat, priors)
        elif at.phase == PHASE_PLACE:
            self.price_places(at, seat, priors)
        elif at.phase == PHASE_USE:
            self.price_uses(at, seat, priors)
        else:
            self.price_safe(at, seat, priors)

    def price_answers(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-7, O-16: cards that surely match; each one is a gain."""
        if at.window == PEEKING:
            return
        wanted = ASSASSIN if at.window == KILLING else at.top()
        for i in range(priors.count):
            if priors.action[i] != PASS:
                card = at.row[seat][priors.action[i] - SLOT]
                right = at.kind[card] == wanted and self.sees(at, seat, card)
                priors.weight[i] = WORTH[wanted] + 1 if right else -10.0

    def price_turn(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-1, O-2: call if it is likely good; else take the discard if it gains enough."""
        dearest = self.dearest(at, seat)
        drawing = DRAWING[int(dearest)]
        taking = dearest - WORTH[at.top()] if at.discarded else drawing
        for i in range(priors.count):
            action = priors.action[i]
            if action == CALL:
                priors.weight[i] = drawing if drawing > taking else taking
                priors.weight[i] += CALLING * self.surplus_of_call(at, seat)
            elif action == DRAW:
                priors.weight[i] = drawing
            elif action == TAKE:
                priors.weight[i] = taking

    def dearest(self, at: State, seat: Seat) -> float:
        """O-3: the worth of the dearest free card of the own row."""
        most = 0.0
        for slot in range(at.length[seat]):
            card = at.row[seat][slot]
            if at.watcher[card] == NOBODY:
                worth = self.worth(at, seat, card)
                if not self.sees(at, seat, card):
                    worth += KNOWING
                if worth > most:
                    most = worth
        return most

    def surplus_of_call(self, at: State, seat: Seat) -> float:
        """O-20 to O-23: how far the chance of a good call is above the required one."""
        last = at.game == at.games
        furthest = -1000
        for other in range(at.seats):
            lag = at.totals[seat] - at.totals[other] + 1 if last else 0
            if other != seat and lag > furthest:
                furthest = lag
        bar = CALL_AT - LEAD * furthest
        bar = BOLDEST if bar < BOLDEST else bar
        bar = SAFEST if bar > SAFEST else bar
        hidden = self.unseen(at, seat, seat)
        known = int(self.row_worth(at, seat, seat) - MEAN * hidden + 0.5)
        if hidden == 0 and known + FINE + furthest <= 0:
            return 1 - bar
        if known > CALL_LIMIT or hidden > 1:
            return -bar
        chance = AT_MOST[CALL_LIMIT - known] if hidden else 1.0
        for other in range(at.seats):
            if other != seat:
                lag = at.totals[seat] - at.totals[other] + 1 if last else 0
                chance *= self.likely_above(at, seat, other, lag if lag > known else known)
        return chance - bar

    def likely_above(self, at: State, seat: Seat, other: Seat, least: int) -> float:
        """O-21: the probability that a row is worth at least this much."""
        hidden = self.unseen(at, seat, other)
        worth = self.row_worth(at, seat, other)
        if hidden == 0:
            return 1.0 if worth >= least else 0.0
        missing = least - int(worth - MEAN * hidden + 0.5)
        if missing <= 0:
            return 1.0
        if hidden == 1:
            return 1 - AT_MOST[missing - 1] if missing <= 20 else 0.0
        return 1 / (1 + exponential((least - worth - 0.5) / (SPREAD * hidden**0.5)))

    def price_places(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-3, O-4: the best place for the taken card, or discard it."""
        kind = at.kind[at.held]
        for i in range(priors.count):
            if priors.action[i] == DISCARD:
                priors.weight[i] = self.acting(at, seat, kind, NOTHING, NOTHING)
            else:
                slot = priors.action[i] - SLOT
                card = at.row[seat][slot]
                price = self.worth(at, seat, card) - WORTH[kind]
                if self.sees(at, seat, card):
                    price += self.acting(at, seat, at.kind[card], slot, kind)
                else:
                    price += KNOWING
                priors.weight[i] = price

    def acting(self, at: State, seat: Seat, kind: int, gone: int, come: int) -> float:
        """O-7, O-12 to O-19p: the value of a discarded card, with one card of the row changed."""
        if kind >= BOTTLES:
            return USES[kind]
        if kind == come:
            return FASTEST * (WORTH[kind] + 1)
        for slot in range(at.length[seat]):
            card = at.row[seat][slot]
            if slot != gone and at.kind[card] == kind and self.sees(at, seat, card):
                return FASTEST * (WORTH[kind] + 1)
        return 0.0

    def price_safe(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-18: the worst own card for the best of the safe."""
        best = 100.0
        for i in range(SAFE):
            worth = self.worth(at, seat, at.safe[i])
            best = worth if worth < best else best
        for i in range(priors.count):
            action = priors.action[i]
            if action >= SLOT:
                card = at.row[seat][action - SLOT]
                priors.weight[i] = self.worth(at, seat, card) - best - 0.2
                if not self.sees(at, seat, card):
                    priors.weight[i] += KNOWING
            elif action >= INTO:
                priors.weight[i] = -self.worth(at, seat, at.safe[action - INTO])

    # --- Characters ---------------------------------------------------------------------------

    def price_uses(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-12 to O-19p: the best target of a character, or none."""
        kind = at.top()
        if kind == HENCHMAN:
            self.price_swap(at, seat, priors)
        elif kind == DRIVER:
            self.price_load(at, seat, priors)
        else:
            for i in range(priors.count):
                if priors.action[i] != PASS:
                    priors.weight[i] = self.use(at, seat, kind, priors.action[i])

    def use(self, at: State, seat: Seat, kind: int, action: Action) -> float:
        """O-13 to O-19p: the value of one target."""
        if kind == SAFECRACKER:
            return 5.0
        if kind == MOLE:
            return 0.1 if self.sees(at, seat, at.row[seat][action - SLOT]) else 2 * KNOWING
        if kind == LADY:
            player = action - TARGET
            known = at.length[player] - self.unseen(at, player, player)
            return 1.0 + 0.3 * known
        if kind == MAMMA:
            return 3.0 - 0.5 * self.rank(at, seat, action - TARGET)
        if kind == TRAITOR:
            one = RECEIVERS[2 * (action - GIVE)]
            other = RECEIVERS[2 * (action - GIVE) + 1]
            ranks = self.rank(at, seat, one) + self.rank(at, seat, other)
            return 6.0 - 0.5 * ranks - (one != other)
        if action >= SLOT:
            return 3.0 + 0.05 * self.worth(at, seat, at.row[at.named[0]][action - SLOT])
        return 3.0 - self.rank(at, seat, action - WATCH)

    def rank(self, at: State, seat: Seat, player: Seat) -> int:
        """Return how many opponents are more dangerous, by row and total."""
        rank = 0
        own = self.row_worth(at, seat, player) + 0.3 * at.totals[player]
        for other in range(at.seats):
            if other != seat and other != player:
                rank += self.row_worth(at, seat, other) + 0.3 * at.totals[other] < own
        return rank

    def price_swap(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-12: the worst own card for the best of another; the lower seat is named first."""
        worst = self.free_slot(at, seat, seat, True)
        player = NOBODY
        slot = NOTHING
        cheapest = 100.0
        for other in range(at.seats):
            if other != seat and at.mamma[other] == NOBODY:
                found = self.free_slot(at, seat, other, False)
                if found != NOTHING and self.worth(at, seat, at.row[other][found]) < cheapest:
                    cheapest = self.worth(at, seat, at.row[other][found])
                    player = other
                    slot = found
        gain = -1.0
        if worst != NOTHING and player != NOBODY:
            gain = self.worth(at, seat, at.row[seat][worst]) - cheapest - 0.5
        own_first = seat < player
        wanted = OF + (seat if own_first == (at.step < 2) else player)
        if at.step % 2:
            wanted = SLOT + (worst if at.named[at.step - 1] == seat else slot)
            if at.named[at.step - 1] != seat and at.named[at.step - 1] != player:
                wanted = NOTHING
        for i in range(priors.count):
            if priors.action[i] != PASS:
                priors.weight[i] = gain if priors.action[i] == wanted else -1.0

    def free_slot(self, at: State, seat: Seat, player: Seat, dearest: bool) -> int:
        """O-19p: the dearest or cheapest free card of a row, as far as a seat knows."""
        found = NOTHING
        best = -100.0
        for slot in range(at.length[player]):
            card = at.row[player][slot]
            if at.watcher[card] == NOBODY:
                worth = self.worth(at, seat, card)
                worth = worth if dearest else -worth
                if worth > best:
                    best = worth
                    found = slot
        return found

    def price_load(self, at: State, seat: Seat, priors: Priors) -> None:
        """O-17: the one or two dearest cards that are surely bottles."""
        for i in range(priors.count):
            if priors.action[i] != PASS:
                card = at.row[seat][priors.action[i] - SLOT]
                bottle = self.sees(at, seat, card) and at.kind[card] < BOTTLES
                priors.weight[i] = WORTH[at.kind[card]] + 1 if bottle else -10.0

    # --- Interface of the search --------------------------------------------------------------

    def fill_priors(self, state: AnyState, seat: Seat, legal: Spans, priors: Priors) -> None:
        """Fill in all legal actions by price, without reading the answers in an open window."""
        at: State = state  # type: ignore[assignment]  # as above
        self.price(at, seat, legal, priors)
        priors.softmax(SHARP)

    def playout_action(self, state: AnyState, seat: Seat, legal: Spans, dice: Dice) -> Action:
        """Return the action with the highest price; ties are broken at random."""
        at: State = state  # type: ignore[assignment]  # as above
        return self.usual(at, seat, legal, dice)

    def usual(self, at: State, seat: Seat, legal: Spans, dice: Dice) -> Action:
        """Return the action with the highest price; ties are broken at random."""
        self.price(at, seat, legal, self.priors)
        return self.priors.best(dice)

    def fill_values(self, state: AnyState, dice: Dice, values: Values) -> None:
        """Play some turns by habit, within this game; then evaluate rows and totals."""
        at: State = state  # type: ignore[assignment]  # as above
        game = at.game
        until = at.turns + self.ahead
        while at.game == game and at.turns < until and at.phase != PHASE_OVER:
            acting = at.acting()
            if acting == CHANCE_BIT:
                resolve_chance_once(at, dice, self.outcomes)
            else:
                seat = random_actor(acting, dice)
                at.fill_legal(seat, self.spans)
                at.apply(seat, self.usual(at, seat, self.spans, dice))
        if at.phase == PHASE_OVER:
            values.set_terminal(at)
        else:
            self.judge(at, values)

    def judge(self, at: State, values: Values) -> None:
        """O-23: low totals and rows are good, the more so the fewer games are left."""
        left = at.games - at.game
        left = left if left < 9 else 9
        whole = 0.0
        for seat in range(at.seats):
            if at.phase == PHASE_DEAL:
                points = -BY_SCORE[left + 1 if left < 9 else 9] * at.totals[seat]
            else:
                row = at.row_worth(seat)
                points = -BY_TOTAL[left] * at.totals[seat] - BY_ROW[left] * row
                points -= BY_LOW[left] * (row if row < 10 else 10)
                points -= BY_UNSEEN[left] * self.unseen(at, seat, seat)
                if seat == at.active:
                    points += BY_TURN[left]
            values.share[seat] = exponential(points)
            whole += values.share[seat]
        for seat in range(at.seats):
            values.share[seat] /= whole
