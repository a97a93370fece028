"""The terminal in every language: how it is chosen, and that it is used."""

import os
import subprocess
import sys

import pytest

from cosca.catalog import GAMES
from cosca.cli.main import parse_language
from cosca.core.errors import Refused
from cosca.words import LANGUAGES, say, sentences
from tests.processes import run


@pytest.mark.parametrize(
    ("words", "environ", "language", "rest"),
    [
        ("play", {}, "en", "play"),
        ("play", {"LANG": "C.UTF-8"}, "en", "play"),
        ("play", {"LANG": "de_CH.UTF-8"}, "de", "play"),
        ("play", {"LC_ALL": "fr_FR", "LANG": "de_DE"}, "fr", "play"),
        ("play", {"LC_ALL": "", "LC_MESSAGES": "it_IT@euro", "LANG": "de_DE"}, "it", "play"),
        ("play", {"LC_ALL": "C", "LANG": "de_DE"}, "en", "play"),
        ("play", {"LANG": "xx_XX"}, "en", "play"),
        ("play", {"COSCA_LANG": "it", "LC_ALL": "fr_FR"}, "it", "play"),
        ("--lang fr play omerta", {"COSCA_LANG": "it"}, "fr", "play omerta"),
        ("play omerta --lang=de --plain", {}, "de", "play omerta --plain"),
        ("play --lang", {}, "en", "play --lang"),
    ],
)
def test_the_language_is_the_one_asked_for_or_that_of_the_system(
    words: str, environ: dict[str, str], language: str, rest: str
) -> None:
    assert parse_language(words.split(), environ) == (language, rest.split())


@pytest.mark.parametrize("environ", [{"COSCA_LANG": "xx"}, {}])
def test_a_language_asked_for_by_name_must_be_there(environ: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        parse_language([] if environ else ["--lang", "xx"], environ)
    assert refused.value.key == "bad_language"


def cosca(*words: str, typed: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
    known = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    command = [sys.executable, "-m", "cosca.cli", *words]
    return run(command, typed=typed, env={**known, **environ})


def unwrapped(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_rules_and_errors_are_in_the_chosen_language(language: str) -> None:
    page = unwrapped(cosca("play", "--help", "--lang", language).stdout)
    for key in ("help.play.seats", "help.usage", "help.help"):
        assert unwrapped(say(key, {}, language)) in page
    rules = cosca("rules", "vendetta", COSCA_LANG=language, COLUMNS="2000").stdout
    first = sentences(language)["vendetta.rules"].split("- **V-M1** ")[1].splitlines()[0]
    assert first in rules
    wrong = cosca("play", "poker", LANG=f"{language}_XX.UTF-8")
    sentence = say("bad_game", {"game": "poker", "games": ", ".join(GAMES)}, language)
    assert (wrong.returncode, wrong.stderr) == (2, sentence + "\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_played_in_the_language_with_the_same_moves(
    language: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = str(tmp_path_factory.mktemp("home"))
    words = ("play", "vendetta", "--plain", "--new", "--seed", "3", "--lang", language)
    typed = "1 into 9\nyes\npass\ny\nq\n"
    done = cosca(*words, typed=typed, HOME=home, XDG_DATA_HOME=home)
    assert done.returncode == 0, done.stderr
    placed = {"seat": 0, "number": 1, "district": 9}
    assert say("vendetta.placed", placed, language) in done.stdout
    assert say("vendetta.passed", {"seat": 0}, language) in done.stdout
    assert say("play.saved", {"game": "vendetta"}, language) in done.stdout
