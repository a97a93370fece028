"""What a game shows on a screen: text lines of fixed width, or grids for any other layout.

Both are made of pieces of text, each with a style.
"""

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final, NamedTuple, TypeAlias

from cosca.core.errors import Param
from cosca.core.names import Seat

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


class Meaning(NamedTuple):
    """What a decision means to somebody who does not know the game, and the rule that says so."""

    text: str
    rule: str


NO_MEANING: Final = Meaning("", "")
"""Where nothing is asked."""


class Progress(NamedTuple):
    """How far everybody is in one of the things that decide a game, such as points."""

    label: str
    values: list[str]
    """One for each seat."""
    target: str
    """What it takes to win; empty where no number does."""


class Goal(NamedTuple):
    """What it takes to win at this table, and how far everybody is."""

    text: str
    """One short sentence."""
    figures: list[Progress]
    leaders: list[Seat]
    """Who is ahead as far as everybody can tell; at the end the winners. Empty if all are equal."""
    details: list[str]
    """What else decides the game under these settings, a sentence each."""


class Layout(NamedTuple):
    """A table as grids and sentences, for screens without a fixed width."""

    grids: list[Grid]
    ask: str
    """What the seat is asked to do now; empty when others act."""
    notes: list[str]
    """Other things worth knowing, such as whose turn it is."""
    meaning: Meaning
    """What the question means; nothing when others act."""
    goal: Goal


EMPTY: Final = Piece("—", "dim")
"""Stands in a grid where there is nothing."""

GOAL_WIDTH: Final = 42
BOARD_WIDTH: Final = 78


def goal_lines(goal: Goal) -> list[Line]:
    """Return the sentence of a goal as lines below the players of a drawing."""
    return [[Piece(f"  {line}", "dim")] for line in wrap(goal.text, GOAL_WIDTH)]


def question_lines(question: str) -> list[Line]:
    """Return what is asked of a seat as the last lines of a board."""
    return [[Piece(line, "strong")] for line in wrap(question, BOARD_WIDTH)]


def best_seats(ranks: Sequence[Any]) -> list[Seat]:
    """Return the seats with the highest rank; none if all have the same."""
    best = max(ranks)
    seats = [seat for seat, rank in enumerate(ranks) if rank == best]
    return seats if len(seats) < len(ranks) else []
