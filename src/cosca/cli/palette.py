"""Colours and styles for the terminal."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby

from rich.style import Style
from rich.text import Text
from textual.theme import Theme

from cosca.core.drawing import Line

INK = "#12161c"
PANEL = "#1a2028"
TEXT = "#d8dee6"
QUIET = "#8c97a4"
SEA = "#3d6a86"
TEAL = "#62d0c0"
ALARM = "#ff9e80"

THEME = Theme(
    name="cosca",
    dark=True,
    background=INK,
    surface=INK,
    panel=PANEL,
    foreground=TEXT,
    primary=TEAL,
    secondary=SEA,
    accent=TEAL,
    warning=ALARM,
    error=ALARM,
    variables={
        "block-cursor-foreground": INK,
        "block-cursor-background": TEAL,
        "footer-background": PANEL,
        "footer-key-foreground": TEAL,
        "footer-description-foreground": QUIET,
        "input-selection-background": f"{SEA} 60%",
        "scrollbar": "#2a333e",
        "scrollbar-hover": "#3a4653",
        "scrollbar-active": TEAL,
        "scrollbar-background": INK,
        "scrollbar-background-hover": INK,
        "scrollbar-background-active": INK,
        "scrollbar-corner-color": INK,
    },
)

STYLES = {
    "seat.0": "#ff7b72",
    "seat.1": "#f2d16b",
    "seat.2": "#7ddf8b",
    "seat.3": "#7fb4ff",
    "seat.4": "#f0f0f0 on #000000",  # a black gang must show on a dark screen
    "seat.5": "#d9a5ff",
    "title": f"bold {TEXT}",
    "strong": "bold",
    "dim": QUIET,
    "accent": f"bold {TEAL}",
    "scenery": SEA,
    "alarm": ALARM,
    "": TEXT,
}
CHANGED = Style.parse("bold reverse")
"""Style of the cells that differ from the drawing before."""


@cache
def style(words: str) -> Style:
    """Return the combined style of some style names, separated by spaces."""
    return Style.combine(Style.parse(STYLES[word]) for word in words.split() or [""])


def highlight_names(line: str, look: str, names: Sequence[str]) -> Text:
    """Return a line of text with the names of the players in their colours."""
    text = Text(line, style(look))
    for seat, name in enumerate(names):
        text.highlight_words([name], style(f"seat.{seat}"))
    return text


def paint(lines: list[Line], before: list[Line] | None = None) -> Text:
    """Render a drawing as text; cells that differ from the drawing before are highlighted."""
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        cells = _cells(line, before[number] if before and number < len(before) else line)
        for look, run in groupby(cells, lambda cell: cell[1]):
            text.append("".join(character for character, _ in run), look)
    return text


def _cells(line: Line, before: Line) -> Iterator[tuple[str, Style]]:
    """Yield each character with its style."""
    old = "".join(piece.text for piece in before)
    at = 0
    for piece in line:
        look = style(piece.style)
        for character in piece.text:
            yield character, look if old[at : at + 1] == character else look + CHANGED
            at += 1
