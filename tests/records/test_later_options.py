"""Options and facts added after a record format do not change what older records say."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from cosca.arena.contest import Contest
from cosca.arena.folder import CONTEST, read_contest
from cosca.catalog import ALL, find
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.match.record import Contribution, Scribe
from cosca.match.replay import replay_record
from cosca.match.sealed import SealedDice
from cosca.match.verification import Record, read_record, verify
from tests.records.making import record_of

KEPT = sorted(Path(__file__).parent.glob("kept/0.1.0/*.jsonl"))
LATER = {"vendetta": {"goal"}, "omerta": {"driver_snap", "use"}, "sicilianos": set()}
"""The options of each game that no record of 0.1.0 lists."""
every_game = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)


def read(text: str) -> Record:
    """Return a record as text."""
    return read_record(io.BytesIO(text.encode()))


def written(name: str, format: int, **changes: str) -> Record:
    """Return the record of a short game."""
    game = find(name)
    short = {"max_rounds": "1"} | ({"games": "1"} if name == "omerta" else {})
    dice = SealedDice("table", bytes(32), {}, format=format)
    return read(record_of(game, game.settings("", short | changes), dice, ["x"] * 3, Dice(4)))


@every_game
def test_later_options_are_marked_as_such(game: Game[Any, Any]) -> None:
    assert {option.key for option in game.options if option.since > 1} == LATER[game.name]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_no_kept_record_lists_a_later_option(path: Path) -> None:
    header = json.loads(path.read_text().splitlines()[0])
    assert not LATER[header["game"]] & header["options"].keys()
    verify(read(path.read_text()))


@every_game
def test_format_1_lists_a_later_option_only_where_it_changes_something(
    game: Game[Any, Any],
) -> None:
    usual = game.settings()
    listed = game.list_settings(usual, 1)
    assert usual.keys() - listed.keys() == LATER[game.name]
    assert game.list_settings(usual, 2) == usual
    assert game.read_settings(listed) == usual
    for key in LATER[game.name]:
        for value in game.option(key).values[1:]:
            changed = {**usual, key: value}
            assert game.list_settings(changed, 1)[key] == value
            assert game.read_settings(game.list_settings(changed, 1)) == changed


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("vendetta", {}),
        ("vendetta", {"goal": "exceed"}),
        ("omerta", {"driver_snap": "each", "use": "must"}),
        ("omerta", {"use": "must"}),
    ],
)
@pytest.mark.parametrize("format", [1, 2])
def test_records_with_and_without_later_options_are_good(
    name: str, changes: dict[str, str], format: int
) -> None:
    record = written(name, format, **changes)
    assert changes.items() <= record.header["options"].items()
    verify(record)
    assert replay_record(record).settings == find(name).read_settings(record.header["options"])


@pytest.mark.parametrize(("format", "facts"), [(1, []), (2, ["cannot_place"])])
def test_a_fact_that_came_later_is_in_no_record_of_format_1(format: int, facts: list[str]) -> None:
    game = find("vendetta")
    bots = [Contribution("bot")] * 3
    dice = SealedDice("table", bytes(32), {}, format=format)
    scribe = Scribe(game, game.settings(), 3, dice, ["x"] * 3, bots)
    everywhere = ",".join(f"{district}:0.0.2" for district in range(1, 14))
    scribe.state = game.parse_state(f"phase=card active=2 hands=1.1.1 men={everywhere}")
    recorded = [fact["fact"] for fact in json.loads(scribe.write_chance())["facts"]]
    assert recorded[: len(facts) + 1] == [*facts, "turned_up"]


def test_an_arena_of_an_older_release_can_be_continued(tmp_path: Path) -> None:
    game = find("omerta")
    contest = Contest.of(game, dict(game.settings()), 3, ("random",) * 3, 1)
    old = {key: value for key, value in game.settings().items() if key not in LATER["omerta"]}
    plan = {"game": "omerta", "rules": 1, "settings": old, "seats": 3}
    (tmp_path / CONTEST).write_text(json.dumps({**plan, "bots": ["random"] * 3, "seed": 1}))
    assert read_contest(tmp_path) == contest
