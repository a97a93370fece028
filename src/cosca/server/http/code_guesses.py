"""Slow down clients that guess codes: only its code keeps a private table private."""

from typing import Final

from cosca.core.errors import Refused
from cosca.server.http.addresses import network_of
from cosca.server.http.rate_limits import RateLimits
from cosca.server.live.clock import Clock

WRONG_CODES: Final = (30, 0.5)
"""Unknown codes from one network: a burst, and then a rate per second."""


class CodeGuesses:
    """Counts requests for tables that do not exist, by network."""

    def __init__(self, clock: Clock, *, unlimited: bool) -> None:
        self._limits = RateLimits(clock, *WRONG_CODES)
        self._unlimited = unlimited

    def check(self, address: str) -> None:
        """Refuse a network that has guessed too often, before its next code is looked up."""
        if not self._unlimited and self._limits.is_spent(network_of(address)):
            raise Refused("web.too_fast")

    def note(self, address: str, reason: Refused) -> None:
        """Count a refused request, if it was refused because there is no such table."""
        if reason.key == "web.no_table":
            self._limits.allows(network_of(address))
