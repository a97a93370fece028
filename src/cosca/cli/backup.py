"""`cosca backup`: a copy of a store, also while a house is open on it."""

from pathlib import Path

import click

from cosca.words import say


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
def command(store: Path, file: Path) -> None:
    """Copy all tables of STORE to a new FILE, as they are at one moment.

    The house may go on meanwhile: every move that was acknowledged before is in the copy. The copy
    holds the dice of games in progress; keep it where nobody looks.
    """
    from cosca.server.storage.sqlite.backup import backup  # takes a while to be read

    tables = backup(store, file)
    click.echo(say("backup.done", {"number": tables, "path": str(file)}))
