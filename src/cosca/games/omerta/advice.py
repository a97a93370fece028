"""What a move of Omerta is for: the most important fact, from what the seat knows."""

from collections.abc import Callable
from functools import cached_property

from cosca.core.errors import Param
from cosca.core.events import Listing, Reason
from cosca.core.move import Move
from cosca.core.names import Seat
from cosca.games.omerta.beliefs import Beliefs
from cosca.games.omerta.heuristic import expected
from cosca.games.omerta.pieces import (
    ASSASSIN,
    BOTTLES,
    CALL_LIMIT,
    DRIVER,
    FINE,
    GIFTS,
    HENCHMAN,
    LADY,
    MAMMA,
    MOLE,
    PATROL,
    SAFECRACKER,
    SHUFFLED_FROM,
    TRAITOR,
    WORTH,
)
from cosca.games.omerta.position import UNKNOWN, Position

Slots = list[int]
"""Places in the own row, counted from 0."""


def explain(position: Position, move: Move) -> Reason | None:
    """Return what a move is for; none for the rest of a move that has begun."""
    if position.step:
        return None
    facts = _Facts(position)
    return {
        "turn": facts.turn,
        "place": facts.place,
        "window": facts.window,
        "use": facts.use,
        "safe": facts.safe,
    }[position.phase](move)


def _because(key: str, rule: str, **params: Param | Listing) -> Reason:
    return Reason(f"omerta.advice.{key}", params, rule)


