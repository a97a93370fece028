"""Which network an address belongs to: bans and limits count networks, not addresses."""

import ipaddress
from typing import Final

NETWORK: Final = 64
"""Bits of an IPv6 address that count: whoever has a network can change the rest at will."""


def place_of(address: str) -> str:
    """Return the network that stands for an address: an IPv4 address is its own, of an IPv6
    address it is the /64. Empty if it is no address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    if found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((int(found), NETWORK), strict=False))
