"""Every text a person reads, looked up by key, in the language of the reader.

The house's own texts are in `cosca/words/<language>.toml`. Each game brings its own in
`cosca/games/<game>/words/<language>.toml`, with its rulebook beside them (`RULES.md` in English,
`RULES.<language>.md` in other languages). What a language lacks is in English.

Texts use a part of the ICU message format: `{name}`, and
`{name, plural, =0 {…} =1 {…} other {# …}}` with `#` for the number. If the game has a table of that
name (`[district]` with `6 = "Chiesa Madre"`), the value is replaced by its entry; so seats,
districts and cards come in as numbers and are read as names. `{colour|of_stack}` looks `colour` up
in the table `[of_stack]` instead, for languages that need cases, genders or articles. Several
values are listed ("Red and Green"), and so are names with figures ("Red 2, Green 5").

`speaking` sets the language for one reader among many, `speak` for the whole program.
docs/languages.md says how to add a language.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from importlib import resources
from typing import Final, NamedTuple, TypeAlias

Value: TypeAlias = "int | str | tuple[Value, ...]"
"""What fills a place in a sentence; several values are listed, as in "Red, Green and Blue"."""

LANGUAGE: Final = "en"
"""The language that all others are translated from, and the default."""
HARMLESS: Final = "\n\u00a0\u202f"
"""Characters that are harmless though Python calls them unprintable: no-break spaces."""
RULES: Final = "rules"
"""The key of a game's rulebook, which is a Markdown file of its own."""
_PLACEHOLDER = re.compile(r"\{(\w+)(?:\|(\w+)|, plural,((?: *(?:=\d+|other) \{[^{}]*\})+))?\}")
_FORM = re.compile(r"(=\d+|other) \{([^{}]*)\}")

LANGUAGES: Final = tuple(
    sorted(
        file.name.removesuffix(".toml")
        for file in resources.files("cosca.words").iterdir()
        if file.name.endswith(".toml")
    )
)
"""Every language that has a file."""


# --- Which language -------------------------------------------------------------------------------

_reader: ContextVar[str] = ContextVar("language")
_program = [LANGUAGE]


def speak(language: str) -> None:
    """Set the language of this program, for readers without one of their own."""
    _program[0] = language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Set the language for one reader: in this context, and in tasks started from it."""
    before = _reader.set(language)
    try:
        yield
    finally:
        _reader.reset(before)


def spoken() -> str:
    """Return the current language."""
    return _reader.get(_program[0])


def first_known(wanted: Iterable[str]) -> str:
    """Return the first known language among tags such as `de-AT` or `de_AT.UTF-8`, or ''."""
    tags = (re.split(r"[-_.@]", tag.strip().lower())[0] for tag in wanted)
    return next((tag for tag in tags if tag in LANGUAGES), "")


def accepted(header: str) -> str:
    """Return the language for a client that sends this `Accept-Language`."""
    ranked: list[tuple[float, str]] = []
    for part in header.split(","):
        tag, _, weight = part.partition(";q=")
        number = re.fullmatch(r" *([01](?:\.\d{1,3})?) *", weight or "1")
        if number and float(number[1]) > 0:
            ranked.append((-float(number[1]), tag))
    ranked.sort(key=lambda rank: rank[0])
    return first_known(tag for _, tag in ranked) or LANGUAGE


# --- Sentences ------------------------------------------------------------------------------------


def sentences(language: str | None = None) -> Mapping[str, str]:
    """Return every text of a language by key; English fills in what the language lacks."""
    return _sentences(language or spoken())


@cache
def _sentences(language: str) -> Mapping[str, str]:
    return own_sentences(LANGUAGE) | own_sentences(language)


def own_sentences(language: str) -> dict[str, str]:
    """Return the texts that the files of one language hold: the house's and each game's."""
    found = _texts(resources.files("cosca.words") / f"{language}.toml")
    for folder in game_folders():
        for key, text in _texts(folder / "words" / f"{language}.toml").items():
            found[f"{folder.name}.{key}"] = text
        rulebook = folder / rulebook_name(language)
        if rulebook.is_file():
            found[f"{folder.name}.{RULES}"] = rulebook.read_text(encoding="utf-8")
    return found


def game_folders() -> "list[resources.abc.Traversable]":
    """Return the folder of every game that brings texts."""
    folders = (resources.files("cosca") / "games").iterdir()
    return sorted(
        (folder for folder in folders if (folder / "words" / f"{LANGUAGE}.toml").is_file()),
        key=lambda folder: folder.name,
    )


def rulebook_name(language: str) -> str:
    """Return the file name of a game's rulebook in a language."""
    return "RULES.md" if language == LANGUAGE else f"RULES.{language}.md"


