"""`cosca verify`: check records, and say what one proves about the deal."""

import sys
from pathlib import Path

import click

from cosca.catalog import GAMES
from cosca.cli.terminal import echo_text
from cosca.core.errors import Refused
from cosca.match.verification import (
    InvalidRecord,
    Record,
    UnreadableRecord,
    contributions_of,
    read_record,
    verify,
)
from cosca.words import say

VALID, INVALID, NO_RECORD = 0, 1, 2
"""Exit codes. The one of several files is the highest."""


@click.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
def command(files: tuple[Path, ...]) -> None:
    """Check the moves, result, dice and hash chain of the record in each FILE.

    For one file, also print who contributed to the dice, and what that proves. For several, print
    one line each.
    """
    if len(files) == 1:
        _verify_one(files[0])
    else:
        sys.exit(max(_verify_in_one_line(file) for file in files))


def _verify_one(file: Path) -> None:
    record = read_record_file(file)
    try:
        verify(record)
    except InvalidRecord as broken:
        echo_text(format_broken(broken), err=True)
        sys.exit(INVALID)
    echo_text(format_valid(record))
    for sentence in describe_deal(record):
        echo_text(sentence)


def _verify_in_one_line(file: Path) -> int:
    """Print one line about a file, and return the exit code that it would have alone."""
    try:
        record = read_record_file(file)
        verify(record)
    except InvalidRecord as broken:
        echo_text(say("verify.of_file", {"file": str(file), "text": format_broken(broken)}))
        return INVALID
    except Refused as refused:
        echo_text(say(refused.key, refused.params))
        return NO_RECORD
    echo_text(say("verify.of_file", {"file": str(file), "text": format_valid(record)}))
    return VALID


def format_valid(record: Record) -> str:
    """Return what was found of a valid record."""
    game = GAMES[record.header["game"]]
    chain = record.contents[-1]["chain"][:8]
    return say("verify.good", {"game": game.title, "steps": len(record.steps), "chain": chain})


def describe_deal(record: Record) -> list[str]:
    """Return sentences on who contributed to the dice of a valid record, and what that proves."""
    if record.header["format"] == 1:
        return [say("contributions.format_1", {})]
    contributions = contributions_of(record.header)
    kinds: dict[str, list[str]] = {}
    for seat, contribution in enumerate(contributions):
        name = {"name": record.header["players"][seat], "seat": seat + 1}
        kinds.setdefault(contribution.kind, []).append(say("verify.player", name))
    who = [
        say(f"contributions.{kind}", {"names": ", ".join(kinds[kind])})
        for kind in ("revealed", "withheld", "silent", "bot")
        if kind in kinds
    ]
    proof = "contributions.proven" if "revealed" in kinds else "contributions.unproven"
    return [*who, say(proof, {})]


def format_broken(broken: InvalidRecord) -> str:
    """Return what is wrong with a record, and in which line."""
    reason = say(broken.key, broken.params)
    return say("verify.broken", {"line": broken.line, "reason": reason})


def read_record_file(file: Path, *, growing: bool = False) -> Record:
    """Read a record from a file, which may still be growing."""
    try:
        with file.open("rb") as stream:
            return read_record(stream, growing=growing)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnreadableRecord("record.unreadable", file=str(file), reason=reason) from None
    except UnreadableRecord as refused:
        raise Refused(
            "record.not_a_record", file=str(file), reason=say(refused.key, refused.params)
        ) from None
