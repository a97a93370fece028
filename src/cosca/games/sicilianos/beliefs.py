"""The beliefs of a seat in Sicilianos: odds of hidden cards, and sampled states that fit.

Each colour is computed from its own record: deed by deed, all possible layouts with their weights.
So the odds are exact, with one assumption about the choices of players: a player who looked through
a stack took any card of it, and a player who laid a card chose any of the family in hand.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import permutations
from typing import Any, Final, NamedTuple, TypeAlias

from cosca.core.dice import Dice
from cosca.core.names import Seat
from cosca.games.sicilianos.pieces import (
    COLOURS,
    DRAWN,
    KIND,
    KINDS,
    MOST_SEATS,
    NOTES,
    PHASE_NAMES,
    RETURNED,
    SHOWN,
    STOLEN,
    TAKEN,
    VALUES,
)
from cosca.games.sicilianos.position import (
    NOBODY,
    UNKNOWN,
    Deed,
    Position,
    Record,
    bit,
    count_deed,
)
from cosca.games.sicilianos.rules import State

ALL_VALUES: Final = (1 << VALUES) - 1


class Layout(NamedTuple):
    """One possible layout of the cards of a colour: those known in each hand, and the stack.

    An unknown card is equally likely any of the values that are nowhere.
    """

    hands: tuple[int, ...]
    stack: tuple[int, ...]

    def nowhere(self, table: int) -> int:
        """Return the values that are neither known in a hand nor in the stack nor on the table."""
        used = table
        for hand in self.hands:
            used |= hand
        for value in self.stack:
            used |= bit(value)
        return ALL_VALUES & ~used


Step: TypeAlias = tuple[Layout, float, int]
"""A possible next layout, its probability, and the choice behind it: a value or a place."""
Layer: TypeAlias = Mapping[Layout, tuple[float, tuple[tuple[Layout, float, int], ...]]]
"""Every layout with its weight and its possible predecessors."""


class ColourBeliefs:
    """The possible layouts of one colour, computed from its record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.sizes = list(record.before)
        self.table = 0
        start = Layout((0,) * MOST_SEATS, (0,) * record.before[MOST_SEATS])
        self.layers: list[Layer] = [{start: (1.0, ())}]
        self.at_hand: list[tuple[int, ...]] = []
        for deed in record.deeds:
            self.layers.append(self._next(deed))
        self.end = self._known_now()

    def _next(self, deed: Deed) -> Layer:
        """Return all layouts after one more deed."""
        found: dict[Layout, tuple[float, tuple[tuple[Layout, float, int], ...]]] = {}
        self.at_hand.append((*self.sizes, self.table))
        for layout, (weight, _) in self.layers[-1].items():
            for after, factor, choice in self._steps(layout, deed):
                if factor > 0:
                    so_far, ways = found.get(after, (0.0, ()))
                    way = (layout, weight * factor, choice)
                    found[after] = (so_far + weight * factor, (*ways, way))
        self._count(deed)
        whole = sum(weight for weight, _ in found.values())
        return {
            layout: (weight / whole, tuple((one, part / whole, n) for one, part, n in ways))
            for layout, (weight, ways) in found.items()
        }

    def _count(self, deed: Deed) -> None:
        """Update the number of cards in each place."""
        count_deed(self.sizes, deed)
        if deed.what == SHOWN:
            self.table |= bit(deed.value)
        elif deed.what == RETURNED:
            self.table &= ~bit(deed.value)

    def _steps(self, layout: Layout, deed: Deed) -> Iterator[Step]:
        if deed.what == DRAWN:
            yield from self._drawn(layout, deed)
        elif deed.what == TAKEN:
            yield from self._taken(layout, deed)
        elif deed.what == STOLEN:
            yield from self._stolen(layout, deed)
        elif deed.what == SHOWN:
            yield from self._shown(layout, deed)
        else:
            yield Layout(layout.hands, (*layout.stack, deed.value)), 1.0, 0

    def _is(self, layout: Layout, there: int, value: int) -> float:
        """Return the probability that a card, known or not, has this value."""
        if there:
            return float(there == value)
        nowhere = layout.nowhere(self.table)
        return 1 / nowhere.bit_count() if nowhere & bit(value) else 0.0

    def _drawn(self, layout: Layout, deed: Deed) -> Iterator[Step]:
        """S-3: the top card comes into a hand."""
        top = layout.stack[0]
        value = top if deed.value == UNKNOWN else deed.value
        factor = 1.0 if deed.value == UNKNOWN else self._is(layout, top, value)
        yield _moved(layout, deed.seat, value, layout.stack[1:]), factor, 0

    def _taken(self, layout: Layout, deed: Deed) -> Iterator[Step]:
        """S-4: any card of the stack; the player who looked has seen them all."""
        stack = layout.stack
        if deed.value == UNKNOWN:
            for place, value in enumerate(stack):
                rest = stack[:place] + stack[place + 1 :]
                yield _moved(layout, deed.seat, value, rest), 1 / len(stack), place
            return
        factor = 1.0
        for place, value in enumerate(deed.seen):
            if value:
                factor *= self._is(layout, layout.stack[place], value)
                known = (*layout.stack[:place], value, *layout.stack[place + 1 :])
                layout = Layout(layout.hands, known)
        rest = layout.stack[: deed.other] + layout.stack[deed.other + 1 :]
        yield _moved(layout, deed.seat, deed.value, rest), factor, deed.other

    def _stolen(self, layout: Layout, deed: Deed) -> Iterator[Step]:
        """S-5: any card of the victim, all equally likely."""
        hand, cards = layout.hands[deed.other], self.sizes[deed.other]
        hidden = cards - hand.bit_count()
        if deed.value == UNKNOWN:
            for value in _values(hand):
                yield self._over(layout, deed, value), 1 / cards, value
            if hidden:
                yield layout, hidden / cards, 0
        elif hand & bit(deed.value):
            yield self._over(layout, deed, deed.value), 1 / cards, deed.value
        else:
            factor = hidden * self._is(layout, 0, deed.value) / cards
            yield self._over(layout, deed, deed.value), factor, 0

    def _over(self, layout: Layout, deed: Deed, value: int) -> Layout:
        """Move a known card from one hand to another."""
        hands = list(layout.hands)
        hands[deed.other] &= ~bit(value)
        hands[deed.seat] |= bit(value)
        return Layout(tuple(hands), layout.stack)

    def _shown(self, layout: Layout, deed: Deed) -> Iterator[Step]:
        """S-8: a card from a hand is turned up."""
        hand = layout.hands[deed.seat]
        if hand & bit(deed.value):
            hands = list(layout.hands)
            hands[deed.seat] &= ~bit(deed.value)
            yield Layout(tuple(hands), layout.stack), 1.0, deed.value
        else:
            hidden = self.sizes[deed.seat] - hand.bit_count()
            yield layout, hidden * self._is(layout, 0, deed.value), 0

    def _known_now(self) -> list[tuple[Layout, float, Layout]]:
        """Return the last layouts with their weights, each updated by what is visible now."""
        found = []
        for layout, (weight, _) in self.layers[-1].items():
            after, factor = self._fit(layout)
            if factor > 0:
                found.append((layout, weight * factor, after))
        return found

    def _fit(self, layout: Layout) -> tuple[Layout, float]:
        """Return a layout updated by what is visible now, and its likelihood."""
        factor = 1.0
        hands, stack = list(layout.hands), layout.stack
        for seat, known in self.record.hands:
            if hands[seat] & ~known:
                return layout, 0.0
            for value in _values(known & ~hands[seat]):
                factor *= self._is(Layout(tuple(hands), stack), 0, value)
                hands[seat] |= bit(value)
        for place, value in enumerate(self.record.stack):
            if value:
                factor *= self._is(Layout(tuple(hands), stack), stack[place], value)
                stack = (*stack[:place], value, *stack[place + 1 :])
        return Layout(tuple(hands), stack), factor

    # --- Odds -----------------------------------------------------------------------------------

    def odds(self) -> list[list[float]]:
        """Return for each hand the probability of each value, from 1; laid cards are included."""
        chances = [[0.0] * (VALUES + 1) for _ in range(MOST_SEATS)]
        whole = sum(weight for _, weight, _ in self.end)
        for _, weight, layout in self.end:
            nowhere = layout.nowhere(self.table)
            number = nowhere.bit_count() or 1
            for seat in range(MOST_SEATS):
                hidden = self.sizes[seat] - layout.hands[seat].bit_count()
                for value in _values(layout.hands[seat]):
                    chances[seat][value] += weight / whole
                for value in _values(nowhere):
                    chances[seat][value] += weight / whole * hidden / number
        return chances

    # --- Sampling -------------------------------------------------------------------------------

    def sample_history(self, dice: Dice) -> list[int]:
        """Sample a history: the choice behind each deed."""
        layout = _weighted([(end, weight) for end, weight, _ in self.end], dice)
        choices = []
        for layer in reversed(self.layers[1:]):
            ways = layer[layout][1]
            number = _weighted([(n, part) for n, (_, part, _) in enumerate(ways)], dice)
            layout, _, choice = ways[number]
            choices.append(choice)
        return choices[::-1]


