"""Heuristic policies of Omerta's bots. They read positions only: what their seat knows.

`novice` plays at random, but lays down only cards it knows, and calls only on a row it knows.
`picciotto` counts every card: it knows the odds of each unseen card, prices every move in points
of its row, and plays the best. `smemorato` does the same with a memory of one card.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from cosca.core.dice import Dice
from cosca.core.move import Move
from cosca.core.names import Action, Seat, pick
from cosca.games.omerta.actions import GIVEN, count_moves, to_move
from cosca.games.omerta.beliefs import Beliefs
from cosca.games.omerta.pieces import (
    ASSASSIN,
    BOTTLES,
    CALL,
    CALL_LIMIT,
    DISCARD,
    DRAW,
    DRIVER,
    FINE,
    GIVE,
    HENCHMAN,
    INTO,
    KINDS,
    LADY,
    LOOK,
    MAMMA,
    MOLE,
    OF,
    PASS,
    PATROL,
    PEEK,
    SAFECRACKER,
    SLOT,
    TAKE,
    TARGET,
    TRAITOR,
    WATCH,
    WORTH,
)
from cosca.games.omerta.position import UNKNOWN, Position, limit_memory

Plan: TypeAlias = tuple[float, list[Action]]
"""A complete move, or the rest of one, with its value in points of the own row."""

SURE: Final = 0.9
"""Minimum probability of a matching card for laying it down."""
CALL_AT: Final = 0.75
"""Minimum probability of a good call; in the last game, of winning an even match by it."""
LEAD: Final = 0.007
"""Added to it for each point ahead: a leader wins most matches by playing on, too."""
BOLDEST: Final = 0.5
"""Lower limit of that probability, however far behind."""
SAFEST: Final = 0.98
"""Upper limit of that probability, however far ahead: playing on is never safer."""
KNOWING: Final = 0.7
"""Value of knowing one more card of the own row."""
FASTEST: Final = 0.6
"""Probability of being first with a card that can be laid down."""
CANDIDATES: Final = 8
HOPELESS: Final = 6.0
"""Points below the best move from which a move is ignored, such as a hopeless call."""
LONG: Final = 6
"""Rounds after which any call is considered, so that every game ends."""


# --- Novice ---------------------------------------------------------------------------------------


def novice(position: Position, dice: Dice) -> Action:
    """Play any complete move, but in windows only known cards; call only on a known row."""
    if position.window in ("snap", "assassin"):
        right = known_answers(position)
        return right[dice.below(len(right))] if right else PASS
    if position.phase == "turn" and CALL in position.legal:
        kinds = [position.learnt.kind(position.seat, slot) for slot in row_of(position)]
        if UNKNOWN not in kinds and sum(WORTH[kind] for kind in kinds) <= CALL_LIMIT:
            return CALL
        rest = [action for action in position.legal if action != CALL]
        return rest[dice.below(len(rest))]
    return any_move(position, dice)


def any_move(position: Position, dice: Dice) -> Action:
    """Choose a complete move, all equally likely; return its first action."""
    counts = count_moves(position)
    return pick(zip(position.legal, counts, strict=True), dice.below(sum(counts)))


def row_of(position: Position) -> range:
    """Return the places of the own row."""
    return range(len(position.rows[position.seat]))


def known_answers(position: Position) -> list[Action]:
    """O-7, O-16: the own free cards that are known to match in this window."""
    wanted = ASSASSIN if position.window == "assassin" else position.top
    return [
        SLOT + slot
        for slot in position.free(position.seat)
        if position.learnt.kind(position.seat, slot) == wanted
    ]


# --- Picciotto ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Picciotto:
    """A card counter with a limited memory."""

    span: int | None = None
    """Number of cards he remembers; None for all."""
    error: float = 0.0
    """Probability of a random move."""
    reaction: float = 2.0
    """Mean reaction time in seconds; it varies by a third."""

    def __call__(self, position: Position, dice: Dice) -> Action:
        """Return the next action of the best plan; ties are broken at random."""
        if self.error and dice.below(10_000) < self.error * 10_000:
            return any_move(position, dice)
        if self.span is not None:
            position = limit_memory(position, self.span)
        found = list(plans(position))
        best = max(value for value, _ in found)
        among = [actions for value, actions in found if value >= best - 1e-9]
        return among[dice.below(len(among))][0]


def candidates(position: Position) -> list[Move]:
    """Return the candidate moves, the best first."""
    ranked = sorted(plans(position), key=lambda plan: -plan[0])
    least = ranked[0][0] - HOPELESS
    is_long = position.turns >= LONG * position.seats
    worth = [
        to_move(actions)
        for value, actions in ranked
        if value > least or (is_long and actions == [CALL])
    ]
    return list(dict.fromkeys(worth))[:CANDIDATES]


def plans(position: Position) -> Iterator[Plan]:
    """Return every sensible move with its price, or the rest of a move already begun."""
    pricing = _Pricing(position)
    found = {
        "turn": pricing.turn,
        "place": pricing.place,
        "window": pricing.answer,
        "use": pricing.use,
        "safe": pricing.safe,
    }[position.phase]()
    begun = pricing.begun()
    rests = [
        (value, actions[len(begun) :])
        for value, actions in found
        if len(actions) > len(begun) and actions[: len(begun)] == begun
    ]
    fitting = [(value, rest) for value, rest in rests if rest[0] in position.legal]
    yield from fitting or ((0.0, [action]) for action in position.legal)


class _Pricing:
    """Prices the moves of one position."""

    def __init__(self, position: Position) -> None:
        self.at = position
        self.me = position.seat
        self.beliefs = Beliefs(position.learnt)
        self.odds = self.beliefs.odds()
        learnt = position.learnt
        self.rows = [[self.odds[card] for card in row] for row in learnt.rows]
        self.worth = [[expected(odds) for odds in row] for row in self.rows]
        self.sums = [sum(row) for row in self.worth]
        self.uses: dict[int, float] = {}
        self.others = [seat for seat in range(position.seats) if seat != self.me]

    def begun(self) -> list[Action]:
        """O-12, O-17, O-18, O-19p: the actions of this move made so far."""
        at = self.at
        bases = {HENCHMAN: (OF, SLOT, OF, SLOT), PATROL: (WATCH, SLOT)}.get(at.top, (SLOT, SLOT))
        named = at.named[: at.step] if at.phase in ("use", "safe") else ()
        return [base + number for base, number in zip(bases, named, strict=False)]

    def mine(self) -> list[int]:
        """Return the own free cards."""
        return self.at.free(self.me)

    def targets(self) -> list[Seat]:
        """Return the opponents without a mamma, the most dangerous first."""
        free = [seat for seat in self.others if self.at.mammas[seat] < 0]
        return sorted(free, key=self.danger)

    def danger(self, seat: Seat) -> float:
        """Return a number that is lower for more dangerous players: row plus part of the total."""
        return self.sums[seat] + 0.3 * self.at.totals[seat]

    # --- The turn -------------------------------------------------------------------------------

    def turn(self) -> Iterator[Plan]:
        """O-1, O-2: call if it is likely good; else take the discard if it gains enough."""
        yield 0.0, [PASS]
        if CALL in self.at.legal:
            yield self.price_of_call(), [CALL]
        chances = self.beliefs.next_card() if self.at.pile_count else [1 / KINDS] * KINDS
        drawn = sum(
            chance * max(self.discarding(kind), self.best_replacing(kind))
            for kind, chance in enumerate(chances)
            if chance
        )
        yield drawn, [DRAW]
        if self.at.discarded:
            yield self.best_replacing(self.at.top), [TAKE]

    def price_of_call(self) -> float:
        """O-20: a high price for a call that is likely enough to be good, else a low one."""
        lags = self.lags()
        bar = min(SAFEST, max(BOLDEST, CALL_AT - LEAD * max(lags)))
        return 100.0 if self.chance_of_call(lags) >= bar else -100.0

    def lags(self) -> list[int]:
        """O-23: in the last game, the score that each opponent needs to end behind me."""
        totals = self.at.totals
        if self.at.game < self.at.games:
            return [0] * len(self.others)
        return [totals[self.me] - totals[seat] + 1 for seat in self.others]

    def chance_of_call(self, lags: Sequence[int]) -> float:
        """O-21 to O-23: the probability that a call is good, or wins the match despite the fine."""
        if self.sums[self.me] > max(CALL_LIMIT + FINE, -max(lags)):
            return 0.0
        others = [at_least(spread(self.rows[seat])) for seat in self.others]
        chance = 0.0
        for worth, likely in enumerate(spread(self.rows[self.me])):
            if worth + FINE + max(lags) <= 0:
                chance += likely
            elif worth <= CALL_LIMIT:
                for row, lag in zip(others, lags, strict=True):
                    least = max(worth, lag)
                    likely *= row[least] if least < len(row) else 0.0
                chance += likely
        return chance

    # --- Placing --------------------------------------------------------------------------------

    def place(self) -> Iterator[Plan]:
        """O-3, O-4: the best place for the taken card, or discard it."""
        yield self.discarding(self.at.held), [DISCARD]
        for slot in self.mine():
            yield self.replacing(slot, self.at.held), [SLOT + slot]

    def best_replacing(self, kind: int) -> float:
        """Return the value of the best replacement by a card of this kind."""
        return max((self.replacing(slot, kind) for slot in self.mine()), default=-50.0)

    def replacing(self, slot: int, kind: int) -> float:
        """O-3: the difference of worth, the effect of the old card, and the knowledge gained."""
        odds = self.rows[self.me][slot]
        gain = self.worth[self.me][slot] - WORTH[kind]
        acts = sum(
            chance * self.acting(old, slot, kind) for old, chance in enumerate(odds) if chance
        )
        return gain + acts + KNOWING * (1 - max(odds))

    def discarding(self, kind: int) -> float:
        """O-4: the value of discarding a card."""
        return self.acting(kind, UNKNOWN, UNKNOWN)

    def acting(self, kind: int, gone: int, come: int) -> float:
        """O-7, O-12 to O-19p: the value of a discarded card, with one card of the row changed."""
        if kind < BOTTLES:
            return self.snapping(kind, gone, come)
        return self.using(kind)

    def using(self, kind: int) -> float:
        """O-11u to O-19p: the value of the best use of a character; cached."""
        if kind not in self.uses:
            found = [value for value, _ in PLANS[kind](self)] if kind in PLANS else []
            self.uses[kind] = max(found if found and self.at.must_use else [0.0, *found])
        return self.uses[kind]

    def snapping(self, kind: int, gone: int, come: int) -> float:
        """O-7: one card of the own row may follow the bottle."""
        pairs = [self.rows[self.me][slot][kind] for slot in self.mine() if slot != gone]
        likely = max([*pairs, float(come == kind)], default=0.0)
        return FASTEST * (WORTH[kind] + 1) if likely >= SURE else 0.0

    # --- Windows --------------------------------------------------------------------------------

    def answer(self) -> Iterator[Plan]:
        """O-S3, O-7, O-16: lay down cards that surely match; each one is a gain."""
        if self.at.window == "peek":
            yield from ((0.0, [PEEK + pair]) for pair in range(6))
            return
        yield 0.0, [PASS]
        wanted = ASSASSIN if self.at.window == "assassin" else self.at.top
        for slot in self.mine():
            likely = self.rows[self.me][slot][wanted]
            yield (WORTH[wanted] + 1 if likely >= SURE else -10.0), [SLOT + slot]

    # --- Characters -----------------------------------------------------------------------------

    def use(self) -> Iterator[Plan]:
        """O-12 to O-19p: the best target of a character, or none."""
        yield 0.0, [PASS]
        yield from PLANS[self.at.top](self)

    def henchman(self) -> Iterator[Plan]:
        """O-12: swap the worst own card for a better one, or a rival's good card for a bad one."""
        for seat in self.targets():
            for slot in self.mine():
                for other in self.at.free(seat):
                    gain = self.worth[self.me][slot] - self.worth[seat][other] - 0.5
                    yield gain, swap_steps(self.me, slot, seat, other)
        for one, other in combinations(sorted(self.targets()), 2):
            for slot in self.at.free(one):
                for other_slot in self.at.free(other):
                    yield -0.1, swap_steps(one, slot, other, other_slot)

    def lady(self) -> Iterator[Plan]:
        """O-13: the player who knows most of their row; my knowledge of it is lost too."""
        for seat in self.targets():
            if len(self.at.free(seat)) > 1:
                yield 1.0 + 0.3 * self.known_by(seat, seat), [TARGET + seat]

    def known_by(self, seat: Seat, row: Seat) -> int:
        """Return how many cards of a row a player has seen."""
        tracks = self.at.learnt.by_number()
        return sum(tracks[card].seen >> seat & 1 for card in self.at.learnt.rows[row])

    def mole(self) -> Iterator[Plan]:
        """O-14: the least known own card."""
        for slot in self.mine():
            yield 2 * KNOWING * (1 - max(self.rows[self.me][slot])), [SLOT + slot]

    def traitor(self) -> Iterator[Plan]:
        """O-15: both cards to the most dangerous, who will not call soon."""
        for rank, seat in enumerate(self.targets()):
            yield 6.0 - rank, [GIVE + GIVEN.index((seat, seat))]

    def mamma(self) -> Iterator[Plan]:
        """O-19m: the most dangerous misses a turn."""
        for rank, seat in enumerate(self.targets()):
            yield 3.0 - 0.5 * rank, [TARGET + seat]

    def patrol(self) -> Iterator[Plan]:
        """O-19p: the dearest card of the most dangerous, who cannot call for two rounds."""
        for rank, seat in enumerate(sorted(self.others, key=self.danger)):
            for slot in self.at.free(seat):
                yield 3.0 - rank + 0.05 * self.worth[seat][slot], [WATCH + seat, SLOT + slot]

    def driver(self) -> Iterator[Plan]:
        """O-17: the one or two dearest cards that are surely bottles."""
        bottles = {
            slot: self.worth[self.me][slot] + 1
            for slot in self.mine()
            if sum(self.rows[self.me][slot][:BOTTLES]) >= SURE
        }
        for slot, worth in bottles.items():
            yield worth, [SLOT + slot] if len(self.mine()) == 1 else [SLOT + slot, PASS]
            for other, more in bottles.items():
                if other != slot:
                    yield worth + more, [SLOT + slot, SLOT + other]
        if self.at.must_use and not bottles:
            yield from self.likeliest_bottles()

    def likeliest_bottles(self) -> Iterator[Plan]:
        """O-11u, O-17: the likeliest bottle, if a card must be named; a character adds a card."""
        mean = sum(WORTH) / KINDS
        for slot in self.mine():
            likely = sum(self.rows[self.me][slot][:BOTTLES])
            price = likely * self.worth[self.me][slot] - (1 - likely) * mean
            yield price, [SLOT + slot] if len(self.mine()) == 1 else [SLOT + slot, PASS]

    def safecracker(self) -> Iterator[Plan]:
        """O-18: a look costs nothing."""
        safe = [expected(self.odds[card]) for card in self.at.learnt.safe]
        worst = max((self.worth[self.me][slot] for slot in self.mine()), default=0.0)
        yield max(0.5, worst - min(safe) + 3.0), [LOOK]

    def safe(self) -> Iterator[Plan]:
        """O-18: the worst own card for the best of the safe."""
        yield 0.0, [PASS]
        for slot in self.mine():
            for place, card in enumerate(self.at.learnt.safe):
                gain = self.worth[self.me][slot] - expected(self.odds[card])
                known = KNOWING * (1 - max(self.rows[self.me][slot]))
                yield gain + known - 0.2, [SLOT + slot, INTO + place]


