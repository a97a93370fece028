"""`/metrics`: the numbers of the house, for its host alone."""

from typing import Final

from cosca.core.errors import Refused
from cosca.server.http.endpoint import ApiRequest, Endpoint
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

    async def text(self, request: ApiRequest) -> str:
        """Return the metrics in the text format of Prometheus."""
        if not (self._here.sent(request.http) or self._key.opens_by_header(request.http)):
            raise Refused("web.only_for_host")
        return self._metrics.text()


ENDPOINTS: Final[tuple[Endpoint[Scrape], ...]] = (
    Endpoint(
        method="GET",
        path=PATH,
        summary="Get the metrics, in the text format of Prometheus; only for the host.",
        media_type=MEDIA,
        refusals=("web.only_for_host",),
        handler=Scrape.text,
    ),
)
