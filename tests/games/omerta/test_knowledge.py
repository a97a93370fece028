"""What a player of Omerta can conclude, compared with a count of all possibilities."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations

import pytest

from cosca.core.buffers import Spans
from cosca.core.dice import Dice
from cosca.core.names import SPECTATOR, Seat
from cosca.core.playout import play_random_action, resolve_chance
from cosca.games.omerta import pieces
from cosca.games.omerta.beliefs import Beliefs
from cosca.games.omerta.pieces import KIND_NAMES
from cosca.games.omerta.position import position
from cosca.games.omerta.rules import State
from tests.games.omerta.story import (
    C,
    H,
    L,
    Story,
    discards,
    kinds,
    odds,
    pile,
    played,
    rows,
    rule,
    seen,
)

# --- What is known after a lady --------------------------------------------------------------


def unseen(*names: str) -> Counter[int]:
    """What is left of the usual deck without these cards."""
    left = Counter(dict(enumerate(pieces.DECKS[0])))
    left.subtract(KIND_NAMES.index(name) for name in names)
    assert min(left.values()) >= 0
    return left


def draws(left: Counter[int], number: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """So many cards drawn in order in every way, and in how many ways each comes about."""
    if number == 0:
        yield 1, ()
        return
    for kind in sorted(left):
        count = left[kind]
        if count:
            left[kind] -= 1
            for weight, others in draws(left, number - 1):
                yield weight * count, (kind, *others)
            left[kind] += 1


class Tally:
    """All worlds that fit, counted place by place."""

    def __init__(self) -> None:
        self.weight = 0
        self.kinds: dict[tuple[Seat, int], Counter[int]] = {}

    def add(self, weight: int, table: dict[Seat, Iterable[int]]) -> None:
        """One world with so many ways to come about."""
        self.weight += weight
        for seat, cards in table.items():
            for slot, kind in enumerate(cards):
                self.kinds.setdefault((seat, slot), Counter())[kind] += weight

    def agrees(self, state: State, seat: Seat) -> None:
        """What that seat can work out is exactly this."""
        there = position(state, seat)
        for (owner, slot), found in self.kinds.items():
            expected = [found[kind] / self.weight for kind in range(pieces.KINDS)]
            assert odds(there, owner, slot) == pytest.approx(expected, abs=1e-12)


def shuffled_row(cards: str, *orders: str) -> Story:
    """Luciano's row after a lady of Capone; then Luciano is at turn."""
    story = played("lady", f"row1=1 row2={cards} row3=1")
    return story.play("c on l", "nobody", *orders)


THREE = 2


@rule("O-13")
@pytest.mark.parametrize(
    ("cards", "seat", "known"),
    [("3:s2,8,9", L, True), ("3:s63,8,9", C, True), ("3:s2,8,9", C, False)],
)
def test_after_a_lady_a_kind_seen_before_is_anywhere_in_the_row(
    cards: str, seat: Seat, known: bool
) -> None:
    state = shuffled_row(cards, "shuffle 2", "shuffle 3").state
    tally = Tally()
    left = unseen("lady", "3") if known else unseen("lady")
    for weight, drawn in draws(left, 2 if known else 3):
        for order in permutations((THREE, *drawn) if known else drawn):
            tally.add(weight, {L: order})
    tally.agrees(state, seat)


@rule("O-13", "O-8")
@pytest.mark.parametrize("seat", [L, C])
@pytest.mark.parametrize("cards", ["3:s2,8,9", "3:s2,3,9"])
def test_a_three_seen_after_a_lady_may_be_the_one_seen_before_or_another(
    cards: str, seat: Seat
) -> None:
    story = shuffled_row(cards, "shuffle 2", "shuffle 2")
    story.play("l draw", "draw 10", "l discard", "l 2", "nobody", "penalty 6")
    assert seen(story.state, SPECTATOR, L) == kinds("?,3,?,?")
    tally = Tally()
    before = (THREE,) if seat == L else ()
    left = unseen("lady", "10", "3") if seat == L else unseen("lady", "10")
    for weight, drawn in draws(left, 3 - len(before)):
        for order in permutations((*before, *drawn)):
            if order[1] == THREE:
                tally.add(weight, {L: order})
    tally.agrees(story.state, seat)


