"""Cosca: mafia games of hidden information at one table.

The names in `__all__` are the public surface; docs/api.md describes each of them. A name is
imported from the module that defines it when it is first used: `import cosca` loads no game.
"""

import os
import sys
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

__version__ = "0.1.0"
"""The version of Cosca, as in the changelog."""

__all__ = [
    "CHANCE",
    "GAMES",
    "SPECTATOR",
    "Action",
    "Advice",
    "Bot",
    "Budget",
    "Dice",
    "Event",
    "Game",
    "InvalidRecord",
    "Move",
    "Option",
    "Position",
    "Record",
    "Refused",
    "Replay",
    "Scribe",
    "SealedDice",
    "SearchBot",
    "Seat",
    "Settings",
    "State",
    "Table",
    "UnreadableRecord",
    "__version__",
    "advise",
    "find",
    "find_bot",
    "is_compiled",
    "read_record",
    "replay_record",
    "roster",
    "say",
    "verify",
    "win_chances",
]

TYPE_CHECKING = False  # a type checker takes it for True; importing `typing` for it costs 10 ms
if TYPE_CHECKING:  # read by type checkers and import contracts; at run time see `__getattr__`
    from cosca.bots.consigliere import Advice, advise
    from cosca.bots.roster import Bot, find_bot, roster
    from cosca.bots.search.budget import Budget
    from cosca.bots.search.search_bot import SearchBot
    from cosca.bots.win_chances import win_chances
    from cosca.catalog import GAMES, find
    from cosca.core.dice import Dice
    from cosca.core.errors import Refused
    from cosca.core.events import Event
    from cosca.core.game import Game
    from cosca.core.move import Move
    from cosca.core.names import CHANCE, SPECTATOR, Action, Seat
    from cosca.core.options import Option, Settings
    from cosca.core.position import Position
    from cosca.core.state import State
    from cosca.match.record import Scribe
    from cosca.match.replay import Replay, replay_record
    from cosca.match.sealed import SealedDice
    from cosca.match.table import Table
    from cosca.match.verification import (
        InvalidRecord,
        Record,
        UnreadableRecord,
        read_record,
        verify,
    )
    from cosca.words import say

_DEFINED_IN = {
    "cosca.bots.win_chances": ("win_chances",),
    "cosca.bots.consigliere": ("Advice", "advise"),
    "cosca.bots.roster": ("Bot", "find_bot", "roster"),
    "cosca.bots.search.budget": ("Budget",),
    "cosca.bots.search.search_bot": ("SearchBot",),
    "cosca.catalog": ("GAMES", "find"),
    "cosca.core.dice": ("Dice",),
    "cosca.core.errors": ("Refused",),
    "cosca.core.events": ("Event",),
    "cosca.core.game": ("Game",),
    "cosca.core.move": ("Move",),
    "cosca.core.names": ("CHANCE", "SPECTATOR", "Action", "Seat"),
    "cosca.core.options": ("Option", "Settings"),
    "cosca.core.position": ("Position",),
    "cosca.core.state": ("State",),
    "cosca.match.record": ("Scribe",),
    "cosca.match.replay": ("Replay", "replay_record"),
    "cosca.match.sealed": ("SealedDice",),
    "cosca.match.table": ("Table",),
    "cosca.match.verification": (
        "InvalidRecord",
        "UnreadableRecord",
        "Record",
        "read_record",
        "verify",
    ),
    "cosca.words": ("say",),
}
_MODULES = {name: module for module, names in _DEFINED_IN.items() for name in names}


def _prefer_sources() -> None:
    """Import our own modules from their plain sources, also where compiled twins lie there."""
    of_sources = FileFinder.path_hook((SourceFileLoader, SOURCE_SUFFIXES))

    def hook(path: str) -> FileFinder:
        if not path.startswith(__path__[0]):
            raise ImportError("not ours", path=path)
        return of_sources(path)  # type: ignore[return-value]  # typeshed names only the protocol

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()


if os.environ.get("COSCA_PURE") == "1":
    _prefer_sources()


def is_compiled() -> bool:
    """Whether the rules run compiled here, or as plain Python."""
    from cosca.core import state

    return not str(state.__file__).endswith(".py")


if not TYPE_CHECKING:  # a type checker reads the imports above, and so refuses unknown names

    def __getattr__(name: str) -> object:
        """Import a public name from its module and keep it."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_MODULES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """List the public names too, for editors and `help()`."""
    return sorted({*globals(), *__all__})
