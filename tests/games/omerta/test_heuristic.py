"""Novice, picciotto and smemorato: what they do at a table, and how they fare."""

import pytest

from cosca.arena.simulation import Simulation, play
from cosca.core.dice import Dice
from cosca.core.playout import random_actor, resolve_chance
from cosca.games.omerta import heuristic, pieces
from cosca.games.omerta.beliefs import Beliefs
from cosca.games.omerta.game import GAME
from cosca.games.omerta.heuristic import Picciotto, novice
from cosca.games.omerta.notation import LETTERS, format_move
from cosca.games.omerta.position import UNKNOWN, limit_memory, position
from tests.games.omerta.story import Story

OTHERS = "row2=9,9,8,8 row3=10,10,7,7 safe=1,2,3,4"


def best(line: str, seat: str = "c") -> str:
    """The move a picciotto likes best, in notation."""
    there = position(Story(line).state, LETTERS.index(seat))
    return format_move(heuristic.candidates(there)[0])


def choices(bot: heuristic.Picciotto, line: str, seat: int = 0) -> set[int]:
    """Return everything a bot may do in a position, with any dice."""
    there = position(Story(line).state, seat)
    return {bot(there, Dice(seed)) for seed in range(30)}


# --- Picciotto ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "move"),
    [
        (f"row1=1:s1,2:s1 {OTHERS}", "omerta"),
        (f"row1=9:s1,8:s1,7:s1 discards=1 {OTHERS}", "take"),
        (f"row1=9:s1,2:s1 phase=place held=1:s1 {OTHERS}", "1"),
        (f"row1=1:s1,2:s1 phase=place held=10:s1 {OTHERS}", "discard"),
        (f"row1=1:s1,3:s1 discards=3 phase=window window=snap asked=7 {OTHERS}", "2"),
        (f"row1=1:s1,3 discards=3 phase=window window=snap asked=7 {OTHERS}", "-"),
        (f"row1=9:s1,3:s1,lady:s1 discards=driver phase=use {OTHERS}", "1 2"),
        (f"row1=lady:s1,4:s1 discards=driver phase=use {OTHERS}", "2"),
        (f"row1=lady:s1 discards=driver phase=use {OTHERS}", "-"),
        (f"row1=9:s1,3:s1,7 discards=mole phase=use {OTHERS}", "3"),
        ("row1=traitor:s1,1:s1 row2=2:s1,9 row3=8,8 discards=henchman phase=use", "c1<>l1"),
        (f"row1=traitor:s1,1:s1 discards=safecracker phase=use {OTHERS}", "look"),
    ],
)
def test_a_picciotto_does_what_a_sensible_player_does(line: str, move: str) -> None:
    assert best(line) == move


def test_neither_a_wrong_card_nor_a_hopeless_call_comes_to_mind() -> None:
    """Characters that blunder choose among these: no beginner calls with 43 in the row."""
    dice = Dice(3)
    windows = turns = 0
    state = GAME.new(GAME.settings(""), 4)
    resolve_chance(state, dice)
    while state.acting() and windows + turns < 200:
        seat = random_actor(state.acting(), dice)
        there = position(state, seat)
        begun = {GAME.to_actions(move)[0] for move in heuristic.candidates(there)}
        assert begun <= set(there.legal)
        if there.window == "snap":
            windows += 1
            assert all(a == pieces.PASS or a in heuristic.known_answers(there) for a in begun)
        if there.phase == "turn" and there.turns < 24:
            turns += 1
            likely = Picciotto()(there, dice) == pieces.CALL
            assert (pieces.CALL in begun) == likely
        state.apply(seat, Picciotto()(there, dice))
        resolve_chance(state, dice)
    assert windows > 50 and turns > 10


def test_a_picciotto_swaps_the_worst_card_for_the_best_of_the_safe() -> None:
    line = "row1=traitor:s1,1:s1 row2=9,9 row3=8,8 safe=9:s1,alibi:s1,5:s1,lady:s1"
    assert best(f"{line} discards=safecracker phase=safe") == "1<>safe 2"


