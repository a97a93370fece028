"""What a move of Omerta is for: examples, and whether it is true of what the seat knows."""

import pytest

from cosca.core.dice import Dice
from cosca.core.playout import random_actor, resolve_chance
from cosca.games.omerta.advice import explain
from cosca.games.omerta.game import GAME
from cosca.games.omerta.heuristic import Picciotto
from cosca.games.omerta.notation import parse_move
from cosca.games.omerta.pieces import SLOT, WORTH
from cosca.games.omerta.position import position
from cosca.match.narration import reason_text
from tests.games.omerta.story import Story, rule

OTHERS = "row2=9,9,8,8 row3=10,10,7,7 safe=1:s1,2:s1,3:s1,4:s1"
SNAP = "phase=window window=snap asked=7"


def why(line: str, move: str) -> str:
    """The explanation of a move of Capone."""
    reason = explain(position(Story(line).state, 0), parse_move(move))
    return reason_text(reason) if reason else ""


@rule("O-21", "O-22")
@pytest.mark.parametrize(
    ("line", "text"),
    [
        (
            f"row1=1:s1,5:s1 {OTHERS}",
            "Your row is worth 6: 7 or less is enough, if nobody has less. (O-21)",
        ),
        (
            "row1=1:s1,5:s1 row2=9:s1 row3=6:s1,2",
            "Your row is worth 6, and you know that nobody has less: the call is good. (O-21)",
        ),
        (
            f"row1=1:s1,5 {OTHERS}",
            "The cards you know add up to 1, and one is unknown. 7 or less is enough, if nobody"
            " has less. (O-21)",
        ),
        (
            f"row1=9:s1 game=3 totals=10.60.70 {OTHERS}",
            "Even with 20 points for a wrong call you would have 39, and everybody else already"
            " has more: you win. (O-22)",
        ),
        (f"row1=9:s1 {OTHERS}", ""),
    ],
)
def test_a_call_says_what_the_row_is_worth(line: str, text: str) -> None:
    assert why(line, "omerta") == text


@rule("O-2", "O-3", "O-4", "O-7")
@pytest.mark.parametrize(
    ("line", "move", "text"),
    [
        (
            "row1=9:s1,8 discards=2",
            "take",
            "It can replace a 9: a 2 makes your row 7 points cheaper. (O-3)",
        ),
        (
            "row1=1:s1,2:s1 discards=9",
            "draw",
            "On the discard pile lies a 9, no better than the cards you know in your row. (O-2)",
        ),
        (
            "row1=9:s1,2:s1 phase=place held=2:s1",
            "1",
            "It replaces a 9 by a 2: your row is worth 7 points less. (O-3)",
        ),
        (
            "row1=9:s1,9:s1 phase=place held=2:s1",
            "1",
            "It replaces a 9 by a 2, and card 2 has the same number as the old one: you can lay it"
            " down, too. (O-7)",
        ),
        (
            "row1=9,1:s1 phase=place held=2:s1",
            "1",
            "It replaces a card you do not know by a 2. Then you know what lies there. (O-3)",
        ),
        ("row1=1:s1,2:s1 phase=place held=9:s1", "1", ""),
        (
            "row1=1:s1,2:s1 phase=place held=9:s1",
            "discard",
            "No card you know in your row is worth more than a 9. (O-4)",
        ),
        (
            "row1=1:s1,5:s1 phase=place held=5:s1",
            "discard",
            "You know that card 2 is a 5, too: you can lay it down and are rid of 5 points. (O-7)",
        ),
        (
            "row1=1:s1 phase=place held=lady:s1",
            "discard",
            "You discard a lady and may use that card at once. (O-11u)",
        ),
    ],
)
def test_a_card_says_what_it_changes_in_the_row(line: str, move: str, text: str) -> None:
    assert why(f"{line} {OTHERS}", move) == text


