"""Authentication of the host by the admin token."""

import hashlib
import hmac
from typing import Final

from starlette.requests import Request

from cosca.core.errors import Refused
from cosca.server.http.addresses import client_address, network_of
from cosca.server.http.rate_limits import RateLimits
from cosca.server.live.clock import Clock

ATTEMPTS: Final = (10, 0.2)
"""Attempts at once, and then a second, from one network."""
SESSION_SECONDS: Final = 12 * 3600
"""How long a browser stays logged in."""


class AdminAuth:
    """Checks the admin token, and the sessions of browsers that have entered it."""

    def __init__(self, token: str, clock: Clock) -> None:
        self._token = token.encode()
        self._clock = clock
        self._attempts = RateLimits(clock, *ATTEMPTS)

    @property
    def is_enabled(self) -> bool:
        """Whether the host has set a token."""
        return bool(self._token)

    def accepts(self, given: str, address: str) -> bool:
        """Return whether this is the token; raise Refused after too many attempts."""
        if not self._attempts.allows(network_of(address)):
            raise Refused("web.too_fast")
        return self.is_enabled and _are_equal(given.encode(), self._token)

    def accepts_header(self, request: Request) -> bool:
        """Return whether a request has the token in its `Authorization` header."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and self.accepts(given, client_address(request))

    def new_session(self) -> str:
        """Return the cookie of a browser that has entered the token: an expiry date, signed."""
        until = self._clock.date() // 1000 + SESSION_SECONDS
        return f"{until}.{self._signature(until)}"

    def is_valid_session(self, session: str) -> bool:
        """Return whether a cookie is ours and has not expired."""
        until, _, signature = session.partition(".")
        if not (self.is_enabled and until.isascii() and until.isdecimal() and len(until) < 20):
            return False
        is_ours = _are_equal(signature.encode(), self._signature(int(until)).encode())
        return is_ours and self._clock.date() // 1000 < int(until)

    def _signature(self, until: int) -> str:
        return hmac.digest(self._token, f"cosca/admin/1/{until}".encode(), "sha256").hex()


def _are_equal(one: bytes, other: bytes) -> bool:
    """Compare in constant time, whatever the lengths."""
    return hmac.compare_digest(hashlib.sha256(one).digest(), hashlib.sha256(other).digest())
