"""The file in which an unfinished game waits, one for each game."""

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from cosca.bots.external import check_bot
from cosca.cli.seating import PERSON, Seating
from cosca.cli.session import Session
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.match.sealed import FORMAT
from cosca.server.storage.private_files import make_private, make_private_folder

HOME = "COSCA_HOME"
"""The environment variable that names another folder to keep games in."""


class SavedGame:
    """Where the unfinished game of one kind is kept. A file that cannot be read is left alone."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.path = data_folder() / f"{game.name}.json"

    def read(self) -> Session | None:
        """The unfinished game, if there is one."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError):
            raise self._unreadable() from None
        try:
            data = json.loads(text)
            newer = data["format"] > FORMAT or data["rules"] != self.game.version
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._unreadable() from None
        if newer:
            raise Refused("play.other_save", path=str(self.path))
        return self._load(data)

    def _load(self, data: dict[str, Any]) -> Session:
        try:
            return Session.load(_seating(self.game, data), data)
        except (Refused, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            raise self._unreadable() from None

    def _unreadable(self) -> Refused:
        return Refused("play.bad_save", path=str(self.path))

    def record_path(self, session: Session) -> Path:
        """The file with the record of a game, which stays when the game is over."""
        return self.path.parent / "records" / session.seating.record

    def write(self, session: Session) -> None:
        """Keep the game as it stands, and its record; of a finished game the record alone."""
        try:
            record = self.record_path(session)
            make_private_folder(record.parent)
            protect_default_folder()
            _replace(record, "\n".join([*session.record(), ""]))
            if session.is_over:
                self.path.unlink(missing_ok=True)
            else:
                _replace(self.path, json.dumps(session.save()))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Refused("play.cannot_save", path=str(self.path), reason=reason) from None


def data_folder() -> Path:
    """Where games are kept."""
    named = os.environ.get(HOME)
    return Path(named) if named else user_state_path("cosca", appauthor=False)


def protect_default_folder() -> None:
    """Close the system's own folder for our games to other users, with the records in it.

    A folder that somebody has named may hold other things, and is left as it is.
    """
    if not os.environ.get(HOME):
        for each in (data_folder(), data_folder() / "records"):
            make_private(each)


def _seating(game: Game[Any, Any], data: dict[str, Any]) -> Seating:
    """Who sat where. Everything is checked, for the file may have been touched."""
    bots = tuple(str(name) for name in data["bots"])
    seat = bots.index(PERSON)
    for name in (*bots[:seat], *bots[seat + 1 :]):
        check_bot(game, name)
    if data["game"] != game.name or data["seat"] != seat or len(data["bot_dice"]) != len(bots):
        raise ValueError("the parts of the saved game do not fit")
    settings = game.read_settings(data["settings"])
    game.check(settings, len(bots))
    return Seating(
        game=game,
        settings=settings,
        seat=seat,
        bots=bots,
        seed=int(data["seed"]),
        table=str(data["table"]),
        record=Path(str(data["record"])).name,
        format=int(data["format"]),
        entropy=bytes.fromhex(data["entropy"]),
    )


def _replace(path: Path, text: str) -> None:
    """Write beside the file and then put it in its place, so that a crash loses nothing."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
