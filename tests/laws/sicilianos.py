"""Sicilianos as its rulebook has it, for the laws. Who has seen what is worked out once more."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from cosca.core.dice import Dice
from cosca.core.names import CHANCE, Seat
from cosca.games.sicilianos import pieces
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.rules import State
from cosca.match.table import Step
from cosca.testing.case import Case
from cosca.testing.walks import Log, Walk

MOST_TWINS = 4
EVERY_VALUE = frozenset(range(1, 12))


def cards(state: State) -> list[list[int]]:
    """S-M1, S-M7: how often each card of each colour is there; and the businesses."""
    counts = [[0] * 12 for _ in range(6)]
    for colour in range(6):
        for value in range(1, 12):
            bit = 1 << (value - 1)
            counts[colour][value] += bool(state.pool[colour] & bit)
            hands = (state.hand[seat * 6 + colour] for seat in range(6))
            counts[colour][value] += sum(bool(hand & bit) for hand in hands)
        for value in state.stack[colour * 11 : colour * 11 + state.size[colour]]:
            counts[colour][value] += value > 0
    for seat in range(state.seats):
        for value in state.laid[seat * 11 : seat * 11 + state.cards[seat]]:
            counts[state.family[seat]][value] += 1
        if state.face_down[seat]:
            counts[state.family[seat]][state.face_down[seat]] += 1
    bought = [kind for kind in state.bought if kind >= 0]
    return [*counts, [len(bought) - sum(owner >= 0 for owner in state.owner)]]


# --- Who has seen what ----------------------------------------------------------------------------


class Witness:
    """Which values of each colour a seat has seen, and which kinds it may know."""

    def __init__(self, walk: Walk, seat: Seat) -> None:
        self.seat = seat
        self.states: list[Any] = list(walk.states())
        self.seen: list[set[int]] = [set() for _ in range(6)]
        self.colours: list[int] = []
        self.shopped: set[int] = set()
        for number, (who, action) in enumerate(walk.log):
            before = self.states[number]
            self.colours.append(self.watch(before, self.states[number + 1], who, action))

    def watch(self, before: Any, after: Any, who: Seat, action: int) -> int:
        """One step; the colour of the card it names, or -1."""
        phase = pieces.PHASE_NAMES[before.phase]
        mine = before.mover == self.seat
        if phase == "turn_up":
            for seat in range(before.seats):
                if before.face_down[seat]:
                    self.seen[before.family[seat]].add(before.face_down[seat])
        if phase in ("drafted", "draw", "stolen", "look") and who == CHANCE:
            colour = before.queue[0] if phase == "draw" else before.colour
            sees = mine or (phase == "stolen" and before.victim == self.seat)
            if sees and action:
                self.seen[colour].add(action)
            if phase == "look" and mine and after.phase == pieces.PHASE_TAKE:
                stack = after.stack[colour * 11 : colour * 11 + after.size[colour]]
                self.seen[colour] |= set(stack)
            return int(colour)
        if phase == "shop" and mine:
            self.shopped.add(before.prize)
        if who >= 0 and action >= pieces.CARD:
            return (action - pieces.CARD) // 11
        return -1


# --- Other truths ---------------------------------------------------------------------------------


def twins(walk: Walk, seat: Seat, dice: Dice) -> list[Log]:
    """Games with other values where this seat has seen none, other cards face down, other kinds."""
    witness = Witness(walk, seat)
    found: list[Log] = []
    for kind in (other_values, other_face_down, other_kinds):
        some = list(kind(walk, witness))
        for _ in range(min(2, len(some))):
            found.append(some.pop(dice.below(len(some))))
    return found[:MOST_TWINS]


def other_values(walk: Walk, witness: Witness) -> Iterator[Log]:
    """Two values of a colour that this seat has never seen change places throughout."""
    for colour in range(6):
        hidden = sorted(EVERY_VALUE - witness.seen[colour])
        for one, other in combinations(hidden, 2):
            names = {one: other, other: one}
            yield tuple(
                renamed(step, of == colour, names)
                for step, of in zip(walk.log, witness.colours, strict=True)
            )


def renamed(step: Step, counts: bool, names: dict[int, int]) -> Step:
    """A step with another value, if it names a card of the colour."""
    who, action = step
    if not counts:
        return step
    if who == CHANCE:
        return who, names.get(action, action)
    value = (action - pieces.CARD) % 11 + 1
    return who, action + names.get(value, value) - value


def other_face_down(walk: Walk, witness: Witness) -> Iterator[Log]:
    """Another card of the family lies face down."""
    for number, (who, action) in enumerate(walk.log):
        end = witness.states[-1]
        if who in (CHANCE, witness.seat) or action < pieces.CARD or not end.face_down[who]:
            continue
        colour = (action - pieces.CARD) // 11
        last = all(one != who or a < pieces.CARD for one, a in walk.log[number + 1 :])
        if end.family[who] == colour and last:
            for value in range(1, 12):
                if end.hand[who * 6 + colour] & 1 << (value - 1):
                    card = pieces.CARD + colour * 11 + value - 1
                    yield (*walk.log[:number], (who, card), *walk.log[number + 1 :])


def other_kinds(walk: Walk, witness: Witness) -> Iterator[Log]:
    """Of a colour in which this seat has bought nothing, two kinds change places."""
    end = witness.states[-1]
    if end.reason:
        return
    for colour in range(6):
        shops = end.phase == pieces.PHASE_SHOP and end.mover == witness.seat
        if colour in witness.shopped or (shops and end.prize == colour):
            continue
        for one, other in combinations(range(3), 2):
            names = {one: other, other: one}
            log = []
            for (who, action), state in zip(walk.log, witness.states, strict=False):
                if pieces.PHASE_NAMES[state.phase] == "shop" and state.prize == colour:
                    kind = action - pieces.KIND
                    action = pieces.KIND + names.get(kind, kind)
                log.append((who, action))
            if tuple(log) != walk.log:
                yield tuple(log)


CASE = Case(
    game=GAME,
    actions=97,
    has_secrets=True,
    pieces=cards,
    twins=twins,
    house_rules=[
        {"defectors": "ring", "bombs": "all"},
        {"influence": "drawing", "hand_limit": "5"},
        {"notes": "2"},
    ],
    short={"notes": "1"},
)
