"""The table of Sicilianos as text: open colours, hidden values, the war, what is asked."""

import re

import pytest

from cosca.core.buffers import Spans
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing, Line
from cosca.core.names import SPECTATOR, Action, Seat
from cosca.core.playout import play_random_action, random_actor, resolve_chance
from cosca.games.sicilianos.drawing import TURN
from cosca.games.sicilianos.game import GAME
from cosca.games.sicilianos.position import position, reveal
from cosca.games.sicilianos.rules import State
from cosca.match.typed_moves import read_move
from cosca.words import LANGUAGES, say, speaking
from tests.games.sicilianos.story import Story, rolled, scored, war

EXAMPLE = (
    r"(?:, (?:for example|etwa|par exemple|per esempio) |: (?=(?:look|schau|fouille|guarda) ))"
    r"((?:look |schau |fouille |guarda |from |von |chez |da )?\w+(?: (?:with|mit|avec|con) \d+)?)"
)
HANDS = "hand1=r7,r2,b3 hand2=g4,b9 hand3=y5"


def draw(state: State, seat: int = 0) -> Drawing:
    return GAME.render_drawing(position(state, seat), GAME.settings("", {}), say)


def plain(lines: list[Line]) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in lines]


def row(lines: list[Line], name: str) -> list[str]:
    """The words of the last row that begins with a name, whether at turn or not."""
    rows = [line.replace(TURN, "").split() for line in plain(lines)]
    return [words for words in rows if words[:1] == [name]][-1]


def asks(state: State, seat: int = 0) -> str:
    return plain(draw(state, seat).board)[-1]


# --- What lies open and what does not ----------------------------------------------------------


def test_the_own_cards_are_shown_and_of_the_others_the_colours() -> None:
    drawing = draw(Story(HANDS).state)
    assert row(drawing.board, "hand") == ["hand", "r2", "r7", "b3"]
    assert row(drawing.players, "Ciraldo")[1:7] == ["·", "1", "1", "·", "·", "·"]
    assert "Alvano holds the red 2, the red 7, the blue 3." in drawing.sentences
    assert not any("green 4" in sentence for sentence in drawing.sentences)


def test_a_spectator_sees_no_card_and_everybody_does_when_all_is_revealed() -> None:
    state = Story(HANDS).state
    watched = "\n".join(plain(draw(state, SPECTATOR).board))
    assert "hand" not in watched and "r7" not in watched
    revealed = GAME.render_drawing(reveal(state), GAME.settings("", {}), say).board
    assert row(revealed, "Ciraldo") == ["Ciraldo", "g4", "b9"]


def test_stacks_are_counted() -> None:
    drawing = draw(Story("hand1=r1-11 hand2=g4").state)
    assert row(drawing.board, "stacks") == ["stacks", "0", "10", "11", "11", "11", "11"]
    assert "The red stack has no cards." in drawing.sentences


def test_money_is_counted_note_by_note_and_as_a_whole() -> None:
    drawing = draw(Story("hand1=r7 money1=2.0.1.0.2 laundered=0.80.0").state)
    assert row(drawing.players, "Alvano")[-3:] == ["20102", "130", "0"]
    assert row(drawing.players, "Ciraldo")[-3:] == ["22222", "250", "80"]
    alvano = "Alvano has 130,000 in black money and no laundered money, and holds 1 red."
    assert alvano in drawing.sentences


def test_the_kind_of_a_business_is_shown_to_its_owner() -> None:
    state = Story("red_shops=laundry/1,antiques/3 blue_shops=restaurant/2").state
    assert row(draw(state).board, "shops") == ["shops", "Al", "F?", "C?"]
    assert row(draw(state, 2).board, "shops") == ["shops", "Al", "Fa", "C?"]
    assert "Fusetti has one red business." in draw(state).sentences
    assert "Fusetti has the red antique shop." in draw(state, 2).sentences


def test_a_stack_that_is_looked_through_is_shown_to_who_looks() -> None:
    story = rolled("red=7,3,9,1 hand2=r2,r4-6,r8,r10-11", "red", "blue", "one")
    story.play("1 look red")
    assert "from the top 7 3 9 1" in "\n".join(plain(draw(story.state).board))
    assert "The red stack from the top: 7, 3, 9, 1." in draw(story.state).sentences
    assert "from the top" not in "\n".join(plain(draw(story.state, 1).board))


def at_turn(state: State) -> list[str]:
    """Who is marked among the players."""
    lines = plain(draw(state, SPECTATOR).players)
    return [line.split()[1] for line in lines if line.startswith(TURN)]


def test_the_mark_is_with_who_draws_a_first_card_and_then_with_whose_turn_it_is() -> None:
    story = Story(State(3)).play("start 2")
    assert at_turn(story.state) == ["Ciraldo"]
    story.play("2 red", "drafted 7")
    assert at_turn(story.state) == ["Fusetti"]
    assert at_turn(Story(f"{HANDS} active=2").play("2 g4 5", "3 -").state) == ["Ciraldo"]


# --- The war ------------------------------------------------------------------------------------


