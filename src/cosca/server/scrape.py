"""`/metrics`: the numbers of the house, for its host alone."""

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cosca.core.errors import Refused
from cosca.server.guard import problem
from cosca.server.key import Key, address_of
from cosca.server.metrics import Metrics

PATH: Final = "/metrics"
MEDIA: Final = "text/plain; version=0.0.4"
HERE: Final = ("127.0.0.1", "::1")
FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")
"""With one of these somebody else asks, through a proxy that is on this computer."""


class Scrape:
    """Tells the numbers to who asks from this computer, or has the token of the host."""

    def __init__(self, metrics: Metrics, key: Key) -> None:
        self._metrics = metrics
        self._key = key

    def routes(self) -> list[BaseRoute]:
        """The address at which it is asked."""
        return [Route(PATH, self._tell, methods=["GET"])]

    async def _tell(self, request: Request) -> Response:
        try:
            if not (_is_here(request) or self._key.opens_by_header(request)):
                raise Refused("web.only_for_host")
        except Refused as reason:
            return problem(reason)
        return PlainTextResponse(self._metrics.text(), media_type=MEDIA)


def _is_here(request: Request) -> bool:
    forwarded = any(name in request.headers for name in FORWARDED)
    return address_of(request) in HERE and not forwarded
