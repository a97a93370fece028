"""Every language has the same texts as English, with the same parameters, and no others."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

import click
import pytest

import cosca
from cosca import words
from cosca.catalog import GAMES
from cosca.cli.arena import merge_command
from cosca.cli.main import COMMANDS, commands
from cosca.words import LANGUAGE, LANGUAGES, RULES, own_sentences, say, sentences
from cosca.words.__main__ import main, start_language

N = TypeVar("N", bound=ast.AST)
SOURCES = Path(cosca.__file__).parent
ROOT = SOURCES.parents[1]
CLIENT = ROOT / "web" / "src"
OTHERS = [language for language in LANGUAGES if language != LANGUAGE]
HOLE = re.compile(r"(?<!=\d )(?<!\bother )\{(\w+)(?:\|(\w+))?[},]")
PLURAL = re.compile(r"\{(\w+), plural,((?: *(?:=\d+|other) \{[^{}]*\})+)\}")
CODE = re.compile(r"`[^`]+`")
FRENCH_SPACE = re.compile(r"(?<=[^\s,;]) [;:!?»%]|«[^\xa0]|[^\W_][!?»]|[^\W_][;:](?=\s|$)")
"""A mark with the wrong space: French wants a no-break space before it, and after «."""
RULE = re.compile(r"^- \*\*([^*]+)\*\*", re.MULTILINE)
ALIKE = {
    *("vendetta.district", "omerta.seat", "sicilianos.seat"),
    *("vendetta.typed.name", "sicilianos.typed.name"),
}
"""Tables of names: the same in every language."""


def english() -> Mapping[str, str]:
    return sentences(LANGUAGE)


def holes(text: str) -> set[str]:
    return {name for name, _ in HOLE.findall(text)}


def own_tables(language: str) -> set[str]:
    """Return the tables of words that only this language needs, as `sicilianos.of_stack`."""
    return {
        f"{key.partition('.')[0]}.{table}"
        for key, text in sentences(language).items()
        for _, table in HOLE.findall(text)
        if table
    } - {key.rpartition(".")[0] for key in english()}


def values(language: str, table: str) -> set[str]:
    """Return the values that have a word in a table."""
    found = sentences(language)
    return {key.rpartition(".")[2] for key in found if key.rpartition(".")[0] == table}


# --- Nothing missing, nothing left over -----------------------------------------------------------


def test_the_languages_of_the_house_are_spoken() -> None:
    assert set(LANGUAGES) >= {"de", "en", "fr", "it"}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_text_of_the_house_and_of_the_games_it_translates(
    language: str,
) -> None:
    theirs = own_sentences(language)
    translated = {key.partition(".")[0] for key in theirs} & GAMES.keys()
    assert translated >= {"vendetta", "omerta", "sicilianos"}, "these speak every language"
    tables = own_tables(language)
    assert {
        key for key in theirs if key.rpartition(".")[0] not in tables
    } - english().keys() == set(), "is left over"
    wanted = {key for key in english() if is_translated(key, translated)}
    assert wanted - theirs.keys() == set(), "is missing"
    alike = {key for key in theirs if is_alike(key)}
    assert alike == set(), "is the same in every language, so only the English file has it"


def is_translated(key: str, games: set[str]) -> bool:
    """Whether a language that translates these games must have a text of its own for a key."""
    section = key.partition(".")[0]
    return not is_alike(key) and (section not in GAMES or section in games)


def is_alike(key: str) -> bool:
    """Whether a text is the same in every language: numbers and some names."""
    game, _, rest = key.partition(".")
    if game not in GAMES or key not in english():
        return False
    is_name = key.rpartition(".")[0] in ALIKE
    return rest == "about.minutes" or is_name or english()[key].isdecimal()


def test_a_game_that_a_language_lacks_speaks_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "cosca" / "games" / "scopa"
    (game / "words").mkdir(parents=True)
    (game / "words" / "en.toml").write_text('one = "One"\n[table]\n1 = "first"\n2 = "second"\n')
    (game / "RULES.md").write_text("# Scopa\n")
    (tmp_path / "cosca.words").mkdir()
    for language in ("en", "de", "fr"):
        (tmp_path / "cosca.words" / f"{language}.toml").write_text(f'hi = "{language}"\n')
    monkeypatch.setattr("cosca.words.resources.files", tmp_path.joinpath)
    words.forget()
    try:
        english = {"scopa.one": "One", "scopa.table.1": "first", "scopa.table.2": "second"}
        assert sentences("de") == {"hi": "de", **english, "scopa.rules": "# Scopa\n"}
        (game / "words" / "fr.toml").write_text('[table]\n2 = "deuxième"\n', encoding="utf-8")
        (game / "RULES.fr.md").write_text("# La Scopa\n")
        assert sentences("fr") == {
            "hi": "fr",
            **english,
            "scopa.table.2": "deuxième",
            "scopa.rules": "# La Scopa\n",
        }
    finally:
        words.forget()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_filled_with_the_same_in_every_language(language: str) -> None:
    theirs = sentences(language)
    for key, text in english().items():
        assert holes(theirs[key]) == holes(text), key
        assert bool(theirs[key].strip()) == bool(text.strip()), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_a_word_for_every_value(language: str) -> None:
    """`{colour|of_stack}` needs a word for every value of `{colour}` in the English table."""
    for key, text in sentences(language).items():
        game = key.partition(".")[0]
        for name, table in HOLE.findall(text):
            if table:
                usual = values(LANGUAGE, f"{game}.{_in_english(key, name)}")
                assert usual and values(language, f"{game}.{table}") == usual, (key, table)


def _in_english(key: str, name: str) -> str:
    """Return the table in which English finds the word for a parameter."""
    found = [table or each for each, table in HOLE.findall(english()[key]) if each == name]
    return str(found[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_has_a_form_for_every_number(language: str) -> None:
    for key, text in sentences(language).items():
        singular = {
            name for name, forms in PLURAL.findall(english().get(key, "")) if "=1 " in forms
        }
        for name, forms in PLURAL.findall(text):
            assert " other {" in forms, key
            assert "=1 {" in forms or name not in singular, f"{key} has no singular of {name}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_is_called_what_stands_on_it(language: str) -> None:
    """People who use voice control say the visible text; the accessible name may be longer."""
    found = sentences(language)
    for key, text in found.items():
        short = key.removesuffix("Long")
        if key.startswith("client.") and short != key and short in found:
            assert found[short].casefold() in text.casefold(), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_can_be_said(language: str) -> None:
    for key, text in sentences(language).items():
        if key.endswith(f".{RULES}"):
            continue
        for number in (0, 1, 2):
            filled = say(key, dict.fromkeys(holes(text), number), language)
            assert not re.search(r"[{}]|plural,", filled), key


def test_a_new_language_starts_with_every_english_text(tmp_path: Path) -> None:
    for file in SOURCES.glob("**/words/*.toml"):
        _copy(file, tmp_path)
    for file in SOURCES.glob("games/*/RULES*.md"):
        _copy(file, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    written = start_language("es", tmp_path)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in written) == sorted(
        [
            "words/es.toml",
            *(f"games/{name}/words/es.toml" for name in GAMES),
            *(f"games/{name}/RULES.es.md" for name in GAMES),
        ]
    )
    assert (tmp_path / "words/es.toml").read_bytes() == before[tmp_path / "words/en.toml"]
    assert start_language("es", tmp_path) == [], "nothing is written twice"
    assert {path: path.read_bytes() for path in before} == before, "nothing else is touched"


def _copy(file: Path, to: Path) -> None:
    copy = to / file.relative_to(SOURCES)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(file.read_bytes())


@pytest.mark.parametrize("arguments", [[], ["spanish"], ["es", "pt"], ["../x"]])
def test_a_language_has_two_letters(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("Name the new language by its two letters")


def test_the_page_on_fair_reactions_begins_with_the_text_of_the_client() -> None:
    documented = (ROOT / "docs" / "fair.md").read_text(encoding="utf-8")
    assert documented.startswith(english()["client.fair.text"].strip())


def test_french_marks_stand_after_a_space_that_does_not_break() -> None:
    wrong = []
    for key, text in sentences("fr").items():
        prose = CODE.sub("code", text)
        wrong += [(key, prose[m.start() - 20 : m.end() + 5]) for m in FRENCH_SPACE.finditer(prose)]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    ["Vite !", "Vite!", "Rapport : x", "Rapport: x", "a; b", "95 %", "« oui »", "«oui »", "oui»"],
)
def test_a_wrong_space_in_french_is_found(text: str) -> None:
    assert FRENCH_SPACE.search(text)
    assert not FRENCH_SPACE.search("Vite\xa0! «\xa0oui\xa0»\xa0: 95\xa0%\xa0; ? aide, ? aide, a:b")


# --- The same in every language -------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_keys_and_commands_of_the_help_are_the_same_in_every_language(language: str) -> None:
    for key in ("play.help", "replay.help"):
        assert CODE.findall(sentences(language)[key]) == CODE.findall(english()[key])


@pytest.mark.parametrize("language", OTHERS)
def test_commands_of_one_language_work_in_every_other(language: str) -> None:
    theirs = sentences(language)
    typed: Counter[str] = Counter()
    for key, text in english().items():
        if key.startswith("play.command."):
            known = theirs[key].split()
            assert set(known) >= set(text.split()), key
            typed.update(known)
    assert [word for word, count in typed.items() if count > 1] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", GAMES)
def test_a_rulebook_has_the_same_rules_in_every_language(name: str, language: str) -> None:
    ours, theirs = english()[f"{name}.{RULES}"], sentences(language)[f"{name}.{RULES}"]
    assert RULE.findall(theirs) == RULE.findall(ours)
    assert _levels(theirs) == _levels(ours)
    assert _columns(theirs) == _columns(ours)
    assert CODE.findall(theirs) == CODE.findall(ours)


def _levels(markdown: str) -> list[str]:
    """Return the level of each heading, in order."""
    return re.findall(r"^(#+) \S", markdown, re.MULTILINE)


def _columns(markdown: str) -> list[int]:
    """Return the number of cells of each table row, in order."""
    return [line.count("|") for line in markdown.splitlines() if line.startswith("|")]


# --- No unused texts ------------------------------------------------------------------------------


@cache
def constants(folder: Path) -> frozenset[str]:
    """Return every string constant in the code below a folder."""
    found = (node.value for node in _nodes(folder, ast.Constant))
    return frozenset(value for value in found if isinstance(value, str))


@cache
def patterns(folder: Path) -> tuple[re.Pattern[str], ...]:
    """Return every f-string in the code below a folder as a pattern of what it can be."""
    found = set()
    for node in _nodes(folder, ast.JoinedStr):
        parts = [
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"([\w.]+)"
            for part in node.values
        ]
        if any(re.search(r"[a-z]{2}", part) for part in parts if part != r"([\w.]+)"):
            found.add("".join(parts))
    return tuple(map(re.compile, sorted(found)))


def _nodes(folder: Path, kind: type[N]) -> Iterator[N]:
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from (node for node in ast.walk(tree) if isinstance(node, kind))


def is_said(key: str, folder: Path) -> bool:
    """Return whether code below a folder uses a key, as a constant or as an f-string."""
    return key in constants(folder) or any(
        all(is_said(group, SOURCES) or _is_known(group.split(".")) for group in match.groups())
        for pattern in patterns(folder)
        if (match := pattern.fullmatch(key))
    )


def _is_known(pieces: list[str]) -> bool:
    return all(piece.isdecimal() or is_said(piece, SOURCES) for piece in pieces)


def is_drawn(key: str) -> bool:
    """Return whether a text belongs to the drawing of a game in the browser."""
    return key.split(".")[0] in GAMES and key.split(".")[1] == "drawn"


def test_every_sentence_is_said_somewhere() -> None:
    unused = []
    for key in english():
        section, _, rest = key.partition(".")
        if section in ("client", "help") or key.endswith(f".{RULES}") or is_drawn(key):
            continue  # these have tests of their own below
        in_game = section in GAMES and (
            is_said(rest, SOURCES / "games" / section) or _fills(section, rest)
        )
        if not in_game and not is_said(key, SOURCES):
            unused.append(key)
    assert not unused, "\n".join(unused)


def _fills(game: str, key: str) -> bool:
    """Return whether a key is in a table that fills a sentence of the game."""
    table, _, value = key.rpartition(".")
    asked = {
        table or name
        for other, text in english().items()
        if other.startswith(f"{game}.")
        for name, table in HOLE.findall(text)
    }
    return value.isdecimal() and table in asked


def test_every_text_of_the_client_is_shown_somewhere() -> None:
    files = [*CLIENT.rglob("*.svelte"), *CLIENT.rglob("*.ts")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    shown = set(re.findall(r"\bwords\.([\w.]+)", source))
    chosen = set(re.findall(r"\bwords\.([\w.]+)\[", source))
    paths = [key.removeprefix("client.") for key in english() if key.startswith("client.")]
    paths += ["drawn.{0}.{2}".format(*key.split(".", 2)) for key in english() if is_drawn(key)]
    unused = [p for p in paths if p not in shown and p.rpartition(".")[0] not in chosen]
    assert not unused, "\n".join(unused)


def test_every_command_and_option_is_explained() -> None:
    context = click.Context(commands)
    wanted = {
        f"help.{key}"
        for key in ("about", "usage", "options", "commands", "help", "default", "none")
    }
    wanted |= {f"help.{option.name}" for option in commands.params}
    found = {name: commands.get_command(context, name) for name in COMMANDS}
    for name, command in {**found, "merge": merge_command}.items():
        assert command is not None
        key = f"help.{name.replace('-', '_')}"
        options = [each.name for each in command.params if isinstance(each, click.Option)]
        wanted.add(f"{key}.about")
        wanted |= {
            f"{key}.{option}" if f"{key}.{option}" in english() else f"help.common.{option}"
            for option in options
        }
    assert {key for key in english() if key.startswith("help.")} == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_commands_repeat_a_text_of_their_help(language: str) -> None:
    texts = Counter(text for key, text in sentences(language).items() if key.startswith("help."))
    assert [text for text, count in texts.items() if count > 1] == []
