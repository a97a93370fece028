"""What stands at the other end: a whole screen, or lines that go to a file, a pipe or an ear."""

import os
import sys
from collections.abc import Callable


def is_full_screen() -> bool:
    """Whether there is a whole screen to draw on, and somebody in front of it."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # the screen is drawn through the last of them
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def print_lines(tell: Callable[[], None]) -> None:
    """Print for whoever reads lines; they may leave before the end."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without the signs of the map
    try:
        tell()
    except BrokenPipeError:
        # Nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
