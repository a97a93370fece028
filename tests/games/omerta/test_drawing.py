"""The table of Omerta as text: what may be seen now, what is remembered, what is asked."""

import re

import pytest

from cosca.core.buffers import Spans
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing, Line
from cosca.core.names import Action, Seat
from cosca.core.playout import play_random_action, random_actor, resolve_chance
from cosca.games.omerta import pieces
from cosca.games.omerta.game import GAME
from cosca.games.omerta.position import position
from cosca.games.omerta.rules import State
from cosca.match.typed_moves import read_move
from cosca.words import LANGUAGES, say, speaking
from tests.games.omerta.story import Story

EXAMPLE = r", (?:for example|etwa|par exemple|per esempio) (.+), (?:or|oder|ou|o) pass"
TABLE = "row1=7:s1,3 row2=9,9:w1/2 row3=8,8 safe=1:s1,2,3,4 discards=lady,5"


def draw(line: str, seat: int = 0, **changes: str) -> Drawing:
    return GAME.render_drawing(position(Story(line).state, seat), GAME.settings("", changes), say)


def plain(lines: list[Line]) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in lines)


def row(drawing: Drawing, name: str) -> str:
    return next(line for line in plain(drawing.board).splitlines()[2:] if name in line)


def test_cards_lie_face_down_also_those_that_were_seen_before() -> None:
    drawing = draw(TABLE)
    assert row(drawing, "Capone").count("[▒▒▒]") == 2
    assert "[ 5 ]" in plain(drawing.board)
    assert not any("is a 7" in sentence for sentence in drawing.sentences)


def test_a_card_that_is_looked_at_now_is_shown_to_who_looks() -> None:
    line = TABLE.replace("7:s1", "7:s1:v1") + " showing=1"
    assert " 1[ 7 ] 2[▒▒▒]" in row(draw(line), "Capone")
    assert "[ 7 ]" not in row(draw(line, seat=1), "Capone")
    assert any("Capone’s card 1 is a 7." in sentence for sentence in draw(line).sentences)


def test_the_memory_aid_shows_what_the_seat_has_seen_and_nothing_else() -> None:
    drawing = draw(TABLE, memory="aided")
    assert " 1[ 7 ] 2[▒▒▒]" in row(drawing, "Capone")
    assert "safe 1[ 1 ] 2[▒▒▒] 3[▒▒▒] 4[▒▒▒]" in plain(drawing.board)
    assert "[ 7 ]" not in row(draw(TABLE, seat=1, memory="aided"), "Capone")


def test_patrols_and_mammas_are_seen_by_all() -> None:
    drawing = draw(TABLE + " mamma=-1.-1.0", seat=-2)
    assert " 1[▒▒▒] 2{▒▒▒}" in row(drawing, "Luciano")
    assert "with Mamma" in plain(drawing.board)
    assert "Mamma is with Hill." in drawing.sentences
    assert "The patrol is on Luciano’s card 2." in drawing.sentences


def test_the_question_says_what_a_seat_may_do() -> None:
    assert "Your turn: draw, take or omerta." in plain(draw(TABLE).board)
    assert "Your turn" not in plain(draw(TABLE, seat=1).board)
    window = f"{TABLE} phase=window window=snap asked=7"
    assert "Discarded: a 5" in plain(draw(window, seat=2).board)
    assert "You have answered" in plain(draw(f"{window} answered=4", seat=2).board)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [3, 5])
def test_every_example_may_be_played_and_no_question_is_cut(seats: int, language: str) -> None:
    dice, legal = Dice(5), Spans()
    used = set()
    with speaking(language):
        for _ in range(40):
            state = GAME.new(GAME.settings(""), seats)
            resolve_chance(state, dice)
            while state.acting():
                seat = random_actor(state.acting(), dice)
                there = position(state, seat)
                drawing = GAME.render_drawing(there, GAME.settings(""), say)
                assert " ".join(plain(drawing.board).splitlines()).endswith(drawing.sentences[-1])
                found = re.search(EXAMPLE, drawing.sentences[-1])
                if found and not state.step:
                    used.add(there.top if there.phase == "use" else there.phase)
                    do(state.copy(), seat, GAME.to_actions(read_move(GAME, found[1])))
                play_random_action(state, state.acting(), dice, legal)
                resolve_chance(state, dice)
    asked = {pieces.HENCHMAN, pieces.LADY, pieces.TRAITOR, pieces.DRIVER}
    assert used == asked | {pieces.MAMMA, pieces.PATROL, "safe"}


def do(state: State, seat: Seat, actions: list[Action]) -> None:
    """Do one step after another, as far as they are still asked for."""
    for action in actions:
        if action != pieces.PASS or state.phase == pieces.PHASE_USE:
            assert action in state.legal_actions(seat)
            state.apply(seat, action)


def test_a_long_row_goes_on_in_the_next_line() -> None:
    drawing = draw("row1=1,2,3,4,5,6,7,8,9,10,1,2,3 row2=9 row3=8")
    lines = plain(drawing.board).splitlines()
    at = next(i for i, line in enumerate(lines) if "Capone" in line)
    assert (lines[at].count("▒▒▒"), lines[at + 1].count("▒▒▒")) == (9, 4)
    assert "13[▒▒▒]" in lines[at + 1]
