"""`cosca restore`: a store from a copy."""

from pathlib import Path

import click

from cosca.words import say


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True)
def command(file: Path, store: Path, replace: bool) -> None:
    """Make STORE of the copy in FILE that `cosca backup` has made.

    A store that is there is replaced only with --replace, and only if no house is open on it. A
    damaged one is not deleted but moved aside: the last line says where.
    """
    from cosca.server.storage.sqlite.backup import restore  # takes a while to be read

    restored = restore(file, store, replace=replace)
    click.echo(say("backup.restored", {"number": restored.tables, "path": str(store)}))
    if restored.aside:
        click.echo(say("backup.aside", {"path": str(restored.aside)}))