def _moved(layout: Layout, seat: Seat, value: int, stack: tuple[int, ...]) -> Layout:
    """Move a card from the stack, known or not, into a hand."""
    hands = list(layout.hands)
    hands[seat] |= bit(value)
    return Layout(tuple(hands), stack)


def _values(mask: int) -> Iterator[int]:
    """Return the values in a bit mask."""
    for value in range(1, VALUES + 1):
        if mask & 1 << (value - 1):
            yield value


def _weighted(things: list[tuple[Any, float]], dice: Dice) -> Any:
    """Sample one of several items by weight."""
    if len(things) == 1:
        return things[0][0]
    roll = dice.below(1 << 30) / (1 << 30) * sum(weight for _, weight in things)
    for thing, weight in things:
        roll -= weight
        if roll < 0:
            return thing
    return things[-1][0]


@lru_cache(maxsize=256)
def colour_beliefs(record: Record) -> ColourBeliefs:
    """Return the layouts of a record; cached, because one position is sampled many times."""
    return ColourBeliefs(record)


# --- Sampling a state -----------------------------------------------------------------------------


class Card:
    """A card followed through a history; its value is set once it is known."""

    def __init__(self) -> None:
        self.value = 0


class World:
    """A sampled layout of the cards of one colour, with their history."""

    def __init__(self, position: Position, colour: int, dice: Dice) -> None:
        self.record = position.learnt[colour]
        self.dice = dice
        beliefs = colour_beliefs(self.record)
        self.hands: list[list[Card]] = [
            [Card() for _ in range(self.record.before[seat])] for seat in range(MOST_SEATS)
        ]
        self.stack = [Card() for _ in range(self.record.before[MOST_SEATS])]
        self.table: list[Card] = []
        self.cards = [*self.stack, *(card for hand in self.hands for card in hand)]
        self.done = [
            self._do(deed, choice)
            for deed, choice in zip(self.record.deeds, beliefs.sample_history(dice), strict=True)
        ]
        self._look_now()
        self._deal(position.unseen[colour], position.unseen_at[colour])

    def _do(self, deed: Deed, choice: int) -> tuple[int, int, Card]:
        """Replay a deed; return its code in a state, and its card."""
        other, card = deed.other, None
        if deed.what == DRAWN:
            card = self.stack.pop(0)
            self.hands[deed.seat].append(card)
        elif deed.what == TAKEN:
            for there, value in zip(self.stack, deed.seen, strict=False):
                there.value = value or there.value
            card = self.stack.pop(choice)
            self.hands[deed.seat].append(card)
            other = choice
        elif deed.what == STOLEN:
            card = self._pick(deed.other, choice)
            self.hands[deed.other].remove(card)
            self.hands[deed.seat].append(card)
        elif deed.what == SHOWN:
            card = self._pick(deed.seat, choice)
            self.hands[deed.seat].remove(card)
            self.table.append(card)
        else:
            card = next(there for there in self.table if there.value == deed.value)
            self.table.remove(card)
            self.stack.append(card)
        if deed.value != UNKNOWN:
            card.value = deed.value
        return deed.what, deed.seat + 8 * other, card

    def _pick(self, seat: Seat, value: int) -> Card:
        """Return a known card of a hand, or one of the unknown ones."""
        fits = [card for card in self.hands[seat] if card.value == value]
        return fits[self.dice.below(len(fits))]

    def _look_now(self) -> None:
        """Apply what is visible now."""
        for seat, known in self.record.hands:
            hidden = [card for card in self.hands[seat] if card.value == 0]
            there = sum(bit(card.value) for card in self.hands[seat])
            for card, value in zip(hidden, _values(known & ~there), strict=True):
                card.value = value
        for card, value in zip(self.stack, self.record.stack, strict=False):
            card.value = value or card.value

    def _deal(self, unseen: int, unseen_at: int) -> None:
        """Give values to all cards that somebody has seen; the others stay without."""
        blank = self.stack[unseen_at : unseen_at + unseen] if unseen else []
        used = sum(bit(card.value) for card in self.cards)
        left = list(_values(ALL_VALUES & ~used))
        for card in self.cards:
            if card.value == 0 and card not in blank:
                card.value = left.pop(self.dice.below(len(left)))
        self.pool = sum(bit(value) for value in left)


