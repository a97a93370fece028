"""Find the address of a client, and the network it counts as for bans and rate limits."""

import ipaddress
from collections.abc import Mapping
from typing import Any, Final

IPV6_NETWORK_BITS: Final = 64
"""Bits of an IPv6 address that count: the owner of a network can change the rest at will."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def client_address(scope: Mapping[str, Any]) -> str:
    """Return the address a request comes from; empty if it is unknown."""
    return str((scope.get("client") or ("",))[0])


def parse_address(address: str) -> Address | None:
    """Parse an address, None if it is invalid; an IPv4 address written as IPv6 is IPv4."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def network_of(address: str) -> str:
    """Return the network an address counts as: an IPv4 address itself, of an IPv6 address its /64.

    Empty if it is not an address.
    """
    found = parse_address(address)
    if found is None:
        return ""
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return str(found)
    return str(ipaddress.ip_network((int(found), IPV6_NETWORK_BITS), strict=False))
