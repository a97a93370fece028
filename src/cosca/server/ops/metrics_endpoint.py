"""`/metrics`: the metrics of the server, for its host alone."""

from typing import Final

from cosca.core.errors import Refused
from cosca.server.http.endpoint import ApiRequest, Endpoint
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

    async def text(self, request: ApiRequest) -> str:
        """Return the metrics in the text format of Prometheus."""
        if not (self._here.sent(request.http) or self._auth.accepts_header(request.http)):
            raise Refused("web.only_for_host")
        return self._metrics.text()


ENDPOINTS: Final[tuple[Endpoint[MetricsEndpoint], ...]] = (
    Endpoint(
        method="GET",
        path=PATH,
        summary="Get the metrics, in the text format of Prometheus; only for the host.",
        media_type=MEDIA,
        refusals=("web.only_for_host",),
        handler=MetricsEndpoint.text,
    ),
)