def sample(position: Position, dice: Dice) -> State:
    """Sample a state that fits the position."""
    worlds = [World(position, colour, dice) for colour in range(COLOURS)]
    down = [_laid_down(position, worlds, seat, dice) for seat in range(position.seats)]
    hands = [
        sum(bit(card.value) for card in world.hands[seat] if card is not down[seat])
        if seat < position.seats
        else 0
        for seat in range(MOST_SEATS)
        for world in worlds
    ]
    bought = [_kinds(position, colour, dice) for colour in range(COLOURS)]
    more = MOST_SEATS - position.seats
    state = State(position.seats)
    state.load(
        [
            position.seats,
            position.defectors,
            position.bombs,
            position.faces,
            position.hand_limit,
            PHASE_NAMES.index(position.phase),
            position.turns,
            position.active,
            position.mover,
            position.ending,
            sum(1 << seat for seat in position.winners),
            position.rolled,
            position.queued,
            position.colour,
            position.victim,
            position.war_pass,
            position.at,
            position.winner,
            position.prize,
            *position.die,
            *position.queue,
            *(*position.laundered, *[0] * more),
            *(*position.money, *[0] * more),
            *(n for notes in position.notes for n in notes),
            *[0] * NOTES * more,
            *hands,
            *(world.pool for world in worlds),
            *position.sizes,
            *(n for world in worlds for n in _filled([card.value for card in world.stack])),
            *(seat for c in range(COLOURS) for seat in _owned(position.owners[c], bought[c])),
            *(kind for kinds in bought for kind in kinds),
            *(*position.family, *[-1] * more),
            *(*position.stake, *[-1] * more),
            *(*position.passed, *[0] * more),
            *(*position.joined, *[-1] * more),
            *(*position.joined_by, *[-1] * more),
            *(*(card.value if card else 0 for card in down), *[0] * more),
            *(*position.fresh, *[0] * more),
            *(*(len(laid) for laid in position.laid), *[0] * more),
            *(n for laid in position.laid for n in _filled(list(laid))),
            *[0] * VALUES * more,
            *(len(record.deeds) for record in position.learnt),
            *(n for record in position.learnt for n in record.before),
            *(
                number
                for world in worlds
                for what, whom, card in world.done
                for number in (what + 8 * whom, card.value)
            ),
        ]
    )
    return state


