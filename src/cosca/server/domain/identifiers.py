"""Codes of tables, hashes of tokens, and names cleaned for display."""

import hashlib
from typing import Final

from cosca.core.errors import Refused
from cosca.match.sealed import pack
from cosca.server.domain import commands

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The letters of a code: none that looks like another."""
CODE: Final = 8


def code_from(secret: bytes) -> str:
    """Return a code that is easy to read aloud, from random bytes."""
    number = int.from_bytes(secret, "big")
    code = ""
    for _ in range(CODE):
        number, letter = divmod(number, len(LETTERS))
        code += LETTERS[letter]
    return code


def hashed(token: str) -> str:
    """Return the hash of a token, which is all that is stored of it."""
    return hashlib.sha256(pack("cosca/token/1", token)).hexdigest()


def one_line(text: str) -> str:
    """Return a text with unprintable characters removed and single spaces."""
    readable = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(readable.split())


def checked_name(name: str) -> str:
    """Return a name cleaned for display; refuse one without a printable character."""
    shown = one_line(name)
    if not shown:
        raise Refused("web.empty_name")
    return shown[: commands.NAME]
