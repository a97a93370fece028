"""What a screen shows of a game: lines of text for one of fixed width, grids for any other.

Both are made of pieces of text, each with a style.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from cosca.core.errors import Param

Say: TypeAlias = Callable[[str, Mapping[str, Param]], str]
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
    sentences: list[str]
    """The same in sentences, for an ear instead of an eye."""


class Grid(NamedTuple):
    """A table with headings, whose words make sense to an ear as well as to an eye."""

    caption: str
    head: list[str]
    """What each column is; the first one heads the names of the rows."""
    rows: list[list[Piece]]
    """As many pieces in each row as there are columns; the first one is the row's name."""


class Layout(NamedTuple):
    """A table as grids and sentences, for a screen that has no fixed width."""

    grids: list[Grid]
    ask: str
    """What is asked of the seat now; nothing when others act."""
    notes: list[str]
    """What else is good to know, such as what it takes to win."""


EMPTY: Final = Piece("—", "dim")
"""In a grid, where there is nothing."""
