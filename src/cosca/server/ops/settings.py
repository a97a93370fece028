"""What a host may set for the whole house, and what of it cannot be."""

import ipaddress
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cosca.core.errors import Refused
from cosca.server.telemetry.logs import LogFormat, LogLevel

TOKEN: Final = 20
"""The fewest characters of the token that opens the admin page."""

LEAST_BITS: Final = (8, 20)
"""The shortest prefix of a network of trusted proxies, in IPv4 and IPv6: 10.0.0.0/8 is the widest
private network of IPv4, and no hoster of proxies has a wider public one than these."""
MAPPED: Final = ipaddress.IPv6Network("::ffff:0:0/96")
PRIVATE: Final = ipaddress.IPv6Network("fc00::/7")

_NAME: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Where the house is, whom it trusts, and what it tells its host."""

    store: Path
    host: str = "127.0.0.1"
    port: int = 8642
    names: tuple[str, ...] = ()
    """Names under which the house is known besides its addresses, as that of a reverse proxy."""
    proxies: tuple[str, ...] = ()
    """Addresses whose word is taken for whom they forward."""
    workers: int = 1
    """Processes that think for bots."""
    keep_days: int | None = None
    """Tables at which nothing has happened for so long are deleted; none if it is not set."""
    metrics: bool = False
    """Whether `/metrics` is there."""
    admin_token: str = ""
    """What opens the admin page; there is none without it."""
    log: LogFormat = "text"
    log_level: LogLevel = "info"
    pace: float = 0.7
    """Seconds a bot takes for a step."""
    generous: bool = False
    """Whether nobody is slowed down: for measuring."""

    def __repr__(self) -> str:
        """Without the token: what is written about settings may be read by others."""
        return f"Settings(store={str(self.store)!r}, host={self.host!r}, port={self.port})"


def checked(settings: Settings) -> Settings:
    """The same settings, if the house can be opened with them; else the first reason why not."""
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
    """Whether a name can be listened at is seen when it is tried."""
    if not host or "/" in host or host != host.strip():
        raise Refused("web.bad_listening", host=host[:80])


def _check_name(name: str) -> None:
    if len(name) > 253 or not _NAME.fullmatch(name):
        raise Refused("web.bad_host_name", name=name[:80])


def _check_proxy(proxy: str) -> None:
    """Check that it is an address or a network, and not one that holds nearly everybody.

    Whoever is inside may claim any address, so a wide network would end bans and rate limits.
    """
    try:
        network = ipaddress.ip_network(proxy)
    except ValueError:
        raise Refused("web.bad_proxy", proxy=proxy[:80]) from None
    if _is_wide(network):
        bits4, bits6 = LEAST_BITS
        raise Refused("web.wide_proxy", proxy=proxy[:80], bits4=bits4, bits6=bits6)


def _is_wide(network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    bits4, bits6 = LEAST_BITS
    if isinstance(network, ipaddress.IPv4Network):
        return network.prefixlen < bits4
    if network.overlaps(MAPPED):  # IPv4 addresses that arrive over IPv6
        return network.prefixlen < MAPPED.prefixlen + bits4
    return network.prefixlen < bits6 and not network.subnet_of(PRIVATE)


def _check_token(token: str) -> None:
    """It goes through a form and a header: so it has nothing in it that could be changed there."""
    if len(token) < TOKEN or not all("!" <= sign <= "~" for sign in token):
        raise Refused("web.bad_admin_token", least=TOKEN)


def _check_store(store: Path) -> None:
    """Look before anything is opened: SQLite would take what is read-only, and fail later."""
    folder = store.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent  # what is missing is made
    if not folder.is_dir():
        raise Refused("web.no_folder", path=str(store), folder=str(folder))
    if store.is_dir():
        raise Refused("web.store_is_folder", path=str(store))
    for path in (folder, store):
        if path.exists() and not os.access(path, os.W_OK):
            raise Refused("web.cannot_write", store=str(store), path=str(path))