def _filled(values: list[int]) -> list[int]:
    return values + [0] * (VALUES - len(values))


def _laid_down(position: Position, worlds: list[World], seat: Seat, dice: Dice) -> Card | None:
    """S-6: the card laid face down: the own one, or any of the family in hand."""
    if not position.face_down[seat]:
        return None
    hand = worlds[position.family[seat]].hands[seat]
    if seat == position.seat:
        return next(card for card in hand if card.value == position.mine_down)
    return hand[dice.below(len(hand))]


def _kinds(position: Position, colour: int, dice: Dice) -> tuple[int, ...]:
    """S-18: the kinds that were bought; unknown ones are sampled."""
    owners, known = position.owners[colour], position.known_kinds[colour]
    number = sum(owner != NOBODY for owner in owners)
    shops = position.phase == "shop" and position.mover == position.seat
    left = (
        {action - KIND for action in position.legal} if shops and position.prize == colour else None
    )
    ways = [
        kinds
        for kinds in permutations(range(KINDS), number)
        if all(k in (UNKNOWN, kind) for k, kind in zip(known, kinds, strict=False))
        and (left is None or not left & set(kinds))
    ]
    return (*ways[dice.below(len(ways))], *[-1] * (KINDS - number))


def _owned(owners: tuple[Seat, ...], bought: tuple[int, ...]) -> list[Seat]:
    """S-18: who owns each kind."""
    owned = [NOBODY] * KINDS
    for owner, kind in zip(owners, bought, strict=True):
        if kind >= 0:
            owned[kind] = owner
    return owned
