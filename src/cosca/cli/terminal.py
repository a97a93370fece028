"""What the output goes to: a full-screen terminal, or a pipe, file or screen reader."""

import os
import sys
from collections.abc import Callable


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
