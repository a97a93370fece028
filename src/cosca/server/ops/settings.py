"""The settings of a house, and their validation."""

import ipaddress
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cosca.core.errors import Refused
from cosca.server.telemetry.logs import LogFormat, LogLevel

MIN_TOKEN: Final = 20
"""The fewest characters of an admin token."""

MIN_PROXY_BITS: Final = (8, 20)
"""The shortest prefix of a network of trusted proxies, in IPv4 and IPv6: 10.0.0.0/8 is the widest
private network of IPv4, and no provider of proxies has a wider public one than these."""
IPV4_MAPPED: Final = ipaddress.IPv6Network("::ffff:0:0/96")
IPV6_PRIVATE: Final = ipaddress.IPv6Network("fc00::/7")

_NAME: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a host can set for the whole house."""

    store: Path
    host: str = "127.0.0.1"
    port: int = 8642
    names: tuple[str, ...] = ()
    """Host names the house answers to besides its addresses, such as a reverse proxy's."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of reverse proxies whose forwarding headers are trusted."""
    workers: int = 1
    """Worker processes for bots."""
    keep_days: int | None = None
    """Delete tables after this many days without activity; None keeps all."""
    metrics: bool = False
    """Whether to expose metrics at `/metrics`."""
    admin_token: str = ""
    """The token for the admin page; empty turns the page off."""
    log: LogFormat = "text"
    log_level: LogLevel = "info"
    bot_seconds: float = 0.7
    """Seconds a bot waits before each step, so that people can follow."""
    unlimited: bool = False
    """Whether to turn rate limits off, for measurements."""

    def __repr__(self) -> str:
        """Leave out the token: others may read what is logged."""
        return f"Settings(store={str(self.store)!r}, host={self.host!r}, port={self.port})"


def validated(settings: Settings) -> Settings:
    """Return the settings in normal form; raise Refused for the first that cannot work."""
    names = tuple(name.lower() for name in settings.names)
    _check_host(settings.host)
    for name in names:
        _check_name(name)
    for proxy in settings.proxies:
        _check_proxy(proxy)
    if settings.admin_token:
        _check_token(settings.admin_token)
    _check_store(settings.store)
    return replace(settings, names=names)


def _check_host(host: str) -> None:
    """Check the form; whether the house can listen there shows when it tries to."""
    if not host or "/" in host or host != host.strip():
        raise Refused("web.bad_listening", host=host[:80])


def _check_name(name: str) -> None:
    if len(name) > 253 or not _NAME.fullmatch(name):
        raise Refused("web.bad_host_name", name=name[:80])


def _check_proxy(proxy: str) -> None:
    """Check that it is an address or a network, and not too wide a network.

    Everybody inside may claim any address, so a wide one would defeat bans and rate limits.
    """
    try:
        network = ipaddress.ip_network(proxy)
    except ValueError:
        raise Refused("web.bad_proxy", proxy=proxy[:80]) from None
    if _is_wide(network):
        bits4, bits6 = MIN_PROXY_BITS
        raise Refused("web.wide_proxy", proxy=proxy[:80], bits4=bits4, bits6=bits6)


def _is_wide(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    bits4, bits6 = MIN_PROXY_BITS
    if isinstance(network, ipaddress.IPv4Network):
        return network.prefixlen < bits4
    if network.overlaps(IPV4_MAPPED):  # IPv4 addresses that arrive over IPv6
        return network.prefixlen < IPV4_MAPPED.prefixlen + bits4
    return network.prefixlen < bits6 and not network.subnet_of(IPV6_PRIVATE)


def _check_token(token: str) -> None:
    """Check the length, and that the token survives a form and a header unchanged."""
    if len(token) < MIN_TOKEN or not all("!" <= char <= "~" for char in token):
        raise Refused("web.bad_admin_token", least=MIN_TOKEN)


def _check_store(store: Path) -> None:
    """Check that the store can be written: SQLite opens a read-only file and fails later."""
    folder = store.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent  # missing folders are created
    if not folder.is_dir():
        raise Refused("web.no_folder", path=str(store), folder=str(folder))
    if store.is_dir():
        raise Refused("web.store_is_folder", path=str(store))
    for path in (folder, store):
        if path.exists() and not os.access(path, os.W_OK):
            raise Refused("web.cannot_write", store=str(store), path=str(path))
