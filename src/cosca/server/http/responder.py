"""Turn HTTP requests into calls of handlers, and what they return or refuse into responses."""

import secrets
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.server.http.addresses import client_address
from cosca.server.http.code_guesses import CodeGuesses
from cosca.server.http.endpoint import ApiRequest, Endpoint, Service
from cosca.server.http.identity import COOKIE, is_token
from cosca.server.http.refusals import problem
from cosca.server.http.request_body import read_body
from cosca.server.telemetry.metrics import Metrics

YEAR: Final = 365 * 24 * 3600


class Responder:
    """Answers the requests to declared endpoints."""

    def __init__(self, guesses: CodeGuesses, metrics: Metrics) -> None:
        self._guesses = guesses
        self._metrics = metrics

    def routes(self, service: Service, endpoints: Iterable[Endpoint[Service]]) -> list[Route]:
        """Return the routes of a service whose methods are the handlers of some endpoints."""
        return [
            Route(each.path, partial(self._respond, service, each), methods=[each.method])
            for each in endpoints
        ]

    async def _respond(
        self, service: Service, endpoint: Endpoint[Service], request: Request
    ) -> Response:
        """Answer a request. A browser that writes something for the first time gets a cookie."""
        token = request.cookies.get(COOKIE, "")
        fresh = "" if is_token(token) else secrets.token_urlsafe(32)
        try:
            body = await self._accept(endpoint, request)
            result = await endpoint.handler(service, ApiRequest(request, fresh or token, body))
        except Refused as reason:
            return self._refuse(endpoint, request, reason)
        response = _response(result, endpoint.media_type)
        if fresh and endpoint.writes:
            _set_cookie(response, fresh, secure=request.url.scheme == "https")
        return response

    async def _accept(self, endpoint: Endpoint[Any], request: Request) -> Any:
        """Return the parsed body of a request, if its client does not guess codes."""
        if "code" in request.path_params:
            self._guesses.check(client_address(request))
        body = await read_body(request)
        return wire.read(msgspec.json.Decoder(endpoint.request), body) if endpoint.request else None

    def _refuse(self, endpoint: Endpoint[Any], request: Request, reason: Refused) -> Response:
        self._metrics.refusals.add(reason.key)
        self._guesses.note(client_address(request), reason)
        return problem(reason)


def _response(result: Any, media_type: str) -> Response:
    """Make a response of what a handler has returned: text and bytes as they are, data as JSON."""
    if isinstance(result, Response):
        return result
    body = result if isinstance(result, str | bytes) else wire.write(result)
    return Response(body, media_type=media_type)


def _set_cookie(response: Response, token: str, *, secure: bool) -> None:
    response.set_cookie(
        COOKIE, token, max_age=YEAR, secure=secure, httponly=True, samesite="strict"
    )