def forget() -> None:
    """Forget all texts, so that the files are read again: a game was added."""
    _sentences.cache_clear()


def say(key: str, params: Mapping[str, Value], language: str | None = None) -> str:
    """Return the sentence for a key, filled with `params`, in a language such as `de`.

    Without a language it is the one that `speak` or `speaking` has set.
    """
    language = language or spoken()
    text = sentences(language)[key]
    if "{" not in text:
        return text
    return _filled(text, key, tuple(params.items()), language)


@lru_cache(maxsize=8192)
def _filled(text: str, key: str, items: tuple[tuple[str, Value], ...], language: str) -> str:
    """Return a sentence with its parameters filled in; cached, because a table repeats sentences.

    The text is part of the cache key, so that other texts under the same key get other entries.
    """
    params = dict(items)
    return "".join(
        part
        if isinstance(part, str)
        else _named(key, part.table, params[part.name], language)
        if part.forms is None
        else _form(part.forms, params[part.name], language)
        for part in _parts(text)
    )


class _Placeholder(NamedTuple):
    """A placeholder in a sentence, for a word or for the form that fits a number."""

    name: str
    table: str
    forms: Mapping[str, str] | None


@cache
def _parts(text: str) -> tuple[str | _Placeholder, ...]:
    """Split a sentence into literal text and placeholders."""
    parts: list[str | _Placeholder] = []
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        forms = None if match[3] is None else dict(_FORM.findall(match[3]))
        parts += [text[end : match.start()], _Placeholder(match[1], match[2] or match[1], forms)]
        end = match.end()
    return (*parts, text[end:])


def _named(key: str, table: str, value: Value, language: str) -> str:
    """Return the word for a value if its game has one, else the value as text; list several."""
    if isinstance(value, tuple):
        return _listed(key, table, value, language)
    game = key.partition(".")[0]
    word = sentences(language).get(f"{game}.{table}.{value}")
    return format_value(value, language) if word is None else word


def format_value(value: Value, language: str) -> str:
    """Return a number with its thousands separated, or a text from outside made harmless."""
    if not isinstance(value, int):
        return _harmless(str(value))
    return f"{value:,}".replace(",", sentences(language)["number.thousand"][1])


def _listed(key: str, table: str, values: tuple[Value, ...], language: str) -> str:
    """Return several names as a list, or names with a figure each, as in "Red 2, Green 5"."""
    if any(isinstance(value, tuple) for value in values):
        pairs = [value for value in values if isinstance(value, tuple)]
        return ", ".join(
            f"{_named(key, table, name, language)} {format_value(number, language)}"
            for name, number in pairs
        )
    names = [_named(key, table, value, language) for value in values]
    return sentences(language)["play.and"].join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _harmless(text: str) -> str:
    """Return a text from outside without characters that move a cursor or reverse a line."""
    return "".join(sign if sign.isprintable() or sign in HARMLESS else "?" for sign in text)


def _form(forms: Mapping[str, str], number: Value, language: str) -> str:
    """Return the form that fits a number."""
    form = forms.get(f"={number}", forms["other"])
    return form.replace("#", format_value(number, language))


def _texts(file: "resources.abc.Traversable") -> dict[str, str]:
    """Return the texts of a file by dotted key; none if there is no such file."""
    return _flat(tomllib.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    """Return nested tables with dotted keys."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = str(value)
    return flat
