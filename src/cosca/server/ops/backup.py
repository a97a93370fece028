"""Copies of a store: taken while a house goes on, and put back where none does."""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cosca.core.errors import Refused
from cosca.server.storage.private_files import make_private, make_private_folder
from cosca.server.storage.sqlite.database import check_is_store
from cosca.server.storage.sqlite.migrations import APPLICATION_ID
from cosca.server.storage.store_lock import only_process

BESIDE: Final = ("-wal", "-shm")
"""What SQLite keeps beside a store that is open, or was not closed in good order."""


@dataclass(frozen=True)
class Restored:
    """What has come of a copy."""

    tables: int
    aside: Path | None = None
    """Where the damaged store is now that was in its place."""


def backup(store: Path, file: Path) -> int:
    """Write all tables of a store, as they are at one moment, to a new file: how many."""
    if file.exists():
        raise Refused("backup.exists", path=str(file))
    with _copied(store, file) as (copy, tables):
        _put(copy, file)
    return tables


def restore(file: Path, store: Path, *, replace: bool = False) -> Restored:
    """Make a store of a copy. One that is there is left alone, or replaced if that is asked for."""
    if store.exists() and not replace:
        raise Refused("backup.store_exists", path=str(store))
    with _copied(file, store) as (copy, tables), only_process(store, "backup.in_use"):
        aside = _make_way(store)
        if replace:
            os.replace(copy, store)
        else:
            _put(copy, store)
    return Restored(tables, aside)


@contextlib.contextmanager
def _copied(source: Path, target: Path) -> Iterator[tuple[Path, int]]:
    """Make a whole and sound copy of a store beside the place where it is to be; count its tables.

    When it has got its name there, that is on the disk too.
    """
    if not source.is_file():
        raise Refused("backup.missing", path=str(source))
    try:
        new = make_private_folder(target.parent)
        with tempfile.TemporaryDirectory(prefix=".cosca-", dir=target.parent) as place:
            copy = Path(place) / target.name
            tables = _copy(source, copy)
            _reach_the_disk(copy)
            yield copy, tables
        for folder in [target.parent, *(made.parent for made in new)]:
            _sync_folder(folder)
    except (sqlite3.Error, OSError) as error:
        raise Refused("backup.failed", path=str(source), reason=str(error)) from None


def _copy(source: Path, copy: Path) -> int:
    """Copy in one step, which SQLite does from one moment's view; others may write meanwhile."""
    copy.touch(0o600)  # it holds the dice of games in progress
    with (
        contextlib.closing(sqlite3.connect(source, timeout=10)) as original,
        contextlib.closing(sqlite3.connect(copy)) as made,
    ):
        check_is_store(original, str(source), allow_empty=False)
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


def _make_way(store: Path) -> Path | None:
    """Leave nothing of a store in its place; a damaged one is moved aside, and that is returned."""
    try:
        if store.exists():
            if not _is_sound(store):
                return _move_aside(store)
            _end_store(store)
        for rest in BESIDE:  # of a store that is no more; SQLite would read it into ours
            store.with_name(store.name + rest).unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as error:
        raise Refused("backup.not_replaced", path=str(store), reason=str(error)) from None
    return None


def _is_sound(store: Path) -> bool:
    """Whether a store can be read to its end; nothing is changed to find that out."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"{store.absolute().as_uri()}?immutable=1", uri=True)
        ) as file:
            check_is_store(file, str(store))
            return bool(file.execute("PRAGMA quick_check").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        if not _was_ours(store):
            raise Refused("web.foreign_store", path=str(store)) from None
        return False


def _end_store(store: Path) -> None:
    """See to it that a store is one, that no house is open on it, and that it is one file."""
    with contextlib.closing(sqlite3.connect(store, timeout=0)) as file:
        check_is_store(file, str(store))  # what stands beside it may tell more
        try:
            mode = file.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        except sqlite3.OperationalError:  # SQLite lets go of WAL only for who is alone
            mode = "wal"
    if mode == "wal":
        raise Refused("backup.in_use", path=str(store))


def _was_ours(store: Path) -> bool:
    """Tell by its first bytes whether a file that SQLite cannot read was a store, or is all zeros.

    They have the name of the format, and at a place of its own the number by which it is ours.
    """
    with store.open("rb") as file:
        head = file.read(100)
    is_ours = head.startswith(b"SQLite format 3\0") and head[68:72] == APPLICATION_ID.to_bytes(
        4, "big"
    )
    return is_ours or not head.strip(b"\0")


def _move_aside(store: Path) -> Path:
    """Give a damaged store on which no house is open another name, with all that belongs to it."""
    paths = [store.with_name(store.name + rest) for rest in BESIDE]
    beside = {path: path.read_bytes() for path in paths if path.exists()}
    with contextlib.suppress(sqlite3.DatabaseError):  # it is damaged
        _end_store(store)
    for path, content in beside.items():  # SQLite throws away what it cannot make sense of
        path.write_bytes(content)
    number, aside = 1, store.with_name(f"{store.name}.damaged")
    while aside.exists():
        number += 1
        aside = store.with_name(f"{store.name}.damaged.{number}")
    for path in (*beside, store):
        make_private(path)  # what SQLite has thrown away was written anew
        os.rename(path, aside.with_name(aside.name + path.name.removeprefix(store.name)))
    return aside


def _reach_the_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """See to it that the names of new files are on the disk; Windows does that by itself."""
    if os.name == "nt":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
