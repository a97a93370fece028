"""`/metrics`: the metrics of the server, for its host alone."""

from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from cosca.core.errors import Refused
from cosca.server.http.guard import problem
from cosca.server.http.this_computer import ThisComputer
from cosca.server.ops.admin_auth import AdminAuth
from cosca.server.telemetry.metrics import Metrics

PATH: Final = "/metrics"
MEDIA: Final = "text/plain; version=0.0.4"


class MetricsEndpoint:
    """Serves the metrics to this computer and to clients with the admin token."""

    def __init__(self, metrics: Metrics, auth: AdminAuth, here: ThisComputer) -> None:
        self._metrics = metrics
        self._auth = auth
        self._here = here

    def routes(self) -> list[BaseRoute]:
        """The address at which it is asked."""
        return [Route(PATH, self._tell, methods=["GET"])]

    async def _tell(self, request: Request) -> Response:
        try:
            if not (self._here.sent(request) or self._auth.accepts_header(request)):
                raise Refused("web.only_for_host")
        except Refused as reason:
            return problem(reason)
        return PlainTextResponse(self._metrics.text(), media_type=MEDIA)
