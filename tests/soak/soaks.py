"""The soaks: tests that take too long for every day, each cut into pieces that run on their own.

A piece is a number. It stands for the same seeds on every machine, so that a failure can be
repeated, and pieces that were done need not be done again.
"""

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from cosca.arena.simulation import Simulation, play, record
from cosca.catalog import GAMES
from cosca.testing.laws import RULE_LAWS
from cosca.testing.secrecy import WORLD_LAWS, twins_look_the_same
from cosca.testing.table_laws import TABLE_LAWS
from cosca.testing.walks import POLICIES, seeded_walks
from tests.laws.cases import CASES, SETUPS
from tests.records.making import honest, is_good
from tests.server.manual_world import World as HouseWorld
from tests.server.manual_world import in_world
from tests.server.repeated_kills import kill_repeatedly
from tests.server.schedules import Schedule
from tests.server.test_resync import CUTS, Cuts
from tests.simulation.world import World
from tests.soak.fuzz import fuzz

SEED: Final = 1_000_000
"""Far from the seeds of the quick tests."""


@dataclass(frozen=True)
class Soak:
    """A long test: what it counts, how much of that is enough, and how to run one piece."""

    name: str
    unit: str
    """What is counted, as a word after the number."""
    target: int
    run: Callable[[int], int]
    """Run one piece; return how many units it did."""


def kills(piece: int) -> int:
    """Kill a house ten times under load; nothing acknowledged may be lost or doubled."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "tables.db"
        return len(kill_repeatedly(store, SEED + piece, times=10)) - 1


def schedules(piece: int) -> int:
    """Let a bad network repeat, delay and cut commands; each must be done exactly once."""
    number = 100

    async def run_all(world: HouseWorld) -> None:
        for each in range(number):
            await Schedule(world, SEED + number * piece + each, commands=12).run()

    with tempfile.TemporaryDirectory() as folder:
        in_world(Path(folder) / "tables.db", run_all, houses=3)
    return number


def reconnects(piece: int) -> int:
    """Cut connections; whoever reconnects must know what those who stayed know, byte for byte."""
    tables = 5

    async def run_all(world: HouseWorld) -> None:
        for each in range(tables):
            await Cuts(world, SEED + tables * piece + each).run()

    with tempfile.TemporaryDirectory() as folder:
        in_world(Path(folder) / "tables.db", run_all, houses=3)
    return tables * CUTS


def seeds(piece: int) -> int:
    """Simulate houses, disks, networks, clocks and browsers; what must hold has to hold."""
    number = 20
    for seed in range(SEED + piece * number, SEED + (piece + 1) * number):
        try:
            World(seed).run()
        except Exception as error:
            error.add_note(f"python -m tests.simulation {seed} --trace")
            raise
    return number


def twins(game: str, piece: int) -> int:
    """Compare pairs of games that differ only in what a seat may not know; it must not notice."""
    case = CASES[game]
    table_setups = [setup for each, setup in SETUPS.values() if each is case]
    setup = table_setups[piece % len(table_setups)]
    walks = seeded_walks(setup, len(POLICIES), SEED + piece, most=400)
    return sum(twins_look_the_same(case, walk) for walk in walks)


def laws(piece: int) -> int:
    """Take random walks and hold each against every law that must hold for every game."""
    case, setup = list(SETUPS.values())[piece % len(SETUPS)]
    most = {} if setup.must_end else {"most": 400}
    walks = seeded_walks(setup, len(POLICIES), SEED + piece, **most)
    for law in (*RULE_LAWS, *TABLE_LAWS, *WORLD_LAWS):
        assert sum(law(case, walk) for walk in walks) > 0, f"{law.__name__} looked at nothing"
    return len(walks)


def records(piece: int) -> int:
    """Write records of random games; each must verify."""
    number = 100
    for each in range(number):
        assert is_good(honest(number * piece + each, 2)), f"record {number * piece + each}"
    return number


def bots(game: str, piece: int) -> int:
    """Let the strongest bots play a whole game to its end; its record must verify."""
    found = GAMES[game]
    table_setups = [(seats, edition) for seats in found.seats for edition in found.editions]
    seats, edition = table_setups[piece % len(table_setups)]
    settings = found.settings(edition, {"max_rounds": "200"})
    best = list(found.heuristic_bots)[-1]
    simulation = Simulation(game, settings, seats, (best,) * seats, SEED)
    assert is_good(record(simulation, piece, play(simulation, piece)))
    return 1


def _of_each_game(
    name: str,
    unit: str,
    target: int,
    run: Callable[[str, int], int],
    games: Iterable[str] = GAMES,
) -> tuple[Soak, ...]:
    return tuple(Soak(f"{name}-{game}", unit, target, partial(run, game)) for game in games)


WITH_SECRETS: Final = [game for game in GAMES if CASES[game].has_secrets]
"""The others have no two games that differ only in what a seat may not know."""

SOAKS: Final = {
    soak.name: soak
    for soak in (
        Soak("kills", "kills with SIGKILL under load", 1_000, kills),
        Soak("schedules", "schedules of commands done exactly once", 10_000, schedules),
        Soak("reconnects", "reconnects", 10_000, reconnects),
        Soak("seeds", "simulated seeds", 5_000, seeds),
        *_of_each_game("fuzz", "fuzz steps on the build that stops at mistakes", 1_000_000, fuzz),
        *_of_each_game("twins", "pairs of twins", 100_000, twins, WITH_SECRETS),
        Soak("laws", "walks under all laws", 2_000, laws),
        Soak("records", "records verified", 10_000, records),
        *_of_each_game("bots", "whole games of the strongest bots", 60, bots),
    )
}
