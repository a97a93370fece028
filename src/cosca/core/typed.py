"""Notation in the words of a language: what a player reads is what the player may type."""

import re
from collections.abc import Collection
from typing import Final

from cosca.core.drawing import Say

WORD: Final = re.compile(r"[a-z]+")
NOTHING: Final = "-"
"""How notation writes a pass."""


def show_notation(notation: str, game: str, words: Collection[str], say: Say) -> str:
    """Return notation with each of its words as players type it in the language of `say`.

    The table `[typed]` of a game lists what may be typed for a word; the first is shown.
    """
    said = "pass" if notation == NOTHING else notation
    return WORD.sub(
        lambda match: (
            say(f"{game}.typed.{match[0]}", {}).partition(",")[0] if match[0] in words else match[0]
        ),
        said,
    )
