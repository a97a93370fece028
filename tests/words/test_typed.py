"""Moves are read in the player's language, and always in English too."""

import re

import pytest

from cosca.catalog import GAMES, find
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import CHANCE
from cosca.match.table import Table
from cosca.match.typed_moves import example_moves, list_examples, read_move, show_move
from cosca.words import LANGUAGE, LANGUAGES, own_sentences, say, sentences, speaking
from cosca.words.typed import fold, to_notation, typed_words

CODE = re.compile(r"`([^`]+)`")
OTHERS = [language for language in LANGUAGES if language != LANGUAGE]
NATIVE = {
    "de": {"restaurant", "safe", "mafiosi", "orange", "omerta", "name", "mamma"},
    "fr": {"restaurant", "orange", "on", "omerta", "place", "mamma", "look"},
    "it": {"in", "omerta", "mafiosi", "mamma", "dice"},
}
"""Words of notation that are words of a language too."""


def read(name: str, text: str, language: str) -> Move:
    with speaking(language):
        return read_move(find(name), text)


def refuses(name: str, text: str, language: str) -> bool:
    try:
        read(name, text, language)
    except Refused:
        return True
    return False


# --- Examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_every_example_can_be_typed_and_means_the_same_in_every_language(
    name: str, language: str
) -> None:
    game = find(name)
    with speaking(LANGUAGE):
        meant = [game.parse_move(to_notation(name, text)) for text in example_moves(game)]
    with speaking(language):
        assert [read_move(game, text) for text in example_moves(game)] == meant
        assert list_examples(game) in say(f"{name}.bad_move", {"text": "x"})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_the_moves_in_the_help_mean_the_same_in_every_language(name: str, language: str) -> None:
    key = f"{name}.play.notation"
    codes = (CODE.findall(sentences(each)[key]) for each in (LANGUAGE, language))
    moves = 0
    for ours, theirs in zip(*codes, strict=True):
        if refuses(name, ours, LANGUAGE):
            assert refuses(name, theirs, language), theirs  # it explains a mark on the table
        else:
            assert read(name, theirs, language) == read(name, ours, LANGUAGE), theirs
            moves += 1
    assert moves >= 2


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_no_text_of_a_language_names_a_move_in_english(name: str, language: str) -> None:
    shown = {key: text for key, text in own_sentences(language).items() if key.startswith(name)}
    english = {
        word
        for word in set(typed_words(name, LANGUAGE)) - typed_words(name, language).keys()
        if len(word) > 1 and word.isalpha() and word not in NATIVE.get(language, set())
    }
    pattern = re.compile(rf"\b({'|'.join(sorted(english))})\b")
    found = [
        f"{key}: {match[0]}"
        for key, text in shown.items()
        if not key.endswith(".rules")
        for match in pattern.finditer(re.sub(r"\{\w+(?=[,|}])|\|\w+\}", " ", text))
    ]
    assert not found, "\n".join(found)


# --- Reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "language", "text", "notation"),
    [
        ("vendetta", "en", "3 into chiesa", "3>6"),
        ("vendetta", "en", "3 into 6 Chiesa Madre and 4 in torre saracena", "3>6 4>11"),
        ("vendetta", "en", "Place 3 mafiosi in district 6", "3>6"),
        ("vendetta", "de", "setze 3 Männer in den Bezirk 6", "3>6"),
        ("vendetta", "de", "3 in Pesch und 1 in L'Agrumeto", "3>3 1>10"),
        ("vendetta", "fr", "3 dans la tonnara et 2 à Cala Rossa", "3>2 2>13"),
        ("vendetta", "it", "3 nella Piazza del Pozzo", "3>7"),
        ("vendetta", "de", "3 into 6 und 4 in 11", "3>6 4>11"),
        ("omerta", "de", "ZIEH", "draw"),
        ("omerta", "de", "tausche c2 mit Hill 3", "c2<>h3"),
        ("omerta", "de", "schau Karte 1 und 3", "peek 1 3"),
        ("omerta", "fr", "defausse", "discard"),
        ("omerta", "fr", "3 contre coffre 2", "3<>safe 2"),
        ("omerta", "it", "dai h e t", "give h t"),
        ("sicilianos", "de", "gelb", "yellow"),
        ("sicilianos", "de", "gelb 7 mit 20", "y7 20"),
        ("sicilianos", "de", "ge7 mit 20", "y7 20"),
        ("sicilianos", "de", "y7 mit 20", "y7 20"),
        ("sicilianos", "de", "grün", "green"),
        ("sicilianos", "de", "gruen", "green"),
        ("sicilianos", "de", "Wäsch", "laundry"),
        ("sicilianos", "fr", "vole chez Fusetti", "from 3"),
        ("sicilianos", "fr", "le 7 rouge", ""),
        ("sicilianos", "it", "attivita", "business"),
        ("sicilianos", "it", "resta fedele", "-"),
        ("sicilianos", "it", "r", "red"),
    ],
)
def test_words_of_a_language_are_read(name: str, language: str, text: str, notation: str) -> None:
    if not notation:
        assert refuses(name, text, language)
        return
    assert read(name, text, language) == find(name).parse_move(notation)


def test_what_cannot_be_read_is_refused_in_the_words_that_were_typed() -> None:
    with pytest.raises(Refused) as caught:
        read("sicilianos", "Gelbe Rüben mit 20", "de")
    assert caught.value.params["text"] == "Gelbe Rüben mit 20"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_can_be_typed_has_two_meanings(name: str, language: str) -> None:
    """Not even in English: what English reads as one move, no language reads as another."""
    texts = {
        (fold(each.strip()), key)
        for key, text in sentences(language).items()
        if key.startswith(f"{name}.typed.")
        for each in text.split(",")
    }
    assert len(texts) == len({typed for typed, _ in texts})
    for typed, word in typed_words(name, language).items():
        if not refuses(name, typed, LANGUAGE) and not refuses(name, word, LANGUAGE):
            assert read(name, typed, language) == read(name, word, LANGUAGE), typed


def test_the_beginning_of_a_word_must_be_clear() -> None:
    with speaking("de"):
        assert to_notation("sicilianos", "ora") == "orange"
        assert to_notation("sicilianos", "wü") == "wu"
        assert to_notation("sicilianos", "gr") == "g"
    assert to_notation("vendetta", "ca") == "ca"


# --- Showing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_read_as_it_is_shown(name: str, language: str) -> None:
    game = find(name)
    settings = game.settings("", game.random_play_options)
    table = Table(game, settings, game.default_seats, Dice(3))
    dice, verbs = Dice(4), set()
    with speaking(language):
        for _ in range(300):
            seat = table.actors[0] if table.actors else CHANCE
            if seat == CHANCE:
                break
            position = table.position(seat)
            for action in position.legal:
                move = game.to_move([action])
                assert read_move(game, show_move(game, move)) == move
                verbs.add(move.verb)
            table.submit(seat, position.legal[dice.below(len(position.legal))])
    assert len(verbs) >= 2
