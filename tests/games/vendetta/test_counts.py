"""Counts of Vendetta, at the limits where one more or one less makes a difference."""

import pytest

from cosca.core.buffers import Spans
from cosca.core.names import CHANCE
from cosca.games.vendetta import pieces
from cosca.games.vendetta.actions import place
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import parse_state
from cosca.games.vendetta.rules import State

RED, YELLOW, GREEN = range(3)
rule = pytest.mark.rule


def everywhere(row: str, first: int = 1) -> str:
    """The same men in all districts from one on, named as on the map."""
    return ",".join(f"{district}:{row}" for district in range(first, 14))


def end_round(line: str) -> State:
    """The state after the eleventh card, that of district 11; the raid is in 12 and 13."""
    state = parse_state(f"phase=card turn=11 up=1,2,3,4,5,6,7,8,9,10 {line}")
    state.apply(CHANCE, 10)
    return state


@rule("V-S1", "V-S4")
def test_before_the_trustee_is_known_men_are_in_hand_and_box_and_nowhere_else() -> None:
    settings = GAME.settings("original", {})
    start = [pieces.PHASE_TRUSTEE, 0, 0, -1, -1, 0, -1, 0, 0, 0]
    hands, box, points = [10, 10, 10, 10, 0], [40, 40, 40, 40, 0], [0] * 5
    on_the_map = [0] * (13 + 5 * 13)
    laid_out = [4, 0, 0, 0, 1, 0, 0, *start, *hands, *box, *points, *points, *on_the_map]
    assert GAME.new(settings, 4).ints() == laid_out
    assert State(4).ints() == laid_out


@rule("V-S3f", "V-7e", "V-15e", "V-18")
@pytest.mark.parametrize(
    "chosen", ["only_own_cards", "limit_every_turn", "most_controls", "final_points", "exceed_goal"]
)
def test_what_the_host_chose_is_read_back_and_nothing_else(chosen: str) -> None:
    options = ["only_own_cards", "limit_every_turn", "most_controls", "final_points", "exceed_goal"]
    made = State(3, **{option: option == chosen for option in options})
    read = State(3)
    read.load(made.ints())
    for state in (made, read, made.copy()):
        assert [option for option in options if getattr(state, option)] == [chosen]


@rule("V-4")
def test_a_player_who_can_afford_no_district_further_on_has_placed_enough() -> None:
    state = parse_state(f"turn=2 active=2 hands=0.3.0 men={everywhere('5.0.0', first=6)}")
    state.apply(YELLOW, place(5, 1))
    assert state.actors() == (CHANCE,)


@rule("V-6")
def test_ones_own_minimum_counts_and_not_that_of_who_is_there_alone() -> None:
    state = parse_state(f"phase=card active=1 hands=2.2.2 men={everywhere('3.0.0')}")
    state.apply(CHANCE, 0)
    assert (state.active, state.actors()) == (YELLOW, (CHANCE,))


@rule("V-5", "V-6")
def test_where_the_minimum_is_more_than_the_hand_there_is_no_choice() -> None:
    state = parse_state("turn=2 active=2 hands=0.4.0 men=1:4.0.0,2:5.0.0,3:6.0.0,4:7.0.0")
    legal = Spans()
    state.fill_legal(YELLOW, legal)
    spans = list(zip(legal.first, legal.last, strict=True))[: legal.count]
    ones = [(place(district, 1), place(district, 4)) for district in range(5, 14)]
    assert spans == [(place(1, 4), place(1, 4)), *ones, (pieces.DONE, pieces.DONE)]
    assert legal.total == 1 + 9 * 4 + 1


@rule("V-9", "V-10")
def test_even_fifty_against_fifty_one_loses() -> None:
    state = parse_state("phase=card active=1 men=5:50.50.0")
    state.apply(CHANCE, 4)
    assert state.men[4][:3] == [50, 0, 0]


@rule("V-17", "V-19")
def test_a_district_more_wins_against_any_points() -> None:
    four_and_five = ",".join(
        f"{district}:{'1.0.0.0.0' if district < 5 else '0.0.1.0.0'}" for district in range(1, 10)
    )
    state = end_round(f"seats=5 points=5000.0.0.0.0 men={four_and_five}")
    assert (state.ending(), state.winners()) == (pieces.BY_DISTRICTS, 1 << GREEN)


@rule("V-21")
def test_after_the_last_round_the_game_is_over_also_where_nobody_has_a_point() -> None:
    state = end_round("max_rounds=7 round=7 hands=0.0.0")
    assert state.ending() == pieces.BY_ROUNDS
    assert state.actors() == ()