@rule("O-13", "O-3")
@pytest.mark.parametrize("orders", [("shuffle 2", "shuffle 2"), ("shuffle 1", "shuffle 2")])
def test_a_card_that_left_a_shuffled_row_still_reveals_something_about_the_rest(
    orders: tuple[str, ...],
) -> None:
    story = shuffled_row("3:s2,3,9", *orders).play("l draw", "draw 10", "l 2", "nobody")
    gone = story.state.top()
    tally = Tally()
    for weight, drawn in draws(unseen("lady", "10", "3"), 2):
        for order in permutations((THREE, *drawn)):
            if order[1] == gone:
                tally.add(weight, {L: (order[0], 9, order[2])})
    tally.agrees(story.state, L)


@rule("O-13", "O-14")
def test_looking_at_another_kind_leaves_the_seen_one_to_the_other_places() -> None:
    story = shuffled_row("3:s2,8,9", "shuffle 1", "shuffle 2").play("l draw", "draw mole")
    story.play("l discard", "l 3")
    tally = Tally()
    for weight, drawn in draws(unseen("lady", "mole", "3"), 2):
        for order in permutations((THREE, *drawn)):
            if order[2] == 8:
                tally.add(weight, {L: order})
    tally.agrees(story.state, L)
    assert odds(position(story.state, L), L, 0)[THREE] > 1 / 2
    assert odds(position(story.state, C), L, 2)[8] < 1 / 10


@rule("O-13")
def test_a_row_shuffled_twice_is_as_one_shuffled_once() -> None:
    story = shuffled_row("3:s2,3:s2,9", "shuffle 1", "shuffle 2")
    story.play("l draw", "draw alibi", "l discard", "h draw", "draw lady", "h discard", "h on l")
    story.play("nobody", "shuffle 1", "shuffle 2", "c draw", "draw 10", "c discard", "l 1")
    story.play("nobody", "penalty 6")
    assert seen(story.state, C, L) == kinds("3,?,?,?")
    tally = Tally()
    for weight, drawn in draws(unseen("lady", "lady", "alibi", "10", "3", "3"), 1):
        for order in permutations((THREE, THREE, *drawn)):
            if order[0] == THREE:
                tally.add(weight, {L: order})
    tally.agrees(story.state, L)


def nested() -> Story:
    """Luciano's row is shuffled, a card of it goes to Hill, and Hill's row is shuffled too."""
    story = played("lady", "row1=1 row2=3:s2,8,9 row3=7,5:s2")
    story.play("c on l", "nobody", "shuffle 1", "shuffle 2")
    story.play("l draw", "draw henchman", "l discard", "l l1<>h1", "nobody")
    story.play("h draw", "draw alibi", "h discard")
    story.play("c draw", "draw lady", "c discard", "c on h", "nobody", "shuffle 2")
    return story.play("l draw", "draw 10", "l discard", "h 2", "nobody", "penalty 6")


@rule("O-13", "O-12")
def test_odds_are_exact_through_a_swap_between_two_shuffles() -> None:
    state = nested().state
    assert rows(state)[1:] == ["7,8,9", "5,3,6"]
    assert seen(state, SPECTATOR, H) == kinds("?,3,?")
    public = ("lady", "henchman", "alibi", "lady", "10")
    tally = Tally()
    for weight, (a, b, c) in draws(unseen(*public, "3", "5"), 3):
        count_nested(tally, weight, (THREE, a, b), (c, 4))
    tally.agrees(state, L)


@rule("O-13", "O-12")
def test_a_player_who_saw_nothing_learns_nothing_from_two_shuffles() -> None:
    there = position(nested().state, C)
    left = unseen("lady", "henchman", "alibi", "lady", "10", "3")
    expected = [left[kind] / left.total() for kind in range(pieces.KINDS)]
    for owner, slot in ((L, 0), (L, 1), (L, 2), (H, 0), (H, 2)):
        assert odds(there, owner, slot) == pytest.approx(expected, abs=1e-12)


