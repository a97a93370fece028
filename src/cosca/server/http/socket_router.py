"""The way to the sockets."""

from collections.abc import Collection
from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from cosca.server.http.frames import TEXTS
from cosca.server.http.identity import COOKIE, LOCAL_PLAYERS, is_token, owner_id
from cosca.server.http.latency import ROUND_TRIP
from cosca.server.http.sockets import POLICY, Sockets
from cosca.server.live.audience import no_trip
from cosca.server.live.views import Style
from cosca.words import accepted, first_known, speaking

SOCKETS: Final = "/ws"


class SocketRouter:
    """The way to the sockets, as bare as it can be: everything that is played goes through it.

    It passes by Starlette's layers, each of which would be kept for each socket.
    """

    def __init__(self, sockets: Sockets, pages: ASGIApp) -> None:
        self._sockets = sockets
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket, or a page."""
        if scope["type"] != "websocket":
            await self._pages(scope, receive, send)
            return
        folder, _, code = scope["path"].rpartition("/")
        await receive()  # the wish to connect
        if folder == SOCKETS and code:
            address = str((scope.get("client") or ("",))[0])
            round_trip = scope.get(ROUND_TRIP, no_trip)
            together = TEXTS in (scope.get("extensions") or {})
            owner, style, beside = _looks(scope)
            with speaking(_language(scope)):
                await self._sockets.serve(
                    code.lower(), owner, style, receive, send, address, round_trip, beside, together
                )
        else:
            await send({"type": "websocket.close", "code": POLICY})


def _looks(scope: Scope) -> tuple[str, Style, Collection[str]]:
    """Who opens a socket, how they want to be told, and who sits beside them."""
    request = Request({**scope, "type": "http", "method": "GET"})
    token = request.cookies.get(COOKIE, "")
    style: Style = "data" if request.query_params.get("view") == "data" else "text"
    asked = request.query_params.get("hand", "0")
    local_player = int(asked) if asked in map(str, LOCAL_PLAYERS) else 0
    if not is_token(token):
        return "", style, ()
    shared = "hand" in request.query_params
    beside = [owner_id(token, other) for other in LOCAL_PLAYERS] if shared else []
    return owner_id(token, local_player), style, beside


def _language(scope: Scope) -> str:
    """The language that a browser has chosen for its socket, or that it accepts."""
    request = Request({**scope, "type": "http", "method": "GET"})
    chosen = first_known([request.query_params.get("lang", "")])
    return chosen or accepted(request.headers.get("accept-language", ""))
