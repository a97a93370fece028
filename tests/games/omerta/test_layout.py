"""The table of Omerta as grids and buttons: what a browser shows, and what is read aloud."""

import pytest

from cosca.core.drawing import Layout
from cosca.games.omerta.game import GAME
from cosca.games.omerta.position import position
from cosca.words import say
from tests.games.omerta.story import Story, rule

TABLE = "row1=7:s1,3 row2=9,9:w1/2 row3=8,8,2 safe=1:s1,2,3,4 discards=lady,5"


def render_layout(line: str, seat: int = 0, **changes: str) -> Layout:
    return GAME.render_layout(position(Story(line).state, seat), GAME.settings("", changes), say)


def rows(layout: Layout, caption: str) -> dict[str, list[str]]:
    """The words of a grid, row by row."""
    (grid,) = [grid for grid in layout.grids if grid.caption == caption]
    return {row[0].text: [piece.text for piece in row[1:]] for row in grid.rows}


def buttons(line: str, seat: int = 0) -> list[str]:
    """All that a seat may do, as it stands on the buttons."""
    seen = position(Story(line).state, seat)
    choices = [GAME.choice(seen, action) for action in seen.legal]
    return [say(choice.key, choice.params) for choice in choices]


def test_cards_lie_face_down_and_shorter_rows_end_in_dashes() -> None:
    cards = rows(render_layout(TABLE), "Rows and safe")
    assert cards["Capone"] == ["face down", "face down", "—", "—"]
    assert cards["Safe"] == ["face down"] * 4


def test_a_card_that_is_looked_at_is_shown_to_who_looks() -> None:
    line = TABLE.replace("7:s1", "7:s1:v1") + " showing=1"
    assert rows(render_layout(line), "Rows and safe")["Capone"][0] == "7"
    assert rows(render_layout(line, 1), "Rows and safe")["Capone"][0] == "face down"


def test_what_is_remembered_says_that_it_was_seen() -> None:
    aided = rows(render_layout(TABLE, memory="aided"), "Rows and safe")
    assert aided["Capone"][:2] == ["7, seen", "face down"]
    assert aided["Safe"] == ["1, seen", "face down", "face down", "face down"]
    assert "seen" not in str(render_layout(TABLE, 1, memory="aided").grids)


@rule("O-19m", "O-19p")
def test_patrol_and_mamma_are_said_in_words() -> None:
    cards = rows(render_layout(f"{TABLE} mamma=-1.-1.0"), "Rows and safe")
    assert cards["Luciano"][1] == "face down, patrol"
    assert "Hill, with Mamma" in cards


@rule("O-2")
def test_piles_are_counted_and_the_card_in_hand_is_seen_by_its_owner() -> None:
    assert rows(render_layout(TABLE), "Piles")["Discard pile"] == ["2", "5"]
    held = Story(TABLE).play("c draw", "draw 6").state
    mine, other = (
        rows(GAME.render_layout(position(held, seat), GAME.settings(), say), "Piles")
        for seat in (0, 1)
    )
    assert mine["Capone holds"] == ["1", "6"]
    assert other["Capone holds"] == ["1", "face down"]


def test_the_player_to_move_is_marked_and_asked() -> None:
    layout = render_layout(TABLE)
    players = list(rows(layout, "Players"))
    assert players == ["Capone (you), to move", "Luciano", "Hill"]
    assert layout.ask == "Your turn: take a card, or call Omerta if you may."
    assert render_layout(TABLE, 1).ask == ""


def test_a_player_who_has_answered_waits_and_is_not_asked_again() -> None:
    window = f"{TABLE} phase=window window=snap asked=7"
    assert render_layout(window, 2).ask == "Discarded: a 5. Lay down the same number, or pass."
    answered = render_layout(f"{window} answered=4", 2)
    assert answered.ask == ""
    assert "You have answered. Others may still be thinking." in answered.notes


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("", ["Call Omerta", "Draw a card", "Take a 5 from the discard pile"]),
        (
            " phase=window window=snap asked=7",
            ["Do not snap", "Snap with card 1", "Snap with card 2"],
        ),
    ],
)
def test_buttons_say_what_a_step_means_now(more: str, words: list[str]) -> None:
    assert buttons(TABLE + more) == words


@rule("O-12", "O-19p")
def test_a_swap_is_chosen_in_four_steps_each_in_words() -> None:
    line = "row1=1,2 row2=3,4 row3=5,6 safe=7,8,9,10 discards=henchman phase=use"
    assert buttons(line) == [
        "Do not use a henchman",
        "One of Capone’s cards",
        "One of Luciano’s cards",
    ]
    assert buttons(f"{line} step=1 named=0.0.0.0") == ["Capone’s card 1", "Capone’s card 2"]
    assert buttons(f"{line} step=2 named=0.1.0.0") == [
        "For one of Luciano’s cards",
        "For one of Hill’s cards",
    ]
