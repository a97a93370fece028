"""The village as text: everything is on it, and it keeps its size."""

import pytest

from cosca.core.drawing import Drawing, Line
from cosca.core.names import SPECTATOR
from cosca.core.options import Settings
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import parse_state
from cosca.games.vendetta.position import position
from cosca.words import say

MIDDLE = (
    "seats=3 round=2 turn=4 start=2 active=3 men=1:2.0.0,6:12.3.1,13:1.1.0"
    " hands=7.10.0 points=5.20.0 up=1,8"
)


def draw(text: str, seat: int = 0, **changes: str) -> Drawing:
    settings: Settings = GAME.settings("", changes)
    return GAME.render_drawing(position(parse_state(text), seat), settings, say)


def plain(lines: list[Line]) -> list[str]:
    return ["".join(piece.text for piece in line) for line in lines]


def box(drawing: Drawing, district: int) -> tuple[str, str]:
    """The wall above a district, with its name, and what is inside."""
    row, column = divmod(district, 3)
    wall, inside = plain(drawing.board)[2 * row : 2 * row + 2]
    return wall[25 * column : 25 * column + 26], inside[25 * column : 25 * column + 26]


@pytest.mark.rule("V-M1")
def test_every_district_is_on_the_map_in_reading_order() -> None:
    drawing = draw(MIDDLE)
    for district in range(1, 14):
        assert f" {say(f'vendetta.district.{district}', {})} " in box(drawing, district)[0]


@pytest.mark.rule("V-8")
def test_men_stand_in_their_district_with_the_letter_of_their_colour() -> None:
    assert box(draw(MIDDLE), 6)[1] == "│ R12   Y 3   G 1        │"
    assert box(draw(MIDDLE), 13)[1].split() == ["│", "R", "1", "Y", "1", "·", "│"]


@pytest.mark.rule("V-15", "V-15e")
def test_the_player_who_controls_a_district_is_crowned() -> None:
    assert "♛R" in box(draw(MIDDLE), 1)[1]
    assert "♛" not in box(draw(MIDDLE), 6)[1]
    assert "♛R" in box(draw(MIDDLE + " control=most"), 6)[1]
    assert "♛" not in box(draw(MIDDLE + " control=most"), 13)[1]


@pytest.mark.rule("V-14")
def test_a_card_that_is_up_makes_its_district_safe() -> None:
    drawing = draw(MIDDLE)
    safe = [district for district in range(1, 14) if "✓" in box(drawing, district)[0]]
    assert safe == [1, 8]
    assert "card 4 of 11" in plain(drawing.board)[0]
    assert "raid: 2 of 11 face down" in plain(drawing.board)[1]


def test_the_players_with_hands_box_districts_and_points() -> None:
    players = plain(draw(MIDDLE).players)
    assert players[0].split() == ["hand", "box", "holds", "points"]
    assert players[1].split() == ["R", "Red", "(you)", "7", "28", "1", "5"]
    assert players[2].split() == ["⚑", "Y", "Yellow", "10", "36", "0", "20"]
    assert players[3].split() == ["▶", "G", "Green", "0", "49", "0", "0"]
    assert players[5].strip() == "6 districts or 800 points win."


@pytest.mark.rule("V-8")
def test_secret_hands_are_not_shown_to_others() -> None:
    for seat, shown in ((0, ["7"]), (2, ["0"]), (SPECTATOR, [])):
        drawing = draw(MIDDLE, seat, hands="hidden")
        hands = [line.replace("(you)", "").split()[-4] for line in plain(drawing.players)[1:4]]
        assert [hand for hand in hands if hand != "?"] == shown
        lines = [line for line in drawing.sentences if "in hand" in line]
        assert len(lines) == len(shown)
    hidden = draw(MIDDLE, 0, hands="hidden")
    assert hidden == draw(MIDDLE.replace("hands=7.10.0", "hands=7.3.9"), 0, hands="hidden")


def test_the_table_is_described_in_sentences_too() -> None:
    sentences = draw(MIDDLE).sentences
    assert sentences[0] == "Card 4 of 11. 11 cards are face down, two of them for the raid."
    assert sentences[1] == "1 Porto Vecchio: Red 2. Red controls it. Its card is already up."
    assert sentences[2] == "2 La Tonnara: nobody."
    assert sentences[6] == "6 Chiesa Madre: Red 12, Yellow 3, Green 1."


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("men", [0, 1, 50])
def test_it_keeps_its_size_whatever_is_on_it(seats: int, men: int) -> None:
    full = ".".join([str(men)] * seats)
    hands = ".".join([str(50 - men)] * seats)
    points = ".".join(["99999"] * seats)
    drawing = draw(f"seats={seats} men=8:{full} hands={hands} points={points}", seat=1)
    assert len(drawing.board) == 11
    assert {len(line) for line in plain(drawing.board)} == {76}
    assert max(len(line) for line in plain(drawing.players)) <= 44


@pytest.mark.parametrize("phase", ["trustee", "deal", "card", "over"])
def test_it_can_be_drawn_at_any_time(phase: str) -> None:
    start = "-" if phase == "trustee" else "1"
    assert draw(f"seats=4 phase={phase} round=0 start={start} active=- hands=10.10.10.10").board
