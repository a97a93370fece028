"""Route sockets to their tables, and everything else to the pages and the API."""

from typing import Final

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from cosca.core.errors import Refused
from cosca.server import wire
from cosca.server.http.addresses import client_address
from cosca.server.http.frames import TEXTS
from cosca.server.http.identity import COOKIE, LOCAL_PLAYERS, is_token, owner_id
from cosca.server.http.latency import ROUND_TRIP
from cosca.server.http.sockets import POLICY, SocketRequest, Sockets, turn_away
from cosca.server.live.subscribers import not_measured
from cosca.words import accepted, first_known, speaking

PATH: Final = "/ws"


class SocketRouter:
    """Serves sockets without Starlette, whose layers would be kept in memory for each of them."""

    def __init__(self, sockets: Sockets, app: ASGIApp) -> None:
        self._sockets = sockets
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket, or pass a request on."""
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        folder, _, code = scope["path"].rpartition("/")
        await receive()  # the client's wish to connect
        if folder != PATH or not code:
            await send({"type": "websocket.close", "code": POLICY})
            return
        request, protocol, language = _parse(code.lower(), scope)
        with speaking(language):
            if protocol == str(wire.PROTOCOL):
                await self._sockets.serve(request, receive, send)
            else:  # a page of another version would neither understand us nor be understood
                await turn_away(Refused("web.other_protocol", protocol=wire.PROTOCOL), send)


def _parse(code: str, scope: Scope) -> tuple[SocketRequest, str, str]:
    """Return who opens a socket and how they want messages, in which protocol and language."""
    handshake = Request({**scope, "type": "http", "method": "GET"})
    query = handshake.query_params
    token = handshake.cookies.get(COOKIE, "")
    owner, local_owners = "", []
    if is_token(token):
        asked = query.get("local_player", "0")
        local_player = int(asked) if asked in map(str, LOCAL_PLAYERS) else 0
        owner = owner_id(token, local_player)
        is_shared = "local_player" in query
        local_owners = [owner_id(token, other) for other in LOCAL_PLAYERS] if is_shared else []
    request = SocketRequest(
        code=code,
        owner=owner,
        format="data" if query.get("view") == "data" else "text",
        address=client_address(scope),
        round_trip=scope.get(ROUND_TRIP, not_measured),
        local_owners=local_owners,
        takes_batches=TEXTS in (scope.get("extensions") or {}),
    )
    return request, query.get("protocol", ""), _language(handshake)


def _language(handshake: Request) -> str:
    """Return the language chosen for a socket, or the one its browser accepts."""
    chosen = first_known([handshake.query_params.get("lang", "")])
    return chosen or accepted(handshake.headers.get("accept-language", ""))
