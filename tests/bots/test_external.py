"""External bots: every answer is checked, and errors are reported in one sentence."""

import json
import pickle
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import cosca.server
from cosca.bots.external import BotProcesses, check_bot, is_external
from cosca.bots.roster import find_bot
from cosca.catalog import GAMES, find
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.match.table import Table
from cosca.words import say
from tests.bots.programs import EXAMPLES, LUCKY, answering, program

GAME: Game[Any, Any] = find("vendetta")


def position(seat: int = 0, game: Game[Any, Any] = GAME) -> Any:
    """Return the position of the first decision of a game."""
    settings = game.settings("", {"trustee": "1"} if game is GAME else {})
    return Table(game, settings, 3, Dice(1)).position(seat)


def asked(name: str, **parts: Any) -> int:
    """Return a program's answer to one question."""
    with closing(BotProcesses(**parts)) as company:
        return company.bot(GAME, name, 0)(position(), Dice(3))


class Clock:
    """Stands still until started; then an hour passes at every reading."""

    def __init__(self) -> None:
        self.now = 0.0
        self.runs = False

    def __call__(self) -> float:
        self.now += 3600 * self.runs
        return self.now


# --- Programs that play ---------------------------------------------------------------------------


def test_a_program_receives_its_position_and_nothing_else() -> None:
    lines: list[str] = []
    with closing(BotProcesses(on_line=lines.append)) as company:
        at = position()
        action = company.bot(GAME, LUCKY, 0)(at, Dice(3))
    hello, ready, question, answer, bye = [json.loads(line[2:]) for line in lines]
    assert [line[0] for line in lines] == [">", "<", ">", "<", ">"]
    assert hello == {
        "type": "hello",
        "protocol": 1,
        "game": "vendetta",
        "rules": GAME.version,
        "seconds": 30.0,
    }
    assert ready["type"] == "ready"
    assert set(question) == {"type", "id", "seed", "position", "moves"}
    assert GAME.read_position(question["position"]) == at
    assert len(question["moves"]) == len(at.legal)
    assert answer == {"id": 1, "action": action}
    assert bye == {"type": "bye"}


def test_the_docs_show_the_real_protocol() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "bot-protocol.md").read_text(encoding="utf-8")
    shown = [line.replace("…,", "") for line in re.findall(r"^[<>] .*$", page, re.MULTILINE)]
    lines: list[str] = []
    with closing(BotProcesses(on_line=lines.append)) as company:
        company.bot(GAME, LUCKY, 0)(position(), Dice(3))

    def outline(line: str) -> tuple[str, list[str], str]:
        message = json.loads(line[2:])
        return line[0], sorted(message), message.get("type", "")

    assert [outline(line) for line in shown] == [outline(line) for line in lines]


def test_the_same_dice_give_the_same_answer() -> None:
    assert asked(LUCKY) == asked(LUCKY)


def test_each_seat_has_a_process_of_its_own(tmp_path: Path) -> None:
    """A program that counts its questions has counted one for each seat, not two."""
    nth = "'action': message['position']['legal'][message['id']]"
    name = answering(tmp_path, f"print(json.dumps({{'id': message['id'], {nth}}}), flush=True)")
    with closing(BotProcesses()) as company:
        first = company.bot(GAME, name, 0)
        assert company.bot(GAME, name, 0) is first
        other = company.bot(GAME, name, 1)
        assert other is not first
        legal = position().legal
        assert [first(position(), Dice(1)), first(position(), Dice(1))] == list(legal[1:3])
        assert other(position(), Dice(1)) == legal[1]


@pytest.mark.parametrize("name", GAMES)
def test_a_question_names_each_move(name: str) -> None:
    game = find(name)
    lines: list[str] = []
    table = Table(game, game.settings(), 3, Dice(1))
    seat = table.actors[0]
    with closing(BotProcesses(on_line=lines.append)) as company:
        company.bot(game, LUCKY, seat)(table.position(seat), Dice(1))
    question = json.loads(lines[2][2:])
    for action, move in zip(question["position"]["legal"], question["moves"], strict=True):
        assert game.to_actions(game.parse_move(move))[0] == action


