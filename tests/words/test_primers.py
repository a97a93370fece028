"""The rules on one page: complete for every setting, and true to the rulebook."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from cosca.catalog import GAMES
from cosca.core.game import Game
from cosca.core.options import Option, Setting, Settings
from cosca.core.primer import SECTIONS, PrimerLine
from cosca.match.primer_text import primer_markdown, primer_sections
from cosca.words import LANGUAGES, RULES, sentences, speaking

MOST_WORDS = 620
"""A stranger reads about 300 words a minute, and the page takes two minutes."""


def lines(game: Game[Any, Any]) -> list[PrimerLine]:
    return [line for section in game.primer for line in section.lines]


def some_values(option: Option) -> list[Setting]:
    """Return all values of an option; of a long range the first ones and the last."""
    return list(option.values[:4]) + list(option.values[-1:])


def tables(game: Game[Any, Any]) -> Iterator[tuple[Settings, int]]:
    """Yield settings with a number of seats: every edition, and every option changed alone."""
    for edition in game.editions:
        usual = game.settings(edition)
        for seats in game.seats:
            yield usual, seats
        for option in game.options:
            for value in some_values(option):
                settings = {**usual, option.key: value}
                if not game.contradiction(settings, game.seats[-1]):
                    yield settings, game.seats[-1]


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_names_rules_of_the_rulebook(name: str) -> None:
    known = set(re.findall(r"^- \*\*([^*]+)\*\*", sentences()[f"{name}.{RULES}"], re.MULTILINE))
    for line in lines(GAMES[name]):
        assert line.rules and set(line.rules) <= known, line.key


@pytest.mark.parametrize("name", GAMES)
def test_every_condition_is_a_value_of_an_option(name: str) -> None:
    for line in lines(GAMES[name]):
        for key, values in [*line.when.items(), *line.unless.items()]:
            for value in values:
                GAMES[name].option(key).check(value)


@pytest.mark.parametrize("name", GAMES)
def test_the_page_has_every_section_under_every_settings(name: str) -> None:
    game = GAMES[name]
    assert tuple(section.name for section in game.primer) == SECTIONS
    for settings, seats in tables(game):
        assert all(primer_sections(game, settings, seats).values())


@pytest.mark.parametrize("name", GAMES)
def test_the_page_says_what_the_settings_say(name: str) -> None:
    """Whatever the host changes, the page reads differently."""
    game = GAMES[name]
    for edition in game.editions:
        usual = game.settings(edition)
        for option in game.options:
            pages = {
                str(primer_sections(game, {**usual, option.key: value}, game.seats[-1])): value
                for value in option.values[:5]
            }
            assert len(pages) == len(option.values[:5]), option.key


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_short_and_names_no_option(name: str, language: str) -> None:
    game = GAMES[name]
    typed = {option.key for option in game.options if "_" in option.key}
    with speaking(language):
        for settings, seats in tables(game):
            page = primer_markdown(game, settings, seats)
            assert len(page.split()) < MOST_WORDS
            assert not re.search(r"[{}`]", page)
            assert not [key for key in typed if key in page]


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_is_used_under_some_settings(name: str) -> None:
    game = GAMES[name]
    used = {line.key for s, _ in tables(game) for line in lines(game) if line.applies(s)}
    assert used == {line.key for line in lines(game)}


def test_the_number_of_players_decides_what_it_takes_to_win() -> None:
    game = GAMES["vendetta"]
    goals = [primer_sections(game, game.settings(), seats)["goal"] for seats in game.seats]
    assert [re.findall(r"\d+", goal[0].text) for goal in goals] == [["6"], ["5"], ["4"]]
