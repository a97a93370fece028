"""Options that contradict each other or the number of seats are refused everywhere."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cosca.arena.contest import Contest
from cosca.arena.folder import CONTEST, read_contest
from cosca.catalog import ALL, find
from cosca.cli.saved_game import HOME, SavedGame
from cosca.cli.seating import make_seating
from cosca.cli.session import Session
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.match.record import Scribe, canonical_json
from cosca.match.replay import replay_record
from cosca.match.score_sheet import parse_score_sheet
from cosca.match.sealed import SealedDice
from cosca.match.table import Table
from cosca.match.verification import InvalidRecord, Record, verify
from cosca.server.domain.opening import NewTable, opening
from cosca.server.domain.room import Room
from cosca.words import LANGUAGES, say
from tests.cli.test_commands import cosca
from tests.server.in_process import Visitor, open_server, table

Bad = tuple[str, int, dict[str, str], str]
CONTRADICTIONS: list[Bad] = [
    ("vendetta", 3, {"trustee": "4"}, "vendetta.no_such_trustee"),
    ("vendetta", 3, {"trustee": "5"}, "vendetta.no_such_trustee"),
    ("vendetta", 4, {"trustee": "5"}, "vendetta.no_such_trustee"),
    ("omerta", 3, {"first_call": "6", "max_rounds": "5"}, "omerta.no_call_in_time"),
]
"""Of each game some settings that contradict each other or the seats."""
GOOD = [
    ("vendetta", 5, {"trustee": "5"}),
    ("vendetta", 3, {"trustee": "0"}),
    ("omerta", 3, {"first_call": "5", "max_rounds": "5"}),
    ("omerta", 3, {"first_call": "6", "max_rounds": "0"}),
]
every_contradiction = pytest.mark.parametrize("bad", CONTRADICTIONS, ids=str)


def why(entry: Callable[[], object]) -> str:
    """Return the key of the refusal."""
    with pytest.raises(Refused) as caught:
        entry()
    return caught.value.key


@every_contradiction
def test_the_game_itself_and_a_table_refuse(bad: Bad) -> None:
    name, seats, changes, key = bad
    game = find(name)
    settings = game.settings("", changes)
    dice = SealedDice("table", bytes(32), {})
    assert why(lambda: game.check(settings, seats)) == key
    assert why(lambda: game.new(settings, seats)) == key
    assert why(lambda: Table(game, settings, seats, Dice(1))) == key
    assert why(lambda: Table.resume(game, settings, seats, [], Dice(1))) == key
    assert why(lambda: Scribe(game, settings, seats, dice, ["x"] * seats)) == key


@pytest.mark.parametrize(("name", "seats", "changes"), GOOD)
def test_settings_that_just_go_together_are_fine(
    name: str, seats: int, changes: dict[str, str]
) -> None:
    game = find(name)
    Table(game, game.settings("", changes), seats, Dice(1))


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_a_value_that_an_option_cannot_have_is_refused_in_library_calls_too(
    game: Game[Any, Any],
) -> None:
    for option in game.options:
        settings = {**game.settings(), option.key: -7}
        assert why(partial(game.new, settings, game.default_seats)) == "bad_value"


@every_contradiction
@pytest.mark.parametrize("command", ["play", "simulate", "arena"])
def test_commands_refuse_with_one_sentence(
    command: str, bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, seats, changes, key = bad
    monkeypatch.setenv(HOME, str(tmp_path))
    sets = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    bots = ["--bots", "random,random"] if command == "arena" else []
    done = cosca(command, name, "--seats", str(seats), *sets, *bots)
    error = reason_text(name, seats, changes)
    assert done == (2, "", f"{error}\n")
    assert key.partition(".")[0] == name and len(error.splitlines()) == 1


def reason_text(name: str, seats: int, changes: dict[str, str], language: str = "en") -> str:
    """Return the sentence about a contradiction."""
    game = find(name)
    with pytest.raises(Refused) as caught:
        game.check(game.settings("", changes), seats)
    return say(caught.value.key, caught.value.params, language)


@every_contradiction
def test_the_sentence_names_what_to_set_in_every_language(bad: Bad) -> None:
    name, seats, changes, _ = bad
    sentences = [reason_text(name, seats, changes, language) for language in LANGUAGES]
    assert len(set(sentences)) == len(LANGUAGES)
    for sentence in sentences:
        assert all(option in sentence and value in sentence for option, value in changes.items())


@every_contradiction
def test_no_table_is_opened_in_a_house(bad: Bad, tmp_path: Path) -> None:
    name, seats, changes, key = bad

    async def ask() -> tuple[int, dict[str, object]]:
        async with open_server(tmp_path / "tables.db") as server:
            wanted = table(name, ["you"] + ["random"] * (seats - 1), options=changes)
            answer = await Visitor(server.app).post("/api/tables", **wanted)
            return answer.status, answer.json()

    status, body = asyncio.run(ask())
    assert (status, body["key"]) == (409, key)


@every_contradiction
def test_a_log_of_such_a_table_is_refused(bad: Bad) -> None:
    name, seats, changes, key = bad
    game = find(name)
    wanted = NewTable(game=name, seats=["you", *["random"] * (seats - 1)], name="Ada")
    line = opening(game, wanted, code="abcd", host="", seed=bytes(32), at=0)
    line.settings |= dict(game.settings("", changes))
    assert why(lambda: Room(line)) == key


@every_contradiction
def test_a_record_of_such_a_game_is_refused(bad: Bad) -> None:
    name, seats, changes, key = bad
    game = find(name)
    dice = SealedDice("table", bytes(32), {})
    scribe = Scribe(game, game.settings(), seats, dice, ["x"] * seats)
    header = json.loads(scribe.header)
    header["options"] |= {key: game.option(key).parse(value) for key, value in changes.items()}
    last = {"result": {}, "seed": bytes(32).hex(), "chain": ""}
    for read in (verify, replay_record):
        with pytest.raises(InvalidRecord) as caught:
            read(Record([canonical_json(header), canonical_json(last)], [header, last]))
        assert (caught.value.line, caught.value.key) == (1, "record.bad_header")
    options = " ".join(f"{key}={value}" for key, value in changes.items())
    names = "\n".join(say(f"{name}.seat.{seat}", {}) + " x" for seat in range(seats))
    score = f"Game {game.title}, rules 1\nEdition original {options}\nTable t\n{names}\n\n"
    assert why(lambda: parse_score_sheet(score)) == key


@every_contradiction
def test_a_saved_game_and_an_arena_with_them_are_refused(
    bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, seats, changes, key = bad
    game = find(name)
    monkeypatch.setenv(HOME, str(tmp_path))
    saved = SavedGame(game)
    saved.write(Session.new(make_seating(game, seats=seats, bots="random", seed=1)))
    saved_game = json.loads(saved.path.read_text())
    saved_game["settings"] |= dict(game.settings("", changes))
    saved.path.write_text(json.dumps(saved_game))
    assert why(saved.read) == "play.bad_save"
    settings = dict(game.settings("", changes))
    bots = ("random",) * seats
    assert why(lambda: Contest.of(game, settings, seats, bots, 1)) == key
    plan = {"game": name, "rules": 1, "settings": settings, "seats": seats, "bots": bots, "seed": 1}
    (tmp_path / CONTEST).write_text(json.dumps(plan))
    assert why(lambda: read_contest(tmp_path)) == key
