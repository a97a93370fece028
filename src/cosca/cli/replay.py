"""`cosca replay`: step through a recorded game, or print its score."""

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from cosca.cli.options import WholeNumber
from cosca.cli.terminal import echo_text, is_full_screen, print_lines
from cosca.cli.verify import format_broken, read_record_file
from cosca.cli.win_chances import compute_win_chances, format_win_chances
from cosca.core.errors import Refused
from cosca.match.replay import OMNISCIENT, Replay, Viewer, extend_replay, replay_record
from cosca.match.score_sheet import format_heading, format_plies, format_result, format_score_sheet
from cosca.match.verification import InvalidRecord

POLL = 0.5
"""Seconds between two checks of a growing file."""

Write = Callable[[str], None]
"""Prints a line."""
Wait = Callable[[], None]
"""Waits for a moment."""


class RecordFile:
    """A record file, which may still be growing, and its replay."""

    def __init__(self, file: Path, *, growing: bool = False) -> None:
        self.file = file
        self._size = _size(file)
        self.record = read_record_file(file, growing=growing)
        self.replay = replay_record(self.record)

    @property
    def is_finished(self) -> bool:
        """Whether the record is complete."""
        return self.record.is_finished

    def poll(self) -> bool:
        """Read new lines; return whether there were any."""
        size = _size(self.file)
        if size == self._size:
            return False
        record = read_record_file(self.file, growing=True)
        known = len(self.record.lines)
        if record.lines[:known] != self.record.lines:
            raise Refused("replay.other_file", file=str(self.file))
        self._size, self.record = size, record
        extend_replay(self.replay, record)
        return len(record.lines) > known


def _size(file: Path) -> int:
    """Return the size of a file, or -1: reading it will then report the error."""
    try:
        return file.stat().st_size
    except OSError:
        return -1


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", type=WholeNumber(1, 99), default=None)
@click.option(
    "--at",
    type=WholeNumber(0),
    default=None,
)
@click.option("--follow", is_flag=True)
@click.option("--plain", is_flag=True)
@click.option("--chances", is_flag=True)
def command(
    file: Path, seat: int | None, at: int | None, follow: bool, plain: bool, chances: bool
) -> None:
    """Step through the recorded game in FILE; press ? for the keys.

    Without a full-screen terminal it prints the score instead, one line for each move. The exit
    code is 1 if a line of the record is invalid, and 2 if FILE is not a record.
    """
    try:
        source = RecordFile(file, growing=follow)
        _check(source, seat, at)
        viewer = OMNISCIENT if seat is None else seat - 1
        if chances:
            _check_chances(source, alone=(seat, at, follow) == (None, None, False))
            print_lines(lambda: _print_win_chances(source.replay))
        elif not plain and is_full_screen():
            _open_screen(source, viewer, at, follow)
        elif follow:
            wait = partial(time.sleep, POLL)
            print_lines(lambda: follow_score(source, viewer, at, click.echo, wait))
        else:
            print_lines(lambda: click.echo(format_score_sheet(source.replay, viewer, at), nl=False))
    except InvalidRecord as broken:
        echo_text(format_broken(broken), err=True)
        sys.exit(1)


def _check(source: RecordFile, seat: int | None, at: int | None) -> None:
    """Refuse a seat or a move number that does not exist."""
    replay = source.replay
    if seat is not None and seat > replay.seats:
        raise Refused("bad_seat", seat=seat, seats=replay.seats)
    if at is not None and at > len(replay.plies):
        raise Refused("replay.no_such_move", number=at, most=len(replay.plies))


def _check_chances(source: RecordFile, *, alone: bool) -> None:
    """Refuse win chances of an unfinished game, or together with other options."""
    if not alone:
        raise Refused("replay.chances_alone")
    if not source.is_finished:
        raise Refused("replay.chances_over")


def _print_win_chances(replay: Replay) -> None:
    for line in format_win_chances(replay, compute_win_chances(replay)):
        click.echo(line)


def _open_screen(source: RecordFile, viewer: Viewer, at: int | None, follow: bool) -> None:
    from cosca.cli.replay_screen import ReplayApp  # slow to import

    app = ReplayApp(source, viewer, at, follow=follow)
    last_words = app.run()
    if last_words:
        echo_text(last_words, err=True)
    if app.return_code:
        sys.exit(app.return_code)


def follow_score(
    source: RecordFile, viewer: Viewer, at: int | None, write: Write, wait: Wait
) -> None:
    """Print the score as it grows, each move once it is complete, until the result."""
    replay = source.replay
    printed = at or 0
    for line in format_heading(replay, viewer):
        write(line)
    while True:
        for line in format_plies(replay, viewer, printed, replay.complete_plies):
            write(line)
        printed = max(printed, replay.complete_plies)
        if source.is_finished:
            break
        wait()
        source.poll()
    for line in format_result(replay):
        write(line)
