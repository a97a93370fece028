"""Cosca: mafia games of hidden information at one table."""

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

__version__ = "0.1.0"


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
