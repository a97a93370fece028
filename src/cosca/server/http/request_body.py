"""Read the body of a request, up to a limit."""

from typing import Final

from starlette.requests import Request

from cosca.core.errors import Refused

BODY_BYTES: Final = 16_384
"""The longest body a request may have."""


async def read_body(request: Request) -> bytes:
    """Return the body of a request; refuse it as soon as it is too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > BODY_BYTES:
            raise Refused("web.too_large", most=BODY_BYTES)
    return body
