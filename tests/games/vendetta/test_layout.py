"""The village as grids and buttons: what a browser shows, and what is read aloud."""

import pytest

from cosca.core.drawing import Layout
from cosca.core.names import SPECTATOR
from cosca.games.vendetta.actions import place
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import parse_state
from cosca.games.vendetta.pieces import DONE
from cosca.games.vendetta.position import position
from cosca.words import say

MIDDLE = (
    "seats=3 round=2 turn=4 start=2 active=3 men=1:2.0.0,6:12.3.1,13:1.1.0"
    " hands=7.10.4 points=5.20.0 up=1,8"
)


def render_layout(text: str, seat: int = 2, **changes: str) -> Layout:
    return GAME.render_layout(position(parse_state(text), seat), GAME.settings("", changes), say)


def rows(layout: Layout, caption: str) -> dict[str, list[str]]:
    """The words of a grid, row by row."""
    (grid,) = [grid for grid in layout.grids if grid.caption == caption]
    return {row[0].text: [piece.text for piece in row[1:]] for row in grid.rows}


def button(text: str, action: int) -> tuple[str, str]:
    choice = GAME.choice(position(parse_state(text), 2), action)
    return say(*choice.group) if choice.group else "", say(choice.key, choice.params)


@pytest.mark.rule("V-8", "V-14", "V-15")
def test_a_district_says_who_is_there_who_controls_it_and_whether_its_card_is_up() -> None:
    districts = rows(render_layout(MIDDLE), "Districts")
    assert len(districts) == 13
    assert districts["1 Porto Vecchio"] == ["Red 2", "—", "—", "Red", "up"]
    assert districts["6 Chiesa Madre"] == ["Red 12", "Yellow 3", "Green 1", "—", "down"]


def test_the_players_table_marks_who_is_to_move_in_words() -> None:
    players = rows(render_layout(MIDDLE), "Players")
    assert players == {
        "Red": ["7", "28", "1", "5"],
        "Yellow": ["10", "36", "0", "20"],
        "Green (you), to move": ["4", "45", "0", "0"],
    }


@pytest.mark.rule("V-8")
def test_secret_hands_are_hidden_from_others_in_a_word() -> None:
    assert rows(render_layout(MIDDLE, hands="hidden"), "Players")["Red"] == [
        "secret",
        "secret",
        "1",
        "5",
    ]
    other = MIDDLE.replace("hands=7.10.4", "hands=3.9.4")
    assert render_layout(MIDDLE, hands="hidden") == render_layout(other, hands="hidden")


@pytest.mark.rule("V-4", "V-7")
def test_the_question_says_how_many_districts_there_may_be() -> None:
    assert (
        render_layout(MIDDLE).ask == "Place mafiosi in up to two districts, then turn up the card."
    )
    first = "seats=3 turn=1 start=3 hands=7.10.4"
    assert render_layout(first).ask == "Place mafiosi in one district, then turn up the card."
    more = render_layout(f"{MIDDLE} used=1 last=2").ask
    assert more == "Place mafiosi in one more district, or turn up the card."
    assert render_layout(MIDDLE, seat=0).ask == render_layout(MIDDLE, SPECTATOR).ask == ""


def test_notes_say_how_far_the_round_is() -> None:
    assert render_layout(MIDDLE).notes == [
        "Card 4 of 11. 11 cards are face down, two of them for the raid.",
        "Yellow started this round.",
    ]


@pytest.mark.rule("V-3", "V-4")
def test_a_button_stands_under_its_district_and_done_says_what_follows() -> None:
    assert button(MIDDLE, place(2, 3)) == ("2 La Tonnara", "3 mafiosi")
    assert button(MIDDLE, place(2, 1)) == ("2 La Tonnara", "1 mafioso")
    assert button(MIDDLE, DONE) == ("", "Place nobody and turn up the card")
    assert button(f"{MIDDLE} used=1 last=2", DONE) == ("", "Turn up the card")
