"""`cosca verify`: check a record, and say what it proves about the deal."""

import sys
from pathlib import Path

import click

from cosca.catalog import GAMES
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


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Check the moves, result, dice and hash chain of the record in FILE.

    Then print who contributed to the dice, and what that proves. The exit code is 0 if the record
    is valid, 1 if it is not (the message names the line), and 2 if FILE is not a record.
    """
    record = read_record_file(file)
    try:
        verify(record)
    except InvalidRecord as broken:
        click.echo(format_broken(broken), err=True)
        sys.exit(1)
    game = GAMES[record.header["game"]]
    params = {
        "game": game.title,
        "steps": len(record.steps),
        "chain": record.contents[-1]["chain"][:8],
    }
    click.echo(say("verify.good", params))
    for sentence in describe_deal(record):
        click.echo(sentence)


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
