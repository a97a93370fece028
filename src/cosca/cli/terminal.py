"""What the output goes to: a full-screen terminal, or a pipe, file or screen reader."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from textwrap import wrap

import click

UNKNOWN_SIZE = (80, 24)
"""Columns and lines of a terminal that does not say how many it has."""
NEW_BLOCK = re.compile(r"\s*$|- |#|\||\d+\. ")
"""How a line of Markdown begins that does not continue the line before it."""


def is_full_screen() -> bool:
    """Return whether a full-screen interface can run: all streams are a capable terminal."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # Textual draws through stderr
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def print_lines(write_all: Callable[[], None]) -> None:
    """Run a function that prints lines; the reader may close the pipe before the end."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # for terminals without our characters
    try:
        write_all()
    except BrokenPipeError:
        # Nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def text_width() -> int:
    """Return the columns of the terminal."""
    return shutil.get_terminal_size(UNKNOWN_SIZE).columns


def wrap_text(text: str, width: int) -> list[str]:
    """Return a line of text as lines of at most this width, broken between words."""
    indent = "  " if text.startswith("- ") else ""
    lines = wrap(
        text,
        max(1, width),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]


def wrap_markdown(text: str, width: int) -> Iterator[str]:
    """Yield Markdown in lines of at most this width: paragraphs are filled again."""
    block = ""
    for line in text.splitlines():
        if block and not NEW_BLOCK.match(line) and not NEW_BLOCK.fullmatch(block):
            block += " " + line.strip()
            continue
        if block:
            yield from wrap_text(block.strip(), width)
        block = line or " "
    yield from wrap_text(block.strip(), width)


def echo_text(text: str, *, err: bool = False) -> None:
    """Print a text. At a terminal it breaks between words; for programs it stays one line."""
    stream = sys.stderr if err else sys.stdout
    lines = wrap_text(text, text_width()) if stream.isatty() else [text]
    click.echo("\n".join(lines), err=err)
