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
    """Games with other cards where this seat has seen none, or with businesses of other kinds."""
    witness = Witness(walk, seat)
    found: list[Log] = []
    for kind in (other_values, other_taken, other_stolen, other_face_down, other_kinds):
        some = [log for log in kind(walk, witness) if log != walk.log]
        if some:
            found.append(some[dice.below(len(some))])
            found.append(max(some, key=lambda log: first_change(walk.log, log)))
    return list(dict.fromkeys(found))


def first_change(log: Log, other: Log) -> int:
    """Return where two games begin to differ: late secrets leave few steps to notice them."""
    return next(n for n, (a, b) in enumerate(zip(log, other, strict=True)) if a != b)


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


def other_taken(walk: Walk, witness: Witness) -> Iterator[Log]:
    """After a look another card was taken, as long as nothing was drawn from that stack since."""
    for number, (who, _) in enumerate(walk.log):
        before = witness.states[number]
        if who == witness.seat or before.phase != pieces.PHASE_TAKE:
            continue
        colour = before.colour
        rest = range(number + 1, len(walk.log))
        if not any(witness.colours[n] == colour and out_of_stack(witness.states[n]) for n in rest):
            stack = before.stack[colour * 11 : colour * 11 + before.size[colour]]
            yield from other_choice(walk, witness, number, set(stack))


def other_stolen(walk: Walk, witness: Witness) -> Iterator[Log]:
    """Another card was stolen from a hand."""
    for number in range(len(walk.log)):
        before = witness.states[number]
        if before.phase != pieces.PHASE_STOLEN or witness.seat in (before.active, before.victim):
            continue
        hand = before.hand[before.victim * 6 + before.colour]
        values = {value for value in EVERY_VALUE if hand >> (value - 1) & 1}
        yield from other_choice(walk, witness, number, values)


def other_choice(walk: Walk, witness: Witness, number: int, values: set[int]) -> Iterator[Log]:
    """From a step on two values have changed places, if this seat has seen neither."""
    who, action = walk.log[number]
    colour = witness.colours[number]
    value = action if who == CHANCE else (action - pieces.CARD) % 11 + 1
    hidden = values - witness.seen[colour]
    if value in hidden:
        for other in sorted(hidden - {value}):
            names = {value: other, other: value}
            later = (
                renamed(walk.log[n], witness.colours[n] == colour, names)
                for n in range(number, len(walk.log))
            )
            yield (*walk.log[:number], *later)


def out_of_stack(state: Any) -> bool:
    """Whether a card is about to leave a stack."""
    return pieces.PHASE_NAMES[state.phase] in ("drafted", "draw", "look", "take")


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


PLAIN = frozenset(
    {
        *("starts", "die", "rolled"),  # chance
        *("drafted", "drew", "lies", "saw", "took", "stolen", "laid", "left", "bought"),
        *("turned_up", "shows"),  # what a card is
        *("drafts", "rolls", "chooses", "looks", "takes", "wants", "turns_to"),
        *("opens", "joins", "lays", "stakes", "stays_out"),  # what a player chose
        *("stays", "keeps_bomb", "lays_no_more"),
    }
)
WAR = ("stake", "join", "turn_up", "defect", "bomb", "lay")


def holdings(state: State, seat: Seat) -> tuple[object, ...]:
    """S-17 to S-28: hand, money, stake and cards in an undecided war, businesses, and the win."""
    hand = state.hand[seat * 6 : seat * 6 + 6]
    money = state.notes[seat * 5 : seat * 5 + 5], state.laundered[seat]
    is_at_war = pieces.PHASE_NAMES[state.phase] in WAR and state.family[seat] >= 0
    at_war = state.stake[seat], state.cards[seat] + (state.face_down[seat] > 0)
    owned = [owner == seat for owner in state.owner]
    return hand, money, at_war if is_at_war else None, owned, state.won >> seat & 1


CASE = Case(
    game=GAME,
    actions=97,
    has_secrets=True,
    pieces=cards,
    twins=twins,
    plain_events=PLAIN,
    holdings=holdings,
    dealing=frozenset({"drafted"}),  # S-S3: from the stack that the player chose
    house_rules=[
        {"defectors": "ring", "bombs": "all"},
        {"influence": "drawing", "hand_limit": "5"},
        {"notes": "2"},
    ],
    short={"notes": "1"},
)
