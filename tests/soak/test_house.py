"""The long runs of the house: 500 kills, and many more schedules and cuts."""

from pathlib import Path

import pytest

from tests.server.hand import World, in_hand
from tests.server.killing import kill_again_and_again
from tests.server.schedules import Schedule
from tests.server.test_resync import Cuts

SEED = 1_000_000
"""Far from the seeds of the quick tests."""
CHUNKS = 50


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_acknowledged_is_lost_in_five_hundred_kills(
    chunk: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ready = kill_again_and_again(tmp_path / "tables.db", SEED + chunk, times=10)
    within = sum(seconds <= 2 for seconds in ready)
    with capsys.disabled():
        print(f"\nready again within 2 s: {within} of {len(ready)}, at worst {max(ready):.2f} s")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_more_schedules_are_done_exactly_once(chunk: int, tmp_path: Path) -> None:
    async def all_of_them(world: World) -> None:
        for number in range(400):
            await Schedule(world, SEED + 400 * chunk + number, commands=12).run()

    in_hand(tmp_path / "tables.db", all_of_them, houses=3)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_more_cuts_and_nobody_misses_anything(chunk: int, tmp_path: Path) -> None:
    async def all_of_them(world: World) -> None:
        for number in range(20):
            await Cuts(world, SEED + 20 * chunk + number).run()

    in_hand(tmp_path / "tables.db", all_of_them, houses=3)
