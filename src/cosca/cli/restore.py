"""`cosca restore`: restore a store from a backup."""

from pathlib import Path

import click

from cosca.words import say


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True)
def command(file: Path, store: Path, replace: bool) -> None:
    """Restore STORE from FILE, a copy made by `cosca backup`.

    An existing store is replaced only with --replace, and only if no server uses it. A damaged
    store is not deleted but moved aside, and the last line says where.
    """
    from cosca.server.storage.sqlite.backup import restore  # slow to import

    restored = restore(file, store, replace=replace)
    click.echo(say("backup.restored", {"number": restored.tables, "path": str(store)}))
    if restored.aside:
        click.echo(say("backup.aside", {"path": str(restored.aside)}))
