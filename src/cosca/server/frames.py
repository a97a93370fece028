"""Several messages to one browser in one go: what a move brings then costs one call of the system.

Uvicorn sends each message by itself, by way of a general state machine. To a server of ours a
socket says instead `{"type": "websocket.send", "cosca.texts": [...]}`; to others it does not.
"""

from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

TEXTS: Final = "cosca.texts"
WHOLE_TEXT: Final = b"\x81"
"""The first byte of a frame that is a whole message of text."""


class Frames(WebSocketsSansIOProtocol):
    """Uvicorn's way to a browser, which takes several messages at once as well."""

    async def run_asgi(self) -> None:
        """Serve one socket, and say what it can do."""
        self.scope["extensions"] = {**(self.scope["extensions"] or {}), TEXTS: {}}
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send messages of text in one go, or whatever else as Uvicorn does."""
        if TEXTS not in message:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.transport.write(framed(message[TEXTS]))


def framed(texts: list[bytes]) -> bytes:
    """Messages as they go over the line, from a server: not masked."""
    parts: list[bytes] = []
    for text in texts:
        parts += (WHOLE_TEXT, length(len(text)), text)
    return b"".join(parts)


def length(number: int) -> bytes:
    """How long a frame is, as RFC 6455 writes it."""
    if number < 126:
        return bytes((number,))
    if number < 1 << 16:
        return b"\x7e" + number.to_bytes(2, "big")
    return b"\x7f" + number.to_bytes(8, "big")
