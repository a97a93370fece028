"""Exactly once: whatever the network does to commands, each is done once and answered the same."""

from pathlib import Path

import pytest

from tests.server.hand import World, in_hand
from tests.server.schedules import Schedule

CHUNKS = 20
SCHEDULES = 100


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_thousand_schedules_are_done_exactly_once(chunk: int, tmp_path: Path) -> None:
    async def all_of_them(world: World) -> None:
        for number in range(SCHEDULES):
            await Schedule(world, SCHEDULES * chunk + number).run()

    in_hand(tmp_path / "tables.db", all_of_them)
