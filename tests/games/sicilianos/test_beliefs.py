"""What a player of Sicilianos can conclude, compared with a count of all possibilities."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple, TypeAlias

import pytest

from cosca.core.dice import Dice
from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.games.sicilianos import pieces
from cosca.games.sicilianos.beliefs import ColourBeliefs, sample
from cosca.games.sicilianos.pieces import DRAWN, EVENTS, RETURNED, SHOWN, STOLEN, TAKEN, VALUES
from cosca.games.sicilianos.position import position
from cosca.games.sicilianos.rules import State
from tests.games.sicilianos.story import SMALL, Story, phase, rule

RED = 0
KNOWN = 5
"""So many red cards have been shown to all, so that those nobody has seen can be counted."""
SHOWN_TO_ALL = ",".join(f"w2:{value},r:{value}" for value in range(1, KNOWN + 1))
TABLE = f"red={','.join(map(str, range(1, KNOWN + 1)))} red_log={SHOWN_TO_ALL}"
"""Six red cards that nobody has seen lie on the 1 to 5, in this order."""
HIDDEN = range(KNOWN + 1, VALUES + 1)


# --- All that may have been --------------------------------------------------------------------


class World(NamedTuple):
    """Where the red cards lie."""

    hands: tuple[frozenset[int], ...]
    stack: tuple[int, ...]


Worlds: TypeAlias = dict[World, Fraction]
"""Every world with its weight."""


class Deed(NamedTuple):
    """What happened to a red card, as it truly was."""

    what: int
    seat: Seat
    other: int
    value: int


def red_deeds(state: State) -> list[Deed]:
    """All that happened since the first cards were shown to all."""
    first, last = RED * EVENTS + 2 * KNOWN, RED * EVENTS + state.happened[RED]
    codes, values = state.deed[first:last], state.value[first:last]
    return [
        Deed(code % 8, code // 8 % 8, code // 64, value)
        for code, value in zip(codes, values, strict=True)
    ]


def ways(world: World, deed: Deed) -> Iterator[tuple[World, Fraction, int]]:
    """In which ways it may have happened in a world: what then is, how likely, which card."""
    hands, stack = world
    if deed.what == DRAWN:
        yield given(World(hands, stack[1:]), deed.seat, stack[0]), Fraction(1), stack[0]
    elif deed.what == TAKEN:
        for place, value in enumerate(stack):
            rest = World(hands, stack[:place] + stack[place + 1 :])
            yield given(rest, deed.seat, value), Fraction(1, len(stack)), value
    elif deed.what == STOLEN:
        for value in hands[deed.other]:
            after = given(without(world, deed.other, value), deed.seat, value)
            yield after, Fraction(1, len(hands[deed.other])), value
    elif deed.what == SHOWN:
        for value in hands[deed.seat]:
            yield without(world, deed.seat, value), Fraction(1, len(hands[deed.seat])), value
    else:
        yield World(hands, (*stack, deed.value)), Fraction(1), deed.value


def given(world: World, seat: Seat, value: int) -> World:
    hands = list(world.hands)
    hands[seat] |= {value}
    return World(tuple(hands), world.stack)


def without(world: World, seat: Seat, value: int) -> World:
    hands = list(world.hands)
    hands[seat] -= {value}
    return World(tuple(hands), world.stack)


def sees(seat: Seat, deed: Deed) -> bool:
    """Whether a seat sees which card it is."""
    if deed.what in (SHOWN, RETURNED):
        return True
    return seat == deed.seat or (deed.what == STOLEN and seat == deed.other)


def all_worlds(seats: int) -> Worlds:
    """Before anything has happened: the hidden cards in every order."""
    nothing = (frozenset[int](),) * seats
    below = tuple(range(1, KNOWN + 1))
    return {World(nothing, (*order, *below)): Fraction(1) for order in permutations(HIDDEN)}


def worlds_for(state: State, seat: Seat) -> Worlds:
    """All worlds that a seat may believe in, step by step, each with its weight."""
    worlds = all_worlds(state.seats)
    deeds = red_deeds(state)
    stacks = true_stacks(state, deeds)
    for number, deed in enumerate(deeds):
        after: Worlds = defaultdict(Fraction)
        looks = deed.what == TAKEN and deed.seat == seat
        for world, weight in worlds.items():
            if looks and world.stack != stacks[number]:
                continue
            for then, likely, value in ways(world, deed):
                if not sees(seat, deed) or value == deed.value:
                    after[then] += weight * likely
        worlds = after
    if phase(state) == "take" and state.mover == seat:
        worlds = {world: w for world, w in worlds.items() if world.stack == stacks[-1]}
    return worlds


def true_stacks(state: State, deeds: list[Deed]) -> list[tuple[int, ...]]:
    """What truly lay in the stack before each deed and at the end, 0 for what nobody has seen."""
    stack = list(state.stack[: state.size[RED]])
    stacks = [tuple(stack)]
    for deed in reversed(deeds):
        if deed.what == RETURNED:
            stack.pop()
        elif deed.what in (DRAWN, TAKEN):
            stack.insert(deed.other if deed.what == TAKEN else 0, deed.value)
        stacks.append(tuple(stack))
    return stacks[::-1]


def agrees(state: State, seat: Seat) -> int:
    """What a seat works out is exactly what counting gives; how many worlds were counted."""
    worlds = worlds_for(state, seat)
    whole = sum(worlds.values())
    chances = [[Fraction(0)] * (VALUES + 1) for _ in range(pieces.MOST_SEATS)]
    for world, weight in worlds.items():
        for holder, hand in enumerate(world.hands):
            for value in hand:
                chances[holder][value] += weight / whole
    odds = ColourBeliefs(position(state, seat).learnt[RED]).odds()
    for worked_out, counted in zip(odds, chances, strict=True):
        assert worked_out == pytest.approx([float(chance) for chance in counted], abs=1e-12)
    return len(worlds)


def everybody_agrees(story: Story) -> None:
    for seat in (*range(story.state.seats), SPECTATOR):
        assert agrees(story.state, seat)


# --- One thing after another --------------------------------------------------------------------


def draws(seat: int, *values: int) -> list[str]:
    """A turn in which a player draws the top red card, or two."""
    drawn = [f"draw {value}" for value in values]
    if len(values) == 2:
        return [f"{seat} roll", "die red", "die red", "die two", *drawn]
    return [f"{seat} roll", "die red", "die red", "die one", f"{seat} red", *drawn]


def looks(seat: int, taken: str, *values: int) -> list[str]:
    """A turn in which a player looks through the red stack, the unseen cards being these."""
    seen = [f"look {value}" for value in values]
    takes = [f"{seat} {taken}"] if taken else []
    return [f"{seat} roll", "die red", "die red", "die one", f"{seat} look red", *seen, *takes]


def steals(seat: int, value: int, victim: int = 0) -> list[str]:
    """A turn in which a player steals a red card."""
    chooses = [f"{seat} from {victim}"] if victim else []
    return [f"{seat} roll", "die red", "die red", "die steal", *chooses, f"stolen {value}"]


def wins(seat: int, card: str, kind: str = "") -> list[str]:
    """A war that nobody joins: the card is shown and returned, and perhaps a business is taken."""
    return [f"{seat} {card} {SMALL}", *([f"{seat} {kind}"] if kind else [])]


TALES = {
    "a draw": draws(1, 9),
    "a draw of two": draws(1, 9, 6),
    "a look": looks(1, "r8", 6, 7, 8, 9, 10, 11),
    "a look that goes on": looks(1, "", 6, 7, 8, 9, 10, 11),
    "a look after a look": looks(1, "r8", 6, 7, 8, 9, 10, 11) + looks(2, "r11"),
    "a look after draws": draws(1, 9, 6) + draws(2, 7) + looks(3, "r2", 8, 10, 11),
    "a draw after a look": looks(1, "r6", 6, 7, 8, 9, 10, 11) + draws(2, 7, 8) + draws(3, 9),
    "a sure steal": draws(1, 9) + steals(2, 9),
    "a steal of one of two": draws(1, 9, 6) + steals(2, 6),
    "a steal of what was taken": looks(1, "r8", 6, 7, 8, 9, 10, 11) + draws(2, 6) + steals(3, 8, 1),
    "a steal of a steal": draws(1, 9, 6) + steals(2, 6) + steals(3, 9, 1) + draws(1, 7)
    + steals(2, 7, 1),
    "a card stolen back": draws(1, 9, 6) + steals(2, 6) + draws(3, 7) + steals(1, 6, 2),
    "a war": draws(1, 9, 6) + draws(2, 7) + draws(3, 8) + wins(1, "r9", "laundry"),
    "a war with what was stolen": draws(1, 9, 6) + steals(2, 6) + draws(3, 7, 8) + draws(1, 10)
    + wins(2, "r6", "laundry") + draws(3, 11),
    "a war with what was taken": looks(1, "r8", 6, 7, 8, 9, 10, 11) + draws(2, 6, 7) + draws(3, 9)
    + draws(1, 10) + wins(2, "r7", "antiques") + draws(3, 11) + wins(1, "r8", "laundry")
    + looks(2, "r8"),
    "a card face down": draws(1, 9, 6) + draws(2, 7) + draws(3, 8) + ["1 r9"],
}  # fmt: skip


@rule("S-3", "S-4", "S-5", "S-8", "S-21")
@pytest.mark.parametrize("tale", TALES.values(), ids=list(TALES))
def test_what_can_be_worked_out_is_what_counting_gives(tale: list[str]) -> None:
    everybody_agrees(Story(TABLE).play(*tale))


@rule("S-8", "S-11", "S-13", "S-14", "S-21")
def test_it_is_so_in_a_war_with_several_cards_of_a_colour_and_a_bomb() -> None:
    story = Story(f"{TABLE} hand2=b9,b5,b2 hand3=o5,o4")
    story.play(*draws(1, 9, 6), *steals(2, 9), *draws(3, 7), *draws(1, 8, 10), *draws(2, 11))
    story.play("3 o4 5", "1 r6 5", "2 b9 5", "3 o5", "1 r8", "2 -")
    assert phase(story.state) == "bomb"
    everybody_agrees(story)
    story.play("3 r8")
    everybody_agrees(story)
    story.play("1 r10")
    assert phase(story.state) == "shop"
    everybody_agrees(story)


# --- Tales by lot --------------------------------------------------------------------------------


LOTS = range(14, 24)


def by_lot(seed: int, decisions: int) -> Story:
    """So many decisions of a game in which only red cards are rolled for."""
    story, dice = Story(f"{TABLE} seats=4"), Dice(seed)
    while decisions and not story.state.is_over:
        (seat,) = story.state.actors()
        if seat == CHANCE:
            choices = [action for action, _ in story.state.chance_outcomes()]
            rolls = phase(story.state) == "dice" and story.state.rolled < 2
            story.do(CHANCE, RED if rolls else choices[dice.below(len(choices))])
        else:
            choices = [
                action
                for action in story.state.legal_actions(seat)
                if not pieces.COLOUR < action < pieces.LOOK  # the other stacks stay as they are
            ]
            story.do(seat, choices[dice.below(len(choices))])
            decisions -= 1
    while story.state.actors() == (CHANCE,):
        story.do(CHANCE, story.state.chance_outcomes()[0][0])
    return story


@rule("S-3", "S-4", "S-5", "S-8", "S-21")
@pytest.mark.parametrize("seed", LOTS)
def test_it_is_so_whatever_happens(seed: int) -> None:
    everybody_agrees(by_lot(seed, 8 + seed))


@rule("S-3", "S-4", "S-5", "S-8", "S-21")
def test_tales_by_lot_are_about_all_that_can_happen_to_a_card() -> None:
    stories = [by_lot(seed, 8 + seed) for seed in LOTS]
    deeds = Counter(deed.what for story in stories for deed in red_deeds(story.state))
    assert min(deeds[what] for what in (DRAWN, TAKEN, STOLEN, SHOWN, RETURNED)) >= 5


# --- Worlds by lot -------------------------------------------------------------------------------


def world_of(state: State) -> World:
    """Where the red cards lie in a state, 0 for what nobody has seen."""
    hands = [state.hand[seat * pieces.COLOURS + RED] for seat in range(state.seats)]
    values = (frozenset(v for v in range(1, VALUES + 1) if hand >> v - 1 & 1) for hand in hands)
    return World(tuple(values), tuple(state.stack[: state.size[RED]]))


def places(world: World, seen: list[int]) -> Iterator[tuple[str, int, int]]:
    """Every card in a hand, and in the places of the stack that somebody has seen."""
    for seat, hand in enumerate(world.hands):
        for value in hand:
            yield "hand", seat, value
    for place in seen:
        yield "stack", place, world.stack[place]


@rule("S-4", "S-5", "S-8")
@pytest.mark.parametrize("name", ["a steal of a steal", "a war with what was taken"])
@pytest.mark.parametrize("seat", [0, 2])
def test_guessed_worlds_come_as_often_as_counting_says(name: str, seat: Seat) -> None:
    state = Story(TABLE).play(*TALES[name]).state
    seen = [place for place, value in enumerate(world_of(state).stack) if value]
    there, dice, number = position(state, seat), Dice(7), 1000
    guessed: Counter[tuple[str, int, int]] = Counter()
    for _ in range(number):
        guessed.update(places(world_of(sample(there, dice)), seen))
    counted: dict[tuple[str, int, int], Fraction] = defaultdict(Fraction)
    worlds = worlds_for(state, seat)
    whole = sum(worlds.values())
    for world, weight in worlds.items():
        for place in places(world, seen):
            counted[place] += weight / whole
    assert set(guessed) <= set(counted)
    for place, chance in counted.items():
        assert guessed[place] / number == pytest.approx(float(chance), abs=0.06)


# --- Very long games -----------------------------------------------------------------------------

WAR = (DRAWN, DRAWN, DRAWN, SHOWN, SHOWN, SHOWN, RETURNED, RETURNED, RETURNED)


@rule("S-8", "S-21")
@pytest.mark.parametrize("stolen", range(len(WAR)))
def test_no_war_is_forgotten_by_half(stolen: int) -> None:
    """Otherwise cards come back to the stack that never lay on the table, and no world fits."""
    state = State(4)
    deeds = [STOLEN] * stolen + EVENTS * list(WAR)
    for deed in deeds[: EVENTS + 1]:
        state.remember(RED, deed, 1, 1, 7)
    assert state.happened[RED] < EVENTS
    assert sum(state.before[RED * 7 : RED * 7 + 7]) == VALUES
