"""Addresses that are not let in, kept in the store."""

import ipaddress

from cosca.core.errors import Refused
from cosca.server.http.addresses import network_of
from cosca.server.http.sockets import Sockets
from cosca.server.storage.store import Store


class Bans:
    """Knows who is not let in; also what other processes have written about that."""

    def __init__(self, store: Store, sockets: Sockets) -> None:
        self._store = store
        self._sockets = sockets
        self._since: dict[str, int] = {}

    def holds(self, address: str) -> bool:
        """Whether an address is not let in."""
        return bool(self._since) and network_of(address) in self._since

    def all(self) -> list[tuple[str, int]]:
        """All of them, and since when."""
        return list(self._since.items())

    async def load(self) -> None:
        """Read them from the store."""
        self._since = dict(await self._store.bans.all())
        self._sockets.end_address(self.holds)

    async def ban(self, address: str, at: int, by: str) -> None:
        """Let an address in no more. Who asks for that cannot mean themselves."""
        network = network_of(address.strip())
        if not network:
            raise Refused("web.bad_address", address=address[:80])
        if network == network_of(by) or ipaddress.ip_network(network).is_loopback:
            raise Refused("web.ban_here", address=address[:80])
        await self._store.bans.add(network, at)
        await self.load()

    async def lift(self, network: str) -> None:
        """Let an address in again."""
        await self._store.bans.remove(network)
        await self.load()
