"""A table drawn as text: lines of pieces of text, each with a style, for any kind of screen."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from cosca.core.errors import Value

Say: TypeAlias = Callable[[str, Mapping[str, Value]], str]
"""The sentence for a key, filled, in the reader's language."""


class Piece(NamedTuple):
    """Some text in one style, or in several words of style, such as "seat.0 strong".

    The words are: a seat's colour ("seat.0"), "title", "strong", "dim", "accent" for marks and
    "scenery" for what only pleases the eye.
    """

    text: str
    style: str = ""


Line: TypeAlias = list[Piece]


class Drawing(NamedTuple):
    """A table on a screen, in parts that a front end may lay out as it has room."""

    board: list[Line]
    """What lies in the middle, at most 78 characters wide."""
    players: list[Line]
    """What everybody holds and who is to move, at most 44 characters wide."""
    told: list[str]
    """The same in sentences, for an ear instead of an eye."""
