"""Back up a store while a house is running, and restore it when none is."""

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

SIDE_FILES: Final = ("-wal", "-shm")
"""What SQLite puts beside a file that is open, or was not closed properly."""
HEADER: Final = b"SQLite format 3\0"
APPLICATION_ID_AT: Final = slice(68, 72)
"""The place of the application id in the header of an SQLite file."""


@dataclass(frozen=True)
class Restored:
    """The result of a restore."""

    tables: int
    aside: Path | None = None
    """Where a damaged store was moved to, if one was in the way."""


def backup(store: Path, file: Path) -> int:
    """Copy a store, as it is at one moment, to a new file; return the number of tables."""
    if file.exists():
        raise Refused("backup.exists", path=str(file))
    with _copied(store, file) as (copy, tables):
        _publish(copy, file)
    return tables


def restore(file: Path, store: Path, *, replace: bool = False) -> Restored:
    """Make a store from a backup; replace an existing one only if asked to."""
    if store.exists() and not replace:
        raise Refused("backup.store_exists", path=str(store))
    with _copied(file, store) as (copy, tables), only_process(store, "backup.in_use"):
        aside = _remove_old(store)
        if replace:
            os.replace(copy, store)
        else:
            _publish(copy, store)
    return Restored(tables, aside)


@contextlib.contextmanager
def _copied(source: Path, target: Path) -> Iterator[tuple[Path, int]]:
    """Copy a store to a temporary file beside the target; give the copy and its table count.

    The caller gives the copy its final name. On exit that name is on the disk too.
    """
    if not source.is_file():
        raise Refused("backup.missing", path=str(source))
    try:
        created = make_private_folder(target.parent)
        with tempfile.TemporaryDirectory(prefix=".cosca-", dir=target.parent) as folder:
            copy = Path(folder) / target.name
            tables = _copy(source, copy)
            _sync_file(copy)
            yield copy, tables
        for parent in [target.parent, *(folder.parent for folder in created)]:
            _sync_folder(parent)
    except (sqlite3.Error, OSError) as error:
        raise Refused("backup.failed", path=str(source), reason=str(error)) from None


def _copy(source: Path, copy: Path) -> int:
    """Copy a store in one step, which is consistent while others write; return its table count."""
    copy.touch(0o600)  # it holds the seeds of games in progress
    with (
        contextlib.closing(sqlite3.connect(source, timeout=10)) as original,
        contextlib.closing(sqlite3.connect(copy)) as made,
    ):
        check_is_store(original, str(source), allow_empty=False)
        original.backup(made)
        made.execute("PRAGMA journal_mode = DELETE")  # one file, without side files
        if made.execute("PRAGMA quick_check").fetchone()[0] != "ok":
            raise Refused("backup.damaged", path=str(source))
        return int(made.execute("SELECT count(*) FROM tables").fetchone()[0])


def _publish(copy: Path, file: Path) -> None:
    """Give a copy its final name; raise Refused if a file got that name meanwhile."""
    try:
        os.link(copy, file)
    except FileExistsError:
        raise Refused("backup.exists", path=str(file)) from None
    except OSError:  # a file system without hard links
        os.rename(copy, file)


def _remove_old(store: Path) -> Path | None:
    """Prepare the place of a store for another; move a damaged one aside and return where to."""
    try:
        if store.exists():
            if not _is_sound(store):
                return _move_aside(store)
            _check_unused(store)
        for suffix in SIDE_FILES:  # of an older store; SQLite would apply them to ours
            store.with_name(store.name + suffix).unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as error:
        raise Refused("backup.not_replaced", path=str(store), reason=str(error)) from None
    return None


def _is_sound(store: Path) -> bool:
    """Return whether a store can be read in full, without changing it."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"{store.absolute().as_uri()}?immutable=1", uri=True)
        ) as db:
            check_is_store(db, str(store))
            return bool(db.execute("PRAGMA quick_check").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        if not _looks_like_store(store):
            raise Refused("web.foreign_store", path=str(store)) from None
        return False


def _check_unused(store: Path) -> None:
    """Merge the side files of a store into it; raise Refused if a house has it open."""
    with contextlib.closing(sqlite3.connect(store, timeout=0)) as db:
        check_is_store(db, str(store))  # the side files may hold a newer version
        try:
            mode = db.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        except sqlite3.OperationalError:  # SQLite leaves WAL mode only for its only user
            mode = "wal"
    if mode == "wal":
        raise Refused("backup.in_use", path=str(store))


def _looks_like_store(path: Path) -> bool:
    """Return whether a file that SQLite cannot read was a store by its header, or is all zeros."""
    with path.open("rb") as file:
        head = file.read(100)
    application_id = head[APPLICATION_ID_AT]
    is_store = head.startswith(HEADER) and application_id == APPLICATION_ID.to_bytes(4, "big")
    return is_store or not head.strip(b"\0")


def _move_aside(store: Path) -> Path:
    """Rename a damaged store with its side files; return its new name."""
    paths = [store.with_name(store.name + suffix) for suffix in SIDE_FILES]
    side_files = {path: path.read_bytes() for path in paths if path.exists()}
    with contextlib.suppress(sqlite3.DatabaseError):  # it is damaged
        _check_unused(store)
    for path, content in side_files.items():  # SQLite deletes those it cannot make sense of
        path.write_bytes(content)
    number, aside = 1, store.with_name(f"{store.name}.damaged")
    while aside.exists():
        number += 1
        aside = store.with_name(f"{store.name}.damaged.{number}")
    for path in (*side_files, store):
        make_private(path)  # a side file that was written again has the default mode
        os.rename(path, aside.with_name(aside.name + path.name.removeprefix(store.name)))
    return aside


def _sync_file(path: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Wait until the names of new files are on the disk; Windows does that by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
