"""Which network an address belongs to: bans and limits count networks, not addresses."""

import ipaddress
from typing import Final

IPV6_NETWORK_BITS: Final = 64
"""Bits of an IPv6 address that count: whoever has a network can change the rest at will."""


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def parse_address(address: str) -> Address | None:
    """Read an address; one of IPv4 that is written as IPv6 is an IPv4 address."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def network_of(address: str) -> str:
    """Return the network that stands for an address: an IPv4 address is its own, of an IPv6
    address it is the /64. Empty if it is no address."""
    found = parse_address(address)
    if found is None:
        return ""
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((int(found), IPV6_NETWORK_BITS), strict=False))
