"""Analysing a game: who led when, and what decided it."""

from itertools import pairwise
from typing import Any

import pytest

from cosca.arena.arena import play_contest
from cosca.arena.bout import play_bout
from cosca.arena.result import (
    DEAL,
    NOBODY,
    Result,
    analyse_game,
    first_to_act_alone,
    half_time,
    lead_changes,
    leader,
    ranks,
    replay_states,
    share_before,
    turning_point,
)
from cosca.bots.roster import find_bot
from cosca.catalog import GAMES, find
from cosca.core.game import Game
from cosca.core.names import CHANCE
from cosca.words import sentences
from tests.arena.contests import contest, no_time


def test_the_highest_standing_leads() -> None:
    assert leader([3, 7, 5]) == 1
    assert leader([7, 7, 5]) == NOBODY
    assert leader([-9, -4, -6]) == 1


@pytest.mark.parametrize(
    ("leaders", "number"),
    [([NOBODY, 0, 0], 0), ([0, 1, 0], 2), ([0, NOBODY, 0], 0), ([0, NOBODY, 1], 1)],
)
def test_a_tie_does_not_change_the_lead(leaders: list[int], number: int) -> None:
    assert lead_changes(leaders) == number


@pytest.mark.parametrize(
    ("leaders", "step"),
    [
        ([NOBODY, 0, 1, 1, 1], 1),  # the second step: before it another led
        ([NOBODY, 1, 0, 1], 2),
        ([NOBODY, 1, NOBODY, 1], 2),
        ([NOBODY, 1, 1, 1], 0),
        ([NOBODY, NOBODY, 2], 1),
        ([2, 2, 2], 0),
    ],
)
def test_the_turning_point_is_the_step_after_which_the_winner_led_for_good(
    leaders: list[int], step: int
) -> None:
    assert turning_point(leaders) == step


def test_half_time_is_when_half_of_all_decisions_are_made() -> None:
    log = [(CHANCE, 0), (0, 1), (CHANCE, 2), (1, 3), (2, 4), (CHANCE, 5), (0, 6)]
    assert half_time(log) == 4  # two of four are made before the fifth step
    assert half_time(log[:5]) == 3
    assert share_before(log, 4) == 0.5
    assert share_before(log, 0) == 0.0


def test_ranks_put_winners_first_and_others_by_standing() -> None:
    assert ranks([0.0, 1.0, 0.0], [9, 5, 7]) == [2, 1, 3]
    assert ranks([0.5, 0.0, 0.5, 0.0], [8, 3, 8, 3]) == [1.5, 3.5, 1.5, 3.5]
    assert ranks([0.0, 0.0, 0.0, 1.0], [2, 2, 2, 0]) == [3, 3, 3, 1]


@pytest.mark.parametrize("game", GAMES)
def test_results_are_consistent_for_every_game(game: str) -> None:
    strong = list(find(game).heuristic_bots)[-1]
    results = list(play_contest(contest(game, "random", strong), range(6), 1, None, no_time))
    assert len(results) == 18
    for result in results:
        keeps_the_law(find(game).title, result)
    assert any(result.leads for result in results)
    assert any(result.by not in ([], [DEAL]) for result in results)


def keeps_the_law(title: str, result: Result) -> None:
    """Check what holds for the result of every game."""
    seats = len(result.bots)
    assert sum(result.ranks) == pytest.approx(seats * (seats + 1) / 2)
    assert sum(result.shares) == pytest.approx(1)
    won = {rank for rank, share in zip(result.ranks, result.shares, strict=True) if share}
    assert won == {min(result.ranks)}
    assert (result.by == []) == (max(result.shares) < 1), title
    assert 0 <= result.decided <= 1
    assert 0 <= result.first < seats
    assert len(result.half) == len(result.standing) == len(result.decisions) == seats


@pytest.mark.parametrize("game", GAMES)
def test_deciding_events_have_names(game: str) -> None:
    results = play_contest(contest(game, "random", "random", "random"), range(20), 1, None, no_time)
    kinds = {kind for result in results for kind in result.by} - {DEAL}
    assert kinds
    for kind in kinds:
        key, *things = kind.split(" ")
        assert f"{game}.{key}" in sentences()
        assert all(f"{game}.{thing.replace('=', '.')}" in sentences() for thing in things)


@pytest.mark.parametrize("game", GAMES)
def test_the_step_that_decided_is_found_by_counting_again(game: str) -> None:
    """Found in another way: the last moment at which the winner did not lead."""
    rules = find(game)
    strong = list(rules.heuristic_bots)[-1]
    whole = contest(game, "random", strong)
    for number in range(9):
        bout = whole.bout(number)
        played = play_bout(bout, [find_bot(rules, name) for name in bout.bots], no_time)
        result = analyse_game(bout, played)
        if max(result.shares) < 1:
            continue
        winner = result.shares.index(1)
        states = list(replay_states(rules, bout, played.log))
        leads = [leader(rules.standing(state)) == winner for state in states[:-1]] + [True]
        steps = [step for step, (before, after) in enumerate(pairwise(leads)) if after > before]
        assert result.decided == round(share_before(played.log, steps[-1]), 4)


def test_the_first_to_act_alone_is_not_one_of_several() -> None:
    rules: Game[Any, Any] = find("omerta")  # everybody peeks at once before the first turn
    whole = contest("omerta", "novice", "novice", "novice")
    for number in range(5):
        bout = whole.bout(number)
        played = play_bout(bout, [find_bot(rules, "novice")] * 3, no_time)
        states: list[Any] = list(replay_states(rules, bout, played.log))
        first = first_to_act_alone(states, played.log)
        assert first == states[-1].start