def swap_steps(one: Seat, slot: int, other: Seat, other_slot: int) -> list[Action]:
    """O-12: the actions of a swap; the lower seat comes first."""
    (a, i), (b, j) = sorted([(one, slot), (other, other_slot)])
    return [OF + a, SLOT + i, OF + b, SLOT + j]


PLANS: Final = {
    HENCHMAN: _Pricing.henchman,
    LADY: _Pricing.lady,
    MOLE: _Pricing.mole,
    TRAITOR: _Pricing.traitor,
    MAMMA: _Pricing.mamma,
    PATROL: _Pricing.patrol,
    DRIVER: _Pricing.driver,
    SAFECRACKER: _Pricing.safecracker,
}
"""How the bot uses each character."""


def expected(odds: Sequence[float]) -> float:
    """O-M1, O-M2: the expected worth of a card."""
    return sum(chance * WORTH[kind] for kind, chance in enumerate(odds) if chance)


def spread(row: Sequence[Sequence[float]]) -> list[float]:
    """Return the probability of each sum of points of a row."""
    sums = [1.0]
    for odds in row:
        more = [0.0] * (len(sums) + 20)
        for worth, likely in enumerate(sums):
            if likely:
                for kind, chance in enumerate(odds):
                    if chance:
                        more[worth + WORTH[kind]] += likely * chance
        sums = more
    return sums


def at_least(sums: Sequence[float]) -> list[float]:
    """Return the probability that a row is worth each number of points or more."""
    left = 1.0
    result = []
    for likely in sums:
        result.append(left)
        left -= likely
    return result
