"""The folder of an arena: what is played, and every game so far, safe as soon as it is over."""

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
    """Say why a file or folder cannot be used."""
    raise Refused(
        "arena.bad_folder", folder=str(path), reason=error.strerror or type(error).__name__
    ) from None


def read_contest(folder: Path) -> Contest:
    """What is played in a folder."""
    try:
        told = (folder / CONTEST).read_bytes()
    except OSError as error:
        refuse_folder(folder, error)
    try:
        contest = msgspec.json.decode(told, type=Contest)
    except msgspec.DecodeError:
        raise Refused("arena.no_arena", folder=str(folder)) from None
    game = GAMES.get(contest.game)
    if game is None or game.version != contest.rules or contest.format != FORMAT:
        raise Refused("arena.other_version", folder=str(folder))
    settings = game.read_settings(contest.settings)
    game.check(settings, contest.seats)
    return msgspec.structs.replace(contest, settings=dict(settings))


def read_results(folder: Path, contest: Contest) -> list[Result]:
    """All games of a folder, in order. A line that was cut off by a sudden end is left out."""
    try:
        told = (folder / GAMES_FILE).read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        refuse_folder(folder, error)
    found: dict[int, Result] = {}
    for number, line in enumerate(told[: told.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            result = msgspec.json.decode(line, type=Result)
        except msgspec.DecodeError:
            raise Refused("arena.bad_line", folder=str(folder), line=number) from None
        bout = contest.bout(result.number) if result.number >= 0 else None
        if bout is None or (bout.deal, list(bout.bots)) != (result.deal, result.bots):
            raise Refused("arena.bad_line", folder=str(folder), line=number)
        found.setdefault(result.number, result)
    return [found[number] for number in sorted(found)]


def make_folder(folder: Path, contest: Contest) -> None:
    """A folder for a contest; one that is there already must be for the same."""
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
    """Write beside a file and then put it in its place, so that there is never half of it."""
    beside = path.with_name(f"{path.name}.new")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except OSError as error:
        refuse_folder(path, error)


def write_results(folder: Path, results: Sequence[Result]) -> None:
    """All games, in order, instead of those that were there."""
    lines = [msgspec.json.encode(result) + b"\n" for result in results]
    write(folder / GAMES_FILE, b"".join(lines))


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Nobody else adds to the folder meanwhile."""
    with (folder / CONTEST).open("rb") as lock:
        with contextlib.suppress(ImportError):  # Windows has no fcntl: there it is up to the user
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Refused("arena.in_use", folder=str(folder)) from None
        yield


class Journal:
    """The file that games are added to as they end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            self._file = (folder / GAMES_FILE).open("ab+")
            self._file.seek(0)
            whole = self._file.read().rfind(b"\n") + 1
            self._file.truncate(whole)  # a line that a sudden end cut off
        except OSError as error:
            refuse_folder(folder, error)

    def add(self, result: Result) -> None:
        """Write a game down: from here on a kill cannot take it."""
        try:
            self._file.write(msgspec.json.encode(result) + b"\n")
            self._file.flush()
        except OSError as error:
            refuse_folder(self._folder, error)

    def close(self) -> None:
        """No more games."""
        self._file.close()


def whole_deals(contest: Contest, results: Sequence[Result]) -> list[Result]:
    """The games of those deals that were played from every seat: the others prove nothing."""
    return list(_whole(contest, results))


def _whole(contest: Contest, results: Sequence[Result]) -> Iterator[Result]:
    played: dict[int, int] = {}
    for result in results:
        played[result.deal] = played.get(result.deal, 0) + 1
    for result in results:
        if played[result.deal] == contest.rotations:
            yield result
