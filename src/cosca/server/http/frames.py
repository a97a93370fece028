"""Several messages to one browser in one go: what a move brings then costs one call of the system.

Uvicorn sends each message by itself, by way of a general state machine. To a server of ours a
socket says instead `{"type": "websocket.send", "cosca.texts": [...]}`; to others it does not.

What a browser sends is limited here as far as the house does not see it: pings, pongs, pieces of
messages, and messages that come faster than the house takes them.
"""

from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from cosca.server.http.connections import Connection
from cosca.server.http.rate_limits import Bucket

TEXTS: Final = "cosca.texts"
WHOLE_TEXT: Final = b"\x81"
"""The first byte of a frame that is a whole message of text."""
EXTRAS: Final = (100, 5.0)
"""So many frames that are no whole message at once, and then so many a second, from one socket."""
MOST_UNREAD: Final = 256
"""Messages that may have come before the house has taken the first of them."""
PIECE: Final = 1024
"""Bytes that are read at a time: a flood is noticed before all that has come of it is read."""
FLOODED: Final = 1008
"""The close code for who sends too much."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's way to a browser, which takes several messages at once as well."""

    def __init__(self, *words: Any, connection: Connection, **more: Any) -> None:
        super().__init__(*words, **more)
        self._connection = connection
        self._extras = Bucket(connection.clock, *EXTRAS)
        self._is_flooded = False

    # --- What comes -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read what has come; throw it away once there was too much of it."""
        for start in range(0, len(data), PIECE):
            if self._is_flooded or self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])

    def handle_ping(self) -> None:
        """Answer a ping; not while answers are not read, for they would fill the memory."""
        if not self._allows_extra():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_pong(self, event: Any) -> None:
        """Take a pong, whether it was asked for or not."""
        if self._allows_extra():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        """Take a piece of a message, which may be empty."""
        if self._allows_extra():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Take a whole message. When the socket is closed it is thrown away, and counts."""
        if not self.close_sent and self.queue.qsize() >= MOST_UNREAD:
            self._flooded()
        elif not self.close_sent or self._allows_extra():
            super().send_receive_event_to_app()

    def _allows_extra(self) -> bool:
        """Count a frame that the house does not see; end the socket if there are too many."""
        if self._extras.take():
            return True
        self._flooded()
        return False

    def _flooded(self) -> None:
        """End the socket, and say why if that was not done before."""
        if self._is_flooded:
            return
        self._is_flooded = True
        if self.close_sent:
            self._connection.cut("flood")
            return
        self._connection.count("flood")
        self.conn.fail(FLOODED, "too many frames")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": FLOODED})
        self._wait_for_end()

    def _wait_for_end(self) -> None:
        """Give the other side some seconds to read the close and to end the connection.

        If we ended it at once, while something that it sent is unread, the kernel would reset the
        connection and might throw the close away.
        """
        self._connection.expect("close")
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.transport.write_eof()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    # --- What is sent -----------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Wait some seconds for who does not read."""
        super().pause_writing()
        self._connection.expect("read")

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        self._connection.done("read")

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for others."""
        self._connection.lost()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        """Serve one socket, and say what it can do."""
        self.scope["extensions"] = {**(self.scope["extensions"] or {}), TEXTS: {}}
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send messages of text in one go, or whatever else as Uvicorn does."""
        if self._is_flooded:
            raise ClientDisconnected
        if TEXTS not in message:
            await super().send(message)
            return
        await self.writable.wait()
        if self.disconnected or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.transport.write(encode_frames(message[TEXTS]))


def encode_frames(texts: list[bytes]) -> bytes:
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
