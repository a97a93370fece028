"""The key of the host: a token that opens what guests have no business with."""

import hashlib
import hmac
from typing import Final

from starlette.requests import Request

from cosca.core.errors import Refused
from cosca.server.http.addresses import client_address, network_of
from cosca.server.http.rate_limits import RateLimits
from cosca.server.live.clock import Clock

GUESSES: Final = (10, 0.2)
"""So many tries at once, and then so many a second, from one network."""
SESSION: Final = 12 * 3600
"""Seconds for which a browser that has shown the token need not show it again."""


class Key:
    """Tells who has the token. What a browser keeps of it is no use after some hours."""

    def __init__(self, token: str, clock: Clock) -> None:
        self._token = token.encode()
        self._clock = clock
        self._guesses = RateLimits(clock, *GUESSES)

    @property
    def exists(self) -> bool:
        """Whether there is a token at all."""
        return bool(self._token)

    def opens(self, given: str, address: str) -> bool:
        """Whether that is the token. Who tries too often is told to wait, right or wrong."""
        if not self._guesses.allows(network_of(address)):
            raise Refused("web.too_fast")
        return self.exists and _same(given.encode(), self._token)

    def opens_by_header(self, request: Request) -> bool:
        """Whether a program has sent the token above its request."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.opens(given, client_address(request))

    def session(self) -> str:
        """What a browser keeps that has shown the token: until when, and proof of it."""
        until = self._clock.date() // 1000 + SESSION
        return f"{until}.{self._proof(until)}"

    def knows(self, session: str) -> bool:
        """Whether a browser has shown the token not long ago."""
        until, _, proof = session.partition(".")
        if not (self.exists and until.isascii() and until.isdecimal() and len(until) < 20):
            return False
        is_ours = _same(proof.encode(), self._proof(int(until)).encode())
        return is_ours and self._clock.date() // 1000 < int(until)

    def _proof(self, until: int) -> str:
        return hmac.digest(self._token, f"cosca/admin/1/{until}".encode(), "sha256").hex()


def _same(one: bytes, other: bytes) -> bool:
    """Compare in a time that tells nothing, not even of how long the other is."""
    return hmac.compare_digest(hashlib.sha256(one).digest(), hashlib.sha256(other).digest())
