"""Files and folders that only their owner can read: they hold the seeds of running games."""

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
ALL_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(path: Path) -> list[Path]:
    """Create a folder and its missing parents for their owner alone; return those created.

    A folder that exists is left as it is.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    return missing


def make_private_file(path: Path) -> None:
    """Create an empty file for its owner alone, unless it exists.

    An existing file is not even opened: closing it again would drop the locks that SQLite has on
    it in this process.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE))


def make_private(path: Path) -> bool:
    """Remove the access of everybody but the owner; return whether the path is private now.

    A missing file is private. On Windows the folder's permissions decide.
    """
    if os.name == "nt":
        return True
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & ALL_OTHERS:
            with contextlib.suppress(PermissionError):  # it belongs to another user
                path.chmod(mode & ~ALL_OTHERS)
        return not path.stat().st_mode & ALL_OTHERS
    return True
