"""Two hundred seeds of server, store, clocks, network and browsers in one process."""

import os
import sys

import pytest

from tests.processes import run
from tests.simulation.world import World

CHUNKS, SEEDS = 20, 10


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_all_invariants_hold_for_every_seed(chunk: int) -> None:
    for seed in range(chunk * SEEDS, (chunk + 1) * SEEDS):
        try:
            World(seed).run()
        except Exception as error:
            error.add_note(f"python -m tests.simulation {seed} --trace")
            raise


def test_a_seed_is_reproducible() -> None:
    first, second = (World(7, keep=True).run() for _ in range(2))
    assert first == second
    assert first.digest != World(8).run().digest


def test_a_seed_is_reproducible_in_another_process() -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-m", "tests.simulation", "7", "--trace"]
    finished = run(command, env=environment)
    assert finished.returncode == 0, finished.stderr
    assert World(7).run().digest in finished.stdout


def test_every_kind_of_trouble_occurs() -> None:
    traces = ["\n".join(World(seed, keep=True).run().trace) for seed in range(12)]
    for what in (
        "vendetta",
        "omerta",
        "sicilianos",
        "is killed",
        "is stopped",
        "opens again",
        "is cut",
        "has no patience",
        "goes away",
        "comes back",
        "the wall clock",
        "connects to 1",
        '"do":"resume"',
        '"do":"reclaim_seat"',
        '"what":"takeback"',
        '"type":"refused"',
    ):
        assert any(what in trace for trace in traces), what