@rule("O-7", "O-8", "O-16")
@pytest.mark.parametrize(
    ("line", "move", "text"),
    [
        (
            f"row1=1:s1,2:s1,5:s1 discards=5 {SNAP}",
            "3",
            "You know that card 3 is a 5, too: you are rid of 5 points. (O-7)",
        ),
        (f"row1=1:s1,2:s1,5 discards=5 {SNAP}", "3", ""),
        (
            f"row1=1:s1,2:s1,5 discards=5 {SNAP}",
            "-",
            "You do not know a card with that number, and a wrong one costs a penalty card. (O-8)",
        ),
        (f"row1=1:s1,5:s1 discards=5 {SNAP}", "-", ""),
    ],
)
def test_a_window_says_what_is_known_of_the_number(line: str, move: str, text: str) -> None:
    assert why(f"{line} {OTHERS}", move) == text


@rule("O-12", "O-14", "O-17", "O-18", "O-19m", "O-19p")
@pytest.mark.parametrize(
    ("line", "move", "text"),
    [
        ("row1=9:s1,3 discards=mole", "2", "You do not know card 2 yet. (O-14)"),
        (
            "row1=9:s1,3:s1 discards=mole",
            "-",
            "You already know all the cards you may look at. (O-14)",
        ),
        (
            "row1=9:s1,3:s1 discards=driver",
            "1 2",
            "You lay down a 9 and a 3 and are rid of 12 points. (O-17)",
        ),
        (
            "row1=lady:s1,9 discards=driver",
            "-",
            "You do not know a bottle in your row, and a character among the cards costs a penalty"
            " card. (O-17)",
        ),
        (
            "row1=9:s1 discards=safecracker",
            "look",
            "You see the four cards in the safe, and may then swap one of yours for a better one."
            " (O-18)",
        ),
        (
            "row1=1:s1 discards=mamma",
            "to l",
            "Luciano misses a turn and cannot call Omerta. (O-19m)",
        ),
        (
            "row1=1:s1 discards=patrol",
            "watch h1",
            "As far as you can tell, Hill has the lowest row, and now cannot call Omerta for two"
            " rounds. (O-19p)",
        ),
    ],
)
def test_a_character_says_what_it_does(line: str, move: str, text: str) -> None:
    assert why(f"{line} phase=use row2=9:s1,9:s1 row3=8:s1,9:s1 safe=1,2,3,4", move) == text


@rule("O-12")
def test_a_swap_says_what_is_given_away_for_what() -> None:
    line = "row1=traitor:s1,1:s1 row2=2:s1,9 row3=8,8 discards=henchman phase=use"
    assert why(line, "c1<>l1") == (
        "You give away a traitor and get a 2: your row is worth 18 points less. (O-12)"
    )
    assert why(line, "c2<>l1") == ""


def test_what_is_said_of_points_is_true_in_real_games() -> None:
    """A gain is the difference of what lies there before and after."""
    bot, checked = Picciotto(), 0
    for seed in range(6):
        dice = Dice(seed)
        state = GAME.new(GAME.settings(""), 4)
        resolve_chance(state, dice)
        while state.acting() and checked < 400:
            seat = random_actor(state.acting(), dice)
            there = position(state, seat)
            for move in GAME.candidates(there)[:4]:
                reason = explain(there, move)
                if reason and reason.key == "omerta.advice.replaces":
                    slot = GAME.to_actions(move)[0] - SLOT
                    old = state.kind[state.row[seat][slot]]
                    gain = WORTH[old] - WORTH[state.kind[state.held]]
                    assert reason.params["gain"] == gain > 0 and reason.params["old"] == old
                    checked += 1
                if reason and reason.key == "omerta.advice.snap":
                    slot = GAME.to_actions(move)[0] - SLOT
                    assert state.kind[state.row[seat][slot]] == there.top
                    checked += 1
                if reason and reason.key == "omerta.advice.call_sure":
                    rows = [
                        sum(
                            WORTH[state.kind[card]]
                            for card in state.row[each][: state.length[each]]
                        )
                        for each in range(state.seats)
                    ]
                    assert rows[seat] == min(rows) <= 7
                    checked += 1
            state.apply(seat, bot(there, dice))
            resolve_chance(state, dice)
    assert checked > 50
