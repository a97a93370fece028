"""Records: written, read and verified, and rejected after any single change."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cosca.arena.simulation import Simulation, play, record
from cosca.catalog import find
from cosca.match.record import chain_link
from cosca.match.verification import (
    LONGEST_LINE,
    InvalidRecord,
    Record,
    UnreadableRecord,
    read_record,
    verify,
)
from cosca.words import say
from tests.records.making import key_of, lines_of, text_of

GAME = find("vendetta")
KEPT = sorted((Path(__file__).parent / "kept").glob("*/*.jsonl"))


def written(seed: int = 1, seats: int = 3, edition: str = "", rounds: int = 2) -> str:
    """Return the record of a short random game."""
    settings = GAME.settings(edition, {"max_rounds": str(rounds)})
    simulation = Simulation("vendetta", settings, seats, ("random",) * seats, seed)
    return record(simulation, 0, play(simulation, 0))


def read(text: str | bytes) -> Record:
    """Return a record from its text."""
    return read_record(io.BytesIO(text.encode() if isinstance(text, str) else text))


def check(text: str) -> None:
    """Read and verify a record."""
    verify(read(text))


def broken(text: str) -> InvalidRecord:
    """Return what verification finds wrong."""
    with pytest.raises(InvalidRecord) as caught:
        check(text)
    assert say(caught.value.key, caught.value.params)
    return caught.value


def changed(text: str, number: int, change: Callable[[dict[str, Any]], object]) -> str:
    """Return a record with one line changed and a consistent chain."""
    lines = lines_of(text)
    key = key_of(lines)
    change(lines[number - 1])
    chain = ""
    for line in lines:
        line.pop("chain")
        chain = chain_link(chain, line, key, 2)
        line["chain"] = chain
    return text_of(lines)


def where(text: str, fact: str, part: str = "facts") -> tuple[int, int]:
    """Return the line (from 1) and index of the first fact of a kind."""
    for number, line in enumerate(text.splitlines(), start=1):
        for place, found in enumerate(json.loads(line).get(part, ())):
            if found["fact"] == fact:
                return number, place
    raise AssertionError(f"there is no fact {fact}")


@pytest.mark.parametrize("edition", list(GAME.editions))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_an_honest_record_is_good(edition: str, seats: int) -> None:
    for seed in range(5):
        check(written(seed, seats, edition))


def test_a_whole_game_is_good() -> None:
    check(written(rounds=200))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_record_of_every_release_stays_good(path: Path) -> None:
    check(path.read_text(encoding="utf-8"))


def test_there_is_a_record_of_the_first_release() -> None:
    assert "0.1.0" in {path.parent.name for path in KEPT}


# --- One thing changed -----------------------------------------------------------------------


FACTS = [
    ("trustee", "seat"),
    *(("dealt", key) for key in ("seat", "district")),
    *(("round", key) for key in ("round", "seat")),
    *(("placed", key) for key in ("seat", "district", "number")),
    ("passed", "seat"),
    *(("turned_up", key) for key in ("seat", "district")),
    *(("lost", key) for key in ("seat", "district", "number")),
    *(("collected", key) for key in ("seat", "number")),
    *(("raided", key) for key in ("district", "number")),
    *(("scored", key) for key in ("seat", "districts", "points", "total")),
    *(("reinforced", key) for key in ("seat", "number")),
    ("won_by_max_rounds", "seat"),
]


def eventful() -> str:
    """Return a record with every kind of fact."""
    for seed in range(200):
        text = written(seed, seats=4)
        if all(f'"fact":"{fact}"' in text for fact, _ in FACTS):
            return text
    raise AssertionError("no game had it all")


LONG = eventful()


@pytest.mark.parametrize(("fact", "key"), FACTS)
def test_a_changed_fact_is_found_even_with_a_consistent_chain(fact: str, key: str) -> None:
    number, place = where(LONG, fact)

    def change(line: dict[str, Any]) -> None:
        line["facts"][place][key] += 1

    found = broken(changed(LONG, number, change))
    assert (found.line, found.key) == (number, "record.bad_facts")


@pytest.mark.parametrize("fact", sorted({fact for fact, _ in FACTS}))
def test_a_missing_or_repeated_fact_is_found(fact: str) -> None:
    number, place = where(LONG, fact)
    left_out = changed(LONG, number, lambda line: line["facts"].pop(place))
    assert broken(left_out).line == number
    twice = changed(LONG, number, lambda line: line["facts"].append(line["facts"][place]))
    assert broken(twice).line == number


@pytest.mark.parametrize(("fact", "key"), [("controls", "district"), ("holds", "box")])
def test_an_unspoken_fact_changed_or_left_out_is_found(fact: str, key: str) -> None:
    number, place = where(LONG, fact, "unspoken")

    def change(line: dict[str, Any]) -> None:
        line["unspoken"][place][key] += 1

    def drop(line: dict[str, Any]) -> None:
        line["unspoken"].pop(place)

    for bad in (change, drop, lambda line: line.pop("unspoken")):
        found = broken(changed(LONG, number, bad))
        assert (found.line, found.key) == (number, "record.bad_facts")


@pytest.mark.parametrize("number", [1, 2, 12, 30, -1])
def test_any_single_character_changed_is_found(number: int) -> None:
    lines = written().splitlines()
    line = lines[number - 1 if number > 0 else number]
    for at in range(0, len(line), 3):
        other = "0" if line[at] != "0" else "1"
        lines[number - 1 if number > 0 else number] = line[:at] + other + line[at + 1 :]
        with pytest.raises((InvalidRecord, UnreadableRecord)):
            check("\n".join([*lines, ""]))


def line_of(text: str, by_chance: bool) -> int:
    """Return a line in the middle, of chance or of a player."""
    lines = [json.loads(line) for line in text.splitlines()]
    return next(
        n for n, line in enumerate(lines, 1) if n > 12 and (line["by"] == "chance") is by_chance
    )


@pytest.mark.parametrize(
    ("part", "key"), [("rolled", "bad_draw"), ("index", "bad_draw"), ("purpose", "bad_draw")]
)
def test_a_changed_draw_is_found(part: str, key: str) -> None:
    number = line_of(LONG, by_chance=True)

    def change(line: dict[str, Any]) -> None:
        value = line["draw"][part]
        line["draw"][part] = value + 1 if isinstance(value, int) else value + "s"

    assert broken(changed(LONG, number, change)).key == f"record.{key}"


def test_another_card_than_the_dice_say_is_found() -> None:
    number = line_of(LONG, by_chance=True)
    another = changed(LONG, number, lambda line: line.update(does="card 1"))
    assert broken(another).line == number


def test_a_move_that_is_not_legal_is_found() -> None:
    number = line_of(LONG, by_chance=False)
    assert broken(changed(LONG, number, lambda line: line.update(does="50>1"))).key == (
        "record.illegal"
    )
    assert broken(changed(LONG, number, lambda line: line.update(does="fly"))).key == (
        "record.bad_does"
    )
    assert broken(changed(LONG, number, lambda line: line.update(by=9))).key == "record.bad_by"


def test_another_result_is_found() -> None:
    last = len(LONG.splitlines())
    for change in ({"winners": [3, 2]}, {"reason": "districts"}):
        other = changed(LONG, last, lambda line, change=change: line["result"].update(change))  # type: ignore[misc]  # mypy cannot infer a lambda with a default
        assert (broken(other).line, broken(other).key) == (last, "record.bad_result")


def test_a_seed_that_does_not_match_the_seal_is_found() -> None:
    last = len(LONG.splitlines())
    assert broken(changed(LONG, last, lambda line: line.update(seed="00" * 32))).key == (
        "record.bad_commitment"
    )


@pytest.mark.parametrize(
    "change",
    [
        {"seats": 9},
        {"players": ["one"]},
        {"contributions": [{"is": "bot"}] * 3},
        {"contributions": [{"is": "bot"}] * 5},
        {"contributions": {"0": {"is": "bot"}}},
        {"contributions": [{"is": "bot"}] * 3 + [{"is": "ghost"}]},
        {"contributions": [{"is": "bot"}] * 3 + [{"is": "bot", "bytes": "00" * 16}]},
        {"contributions": [{"is": "bot"}] * 3 + [{"is": "withheld", "commitment": "zz"}]},
        {"contributions": [{"is": "bot"}] * 3 + [{"is": "revealed", "bytes": "00" * 16}]},
        {"contributions": ["bot"] * 4},
        {"entropy": {}},
        {"options": {"control": "best"}},
        {"edition": "french"},
        {"seats": "3"},
    ],
)
def test_an_invalid_header_is_found(change: dict[str, Any]) -> None:
    assert broken(changed(LONG, 1, lambda line: line.update(change))).line == 1


def test_half_a_character_in_a_name_is_found() -> None:
    assert broken(LONG.replace('"random"', r'"\ud800"', 1)).line == 1


def test_lines_swapped_dropped_or_doubled_are_found() -> None:
    lines = LONG.splitlines()
    assert broken("\n".join([*lines[:20], lines[21], lines[20], *lines[22:], ""])).line == 21
    assert broken("\n".join([*lines[:20], *lines[21:], ""])).line == 21
    assert broken("\n".join([*lines[:20], lines[19], *lines[20:], ""])).line == 21


def test_a_record_that_stops_early_is_not_good() -> None:
    lines = LONG.splitlines()
    assert broken("\n".join([*lines[:-1], ""])).key == "record.unfinished"
    assert broken("\n".join([*lines[:-5], lines[-1], ""])).key == "record.ends_early"


def test_steps_after_the_end_are_found() -> None:
    lines = LONG.splitlines()
    more = "\n".join([*lines[:-1], lines[-2], lines[-1], ""])
    assert broken(more).key == "record.after_the_end"


# --- What is no record -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "empty"),
        ("\n", "not_json"),
        ("noise\n", "not_json"),
        ("[]\n", "not_json"),
        ("{}\n", "no_header"),
        ('{"cosca":"record","format":3}\n', "other_format"),
        ('{"cosca":"record","format":true}\n', "no_header"),
        ('{"cosca":"record","format":1,"game":"chess"}\n', "other_game"),
        ('{"cosca":"record","format":1,"game":"vendetta","rules":99}\n', "other_rules"),
        ('{"cosca":"record","format":1,"game":"vendetta","rules":1}', "cut_line"),
        ("[" * 500_000 + "\n", "not_json"),
        ("[" * (LONGEST_LINE + 5), "long_line"),
        ("1" * 5_000 + "\n", "not_json"),
        ('{"cosca":NaN}\n', "not_json"),
    ],
    ids=str,
)
def test_unreadable_files_are_reported(text: str, key: str) -> None:
    with pytest.raises(UnreadableRecord) as caught:
        read(text)
    assert caught.value.key == f"record.{key}"
    assert say(caught.value.key, caught.value.params)


def test_invalid_utf8_is_not_a_record() -> None:
    with pytest.raises(UnreadableRecord, match="not_json"):
        read(b"\xff\xfe\n")


class Endless(io.RawIOBase):
    """A hundred megabytes of brackets, generated on demand."""

    def __init__(self) -> None:
        self.left = 100_000_000
        self.given = 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Some more brackets."""
        size = min(len(buffer), self.left)
        buffer[:size] = b"[" * size
        self.left -= size
        self.given += size
        return size


def test_a_huge_file_is_rejected_early() -> None:
    brackets = Endless()
    with pytest.raises(UnreadableRecord, match="long_line"):
        read_record(io.BufferedReader(brackets))
    assert brackets.given < 2 * LONGEST_LINE
