"""The table of Sicilianos as grids and buttons: what a browser shows, and what is read aloud."""

from cosca.core.drawing import Layout
from cosca.core.names import SPECTATOR
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.position import position, reveal
from cosca.games.sicilianos.rules import State
from cosca.words import say
from tests.games.sicilianos.story import Story, rolled, rule

HANDS = "hand1=r7,r5,b3 hand2=g4,b9 hand3=y8"


def render_layout(state: State, seat: int = 0) -> Layout:
    return GAME.render_layout(position(state, seat), GAME.settings(), say)


def rows(layout: Layout, caption: str) -> dict[str, list[str]]:
    """The words of a grid, row by row."""
    (grid,) = [grid for grid in layout.grids if grid.caption.startswith(caption)]
    return {row[0].text: [piece.text for piece in row[1:]] for row in grid.rows}


def buttons(state: State, seat: int = 0) -> list[tuple[str, str]]:
    """All that a seat may do: the heading, and what stands on the button."""
    seen = position(state, seat)
    choices = [GAME.choice(seen, action) for action in seen.legal]
    return [(say(*c.group) if c.group else "", say(c.key, c.params)) for c in choices]


@rule("S-M1")
def test_the_own_hand_has_values_and_the_others_have_backs() -> None:
    layout = render_layout(Story(HANDS).state)
    assert rows(layout, "Your hand") == {"Red": ["5 bomb, 7"], "Blue": ["3"]}
    players = rows(layout, "Players")
    assert players["Ciraldo"] == ["—", "1 green", "1 blue", "—", "—", "—"]
    assert "Alvano (you), to move" in players


def test_a_spectator_sees_no_hand_and_who_looks_back_sees_all() -> None:
    state = Story(HANDS).state
    captions = [grid.caption for grid in render_layout(state, SPECTATOR).grids]
    assert not any("and of" in caption for caption in captions)
    revealed = GAME.render_layout(reveal(state), GAME.settings(), say)
    assert rows(revealed, "Ciraldo’s hand") == {"Green": ["4"], "Blue": ["9"]}


@rule("S-6", "S-7")
def test_a_war_has_a_row_for_each_family_and_the_own_card_is_known() -> None:
    state = Story(HANDS).play("1 r7", "1 20").state
    mine, other = rows(render_layout(state), "War"), rows(render_layout(state, 1), "War")
    assert mine == {"Alvano": ["Red", "face down: 7", "—", "20,000", "—"]}
    assert other == {"Alvano": ["Red", "face down", "—", "20,000", "—"]}
    shown = rows(render_layout(Story(state).play("2 g4", "2 5", "3 pass").state), "War")
    assert shown["Alvano"] == ["Red", "7", "7", "20,000", "—"]


@rule("S-S1")
def test_money_is_counted_note_by_note() -> None:
    state = Story(HANDS).play("1 r7", "1 20").state
    money = rows(render_layout(state), "Money")
    assert money["Alvano"] == ["2", "2", "1", "2", "2", "230,000", "0"]


def test_what_was_rolled_is_noted_and_asked_for() -> None:
    layout = render_layout(rolled(HANDS, "red", "blue", "one").state)
    assert "The dice show red and blue: draw one." in layout.notes
    assert layout.ask == "Draw from any stack, or look through one you rolled."


@rule("S-1", "S-6", "S-7")
def test_cards_for_a_war_stand_under_their_family() -> None:
    assert buttons(Story(HANDS).state) == [
        ("", "Roll the dice"),
        ("Start a war for the red family", "Red 5"),
        ("Start a war for the red family", "Red 7"),
        ("Start a war for the blue family", "Blue 3"),
    ]
    staked = Story(HANDS).play("1 r7")
    assert buttons(staked.state)[2] == ("", "Stake 20,000")
    assert buttons(staked.play("1 20").state, 1) == [
        ("", "Stay out of the war"),
        ("Join the war for the green family", "Green 4"),
        ("Join the war for the blue family", "Blue 9"),
    ]


@rule("S-5")
def test_a_theft_names_colour_and_victim() -> None:
    state = rolled(HANDS, "blue", "green", "steal").state
    assert buttons(state) == [("", "Steal one green card"), ("", "Steal one blue card")]
    assert render_layout(state).ask == "Steal: choose a colour you rolled."
