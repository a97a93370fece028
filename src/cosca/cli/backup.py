"""`cosca backup`: copy a store, even while a server uses it."""

from pathlib import Path

import click

from cosca.words import say


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
def command(store: Path, file: Path) -> None:
    """Copy all tables of STORE to the new file FILE.

    The server may keep running: the copy holds every move acknowledged before it began. The copy
    also holds the dice of games in progress, so keep it private.
    """
    from cosca.server.storage.sqlite.backup import backup  # slow to import

    tables = backup(store, file)
    click.echo(say("backup.done", {"number": tables, "path": str(file)}))
