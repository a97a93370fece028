"""What a game shows on a screen: text lines of fixed width, or grids for any other layout.

Both are made of pieces of text, each with a style.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from cosca.core.errors import Param

Say: TypeAlias = Callable[[str, Mapping[str, Param]], str]
"""Returns the sentence for a key, filled with parameters, in the reader's language."""


class Piece(NamedTuple):
    """Some text with a style, or several styles separated by spaces, such as "seat.0 strong".

    The styles are: a seat's colour ("seat.0"), "title", "strong", "dim", "accent" for marks and
    "scenery" for decoration.
    """

    text: str
    style: str = ""


Line: TypeAlias = list[Piece]


class Drawing(NamedTuple):
    """A table as text, in parts that a front end arranges as it has room."""

    board: list[Line]
    """The middle of the table, at most 78 characters wide."""
    players: list[Line]
    """What each player holds and who is to act, at most 44 characters wide."""
    sentences: list[str]
    """The same as sentences, for screen readers."""


class Grid(NamedTuple):
    """A table with headings that makes sense read aloud as well as seen."""

    caption: str
    head: list[str]
    """The column headings; the first one heads the row names."""
    rows: list[list[Piece]]
    """One piece for each column; the first one is the name of the row."""


class Layout(NamedTuple):
    """A table as grids and sentences, for screens without a fixed width."""

    grids: list[Grid]
    ask: str
    """What the seat is asked to do now; empty when others act."""
    notes: list[str]
    """Other things worth knowing, such as what it takes to win."""


EMPTY: Final = Piece("—", "dim")
"""Stands in a grid where there is nothing."""
