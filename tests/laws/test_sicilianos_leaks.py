"""The laws find leaks planted in Sicilianos, under the backs of cards."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from cosca.core.dice import Dice
from cosca.core.events import Event
from cosca.core.names import Action, Seat
from cosca.games.sicilianos import events, pieces
from cosca.games.sicilianos.beliefs import sample
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.position import UNKNOWN, Position, position, reveal
from cosca.games.sicilianos.rules import State
from cosca.match.table import Step
from cosca.testing import secrecy
from cosca.testing.laws import Law
from cosca.testing.secrecy import sampled_worlds_fit_and_cover_the_truth, twins_look_the_same
from cosca.testing.walks import TableSetup, Walk
from tests.games.sicilianos.story import Story
from tests.laws.sicilianos import CASE

# --- Positions ----------------------------------------------------------------------------------


def a_hand_of_another(state: State, seat: Seat) -> Position:
    """The strength of all hands lies open."""
    return replace(position(state, seat), queued=sum(state.hand))


def the_order_of_a_stack(state: State, seat: Seat) -> Position:
    """The order of each stack is visible to all as soon as anybody has seen it."""
    return replace(position(state, seat), unseen_at=tuple(state.stack))


def a_card_face_down(state: State, seat: Seat) -> Position:
    """Cards that are laid face down lie open."""
    return replace(position(state, seat), face_down=tuple(state.face_down[: state.seats]))


def what_a_look_showed(state: State, seat: Seat) -> Position:
    """Whoever looks through a stack holds it so that all can see it."""
    return replace(position(state, seat), looking=position(state, state.mover).looking)


def where_a_card_was_taken(state: State, seat: Seat) -> Position:
    """The place from which a card was taken after a look is visible to all."""
    return with_records(state, seat, pieces.TAKEN, "other")


def a_stolen_card(state: State, seat: Seat) -> Position:
    """Everybody remembers which card was stolen."""
    return with_records(state, seat, pieces.STOLEN, "value")


def with_records(state: State, seat: Seat, what: int, field: str) -> Position:
    """Return a position in which all see one kind of deed that only some have seen."""
    there, truth = position(state, seat), reveal(state)
    learnt = tuple(
        mine._replace(
            deeds=tuple(
                deed._replace(**{field: getattr(real, field)}) if deed.what == what else deed
                for deed, real in zip(mine.deeds, whole.deeds, strict=True)
            )
        )
        for mine, whole in zip(there.learnt, truth.learnt, strict=True)
    )
    return replace(there, learnt=learnt)


def the_kind_of_a_business(state: State, seat: Seat) -> Position:
    """Businesses lie face up."""
    return replace(position(state, seat), known_kinds=reveal(state).known_kinds)


# --- A game in which there is something of everything ------------------------------------------


class LoggedStory(Story):
    """A story whose steps are kept."""

    def __init__(self) -> None:
        super().__init__(State(3))
        self.log: list[Step] = []

    def do(self, seat: Seat, action: Action) -> None:
        super().do(seat, action)
        self.log.append((seat, action))


TALE = {
    "start": [
        "start 1",
        *(
            line
            for colour in ("red", "green", "blue", "yellow")
            for number, value in ((1, 7), (2, 9), (3, 4))
            for line in (f"{number} {colour}", f"drafted {value}")
        ),
    ],
    "draw": ["1 roll", "die purple", "die purple", "die two", "draw 3", "draw 6"],
    "look": [
        *("2 roll", "die red", "die blue", "die one", "2 look red"),
        *(f"look {value}" for value in (8, 2, 11, 1, 3, 5, 6, 10)),
    ],
    "take": ["2 r11"],
    "steal": ["3 roll", "die red", "die red", "die steal", "3 from 2", "stolen 9"],
    "shop": ["1 g7 5", "2 -", "3 -", "1 restaurant"],
    "second shop": ["2 g9 5", "3 -", "1 -", "2 laundry"],
    "war": ["3 y4 5", "1 p6 10"],
}
"""A game by its parts; in the end two cards lie face down."""


def look(law: Law, until: str, **changes: object) -> None:
    """Have the law look at that game as far as a part."""
    story = LoggedStory()
    for part, lines in TALE.items():
        story.play(*lines)
        if part == until:
            break
    game = replace(GAME, **changes)  # type: ignore[arg-type] # each plant fits its field
    walk = Walk(TableSetup(game, GAME.settings("", {}), 3, "leaky"), tuple(story.log))
    law(replace(CASE, game=game), walk)


@pytest.fixture(autouse=True)
def look_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """In so short a game it is enough to look at the end, and all that is possible comes soon."""
    monkeypatch.setattr(secrecy, "CUTS", 1)
    monkeypatch.setattr(secrecy, "MOST_WORLDS", 800)


@pytest.mark.parametrize(
    ("leak", "until"),
    [
        (a_hand_of_another, "start"),
        (what_a_look_showed, "look"),
        (the_order_of_a_stack, "take"),
        (where_a_card_was_taken, "take"),
        (a_stolen_card, "steal"),
        (the_kind_of_a_business, "shop"),
        (a_card_face_down, "war"),
    ],
)
def test_a_leaking_position_is_found(leak: Callable[[State, Seat], Position], until: str) -> None:
    with pytest.raises(AssertionError, match="can tell two games apart"):
        look(twins_look_the_same, until, position=leak)


# --- Events -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "until"),
    [
        ("drafted", "start"),
        ("drew", "draw"),
        ("saw", "look"),
        ("took", "take"),
        ("stolen", "steal"),
        ("bought", "shop"),
        ("left", "second shop"),
        ("laid", "war"),
    ],
)
def test_a_leaking_event_is_found(key: str, until: str) -> None:
    def visible_to_all(before: State, seat: Seat, action: Action) -> list[Event]:
        return [
            Event(event.key, event.params) if event.key == f"sicilianos.{key}" else event
            for event in events.events(before, seat, action)
        ]

    with pytest.raises(AssertionError, match="can tell two games apart by the events"):
        look(twins_look_the_same, until, events=visible_to_all)


# --- Worlds -------------------------------------------------------------------------------------


def always_the_same(there: Position, dice: Dice) -> State:
    """One world that fits, and never another."""
    return sample(there, Dice(1))


def shops_in_their_order(there: Position, dice: Dice) -> State:
    """Whoever buys a business first is always thought to have taken the laundry."""
    kinds = tuple(
        (0, *known[1:]) if known[0] == UNKNOWN and owners[0] >= 0 and 0 not in known else known
        for known, owners in zip(there.known_kinds, there.owners, strict=True)
    )
    return sample(replace(there, known_kinds=kinds), dice)


@pytest.mark.parametrize(
    ("plant", "until", "finding"),
    [
        (always_the_same, "draw", "are one"),
        (shops_in_their_order, "shop", "never reach what may be the truth"),
    ],
)
def test_too_narrow_sampling_is_found(
    plant: Callable[[Position, Dice], State], until: str, finding: str
) -> None:
    with pytest.raises(AssertionError, match=finding):
        look(sampled_worlds_fit_and_cover_the_truth, until, sample=plant)


@pytest.mark.parametrize("law", [twins_look_the_same, sampled_worlds_fit_and_cover_the_truth])
def test_the_laws_pass_without_a_planted_fault(law: Law) -> None:
    look(law, until="war")
