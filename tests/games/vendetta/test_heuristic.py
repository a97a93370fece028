"""Soldato: always legal, never silly, and better than chance."""

import pytest

from cosca.arena.simulation import Simulation, play
from cosca.core.dice import Dice
from cosca.core.names import SPECTATOR
from cosca.core.playout import resolve_chance
from cosca.games.vendetta import heuristic
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.notation import format_move, parse_state
from cosca.games.vendetta.pieces import DONE
from cosca.games.vendetta.position import Position
from cosca.match.table import Table


def positions(edition: str, seats: int, games: int = 3) -> list[Position]:
    """Positions of random games, each before a decision."""
    found = []
    dice = Dice(seats)
    for _ in range(games):
        state = GAME.new(GAME.settings(edition, {"max_rounds": "6"}), seats)
        resolve_chance(state, dice)
        while not state.is_over:
            (seat,) = state.actors()
            found.append(GAME.position(state, seat))
            actions = state.legal_actions(seat)
            state.apply(seat, actions[dice.below(len(actions))])
            resolve_chance(state, dice)
    return found


def best(line: str) -> str:
    """The move a soldato likes best, in notation."""
    state = parse_state(line)
    return format_move(heuristic.candidates(GAME.position(state, state.active))[0])


@pytest.mark.parametrize("edition", list(GAME.editions))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_soldato_does_nothing_illegal(edition: str, seats: int) -> None:
    for position in positions(edition, seats):
        assert heuristic.soldato(position, Dice(1)) in position.legal


@pytest.mark.parametrize("edition", list(GAME.editions))
def test_all_candidates_are_different_and_can_be_played(edition: str) -> None:
    for position in positions(edition, 4, games=1)[::5]:
        there = Table(GAME, GAME.settings(edition), 4, Dice(1))
        there._state.load(GAME.sample(position, Dice(1)).ints())
        moves = heuristic.candidates(position)
        assert len(set(moves)) == len(moves) <= heuristic.MENU
        assert any(move.verb == "pass" for move in moves)
        for move in moves:
            there.preview(position.active, move)


def test_the_second_placing_of_a_turn_fits_the_first() -> None:
    for position in positions("original", 3):
        if position.districts_used == 0:
            state = GAME.sample(position, Dice(1))
            planned = heuristic.ranked(position)[0][1]
            done = []
            while state.actors() == (position.active,):
                here = GAME.position(state, position.active)
                action = heuristic.soldato(here, Dice(1))
                if action == DONE:
                    break
                done.append(action // 50)
                state.apply(position.active, action)
            assert bool(done) == bool(planned)
            assert done == sorted(set(done))


def test_a_soldato_spoils_the_win_of_a_rival() -> None:
    held = ",".join(f"{district}:4.0.0" for district in range(1, 7))
    up = "up=1,2,3,4,5,6,7,8,9,10"
    move = best(f"turn=11 active=3 start=1 {up} hands=0.0.5 men={held},13:0.0.1,12:0.2.0")
    assert any(f">{district}" in move for district in range(1, 7))
    assert move != "-"


def test_a_soldato_does_not_pile_men_where_nobody_can_harm_them() -> None:
    up = "up=1,2,3,4,5,6,7,8,9,10"
    move = best(f"turn=11 active=3 start=1 {up} hands=0.0.9 men=1:0.0.3,2:5.5.0,3:5.5.0")
    assert ">1" not in move.split()


def test_a_soldato_beats_random_players() -> None:
    settings = GAME.settings("original", {"max_rounds": "200"})
    duel = Simulation("vendetta", settings, 3, ("soldato", "random", "random"), 1, rotate=True)
    won = sum(
        play(duel, number).shares[duel.seating(number).index("soldato")] for number in range(24)
    )
    assert won >= 22


def test_a_bot_is_handed_a_position_and_nothing_else() -> None:
    position = positions("original", 3, games=1)[0]
    again = GAME.read_position(position.to_wire())
    assert heuristic.soldato(again, Dice(1)) == heuristic.soldato(position, Dice(1))


def test_a_spectator_has_candidates_too() -> None:
    state = GAME.new(GAME.settings(), 3)
    resolve_chance(state, Dice(3))
    assert heuristic.candidates(GAME.position(state, SPECTATOR))
