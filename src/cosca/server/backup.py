"""Copies of a store: taken while a house goes on, and put back where none does."""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cosca.core.errors import Refused
from cosca.server.store import know


def backup(store: Path, file: Path) -> int:
    """Write all tables of a store, as they are at one moment, to a new file: how many."""
    if file.exists():
        raise Refused("backup.exists", path=str(file))
    with _copied(store, file) as (copy, tables):
        _put(copy, file)
    return tables


def restore(file: Path, store: Path, *, replace: bool = False) -> int:
    """Make a store of a copy: how many tables it has. One that is there is left alone if asked."""
    if store.exists() and not replace:
        raise Refused("backup.store_exists", path=str(store))
    with _copied(file, store) as (copy, tables):
        if store.exists():
            _end_store(store)
        for rest in ("-wal", "-shm"):  # of a store that is no more; SQLite would read it into ours
            store.with_name(store.name + rest).unlink(missing_ok=True)
        if replace:
            os.replace(copy, store)
        else:
            _put(copy, store)
    return tables


@contextlib.contextmanager
def _copied(source: Path, target: Path) -> Iterator[tuple[Path, int]]:
    """A whole and sound copy of a store beside the place where it is to be, and its tables."""
    if not source.is_file():
        raise Refused("backup.missing", path=str(source))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".cosca-", dir=target.parent) as place:
            copy = Path(place) / target.name
            tables = _copy(source, copy)
            _reach_the_disk(copy)
            yield copy, tables
    except (sqlite3.Error, OSError) as error:
        raise Refused("backup.failed", path=str(source), reason=str(error)) from None


def _copy(source: Path, copy: Path) -> int:
    """Copy in one step, which SQLite does from one moment's view; others may write meanwhile."""
    copy.touch(0o600)  # it holds the dice of games in progress
    with (
        contextlib.closing(sqlite3.connect(source, timeout=10)) as original,
        contextlib.closing(sqlite3.connect(copy)) as made,
    ):
        know(original, str(source), empty=False)
        original.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        if made.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise Refused("backup.damaged", path=str(source))
        return int(made.execute("SELECT count(*) FROM tables").fetchone()[0])


def _put(copy: Path, file: Path) -> None:
    """Give a copy its name, unless somebody has taken it meanwhile."""
    try:
        os.link(copy, file)
    except FileExistsError:
        raise Refused("backup.exists", path=str(file)) from None
    except OSError:  # a disk that knows no links
        os.rename(copy, file)


def _end_store(store: Path) -> None:
    """See to it that a store is one, that no house is open on it, and that it is one file."""
    with contextlib.closing(sqlite3.connect(store, timeout=0)) as file:
        know(file, str(store))
        try:
            mode = file.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        except sqlite3.OperationalError:  # SQLite lets go of WAL only for who is alone
            mode = "wal"
    if mode == "wal":
        raise Refused("backup.in_use", path=str(store))


def _reach_the_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
