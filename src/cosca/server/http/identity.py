"""Identify a browser by its cookie, and the people who share one device by a number."""

from typing import Final

import msgspec

from cosca.server.domain import commands
from cosca.server.domain.identifiers import hashed

COOKIE: Final = "cosca"
LOCAL_PLAYERS: Final = range(10)
"""The numbers of the people who may share one browser."""


def owner_id(token: str, local_player: int = 0) -> str:
    """Return the id under which tables know a person: a hash of the browser's token.

    The first local player is the browser itself; each of the others has an id of their own.
    """
    return hashed(f"{token}#{local_player}" if local_player else token)


def is_token(text: str) -> bool:
    """Return whether a cookie has the form of a token."""
    try:
        msgspec.convert(text, commands.Token)
    except msgspec.ValidationError:
        return False
    return True
