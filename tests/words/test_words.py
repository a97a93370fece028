"""Sentences: parameters, plurals and names are filled in, and no sentence is missing."""

import ast
import re
from pathlib import Path

import pytest

import cosca
from cosca import words
from cosca.catalog import GAMES
from cosca.words import LANGUAGES, format_value, say, sentences

SOURCES = sorted(Path(cosca.__file__).parent.rglob("*.py"))


def test_a_number_chooses_the_form_of_its_noun() -> None:
    params = {"seat": 0, "district": 6}
    assert say("vendetta.placed", {**params, "number": 1}) == (
        "Red places one mafioso in 6 Chiesa Madre."
    )
    assert (
        say("vendetta.placed", {**params, "number": 4}) == "Red places 4 mafiosi in 6 Chiesa Madre."
    )


def test_zero_may_have_a_form_of_its_own() -> None:
    assert say("vendetta.raided", {"district": 13, "number": 0}) == (
        "Raid on 13 Cala Rossa: nobody is there."
    )


def test_several_values_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {**sentences(), "vendetta.passed": "{seats|seat}"}
    monkeypatch.setattr(words, "sentences", lambda language: other)
    for seats, text in (
        ((0,), "Red"),
        ((0, 2), "Red and Green"),
        ((0, 2, 1), "Red, Green and Yellow"),
    ):
        assert say("vendetta.passed", {"seats": seats}) == text
    assert say("vendetta.passed", {"seats": ((0, 2), (2, 5))}) == "Red 2, Green 5"


AMOUNTS = {
    "en": ["800", "1,000", "-35,000", "1,250,000"],
    "de": ["800", "1.000", "-35.000", "1.250.000"],
    "fr": ["800", "1\u202f000", "-35\u202f000", "1\u202f250\u202f000"],
    "it": ["800", "1.000", "-35.000", "1.250.000"],
}
"""The same as in web/tests/message.test.ts: both write amounts one way."""


@pytest.mark.parametrize("language", AMOUNTS)
def test_an_amount_is_written_as_the_language_writes_it(language: str) -> None:
    numbers = (800, 1_000, -35_000, 1_250_000)
    plain = [format_value(number, language) for number in numbers]
    assert plain == AMOUNTS[language]
    points = [say("vendetta.figure.points.value", {"number": n}, language) for n in numbers]
    assert points == AMOUNTS[language]
    money = say("sicilianos.figure.total.value", {"number": 1_250}, language)
    assert money == AMOUNTS[language][-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_writes_an_amount_in_another_way(language: str) -> None:
    """Also the rulebooks: what separates thousands is the same everywhere."""
    separator = sentences(language)["number.thousand"][1]
    found = 0
    for key, text in sentences(language).items():
        is_typed = key.partition(".")[0] not in GAMES  # such as the numbers of deals, 0:1000
        for before in () if is_typed else re.findall(r"[\d}#](\D?)000\b", text):
            assert before == separator, (key, before)
            found += 1
    assert found > 20


def test_what_comes_from_outside_cannot_move_the_cursor() -> None:
    text = say("bad_game", {"game": "\x1b[2J\u202e", "games": "vendetta"})
    assert text == "Unknown game “?[2J?”. Choose one of: vendetta."


def test_a_sentence_within_a_sentence_is_left_as_it_is() -> None:
    question = say("vendetta.play.confirm", {}, "fr")
    assert say("play.preview", {"move": "3>6", "question": question}, "fr").endswith(question)


def test_what_was_said_before_is_forgotten_with_its_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert say("vendetta.passed", {"seat": 0}) == "Red places nobody."
    other = {**sentences(), "vendetta.passed": "{seat} sits still."}
    monkeypatch.setattr(words, "sentences", lambda language: other)
    assert say("vendetta.passed", {"seat": 0}) == "Red sits still."


def test_every_refusal_in_the_code_has_a_sentence() -> None:
    keys = {key for path in SOURCES for key in _refused_in(path)}
    assert len(keys) > 10
    assert {key for key in keys if key not in sentences()} == set()


def _refused_in(path: Path) -> list[str]:
    """Return the keys of all `Refused("key", …)` in a file."""
    return [
        node.args[0].value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "Refused"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_every_option_and_value_can_be_read(name: str) -> None:
    for option in GAMES[name].options:
        assert say(f"{name}.option.{option.key}.name", {})
        if not isinstance(option.values, range):
            for value in option.values:
                assert say(f"{name}.option.{option.key}.{value}", {})
