"""A house that closes leaves nothing half done behind."""

import asyncio
import gc

import pytest

from cosca.testing.walks import seeded_walks
from tests.laws.cases import SITTINGS
from tests.server.wires import Ear, at_table, play


@pytest.mark.filterwarnings("error")
def test_what_was_to_be_done_beside_is_called_off_when_the_house_closes() -> None:
    _, sitting = SITTINGS["vendetta 4 with max_rounds=1"]
    (walk,) = seeded_walks(sitting, 1)

    async def end_at_once() -> str:
        async with at_table(walk) as truth:
            for step in walk.log:
                if step[0] >= 0:
                    await play(truth.live, *step, Ear([]))
            return truth.live.room.stage

    assert asyncio.run(end_at_once()) == "over"
    gc.collect()
