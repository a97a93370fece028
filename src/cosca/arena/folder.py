"""The folder of an arena: the contest, and every result, stored as soon as a game is over."""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NoReturn

import msgspec

from cosca.arena.contest import FORMAT, Contest
from cosca.arena.result import Result
from cosca.catalog import GAMES
from cosca.core.errors import Refused

CONTEST: Final = "contest.json"
GAMES_FILE: Final = "games.jsonl"


def refuse_folder(path: Path, error: OSError) -> NoReturn:
    """Refuse a file or folder that cannot be used, and say why."""
    raise Refused(
        "arena.bad_folder", folder=str(path), reason=error.strerror or type(error).__name__
    ) from None


def read_contest(folder: Path) -> Contest:
    """Return the contest of a folder."""
    try:
        content = (folder / CONTEST).read_bytes()
    except OSError as error:
        refuse_folder(folder, error)
    try:
        contest = msgspec.json.decode(content, type=Contest)
    except msgspec.DecodeError:
        raise Refused("arena.no_arena", folder=str(folder)) from None
    game = GAMES.get(contest.game)
    if game is None or game.version != contest.rules or contest.format != FORMAT:
        raise Refused("arena.other_version", folder=str(folder))
    settings = game.read_settings(contest.settings)
    game.check(settings, contest.seats)
    return msgspec.structs.replace(contest, settings=dict(settings))


def read_results(folder: Path, contest: Contest) -> list[Result]:
    """Return all results of a folder, in order. A last line cut off by a crash is ignored."""
    try:
        content = (folder / GAMES_FILE).read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        refuse_folder(folder, error)
    by_number: dict[int, Result] = {}
    for number, line in enumerate(content[: content.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            result = msgspec.json.decode(line, type=Result)
        except msgspec.DecodeError:
            raise Refused("arena.bad_line", folder=str(folder), line=number) from None
        bout = contest.bout(result.number) if result.number >= 0 else None
        if bout is None or (bout.deal, list(bout.bots)) != (result.deal, result.bots):
            raise Refused("arena.bad_line", folder=str(folder), line=number)
        by_number.setdefault(result.number, result)
    return [by_number[number] for number in sorted(by_number)]


def make_folder(folder: Path, contest: Contest) -> None:
    """Create the folder of a contest; an existing one must be for the same contest."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / CONTEST).exists():
            if read_contest(folder) != contest:
                raise Refused("arena.other_contest", folder=str(folder))
        elif any(folder.iterdir()):
            raise Refused("arena.no_arena", folder=str(folder))
        else:
            write(folder / CONTEST, msgspec.json.format(msgspec.json.encode(contest)) + b"\n")
    except OSError as error:
        refuse_folder(folder, error)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically: to a temporary file first, which then replaces it."""
    temporary = path.with_name(f"{path.name}.new")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        refuse_folder(path, error)


def write_results(folder: Path, results: Sequence[Result]) -> None:
    """Replace all results, in order."""
    lines = [msgspec.json.encode(result) + b"\n" for result in results]
    write(folder / GAMES_FILE, b"".join(lines))


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Lock the folder, so that no other process adds to it."""
    with (folder / CONTEST).open("rb") as lock:
        with contextlib.suppress(
            ImportError
        ):  # Windows has no fcntl: there the user has to take care
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused("arena.in_use", folder=str(folder)) from None
        yield


class Journal:
    """The file that results are appended to as games end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._file = (folder / GAMES_FILE).open("ab+")
            self._file.seek(0)
            whole = self._file.read().rfind(b"\n") + 1
            self._file.truncate(whole)  # a line that a crash cut off
        except OSError as error:
            refuse_folder(folder, error)

    def add(self, result: Result) -> None:
        """Append a result; once this returns, a crash cannot lose it."""
        try:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()
        except OSError as error:
            refuse_folder(self._folder, error)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def results_of_complete_deals(contest: Contest, results: Sequence[Result]) -> list[Result]:
    """Return the results of deals that were played from every seat; others prove nothing."""
    return list(_of_complete_deals(contest, results))


def _of_complete_deals(contest: Contest, results: Sequence[Result]) -> Iterator[Result]:
    played: dict[int, int] = {}
    for result in results:
        played[result.deal] = played.get(result.deal, 0) + 1
    for result in results:
        if played[result.deal] == contest.rotations:
            yield result
