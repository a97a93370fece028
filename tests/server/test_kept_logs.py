"""Tables in progress survive an upgrade: logs of every release still give the same views."""

import json
from pathlib import Path

import pytest

from cosca import __version__
from cosca.bots.roster import default_bot
from cosca.catalog import ALL
from cosca.server.domain import log_entries
from cosca.server.domain.log_entries import encode_entry
from cosca.server.domain.room import room_from_log
from tests.server.kept_logs import KEPT, digests, read

LOGS = sorted(KEPT.glob("*/*.jsonl"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_kept_log_still_gives_everybody_the_same_view(path: Path) -> None:
    room = room_from_log(read(path))
    assert digests(room) == json.loads(path.with_suffix(".json").read_text())


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_kept_game_goes_on(path: Path) -> None:
    room = room_from_log(read(path))
    while room.stage == "lobby":
        room.apply(log_entries.Started(at=0, bot=default_bot(room.game)))
        if room.opened.format > 1:
            room.apply(log_entries.CommitmentsClosed(at=0))
        room.apply(log_entries.Dealt(at=0))
    seat = room.actors()[0]
    action = room.position(seat).legal[0]
    before = room.moves[seat]
    room.apply(log_entries.Moved(at=0, seat=seat, actions=[action]))
    assert room.moves[seat] == before + 1


def test_logs_of_this_version_are_kept_for_all_games() -> None:
    kept = {path.stem for path in LOGS if path.parent.name == __version__}
    assert kept == {"lobby", "clocks", *(game.name for game in ALL)}, (
        "python -m tests.server.kept_logs"
    )


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_kind_of_entry_is_decoded_and_encoded_alike(path: Path) -> None:
    if path.parent.name == __version__:
        written = b"".join(encode_entry(entry) + b"\n" for entry in read(path))
        assert written == path.read_bytes()