# --- Programs that do not -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("print('pass', flush=True)", "external_bot.not_json"),
        ("print('[1]', flush=True)", "external_bot.not_json"),
        ("print('[' * 100_000, flush=True)", "external_bot.not_json"),
        ("print(json.dumps({'action': 1}), flush=True)", "external_bot.other_question"),
        ("print(json.dumps({'id': 7, 'action': 1}), flush=True)", "external_bot.other_question"),
        ("print(json.dumps({'id': 1}), flush=True)", "external_bot.illegal"),
        ("print(json.dumps({'id': 1, 'action': 10**30}), flush=True)", "external_bot.illegal"),
        ("print(json.dumps({'id': 1, 'action': True}), flush=True)", "external_bot.illegal"),
        ("print(json.dumps({'id': 1, 'action': '650'}), flush=True)", "external_bot.illegal"),
        ("sys.exit(3)", "external_bot.died"),
        ("raise ValueError('I am lost')", "external_bot.died_saying"),
        ("import os; os.close(1); sys.stdin.read()", "external_bot.died"),
    ],
)
def test_an_invalid_answer_is_explained(tmp_path: Path, answer: str, key: str) -> None:
    name = answering(tmp_path, answer)
    with pytest.raises(Refused) as refused:
        asked(name)
    assert refused.value.key == key
    sentence = say(refused.value.key, refused.value.params)
    assert name in sentence
    assert "\n" not in sentence


def test_the_last_error_line_of_a_program_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        asked(answering(tmp_path, "raise ValueError('I am lost')"))
    assert refused.value.params["said"] == "ValueError: I am lost"
    assert refused.value.params["code"] == 1


@pytest.mark.parametrize("answer", ["pass", "sys.stdin.read()"])
def test_a_silent_program_times_out(tmp_path: Path, answer: str) -> None:
    clock = Clock()
    with closing(BotProcesses(clock=clock)) as company:
        bot = company.bot(GAME, answering(tmp_path, answer), 0)
        clock.runs = True
        with pytest.raises(Refused, match=r"external_bot\.silent"):
            bot(position(), Dice(1))


def test_a_program_that_never_reads_times_out(tmp_path: Path) -> None:
    """Its pipe is full before a single long question has gone through."""
    says = 'import time; print(\'{"type": "ready"}\', flush=True); time.sleep(1000)'
    clock = Clock()

    class Long:
        """A position of more bytes than a pipe holds."""

        legal = (position().legal[0],)

        def to_wire(self) -> dict[str, str]:
            """As plain JSON."""
            clock.runs = True
            return {"long": "x" * 1_000_000}

    with closing(BotProcesses(clock=clock)) as company:
        bot = company.bot(GAME, program(tmp_path, says), 0)
        with pytest.raises(Refused, match=r"external_bot\.silent"):
            bot(Long(), Dice(1))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("run:", "external_bot.bad_command"),
        ("run:'half a quote", "external_bot.bad_command"),
        ("run:./there/is/no/such/program", "external_bot.no_such_program"),
        (f"run:{sys.executable} -c pass", "external_bot.died"),
        (f"run:{sys.executable} -c 'print(1)'", "external_bot.not_json"),
        (f"run:{sys.executable} -c 'print(dict())'", "external_bot.not_ready"),
    ],
)
def test_unknown_bots_are_refused(name: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        asked(name)
    assert refused.value.key == key


# --- Who may open it ------------------------------------------------------------------------------


def test_external_bots_can_be_named_on_the_command_line_only() -> None:
    """The server takes names from strangers through `find_bot`, so that must refuse programs."""
    assert is_external(LUCKY)
    check_bot(GAME, LUCKY)
    with pytest.raises(Refused, match="bad_bot"):
        find_bot(GAME, LUCKY)


def test_the_server_does_not_import_external_bots() -> None:
    files = list(Path(cosca.server.__file__).parent.rglob("*.py"))
    assert files
    name = BotProcesses.__module__
    assert [file.name for file in files if name in file.read_text(encoding="utf-8")] == []


def test_a_refusal_travels_between_processes() -> None:
    sent = Refused("external_bot.died", bot="run:x", code=3)
    again = pickle.loads(pickle.dumps(sent))
    assert (again.key, again.params) == (sent.key, sent.params)
