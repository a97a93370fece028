"""How refusals are answered over HTTP."""

from typing import Final

from starlette.responses import Response

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.words import say

STATUS: Final = {
    "web.no_table": 404,
    "web.not_found": 404,
    "bad_game": 404,
    "web.no_such_moment": 404,
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
"""What HTTP calls it; whatever does not fit the state of a table is 409."""
CONFLICT: Final = 409


def problem(reason: Refused) -> Response:
    """The answer to what cannot be granted."""
    told = wire.Problem(key=reason.key, text=say(reason.key, reason.params))
    status = STATUS.get(reason.key, CONFLICT)
    return Response(wire.write(told), status, media_type="application/json")
