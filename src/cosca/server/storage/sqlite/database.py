"""Opening the SQLite file: private, durable, ours, and up to date."""

import contextlib
import logging
import sqlite3
import time
from pathlib import Path

from cosca.core.errors import Refused
from cosca.server.storage.private_files import make_private, make_private_file, make_private_folder
from cosca.server.storage.sqlite.migrations import APPLICATION_ID, MIGRATIONS, migrate
from cosca.server.telemetry.logs import log_event


def open_database(path: Path) -> sqlite3.Connection:
    """Open a file as a store, or create it; raise Refused if it is not one or is a newer one."""
    try:
        _keep_private(path)
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        check_is_store(db, str(path))
        _make_durable(db)
        migrate(db)
    except (sqlite3.Error, OSError) as error:
        raise Refused("web.bad_store", path=str(path), reason=str(error)) from None
    return db


def check_is_store(db: sqlite3.Connection, path: str, *, allow_empty: bool = True) -> None:
    """Raise Refused if a file belongs to another program or to a newer Cosca; change nothing."""
    db.execute("BEGIN")  # read all of it at one moment: another process may be creating it
    application_id = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    is_empty = not db.execute("SELECT 1 FROM sqlite_master").fetchone()
    db.execute("COMMIT")
    if application_id != APPLICATION_ID and not (is_empty and allow_empty):
        raise Refused("web.foreign_store", path=path)
    if version > len(MIGRATIONS):
        raise Refused("web.newer_store", path=path)


def _keep_private(path: Path) -> None:
    """Make the file and those that SQLite puts beside it readable by their owner alone."""
    make_private_folder(path.parent)
    make_private_file(path)
    private = [make_private(path.with_name(path.name + suffix)) for suffix in ("", "-wal", "-shm")]
    if not all(private):
        log_event("store_not_private", logging.WARNING)


def _make_durable(db: sqlite3.Connection) -> None:
    """Set up SQLite so that a commit is on the disk when it returns."""
    mode = _use_wal(db)
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA secure_delete = ON")  # overwrite deleted rows in the file
    if mode != "wal" or db.execute("PRAGMA synchronous").fetchone()[0] != 2:
        raise sqlite3.OperationalError("durable writes are not possible here")


def _use_wal(db: sqlite3.Connection) -> str:
    """Switch to a write-ahead log; return the journal mode.

    Processes that open a new file at the same moment lock each other out here, and SQLite does
    not wait by itself: try again.
    """
    for _ in range(100):
        with contextlib.suppress(sqlite3.OperationalError):
            return str(db.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        time.sleep(0.05)
    raise sqlite3.OperationalError("another process has locked the file")
