"""Decide whether a request comes from the computer that Cosca runs on."""

import ipaddress
from collections.abc import Sequence
from typing import Final

from starlette.requests import Request

from cosca.server.http.addresses import parse_address

FORWARDING: Final = ("forwarded", "via", "x-real-ip")
"""Headers that proxies add, besides those that begin with `x-forwarded-`."""


class ThisComputer:
    """Recognises requests from this very computer, made without a proxy in between.

    Such requests may open the server to the network and read its metrics. So in doubt the answer
    is no: a forwarding header, forged or not, is never a reason to say yes.
    """

    def __init__(self, proxies: Sequence[str]) -> None:
        self._proxies = [ipaddress.ip_network(proxy) for proxy in proxies]

    def sent(self, request: Request) -> bool:
        """Return whether the TCP peer is loopback, is no trusted proxy and forwards nothing.

        Without a forwarding header the client's address is that of the TCP peer: uvicorn replaces
        it only by what stands in one.
        """
        if request.client is None or _is_forwarded(request):
            return False
        address = parse_address(request.client.host)
        if address is None or not address.is_loopback:
            return False
        return not any(address in network for network in self._proxies)


def _is_forwarded(request: Request) -> bool:
    return any(name in FORWARDING or name.startswith("x-forwarded-") for name in request.headers)
