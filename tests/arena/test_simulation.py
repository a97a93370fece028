"""Simulations: rotation, seeds and tallies."""

import pytest

from cosca.arena.interval import wilson
from cosca.arena.simulation import Simulation, Tally, play
from cosca.catalog import find

GAME = find("vendetta")


def simulation(**changes: object) -> Simulation:
    """Return a simulation with three random players."""
    parts: dict[str, object] = {
        "game": "vendetta",
        "settings": GAME.settings("", {"max_rounds": "20"}),
        "seats": 3,
        "bots": ("a", "b", "c"),
        "seed": 5,
    }
    return Simulation(**{**parts, **changes})  # type: ignore[arg-type]  # names are checked above


def test_without_rotation_everyone_keeps_the_seat() -> None:
    assert simulation().seating(7) == ("a", "b", "c")
    assert simulation().bout(7).deal == 7


def test_with_rotation_each_deal_is_played_once_from_every_seat() -> None:
    rotating = simulation(rotate=True)
    assert [rotating.seating(number) for number in (3, 4, 5)] == [
        ("a", "b", "c"),
        ("c", "a", "b"),
        ("b", "c", "a"),
    ]
    assert [rotating.bout(number).deal for number in range(7)] == [0, 0, 0, 1, 1, 1, 2]


def test_a_game_is_determined_by_the_seed_and_its_number() -> None:
    random = simulation(bots=("random",) * 3)
    assert play(random, 4) == play(random, 4)
    assert play(random, 4) != play(random, 5)


def test_a_tally_adds_up_shares_by_seat_and_by_bot() -> None:
    random = simulation(bots=("random",) * 3)
    tally = Tally(3)
    for number in range(3):
        tally.add(play(random, number), ["x", "y", "x"])
    assert tally.games == sum(tally.reasons.values()) == 3
    assert sum(tally.wins_by_seat) == pytest.approx(3)
    assert tally.wins_by_bot["y"] == pytest.approx(tally.wins_by_seat[1])


def test_the_interval_of_a_rate_contains_it_and_stays_within_0_and_1() -> None:
    low, high = wilson(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert wilson(0, 10)[0] == pytest.approx(0)
    assert wilson(10, 10)[1] == pytest.approx(1)