def test_a_picciotto_turns_up_an_assassin_that_he_knows() -> None:
    line = f"row1=1 {OTHERS} discards=mamma phase=window window=assassin asked=6 named=1.-1.-1.-1"
    known = line.replace("row2=9,", "row2=assassin:s2,")
    assert best(known, "l") == "1"
    assert best(line.replace("row2=9,", "row2=assassin,"), "l") == "-"


def test_a_picciotto_goes_after_the_most_dangerous() -> None:
    line = "row1=9:s1,9:s1 row2=1:s1,1:s1 row3=10:s1,10:s1"
    assert best(f"{line} discards=mamma phase=use") == "on l"
    assert best(f"{line} discards=traitor phase=use") == "give l l"
    assert best(f"{line} discards=patrol phase=use").startswith("watch l")


# --- Memory, error ------------------------------------------------------------------------------


def test_of_all_cards_a_short_memory_keeps_the_last_ones() -> None:
    line = f"row1=3:s1:t1,4:s1:t5,5:s1:t3,6:s1:t2 {OTHERS} turns=6"
    there = position(Story(line).state, 0)
    for span, kept in ((0, []), (1, [3]), (2, [3, 4]), (9, [2, 3, 4, 5])):
        learnt = limit_memory(there, span).learnt
        known = sorted(track.kind for track in learnt.tracks if track.kind != UNKNOWN)
        assert known == kept
        for odds in Beliefs(learnt).odds().values():
            assert min(odds) >= 0 and sum(odds) == pytest.approx(1)


def test_a_forgetful_one_does_not_lay_down_what_he_saw_long_ago() -> None:
    line = f"row1=3:s1:t1,9:s1:t5 discards=3 phase=window window=snap asked=7 turns=6 {OTHERS}"
    assert choices(Picciotto(), line) == {pieces.SLOT}
    assert choices(Picciotto(span=1), line) == {pieces.PASS}
    assert choices(Picciotto(span=2), line) == {pieces.SLOT}


def test_a_player_who_errs_does_anything() -> None:
    line = f"row1=1:s1,2:s1 discards=4 {OTHERS}"
    assert choices(Picciotto(), line) == {pieces.CALL}
    assert choices(Picciotto(error=1.0), line) == {pieces.CALL, pieces.DRAW, pieces.TAKE}


# --- Novice -------------------------------------------------------------------------------------


def test_a_novice_lays_down_only_what_he_knows() -> None:
    line = f"row1=3,3:s1,9:s1 discards=3 phase=window window=snap asked=7 {OTHERS}"
    there = position(Story(line).state, 0)
    assert {novice(there, Dice(seed)) for seed in range(20)} == {pieces.SLOT + 1}
    blind = position(Story(line.replace("3:s1", "3")).state, 0)
    assert {novice(blind, Dice(seed)) for seed in range(20)} == {pieces.PASS}


@pytest.mark.parametrize(
    ("row", "calls"), [("1:s1,6:s1", True), ("1:s1,7:s1", False), ("1:s1,2", False)]
)
def test_a_novice_calls_on_a_row_that_he_has_seen_and_that_is_low(row: str, calls: bool) -> None:
    there = position(Story(f"row1={row} discards=4 {OTHERS}").state, 0)
    done = {novice(there, Dice(seed)) for seed in range(20)}
    assert done == ({pieces.CALL} if calls else {pieces.DRAW, pieces.TAKE})


# --- How they fare ------------------------------------------------------------------------------


def shares(*bots: str, games: int = 24) -> dict[str, float]:
    """How much of the victories each bot has, from every seat in turn."""
    settings = GAME.settings("", {"max_rounds": "60"})
    simulation = Simulation("omerta", settings, len(bots), bots, seed=8, rotate=True)
    won = dict.fromkeys(bots, 0.0)
    for number in range(games):
        for bot, share in zip(
            simulation.seating(number), play(simulation, number).shares, strict=True
        ):
            won[bot] += share / games
    return won


def test_a_picciotto_beats_novices_and_memory_is_what_he_does_it_with() -> None:
    won = shares("picciotto", "smemorato", "novice")
    assert won["picciotto"] > 0.8
    assert won["smemorato"] < 0.2
