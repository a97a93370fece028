"""kill -9 under load: no acknowledged command is lost or done twice. tests/soak kills more."""

from pathlib import Path

import pytest

from tests.server.repeated_kills import kill_repeatedly

CHUNKS = 5
KILLS = 4


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_acknowledged_is_lost_when_the_house_is_killed(chunk: int, tmp_path: Path) -> None:
    start_seconds = kill_repeatedly(tmp_path / "tables.db", chunk, KILLS)
    assert len(start_seconds) == 1 + KILLS
    print("seconds until ready:", [round(seconds, 2) for seconds in start_seconds])