def count_nested(tally: Tally, weight: int, mine: tuple[int, ...], his: tuple[int, ...]) -> None:
    """All ways through both shuffles of one world, as far as a 3 is seen in Hill's second place."""
    for first in permutations(mine):
        for second in permutations((first[0], his[1])):
            if second[1] == THREE:
                tally.add(weight, {L: (his[0], first[1], first[2]), H: second})


@rule("O-13", "O-12")
def test_guessed_truths_come_as_often_as_their_odds_say() -> None:
    there = position(nested().state, L)
    beliefs = Beliefs(there.learnt)
    dice = Dice(7)
    truths = [beliefs.world(dice)[0] for _ in range(3000)]
    for owner, slot in ((L, 0), (L, 1), (L, 2), (H, 0), (H, 2)):
        card = there.learnt.rows[owner][slot]
        counts = Counter(truth[card] for truth in truths)
        for kind, chance in enumerate(beliefs.odds()[card]):
            assert counts[kind] / len(truths) == pytest.approx(chance, abs=0.04)


@rule("O-13", "O-5")
def test_cards_of_two_draw_piles_are_distinguished_in_a_shuffled_row() -> None:
    deck = unseen("1", "8", "7", "7", "8", "lady", "10").elements()
    hidden = ",".join(KIND_NAMES[kind] for kind in deck)
    line = f"active=l row1=1 row2=8,10:s63 row3={hidden} discards=7,7,8,lady {pile()}"
    story = Story(line).play("l draw", "draw 7", "l 2", "nobody")
    assert discards(story.state) == "10"
    story.play("h draw", "draw lady", "h discard", "h on l", "nobody", "shuffle 1")
    story.play("c draw", "draw 7", "c discard", "l 1", "nobody", "penalty 8")
    assert seen(story.state, C, L) == kinds("8,?,?")
    tally = Tally()
    old = unseen("10", "7", "7", "8", "lady")
    new = Counter(kinds("7,7,8,lady"))
    for weight, (card,) in draws(old, 1):
        for ways, (drawn, hills, capones, penalty) in draws(new, 4):
            if (hills, capones) == (pieces.LADY, 6):
                for order in permutations((card, drawn)):
                    if order[0] == 7:
                        tally.add(weight * ways, {L: (*order, penalty)})
    tally.agrees(story.state, C)


# --- The books balance -------------------------------------------------------------------------


def hidden(state: State) -> list[int]:
    """What is not public of each draw pile, counted card by card."""
    pools = [0] * len(state.pools)
    for kind, number in enumerate(state.pile):
        pools[state.gen * pieces.KINDS + kind] += number
    for track in range(pieces.TRACKS):
        is_root = state.place[track] and not state.origin[track]
        if is_root and not state.seen[track] & pieces.PUBLIC:
            pools[state.pile_of[track] * pieces.KINDS + state.kind[track]] += 1
    return pools


def kinds_of(state: State, shuffles: list[int], shuffle: int) -> list[int]:
    """What went into a shuffle, or came out of it."""
    tracks = (track for track in range(pieces.TRACKS) if state.place[track])
    return sorted(state.kind[track] for track in tracks if shuffles[track] == shuffle)


def check_books(state: State) -> None:
    """What is counted as hidden is hidden, and what went into a shuffle came out."""
    assert hidden(state) == list(state.pools)
    for shuffle in range(1, pieces.SHUFFLES + 1):
        into = kinds_of(state, state.into, shuffle)
        assert into == kinds_of(state, state.origin, shuffle)


@rule("O-5", "O-13")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_what_is_not_public_is_counted_right_through_shuffles_and_reshuffles(seats: int) -> None:
    forgotten = remembered = piles = 0
    for seed in range(3):
        state = State(seats, games=1, first_call=90, max_rounds=60)
        dice = Dice(seed, seats)
        resolve_chance(state, dice)
        while state.acting():
            known = state.shuffles
            play_random_action(state, state.acting(), dice, Spans())
            resolve_chance(state, dice)
            forgotten += state.shuffles < known
            remembered = max(remembered, state.shuffles)
            piles = max(piles, state.gen)
            if state.phase == pieces.PHASE_TURN:
                check_books(state)
    assert remembered > 1 and piles > 1 and forgotten
