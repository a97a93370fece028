"""What a move of Vendetta is for: examples, and whether it is true on any map."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosca.core.events import Reason
from cosca.core.move import Move
from cosca.games.vendetta.advice import explain
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import parse_move, parse_state
from cosca.games.vendetta.pieces import DISTRICTS, DISTRICTS_TO_WIN
from cosca.games.vendetta.position import position
from cosca.games.vendetta.rules import State
from cosca.match.narration import reason_text

rule = pytest.mark.rule
FIVE = "men=1:0.2.0.0,2:0.2.0.0,3:0.2.0.0,4:0.2.0.0,5:0.2.0.0"


def why(line: str, move: str) -> str:
    """The explanation of a move of Red."""
    state = parse_state(line)
    reason = explain(position(state, state.active), parse_move(move))
    return reason_text(reason) if reason else ""


@rule("V-17")
def test_a_move_wins_or_keeps_another_from_winning() -> None:
    four = "men=1:2.0.0.0,2:2.0.0.0,3:2.0.0.0,4:2.0.0.0,6:0.1.0.0"
    assert why(f"seats=4 hands=5.0.0.0 {four}", "1 into 9") == (
        "You then control 5 districts. If you still do when the round ends, you win: 5 are enough."
        " (V-17)"
    )
    assert why(f"seats=4 hands=5.0.0.0 {FIVE}", "2 into 3") == (
        "It keeps Yellow from a fifth district, and so from winning the game. (V-17)"
    )


@rule("V-18")
def test_a_move_wins_by_points_or_keeps_another_from_it() -> None:
    line = "seats=4 hands=5.0.0.0 points=245.0.0.0 men=1:2.0.0.0"
    assert why(line, "1 into 9") == (
        "You then control 2 districts. With the 5 points for them you would have 250 and win."
        " (V-18)"
    )
    line = "seats=4 hands=5.0.0.0 points=0.245.0.0 men=1:0.2.0.0,2:0.2.0.0"
    assert why(line, "2 into 1") == (
        "It keeps Yellow from winning by points: Yellow would only reach 246. (V-18)"
    )


@rule("V-15", "V-16")
def test_a_move_gains_a_district_or_takes_one() -> None:
    line = "seats=4 hands=5.0.0.0 men=1:2.0.0.0,2:2.0.0.0"
    assert why(line, "1 into 3") == (
        "It brings 3 Pescheria under your control. 3 districts score 20 points. (V-16)"
    )
    assert why(f"{line} up=3", "1 into 3") == (
        "It brings 3 Pescheria under your control, and its card is already up: no vendetta and no"
        " raid there. 3 districts score 20 points. (V-16)"
    )
    line = "seats=4 hands=5.0.0.0 men=1:0.2.0.0,2:0.2.0.0,3:0.2.0.0"
    assert why(line, "2 into 3") == (
        "It keeps Yellow from a third district (3 Pescheria). Yellow would score 5 instead of 20."
        " (V-16)"
    )


@rule("V-15e")
def test_most_mafiosi_are_enough_where_the_most_control() -> None:
    line = "control=most hands=9.0.0 men=3:1.4.0"
    assert why(line, "4 into 3").startswith("It brings 3 Pescheria under your control.")
    line = "control=most hands=9.0.0 men=3:6.4.4"
    assert why(line, "4 into 3") == "You are 6 ahead of everybody else in 3 Pescheria. (V-15e)"


@rule("V-9", "V-10")
def test_a_move_makes_a_district_safer() -> None:
    assert why("hands=9.0.0 men=3:1.2.4", "2 into 3") == (
        "You are no longer the weakest in 3 Pescheria: if you turn up its card now, Yellow loses"
        " there. (V-9)"
    )
    assert why("hands=9.0.0 men=3:0.2.4", "3 into 3") == (
        "You go to 3 Pescheria with more mafiosi than Yellow: if you turn up its card now, Yellow"
        " loses there. (V-9)"
    )
    assert why("hands=9.0.0 men=3:1.2.4", "1 into 3") == (
        "You tie with Yellow in 3 Pescheria. If you turn up its card now, Yellow loses: in a tie"
        " you come last. (V-10)"
    )
    assert why("hands=9.0.0 men=3:1.3.4", "1 into 3") == ""


@rule("V-6", "V-14")
def test_a_move_keeps_others_out_or_goes_where_nothing_happens() -> None:
    assert why("hands=9.3.2 men=3:1.0.0", "3 into 3") == (
        "You are alone in 3 Pescheria with 4. Nobody has that many in hand, so nobody can come."
        " (V-6)"
    )
    assert why("hands=9.5.2 men=3:1.0.0", "3 into 3") == (
        "You are alone in 3 Pescheria: anyone who wants to join you must bring at least 4. (V-6)"
    )
    assert why("hands=9.5.2 men=3:1.2.2 up=3", "1 into 3") == (
        "The card of 3 Pescheria is already up: no vendetta and no raid there until the next"
        " round. (V-14)"
    )


@rule("V-3", "V-14")
def test_who_places_nobody_keeps_the_hand() -> None:
    assert why("hands=5.0.0", "pass") == (
        "It keeps your 5 mafiosi in hand, where nobody can take them. (V-9)"
    )
    assert why("turn=11 hands=1.0.0", "pass") == (
        "After this card comes the raid. It cannot take the mafioso in your hand. (V-14)"
    )


# --- True on any map ------------------------------------------------------------------------------


@st.composite
def maps(draw: st.DrawFn) -> State:
    """Draw a table at which Red is to place."""
    numbers = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=3, max_size=3)
    men = ",".join(f"{at}:{'.'.join(map(str, draw(numbers)))}" for at in range(1, DISTRICTS + 1))
    up = ",".join(map(str, draw(st.sets(st.integers(1, DISTRICTS), max_size=6))))
    hands = f"{draw(st.integers(1, 8))}.{draw(st.integers(0, 8))}.{draw(st.integers(0, 8))}"
    points = ".".join(str(draw(st.sampled_from([0, 5, 600, 780, 799]))) for _ in range(3))
    control = draw(st.sampled_from(["alone", "most"]))
    line = f"control={control} start=2 turn=4 active=1 hands={hands} points={points} men={men}"
    return parse_state(f"{line} up={up}" if up else line)


def counted(state: State) -> list[int]:
    """The districts that each player controls now, as the rules count them."""
    state.count_districts()
    return list(state.controlled[: state.seats])


def after(state: State, move: Move) -> State:
    """The state after the steps of a move."""
    copy = state.copy()
    for action in GAME.to_actions(move):
        if 0 in copy.actors():
            copy.apply(0, action)
    return copy


def check(state: State, move: Move, reason: Reason) -> None:
    """Compare what an explanation claims with what the rules say."""
    key, params = reason.key.rpartition(".")[2], reason.params
    then = after(state, move)
    before, now = counted(state.copy()), counted(then)
    if key == "enough_districts":
        assert now[0] == params["number"]
        assert now[0] >= DISTRICTS_TO_WIN[3] and now[0] > before[0]
    if key == "keeps_from_winning":
        seat = int(str(params["seat"]))
        assert before[seat] >= DISTRICTS_TO_WIN[3] > now[seat]
    if key in ("controls", "controls_safely"):
        assert now[0] == params["number"]
        assert now[0] > before[0]
        for district in params["district"]:  # type: ignore[union-attr]
            assert then.controller(int(str(district)) - 1) == 0
            assert state.controller(int(str(district)) - 1) != 0
    if key == "keeps_from":
        seat = int(str(params["seat"]))
        assert before[seat] == params["needed"] and now[seat] < before[seat]
    if key in ("not_the_fewest", "not_the_fewest_there", "wins_tie"):
        assert then.loser(int(str(params["district"])) - 1) == params["seat"]
    if key == "locked":
        at = int(str(params["district"])) - 1
        assert all(then.hand[seat] < then.minimum(seat, at) for seat in (1, 2))
    if key == "calm":
        assert state.turned_up[int(str(params["district"])) - 1]


@settings(derandomize=True, max_examples=150, deadline=None, database=None)
@given(maps())
def test_every_explanation_is_true_by_the_rules(state: State) -> None:
    there = position(state, 0)
    moves = GAME.candidates(there)
    for move in moves[:12]:
        reason = explain(there, move)
        if reason is not None:
            check(state, move, reason)
