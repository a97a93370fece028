"""Map refusals to HTTP statuses and responses."""

from typing import Final

from starlette.responses import Response

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.words import say

STATUS: Final = {
    "web.no_table": 404,
    "web.not_found": 404,
    "bad_game": 404,
    "web.no_such_move": 404,
    "web.wrong_method": 405,
    "web.bad_origin": 403,
    "web.bad_host": 403,
    "web.bad_link": 403,
    "web.only_here": 403,
    "web.only_for_host": 403,
    "web.banned": 403,
    "web.bad_token": 403,
    "web.bad_form": 400,
    "web.bad_address": 400,
    "web.too_large": 413,
    "web.too_fast": 429,
    "web.too_many_open": 429,
    "web.too_many_tables": 429,
    "web.not_json": 400,
    "web.not_written": 503,
    "web.failed": 500,
}
"""The HTTP status of each refusal. Refusals not listed here are conflicts with a table's state."""
CONFLICT: Final = 409


def status_of(key: str) -> int:
    """Return the HTTP status of a refusal."""
    return STATUS.get(key, CONFLICT)


def problem(reason: Refused) -> Response:
    """Return the JSON response for a refusal."""
    body = wire.Problem(key=reason.key, text=say(reason.key, reason.params))
    return Response(wire.write(body), status_of(reason.key), media_type="application/json")
