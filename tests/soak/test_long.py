"""The long runs, for `./run soak`: the laws over many more walks, and thousands of records."""

import pytest

from cosca.arena.simulation import Simulation, play, record
from cosca.catalog import GAMES
from cosca.testing.door import DOOR
from cosca.testing.laws import PLAY, Law
from cosca.testing.secrecy import SECRECY, WORLD
from cosca.testing.walks import seeded_walks
from tests.laws.cases import SITTINGS
from tests.records.making import honest, is_good

WALKS = 60
SEED = 1_000
"""Far from the seeds of the quick tests."""


@pytest.mark.parametrize("law", [*PLAY, *DOOR, *WORLD], ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", SITTINGS)
def test_the_law_is_kept_over_many_walks(name: str, law: Law) -> None:
    case, sitting = SITTINGS[name]
    most = {} if sitting.must_end else {"most": 400}
    assert sum(law(case, walk) for walk in seeded_walks(sitting, WALKS, SEED, **most)) > 0


@pytest.mark.parametrize("law", SECRECY, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", SITTINGS)
def test_nobody_learns_over_many_walks_what_they_may_not_know(name: str, law: Law) -> None:
    case, sitting = SITTINGS[name]
    for walk in seeded_walks(sitting, WALKS, SEED, most=400):
        law(case, walk)


@pytest.mark.parametrize("chunk", range(20))
def test_ten_thousand_records_are_good(chunk: int) -> None:
    for number in range(500):
        assert is_good(honest(500 * chunk + number, 2))


@pytest.mark.parametrize("name", GAMES)
def test_whole_games_among_the_strongest_bots_end_and_are_good(name: str) -> None:
    game = GAMES[name]
    best = list(game.characters)[-1]
    for seats in game.seats:
        for edition in game.editions:
            settings = game.settings(edition, {"max_rounds": "200"})
            simulation = Simulation(name, settings, seats, (best,) * seats, SEED)
            for number in range(20):
                assert is_good(record(simulation, number, play(simulation, number)))
