"""Win chances: between 0 and 1, from what a seat knew, and exact at the end."""

from functools import cache
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cosca.bots.roster import default_bot, find_bot
from cosca.bots.win_chances import (
    CHANGE,
    CLOSE,
    CLOSER,
    DECIDING,
    MOMENTS,
    Curve,
    own_win_chances,
    plies_to_refine,
    sampled_plies,
    turning_points,
    win_chances,
)
from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.core.names import CHANCE_BIT
from cosca.core.playout import random_actor, resolve_chance
from cosca.core.state import State
from tests.bots.test_search import ALL, STEPS, at_turn

FEW = 20


@cache
def played(name: str, bot: str = "random", seed: int = 7) -> tuple[State, ...]:
    """Return all states of a game among such bots, from the start to the end."""
    game, dice = ALL[name], Dice(seed)
    choose = find_bot(game, bot)
    state: State = game.new(game.settings("", game.random_play_options), game.default_seats)
    states = [state.copy()]
    while state.acting():
        if state.acting() == CHANCE_BIT:
            resolve_chance(state, dice)
        else:
            seat = random_actor(state.acting(), dice)
            state.apply(seat, choose(game.position(state, seat), dice))
        states.append(state.copy())
    return tuple(states)


@pytest.mark.parametrize("name", ALL)
def test_chances_are_shares_of_one_victory_at_any_moment(name: str) -> None:
    states = played(name)
    for number in sampled_plies(len(states) - 1)[::6]:
        for seat in range(states[0].seats):
            shares = win_chances(ALL[name], ALL[name].position(states[number], seat), FEW)
            assert all(0 <= share <= 1 for share in shares)
            assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize("name", ALL)
def test_at_the_end_the_winners_have_all_the_chances(name: str) -> None:
    end = played(name)[-1]
    positions = [ALL[name].position(end, seat) for seat in range(end.seats)]
    winners = [end.winners() >> seat & 1 for seat in range(end.seats)]
    wanted = [won / sum(winners) for won in winners]
    assert own_win_chances(ALL[name], positions, FEW) == pytest.approx(wanted)


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
def test_the_same_knowledge_gives_the_same_chances(name: str, steps: int) -> None:
    """Also after the position was sent as JSON. The laws check twins."""
    position: Any = at_turn(name, steps)
    sent = ALL[name].read_position(position.to_wire())
    assert win_chances(ALL[name], sent, FEW) == win_chances(ALL[name], position, FEW)


@pytest.mark.parametrize("name", GAMES)
def test_chances_predict_the_result_better_than_equal_chances(name: str) -> None:
    game = GAMES[name]
    error = alike = 0.0
    for seed in range(8):
        states = played(name, default_bot(game), seed)
        shares = states[-1].returns()
        for number in sampled_plies(len(states) - 1)[60:-1:10]:
            positions = [game.position(states[number], seat) for seat in range(len(shares))]
            for share, chance in zip(shares, own_win_chances(game, positions), strict=True):
                error += (share - chance) ** 2
                alike += (share - 1 / len(shares)) ** 2
    assert error < alike


# --- Looking back ---------------------------------------------------------------------------------


@given(st.integers(0, 2000))
def test_sampled_plies_are_evenly_spaced(moves: int) -> None:
    numbers = sampled_plies(moves)
    assert (numbers[0], numbers[-1]) == (0, moves)
    assert len(numbers) == min(moves + 1, MOMENTS)
    gaps = {after - before for before, after in pairwise(numbers)}
    assert not gaps or max(gaps) - min(gaps) <= 1


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    """Draw the chances of two seats at some points of a game."""
    numbers = draw(st.sets(st.integers(0, 60), min_size=1))
    return {number: (share := draw(st.floats(0, 1)), 1 - share) for number in sorted(numbers)}


@given(curves())
def test_turning_points_are_the_largest_changes(curve: Curve) -> None:
    found = turning_points(curve)
    numbers = [turn.number for turn in found]
    assert numbers == sorted(set(numbers)) and len(numbers) <= DECIDING
    change = {
        number: abs(curve[number][0] - curve[number - 1][0])
        for number in curve
        if number - 1 in curve
    }
    for turn in found:
        assert (turn.before, turn.after) == (
            curve[turn.number - 1][turn.seat],
            curve[turn.number][turn.seat],
        )
        assert change[turn.number] >= CHANGE - 1e-9
    for number in set(change) - set(numbers):
        larger = [turn for turn in found if change[turn.number] >= change[number] - 1e-9]
        is_cancelled = any(abs(turn.number - number) <= CLOSE for turn in larger)
        assert change[number] < CHANGE + 1e-9 or len(larger) == DECIDING or is_cancelled


@given(curves())
def test_no_turning_point_takes_back_another(curve: Curve) -> None:
    for one, other in combinations(turning_points(curve), 2):
        rises = [turn.after > turn.before for turn in (one, other)]
        is_back = one.seat == other.seat and rises[0] != rises[1]
        assert not is_back or other.number - one.number > CLOSE


def test_of_a_rise_and_a_fall_only_the_larger_remains() -> None:
    shares = [0.5, 0.5, 0.9, 0.6, 0.6]
    curve = {number: (share, 1 - share) for number, share in enumerate(shares)}
    assert [(turn.number, turn.is_rise) for turn in turning_points(curve)] == [(2, True)]
    later = curve | dict.fromkeys(range(5, 40), (0.6, 0.4)) | {40: (0.1, 0.9)}
    assert [turn.number for turn in turning_points(later)] == [2, 40]


@given(curves())
def test_the_largest_changes_are_refined_ply_by_ply(curve: Curve) -> None:
    more = plies_to_refine(curve)
    assert not set(more) & set(curve)
    known = sorted(curve)
    whole = [(a, b) for a, b in pairwise(known) if set(range(a + 1, b)) <= set(more)]
    gaps = [(a, b) for a, b in pairwise(known) if b > a + 1]
    assert len([gap for gap in whole if gap in gaps]) == min(CLOSER, len(gaps))
