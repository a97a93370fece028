"""Sentences apart from code: one file per language, a key for each, and what fills it.

The sentences are in ICU message format, of which these parts are used: `{name}` and
`{name, plural, =0 {…} =1 {…} other {# …}}`, with `#` for the number. Where a language file has a
word for a value (`[district]`, `6 = "Chiesa Madre"` in the words of the game that speaks), the
sentence gets that word: so seats, districts and cards come in as numbers and are read as names.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

LANGUAGE = "en"
_HOLE = re.compile(r"\{(\w+)(?:, plural,((?: *(?:=\d+|other) \{[^{}]*\})+))?\}")
_FORM = re.compile(r"(=\d+|other) \{([^{}]*)\}")


@cache
def sentences(language: str = LANGUAGE) -> Mapping[str, str]:
    """All sentences of a language by key: those of the house and those of each game."""
    found = _flat(_load(resources.files("cosca.words") / f"{language}.toml"))
    for folder in sorted((resources.files("cosca") / "games").iterdir(), key=lambda f: f.name):
        words = folder / "words" / f"{language}.toml"
        if words.is_file():
            found |= {f"{folder.name}.{key}": text for key, text in _flat(_load(words)).items()}
    return found


def say(key: str, params: Mapping[str, int | str], language: str = LANGUAGE) -> str:
    """The sentence for a key, filled."""
    text = sentences(language)[key]
    if "{" not in text:
        return text
    return _filled(text, key, tuple(params.items()), language)


@lru_cache(maxsize=8192)
def _filled(text: str, key: str, items: tuple[tuple[str, int | str], ...], language: str) -> str:
    """A sentence with its holes filled; remembered, because a table says the same again and again.

    The text is asked for beside its key, so that nothing is remembered of another set of sentences.
    """
    params = dict(items)
    return "".join(
        part
        if isinstance(part, str)
        else _named(key, part.name, params[part.name], language)
        if part.forms is None
        else _form(part.forms, params[part.name])
        for part in _parts(text)
    )


class _Hole(NamedTuple):
    """A part of a sentence that is filled: by a word, or by the form that fits a number."""

    name: str
    forms: Mapping[str, str] | None


@cache
def _parts(text: str) -> tuple[str | _Hole, ...]:
    """A sentence taken apart once: what is said as it stands, and the holes between."""
    parts: list[str | _Hole] = []
    end = 0
    for match in _HOLE.finditer(text):
        forms = None if match[2] is None else dict(_FORM.findall(match[2]))
        parts += [text[end : match.start()], _Hole(match[1], forms)]
        end = match.end()
    return (*parts, text[end:])


def _named(key: str, name: str, value: int | str, language: str) -> str:
    """The word for a value, where its game has one."""
    game = key.partition(".")[0]
    return sentences(language).get(f"{game}.{name}.{value}", _harmless(str(value)))


def _harmless(text: str) -> str:
    """A text from outside with nothing in it that could move a cursor or turn a line around."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in text)


def _form(forms: Mapping[str, str], number: int | str) -> str:
    """The form that fits the number."""
    return forms.get(f"={number}", forms["other"]).replace("#", str(number))


def _load(file: "resources.abc.Traversable") -> dict[str, object]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    """Nested tables as dotted keys."""
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = str(value)
    return flat
