"""`/metrics`: the numbers of the house, for its host alone."""

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cosca.core.errors import Refused
from cosca.server.http.refusals import problem
from cosca.server.http.this_computer import ThisComputer
from cosca.server.ops.admin_auth import Key
from cosca.server.telemetry.metrics import Metrics

PATH: Final = "/metrics"
MEDIA: Final = "text/plain; version=0.0.4"


class Scrape:
    """Tells the numbers to who asks from this computer, or has the token of the host."""

    def __init__(self, metrics: Metrics, key: Key, here: ThisComputer) -> None:
        self._metrics = metrics
        self._key = key
        self._here = here

    def routes(self) -> list[BaseRoute]:
        """The address at which it is asked."""
        return [Route(PATH, self._tell, methods=["GET"])]

    async def _tell(self, request: Request) -> Response:
        try:
            if not (self._here.sent(request) or self._key.opens_by_header(request)):
                raise Refused("web.only_for_host")
        except Refused as reason:
            return problem(reason)
        return PlainTextResponse(self._metrics.text(), media_type=MEDIA)
