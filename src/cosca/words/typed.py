"""Moves typed in the reader's language, as the notation that a game's parser reads.

The table `[typed]` of a game's words lists, for each word of its notation, what people may type
for it. Capitals and accents do not matter, and the beginning of a word is enough if it is clear.
"""

import re
import unicodedata
from typing import Final

from cosca.words import sentences

CLEAR: Final = 3
"""The letters that the beginning of a word must have at least."""
LETTERS: Final = r"[^\W\d_]"
APOSTROPHES: Final = str.maketrans("’`", "''")


def to_notation(game: str, text: str) -> str:
    """Return a typed move with the words of the reader's language as words of notation."""
    known = typed_words(game)
    phrases = sorted(known, key=len, reverse=True)
    pattern = rf"(?<!{LETTERS})(?:{'|'.join(map(re.escape, phrases))}|{LETTERS}+)(?!{LETTERS})"
    return re.sub(pattern, lambda match: _meaning(match[0], known), fold(text))


def typed_words(game: str, language: str | None = None) -> dict[str, str]:
    """Return everything that can be typed in a language, folded, with its word in notation."""
    table = f"{game}.typed."
    return {
        fold(each.strip()): key.rpartition(".")[2]
        for key, text in sentences(language).items()
        if key.startswith(table)
        for each in text.split(",")
    }


def _meaning(typed: str, known: dict[str, str]) -> str:
    """Return the word of notation for something typed: its own, or the only one it begins."""
    if typed in known:
        return known[typed]
    begun = {word for each, word in known.items() if each.startswith(typed)}
    return begun.pop() if len(typed) >= CLEAR and len(begun) == 1 else typed


def fold(text: str) -> str:
    """Return a text without capitals and accents, so that `GRÜN` is typed like `grun`."""
    bare = unicodedata.normalize("NFKD", text.translate(APOSTROPHES).casefold())
    return "".join(sign for sign in bare if not unicodedata.combining(sign))
