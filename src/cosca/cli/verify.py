"""`cosca verify`: whether a record is good, and its deal was honest."""

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
    """Check the record in FILE: its rules, its result, its dice, its chain.

    Then it says who contributed to the dice, and what that proves.

    Ends with 0 if all is good, with 1 if something is not (and says in which line), with 2 if it is
    no record.
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
    """Say who contributed to the dice of a good record, and what that proves."""
    if record.header["format"] == 1:
        return [say("verify.format_1", {})]
    contributions = contributions_of(record.header)
    kinds: dict[str, list[str]] = {}
    for seat, contribution in enumerate(contributions):
        name = {"name": record.header["players"][seat], "seat": seat + 1}
        kinds.setdefault(contribution.kind, []).append(say("verify.player", name))
    said = [
        say(f"verify.{kind}", {"players": ", ".join(kinds[kind])})
        for kind in ("revealed", "withheld", "silent", "bot")
        if kind in kinds
    ]
    return [*said, say("verify.proven" if "revealed" in kinds else "verify.unproven", {})]


def format_broken(broken: InvalidRecord) -> str:
    """What is wrong with a record, and in which line."""
    reason = say(broken.key, broken.params)
    return say("verify.broken", {"line": broken.line, "reason": reason})


def read_record_file(file: Path, *, growing: bool = False) -> Record:
    """The record in a file, which may be about to grow."""
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
