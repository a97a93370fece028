"""Codes of tables, hashes of tokens, and names as they are shown."""

import hashlib
from typing import Final

from cosca.core.errors import Refused
from cosca.match.sealed import pack
from cosca.server.domain import commands

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""No two that could be mistaken for each other."""
CODE: Final = 8


def code_from(secret: bytes) -> str:
    """A code that is easy to read out, from something nobody can guess."""
    number = int.from_bytes(secret, "big")
    code = ""
    for _ in range(CODE):
        number, letter = divmod(number, len(LETTERS))
        code += LETTERS[letter]
    return code


def hashed(token: str) -> str:
    """What is kept of something that only one browser knows."""
    return hashlib.sha256(pack("cosca/token/1", token)).hexdigest()


def one_line(text: str) -> str:
    """A text from outside with nothing in it but what can be read, and single spaces."""
    readable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(readable.split())


def checked_name(name: str) -> str:
    """A name as it is shown. One with nothing to read in it is refused."""
    shown = one_line(name)
    if not shown:
        raise Refused("web.empty_name")
    return shown[: commands.NAME]
