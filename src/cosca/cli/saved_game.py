"""Saved games: one file for each title, and a record for each game."""

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
from cosca.words import say

HOME = "COSCA_HOME"
"""Environment variable with the folder for saved games and records."""


class SavedGame:
    """The file with the unfinished game of one title. An unreadable file is left unchanged."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.path = data_folder() / f"{game.name}.json"
        self.failure: Refused | None = None
        """Why the game could not be saved the last time."""

    def read(self) -> Session | None:
        """Return the unfinished game, if there is one."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError):
            if not os.access(self.path.parent, os.X_OK):
                return None  # nothing can be saved there either
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
        """Return the path of the record of a game; the record stays when the game is over."""
        return self.path.parent / "records" / session.seating.record

    def keep(self, session: Session) -> Refused | None:
        """Save the game if that is possible. Return why not, but only the first time it fails."""
        before = self.failure
        try:
            self.write(session)
            self.failure = None
        except Refused as refused:
            self.failure = refused
        return self.failure if before is None else None

    def last_words(self, session: Session) -> str:
        """Return the sentence for a player who leaves: where the game or its record is."""
        if self.failure:
            return say("play.not_saved", self.failure.params)
        if session.is_over:
            return say("play.recorded", {"file": str(self.record_path(session))})
        return say("play.saved", {"game": self.game.name})

    def write(self, session: Session) -> None:
        """Save the game and its record; if the game is over, keep only the record."""
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
    """Return the folder for saved games, records and the store of the server."""
    named = os.environ.get(HOME)
    return Path(named) if named else user_state_path("cosca", appauthor=False)


def protect_default_folder() -> None:
    """Make the default folder and its records inaccessible to other users.

    A folder chosen by the user may hold other files, so its permissions stay as they are.
    """
    if not os.environ.get(HOME):
        for each in (data_folder(), data_folder() / "records"):
            make_private(each)


def _seating(game: Game[Any, Any], data: dict[str, Any]) -> Seating:
    """Read the seating of a saved game. Everything is checked: the file may have been edited."""
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
    """Write a temporary file and rename it, so that a crash loses nothing."""
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
