"""Keep files that hold the seeds of running games readable by their owner alone."""

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

FOLDER: Final = 0o700
FILE: Final = 0o600
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(path: Path) -> list[Path]:
    """Make a folder, and those missing above it, for the owner alone; return those made.

    A folder that is there already is left as it is.
    """
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=FOLDER, exist_ok=True)
    return missing


def make_private_file(path: Path) -> None:
    """Make an empty file for the owner alone, unless there is one.

    One that is there is not even opened: to close it again would drop the locks that SQLite has on
    it in this process.
    """
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def make_private(path: Path) -> bool:
    """Take a file or folder away from everybody but its owner; return whether it is private now.

    A file that is not there is private. On Windows, access follows from the folder it is in.
    """
    if os.name == "nt":
        return True
    with contextlib.suppress(FileNotFoundError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & OTHERS:
            with contextlib.suppress(PermissionError):  # it belongs to somebody else
                path.chmod(mode & ~OTHERS)
        return not path.stat().st_mode & OTHERS
    return True
