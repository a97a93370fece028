"""The network each table was opened from, in memory only."""

from collections.abc import Iterable
from typing import Final

from cosca.core.errors import Refused
from cosca.server.domain.room import Room
from cosca.server.live.fair_queue import Owner

MOST_OF_BROWSER: Final = 12
"""Tables in memory and not over that one browser may have opened."""
MOST_OF_NETWORK: Final = 60
"""The same for one network: new browsers are easier to get than new networks."""
MOST_KEPT: Final = 10_000
"""Tables whose networks are remembered, the latest ones."""


class Origins:
    """Remembers the network of each table that was opened since the server started."""

    def __init__(self) -> None:
        self._networks: dict[str, str] = {}

    def note(self, code: str, network: str) -> None:
        """Remember from which network a table was opened."""
        if not network:
            return
        self._networks[code] = network
        while len(self._networks) > MOST_KEPT:
            del self._networks[next(iter(self._networks))]

    def network(self, code: str) -> str:
        """Return the network a table was opened from; empty if it is unknown."""
        return self._networks.get(code, "")

    def owner(self, room: Room) -> Owner:
        """Return the owner of a table's work; the browser replaces an unknown network."""
        host = room.opened.host
        return self.network(room.code) or host, host

    def check(self, browser: str, network: str, live: Iterable[Room]) -> None:
        """Refuse another table to a browser or a network that has too many in progress."""
        playing = [room for room in live if room.stage != "over"]
        if sum(room.opened.host == browser for room in playing) >= MOST_OF_BROWSER:
            raise Refused("web.too_many_tables", most=MOST_OF_BROWSER)
        same = sum(self.network(room.code) == network for room in playing)
        if network and same >= MOST_OF_NETWORK:
            raise Refused("web.too_many_tables", most=MOST_OF_NETWORK)