class _Facts:
    """What a seat knows of the cards, and what follows for its moves."""

    def __init__(self, position: Position) -> None:
        self.at = position
        self.me = position.seat
        self.others = [seat for seat in range(position.seats) if seat != self.me]
        tracks = position.learnt.by_number()
        self.tracks = [[tracks[card] for card in row] for row in position.learnt.rows]
        self.kinds = [[track.kind for track in row] for row in self.tracks]
        self.mine = self.kinds[self.me]
        self.free: Slots = position.free(self.me)
        self.known: Slots = [slot for slot in self.free if self.mine[slot] != UNKNOWN]
        self.most = max((WORTH[self.mine[slot]] for slot in self.known), default=-1)

    # --- Odds -----------------------------------------------------------------------------------

    @cached_property
    def worth(self) -> list[list[float]]:
        """O-M1, O-M2: the expected worth of each card of each row."""
        odds = Beliefs(self.at.learnt).odds()
        return [[expected(odds[card]) for card in row] for row in self.at.learnt.rows]

    def is_lowest(self, seat: Seat) -> bool:
        """O-21: whether no other opponent has a lower row, as far as the seat can tell."""
        return all(sum(self.worth[seat]) <= sum(self.worth[other]) for other in self.others)

    def twin(self, kind: int, but: int = UNKNOWN) -> int:
        """O-7: the place of an own card of a kind, another one than `but`, or UNKNOWN."""
        found = (slot for slot in self.known if slot != but and self.mine[slot] == kind)
        return next(found, UNKNOWN) if kind < BOTTLES else UNKNOWN

    # --- The turn -------------------------------------------------------------------------------

    def turn(self, move: Move) -> Reason | None:
        """O-1, O-2, O-5: call, draw, take, or pass for want of cards."""
        if move.verb == "call":
            return self.call()
        if move.verb == "take":
            return self.take()
        return self.draw() if move.verb == "draw" else _because("no_card", "O-5")

    def call(self) -> Reason | None:
        """O-21, O-22: what the row is worth, as far as it is known."""
        unknown = self.mine.count(UNKNOWN)
        number = sum(WORTH[kind] for kind in self.mine if kind != UNKNOWN)
        if not unknown and self.wins_anyway(number + FINE):
            total = self.at.totals[self.me] + number + FINE
            return _because("call_wins_anyway", "O-22", total=total, fine=FINE)
        if number > CALL_LIMIT:
            return None
        if unknown:
            figures = {"number": number, "unknown": unknown}
            return _because("call_hopes", "O-21", limit=CALL_LIMIT, **figures)
        if all(self.least(seat) >= number for seat in self.others):
            return _because("call_sure", "O-21", number=number)
        return _because("call_enough", "O-21", number=number, limit=CALL_LIMIT)

    def wins_anyway(self, score: int) -> bool:
        """O-22, O-23: whether even a wrong call leaves the lowest total in the last game."""
        totals, mine = self.at.totals, self.at.totals[self.me] + score
        is_last = self.at.game >= self.at.games
        return is_last and all(totals[seat] > mine for seat in self.others)

    def least(self, seat: Seat) -> int:
        """O-21: what a row is worth at least: its known cards."""
        return sum(WORTH[kind] for kind in self.kinds[seat] if kind != UNKNOWN)

    def take(self) -> Reason | None:
        """O-2, O-3: which own card the open card could replace."""
        top = self.at.top
        gain = self.most - WORTH[top]
        if gain > 0:
            old = next(self.mine[slot] for slot in self.known if self.worth_of(slot) == self.most)
            return _because("take_for", "O-3", card=top, old=old, gain=gain)
        if any(self.worth[self.me][slot] > WORTH[top] for slot in self.unknown()):
            return _because("take_for_unknown", "O-3", card=top)
        return None

    def worth_of(self, slot: int) -> int:
        """O-M1, O-M2: the worth of an own card that is known."""
        return WORTH[self.mine[slot]]

    def unknown(self) -> Slots:
        """O-19p: the own free cards that are unknown."""
        return [slot for slot in self.free if self.mine[slot] == UNKNOWN]

    def draw(self) -> Reason:
        """O-2, O-4: the open card is no better, and a drawn card may be discarded again."""
        if self.at.discarded and 0 <= self.most <= WORTH[self.at.top]:
            return _because("draw_no_better", "O-2", card=self.at.top)
        return _because("draw_free", "O-4")

    # --- The card taken -------------------------------------------------------------------------

    def place(self, move: Move) -> Reason | None:
        """O-3, O-4: replace a card, or discard."""
        return self.discard() if move.verb == "discard" else self.replace(move.numbers[0] - 1)

    def discard(self) -> Reason | None:
        """O-4, O-7, O-11u: a twin to lay down, a character to use, or nothing to replace."""
        held = self.at.held
        twin = self.twin(held)
        if twin != UNKNOWN:
            return _because("discard_pair", "O-7", card=held, slot=twin + 1, gain=WORTH[held])
        if self.has_target(held):
            return _because("discard_use", "O-11u", card=held)
        if 0 <= self.most <= WORTH[held]:
            return _because("discard_dear", "O-4", card=held)
        return None

    def replace(self, slot: int) -> Reason | None:
        """O-3, O-7, O-11u: fewer points, and what the old card allows."""
        held, old = self.at.held, self.mine[slot]
        if old == UNKNOWN:
            is_better = self.worth[self.me][slot] >= WORTH[held]
            return _because("replaces_unknown", "O-3", card=held) if is_better else None
        gain = WORTH[old] - WORTH[held]
        twin = self.twin(old, slot)
        if gain > 0 and twin != UNKNOWN:
            return _because("replaces_pair", "O-7", card=held, old=old, slot=twin + 1)
        if gain > 0:
            return _because("replaces", "O-3", card=held, old=old, gain=gain)
        if twin != UNKNOWN:
            return _because("gives_up_pair", "O-7", old=old, slot=twin + 1)
        return self.worse(held, old, slot)

    def worse(self, held: int, old: int, slot: int) -> Reason | None:
        """O-7, O-11u: what may be worth points: a character to use, or a pair."""
        if self.has_target(old):
            return _because("replaces_to_use", "O-11u", old=old)
        pair = self.twin(held, slot)
        return None if pair == UNKNOWN else _because("pairs", "O-7", card=held, slot=pair + 1)

    def has_target(self, kind: int) -> bool:
        """O-11u to O-19p: whether a character could be used now."""
        at = self.at
        reached = [seat for seat in self.others if at.mammas[seat] < 0]
        return {
            HENCHMAN: bool(self.free) and any(at.free(seat) for seat in reached),
            LADY: any(len(at.free(seat)) >= SHUFFLED_FROM for seat in reached),
            MOLE: bool(self.free),
            TRAITOR: bool(reached) and at.pile_count >= GIFTS,
            DRIVER: bool(self.free),
            SAFECRACKER: True,
            MAMMA: bool(reached),
            PATROL: any(at.free(seat) for seat in self.others),
        }.get(kind, False)

    # --- Windows --------------------------------------------------------------------------------

    def window(self, move: Move) -> Reason | None:
        """O-S3, O-7, O-8, O-16: a card that matches, or none that is known to."""
        if self.at.window == "peek":
            return _because("peek", "O-S3")
        is_snap = self.at.window == "snap"
        wanted = self.at.top if is_snap else ASSASSIN
        matching = [slot for slot in self.known if self.mine[slot] == wanted]
        if move.verb == "pass":
            if matching:
                return None
            return _because("snap_pass", "O-8") if is_snap else _because("assassin_pass", "O-16")
        slot = move.numbers[0] - 1
        if slot not in matching:
            return None
        key, rule = ("snap", "O-7") if is_snap else ("assassin", "O-16")
        return _because(key, rule, slot=slot + 1, card=self.at.top, gain=WORTH[wanted])

    # --- Characters -----------------------------------------------------------------------------

    def use(self, move: Move) -> Reason | None:
        """O-11u to O-19p: what the character does for the player, or why nothing."""
        if move.verb == "pass":
            return self.unused()
        uses: dict[int, Callable[[Move], Reason | None]] = {
            HENCHMAN: self.henchman,
            LADY: self.lady,
            MOLE: self.mole,
            TRAITOR: self.traitor,
            DRIVER: self.driver,
            SAFECRACKER: lambda move: _because("safecracker", "O-18"),
            MAMMA: self.mamma,
            PATROL: self.patrol,
        }
        return uses[self.at.top](move)

    def unused(self) -> Reason | None:
        """O-12, O-14, O-17: why a character is of no use."""
        if self.at.top == MOLE and not self.unknown():
            return _because("mole_pass", "O-14")
        bottles = [slot for slot in self.known if self.mine[slot] < BOTTLES]
        if self.at.top == DRIVER and not bottles:
            return _because("driver_pass", "O-17")
        if self.at.top == HENCHMAN and self.known and self.cheapest() >= self.most:
            return _because("henchman_pass", "O-12")
        return None

    def cheapest(self) -> int:
        """O-12: the least that a known card of an opponent is worth, or more than any card."""
        kinds = [kind for seat in self.others for kind in self.kinds[seat] if kind != UNKNOWN]
        return min((WORTH[kind] for kind in kinds), default=max(WORTH) + 1)

    def henchman(self, move: Move) -> Reason | None:
        """O-12: fewer points for me, or less knowledge for another."""
        one, slot, other, other_slot = (number - 1 for number in move.numbers)
        if self.me not in (one, other):
            return self.disturbed(one, slot, other, other_slot)
        seat, theirs, mine = (
            (other, other_slot, slot) if one == self.me else (one, slot, other_slot)
        )
        old, new = self.mine[mine], self.kinds[seat][theirs]
        is_better = self.worth[self.me][mine] > self.worth[seat][theirs]
        if not is_better or old == new == UNKNOWN:
            return None
        if new == UNKNOWN:
            return _because("swap_away", "O-12", old=old)
        if old == UNKNOWN:
            return _because("swap_for", "O-12", card=new)
        return _because("swap", "O-12", card=new, old=old, gain=WORTH[old] - WORTH[new])

    def disturbed(self, one: Seat, slot: int, other: Seat, other_slot: int) -> Reason | None:
        """O-12: which opponent knew their own card and does not know the one that replaces it."""
        cards = {one: self.tracks[one][slot], other: self.tracks[other][other_slot]}
        for seat, away in ((one, other), (other, one)):
            if cards[seat].seen >> seat & 1 and not cards[away].seen >> seat & 1:
                return _because("swap_others", "O-12", seat=seat)
        return None

    def lady(self, move: Move) -> Reason | None:
        """O-13: what its owner knows of the row."""
        seat = move.numbers[0] - 1
        free = [self.tracks[seat][slot] for slot in self.at.free(seat)]
        seen = sum(track.seen >> seat & 1 for track in free)
        if seen:
            return _because("lady_knows", "O-13", seat=seat, number=seen)
        is_whole = len(free) == len(self.tracks[seat])  # a card with a patrol stays in its place
        return _because("lady", "O-13", seat=seat) if is_whole else None

    def mole(self, move: Move) -> Reason | None:
        """O-14: a card that is not known yet."""
        slot = move.numbers[0] - 1
        if self.mine[slot] != UNKNOWN:
            return None
        return _because("mole", "O-14", slot=slot + 1)

    def traitor(self, move: Move) -> Reason:
        """O-15: more cards for the lowest row, or for others."""
        seats = [number - 1 for number in move.numbers]
        lowest = next((seat for seat in seats if self.is_lowest(seat)), None)
        if lowest is not None:
            return _because("gift_lowest", "O-15", seat=lowest, number=seats.count(lowest))
        if len(set(seats)) == 1:
            return _because("gift", "O-15", seat=seats[0], number=GIFTS)
        return _because("gifts", "O-15", seats=tuple(seats))

    def mamma(self, move: Move) -> Reason:
        """O-19m: who misses a turn."""
        return self.held_up("mamma", "O-19m", move.numbers[0] - 1)

    def patrol(self, move: Move) -> Reason:
        """O-19p: who cannot call for two rounds."""
        return self.held_up("patrol", "O-19p", move.numbers[0] - 1)

    def held_up(self, key: str, rule: str, seat: Seat) -> Reason:
        """O-19m, O-19p: the player who cannot call, and whether it is the most dangerous one."""
        return _because(f"{key}_lowest" if self.is_lowest(seat) else key, rule, seat=seat)

    def driver(self, move: Move) -> Reason | None:
        """O-17: the bottles that are known."""
        kinds = [self.mine[number - 1] for number in move.numbers]
        if any(kind == UNKNOWN or kind >= BOTTLES for kind in kinds):
            return None
        gain = sum(WORTH[kind] for kind in kinds)
        return _because("driver", "O-17", cards=tuple(kinds), gain=gain)

    # --- The safe -------------------------------------------------------------------------------

    def safe(self, move: Move) -> Reason | None:
        """O-18: a better card for one of mine, or none is better."""
        tracks = self.at.learnt.by_number()
        kinds = [tracks[card].kind for card in self.at.learnt.safe]
        if UNKNOWN in kinds:  # a memory that has lost them already
            return None
        if move.verb == "pass":
            is_best = all(WORTH[kind] >= self.most for kind in kinds)
            return _because("safe_pass", "O-18") if is_best and self.most >= 0 else None
        mine, new = move.numbers[0] - 1, kinds[move.numbers[1] - 1]
        old = self.mine[mine]
        if self.worth[self.me][mine] <= WORTH[new]:
            return None
        if old == UNKNOWN:
            return _because("exchange_unknown", "O-18", card=new)
        return _because("exchange", "O-18", card=new, old=old, gain=WORTH[old] - WORTH[new])
