"""Who a browser is: a cookie, and the people who share it."""

from typing import Final

import msgspec

from cosca.server.domain import commands
from cosca.server.domain.identifiers import hashed

COOKIE: Final = "cosca"
LOCAL_PLAYERS: Final = tuple("0123456789")


def local_player_owner(token: str, local_player: int) -> str:
    """One of the people at a browser: the first is the browser itself, others sit beside."""
    return hashed(f"{token}#{local_player}" if local_player else token)


def is_token(text: str) -> bool:
    """Whether a browser can be known by that."""
    try:
        msgspec.convert(text, commands.Token)
    except msgspec.ValidationError:
        return False
    return True
