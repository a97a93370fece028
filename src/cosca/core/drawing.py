"""A table drawn as text: lines of pieces of text, each with a style, for any kind of screen."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from cosca.core.errors import Value

Say: TypeAlias = Callable[[str, Mapping[str, Value]], str]
"""The sentence for a key, filled, in the reader's language."""


class Piece(NamedTuple):
    """Some text in one style: a seat's colour ("seat.0"), "title", "dim", "strong", or plain."""

    text: str
    style: str = ""


Line: TypeAlias = list[Piece]
