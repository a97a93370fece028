"""A lock that lets one process at a time use a store."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from cosca.core.errors import Refused
from cosca.server.storage.private_files import FILE_MODE, make_private_folder


@contextlib.contextmanager
def only_process(store: Path, refusal: str = "web.store_in_use") -> Iterator[None]:
    """Hold a store for this process; raise Refused if another process has it.

    The lock is on a file beside the store, which stays there: opening and closing the store itself
    would drop the locks of SQLite. The kernel drops the lock when the process ends in any way.
    """
    try:
        path = store.resolve()  # one lock for one file, also by symbolic links
        make_private_folder(path.parent)
        handle = os.open(path.with_name(f"{path.name}-lock"), os.O_RDWR | os.O_CREAT, FILE_MODE)
    except OSError as error:
        raise Refused("web.bad_store", path=str(store), reason=str(error)) from None
    try:
        if not _try_lock(handle):
            raise Refused(refusal, path=str(store))
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
