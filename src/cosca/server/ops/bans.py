"""The addresses a host has banned, in memory and in the store."""

import ipaddress

from cosca.core.errors import Refused
from cosca.server.http.addresses import network_of
from cosca.server.http.sockets import Sockets
from cosca.server.storage.store import Store


class Bans:
    """Knows the banned networks, also those that another process has banned."""

    def __init__(self, store: Store, sockets: Sockets) -> None:
        self._store = store
        self._sockets = sockets
        self._since: dict[str, int] = {}

    def is_banned(self, address: str) -> bool:
        """Return whether the network of an address is banned."""
        return bool(self._since) and network_of(address) in self._since

    def all(self) -> list[tuple[str, int]]:
        """Return the banned networks and the dates of their bans."""
        return list(self._since.items())

    async def load(self) -> None:
        """Read the bans from the store, and close the sockets of banned networks."""
        self._since = dict(await self._store.bans.all())
        self._sockets.end_address(self.is_banned)

    async def ban(self, address: str, at: int, by: str) -> None:
        """Ban the network of an address; refuse to ban the host's own or this computer's."""
        network = network_of(address.strip())
        if not network:
            raise Refused("web.bad_address", address=address[:80])
        if network == network_of(by) or ipaddress.ip_network(network).is_loopback:
            raise Refused("web.ban_here", address=address[:80])
        await self._store.bans.add(network, at)
        await self.load()

    async def lift(self, network: str) -> None:
        """Lift the ban of a network."""
        await self._store.bans.remove(network)
        await self.load()
