"""What may be asked of the house over HTTP, in one list, and how it is answered."""

import secrets
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.server.domain.opening import NewTable
from cosca.server.http.api import Api
from cosca.server.http.endpoint import ApiRequest, Endpoint
from cosca.server.http.guard import BODY_BYTES
from cosca.server.http.identity import COOKIE, is_token
from cosca.server.http.refusals import problem
from cosca.server.ops.admin_auth import address_of

YEAR: Final = 365 * 24 * 3600


ENDPOINTS: Final = (
    Endpoint(
        method="GET",
        path="/api/games",
        summary="The games of the house, with all that may be chosen.",
        response=list[wire.GameInfo],
        handler=Api.games,
    ),
    Endpoint(
        method="GET",
        path="/api/games/{game}/rules",
        summary="The rulebook of a game, in Markdown.",
        handler=Api.rules,
        media_type="text/markdown",
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        summary="Open a table.",
        request=NewTable,
        response=wire.Place,
        handler=Api.open,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}",
        summary="A table, as far as everybody may see it who knows its code.",
        response=wire.Room,
        handler=Api.room,
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{code}/join",
        summary="Take an open seat.",
        request=wire.Join,
        response=wire.Place,
        handler=Api.join,
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{code}/claim",
        summary="Come back to a seat by its own link.",
        request=wire.Claim,
        response=wire.Place,
        handler=Api.claim,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/qr.svg",
        summary="The link of a table for a camera.",
        handler=Api.qr_code,
        media_type="image/svg+xml",
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/record",
        summary="The record of a finished game.",
        handler=Api.record,
        media_type="application/x-ndjson",
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/story",
        summary="A finished game move by move, through eyes: all, watch, or the number of a seat.",
        response=wire.Story,
        handler=Api.replay,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/story/{number}",
        summary="The table after so many moves of a finished game.",
        response=wire.TextView,
        handler=Api.snapshot,
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{code}/chances",
        summary="What each seat could think of its chances in a finished game, move by move.",
        response=wire.Chances,
        handler=Api.win_chances,
    ),
    Endpoint(
        method="GET",
        path="/api/me/tables",
        summary="The tables at which this browser has a seat.",
        response=list[wire.Listed],
        handler=Api.my_tables,
    ),
    Endpoint(
        method="GET",
        path="/api/watch",
        summary="The tables that can be watched.",
        response=list[wire.Listed],
        handler=Api.listed_tables,
    ),
    Endpoint(
        method="POST",
        path="/api/invite",
        summary="Open the house to the local network; from its own computer only.",
        response=wire.Addresses,
        handler=Api.invite,
    ),
)


# --- From request to response ---------------------------------------------------------------------


async def respond(api: Api, endpoint: Endpoint, request: Request) -> Response:
    """Do what is asked for, or say why not."""
    token = request.cookies.get(COOKIE, "")
    fresh = "" if is_token(token) else secrets.token_urlsafe(32)
    address = address_of(request)
    try:
        if "code" in request.path_params:
            api.guesses.check(address)
        body = await _body(request, endpoint.request)
        told = await endpoint.handler(api, ApiRequest(request, fresh or token, body))
    except Refused as reason:
        api.house.metrics.refusals.add(reason.key)
        api.guesses.note(address, reason)
        return problem(reason)
    response = told if isinstance(told, Response) else json_response(told)
    if fresh and endpoint.method == "POST":
        secure = request.url.scheme == "https"
        response.set_cookie(
            COOKIE, fresh, max_age=YEAR, secure=secure, httponly=True, samesite="strict"
        )
    return response


def json_response(told: Any) -> Response:
    """What is told, as it is sent."""
    return Response(wire.write(told), media_type="application/json")


async def _body(http: Request, request: type | None) -> Any:
    """What came with a request, read and checked."""
    read = b""
    async for part in http.stream():
        read += part
        if len(read) > BODY_BYTES:
            raise Refused("web.too_large", most=BODY_BYTES)
    return wire.read(msgspec.json.Decoder(request), read) if request else None