def test_a_card_face_down_shows_its_value_to_its_owner_alone() -> None:
    state = Story(HANDS).play("1 r7 20").state
    assert "red     ▒▒(7)" in "\n".join(plain(draw(state).board))
    assert "red     ▒▒  " in "\n".join(plain(draw(state, 1).board))
    assert "Your face-down card is the red 7." in draw(state).sentences
    assert not any("red 7" in sentence for sentence in draw(state, 1).sentences)


def test_a_family_is_drawn_with_its_cards_strength_and_stake() -> None:
    state = war("r7 20", "g4", "-", hand1="r2", hand2="g9").play("1 r2", "2 -").state
    assert row(draw(state).board, "Alvano") == ["Alvano", "red", "7", "2", "=", "9", "20k"]
    assert "Alvano is at war for the red family with 9." in draw(state).sentences
    assert "Alvano has staked 20,000." in draw(state).sentences


def test_an_alliance_is_drawn_on_both_sides() -> None:
    state = war("r8", "g3", "b9", hand2="g2").play("1 defect").state
    assert row(draw(state).board, "Alvano")[-2:] == ["with", "Ciraldo"]
    assert row(draw(state).board, "Ciraldo")[-5:] == ["=", "7", "5k", "ally", "Alvano"]
    assert "Alvano has gone over to Ciraldo." in draw(state).sentences


def test_a_player_who_lays_no_more_is_marked() -> None:
    state = war("r7", "g4", "-", hand1="r2", hand2="g9").play("1 -").state
    assert row(draw(state).board, "Alvano")[-1] == "passed"
    assert "Alvano lays no more cards." in draw(state).sentences


# --- What is asked ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "seat", "question"),
    [
        (Story(HANDS).state, 0, "Your turn: roll, or go to war, for example b3 with 5."),
        (Story("hand2=g4").state, 0, "Your turn: roll."),
        (Story("hand1=r1-10").state, 0, "Your hand is full: go to war, for example r10 with 5."),
        (
            rolled("hand2=r3 hand3=r4", "red", "red", "steal").state,
            0,
            "Steal red, for example from Ciraldo: Ciraldo, Fusetti",
        ),
        (war("r8", "g3").state, 0, "Your 8 may go over to the green family: defect or pass."),
        (
            war("r2", "g3", "-", hand1="r4").state,
            0,
            "Lay another red card, for example r4, or pass.",
        ),
        (war("r9").state, 0, "Take one red business: laundry, restaurant or antiques."),
    ],
)
def test_a_seat_is_asked_what_it_may_do(state: State, seat: int, question: str) -> None:
    assert asks(state, seat) == question
    assert question in draw(state, seat).sentences


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_may_be_played_and_no_question_is_cut(language: str) -> None:
    dice, legal = Dice(5), Spans()
    phases = set()
    with speaking(language):
        for _ in range(3):
            state = GAME.new(GAME.settings(""), 4)
            resolve_chance(state, dice)
            while state.acting():
                seat = random_actor(state.acting(), dice)
                at = position(state, seat)
                question = draw(state, seat).sentences[-1]
                assert question == asks(state, seat)
                for typed in re.findall(EXAMPLE, question):
                    do(state.copy(), seat, GAME.to_actions(read_move(GAME, typed)))
                    phases.add(at.phase)
                play_random_action(state, state.acting(), dice, legal)
                resolve_chance(state, dice)
    assert phases >= {"draft", "turn", "one", "take", "steal", "stake", "join", "bomb", "lay"}


def do(state: State, seat: Seat, actions: list[Action]) -> None:
    """Do one step after another; each has to be legal."""
    for action in actions:
        assert action in state.legal_actions(seat)
        state.apply(seat, action)


def test_a_player_who_waits_is_asked_nothing() -> None:
    state = Story(HANDS).state
    assert "Your turn" not in "\n".join(plain(draw(state, 1).board))
    assert "Your turn" not in "\n".join(plain(draw(state, SPECTATOR).board))


# --- The end ------------------------------------------------------------------------------------


def test_in_the_end_totals_take_the_place_of_notes() -> None:
    drawing = draw(scored("laundered=20.80.0 red_shops=laundry/2"), SPECTATOR)
    assert plain(drawing.players)[0].split()[-3:] == ["total", "black", "clean"]
    assert row(drawing.players, "Ciraldo")[-3:] == ["180", "0", "80"]
    assert "Ciraldo has 180,000 in all." in drawing.sentences
    assert row(drawing.board, "shops") == ["shops", "Cl"]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_the_table_fits_a_narrow_screen(seats: int) -> None:
    cards = [f"{colour}8,{colour}9,{colour}10,{colour}11" for colour in "rgbypo"]
    hands = " ".join(f"hand{seat + 1}={cards[seat]}" for seat in range(seats))
    shops = "laundry/1,restaurant/2,antiques/3"
    story = Story(f"seats={seats} {hands} red_shops={shops} orange_shops={shops}")
    story.play(*(f"{seat + 1} {'rgbypo'[seat]}11 50" for seat in range(seats)))
    for seat in (*range(seats), SPECTATOR):
        drawing = draw(story.state, seat)
        assert max(map(len, plain(drawing.board))) <= 78
        assert max(map(len, plain(drawing.players))) <= 46
