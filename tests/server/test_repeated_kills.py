"""kill -9 under load: no acknowledged command is lost or doubled. 500 times more in tests/soak."""

from pathlib import Path

import pytest

from tests.server.repeated_kills import kill_again_and_again

CHUNKS = 5
KILLS = 4


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_acknowledged_is_lost_however_often_the_house_is_killed(
    chunk: int, tmp_path: Path
) -> None:
    ready = kill_again_and_again(tmp_path / "tables.db", chunk, KILLS)
    assert len(ready) == 1 + KILLS
    print("seconds until ready:", [round(seconds, 2) for seconds in ready])
