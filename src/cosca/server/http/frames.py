"""Send several messages to a browser in one system call, and limit the frames it sends.

Uvicorn sends each message by itself, through a general state machine. This protocol class takes
`{"type": "websocket.send", "cosca.texts": [...]}` too; sockets use that only where it is announced.

It also limits what the application never sees: pings, pongs, fragments of messages, and messages
that arrive faster than they are handled.
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
"""Frames from one socket that are not whole messages: a burst, and then a rate per second."""
MOST_UNREAD: Final = 256
"""Messages that may wait until the first of them is handled."""
PIECE: Final = 1024
"""Bytes that are parsed at a time, so that a flood is noticed before all of it is parsed."""
FLOODED: Final = 1008
"""The close code of a socket that sends too much."""


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, with batches of messages and limits on frames."""

    def __init__(self, *words: Any, connection: Connection, **more: Any) -> None:
        super().__init__(*words, **more)
        self._connection = connection
        self._extras = Bucket(connection.clock, *EXTRAS)
        self._is_flooded = False

    # --- Receiving -------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse received data; drop it once there was too much."""
        for start in range(0, len(data), PIECE):
            if self._is_flooded or self.transport.is_closing():
                return
            super().data_received(data[start : start + PIECE])

    def handle_ping(self) -> None:
        """Answer a ping, unless the client does not read: answers would fill the memory."""
        if not self._allows_extra():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_pong(self, event: Any) -> None:
        """Handle a pong, whether we sent a ping or not."""
        if self._allows_extra():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        """Handle a fragment of a message, which may be empty."""
        if self._allows_extra():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Handle a whole message. After a close it is dropped, and counts as an extra frame."""
        if not self.close_sent and self.queue.qsize() >= MOST_UNREAD:
            self._flooded()
        elif not self.close_sent or self._allows_extra():
            super().send_receive_event_to_app()

    def _allows_extra(self) -> bool:
        """Count a frame that the application does not see; end the socket after too many."""
        if self._extras.take():
            return True
        self._flooded()
        return False

    def _flooded(self) -> None:
        """End the socket, with a close frame if none was sent."""
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
        """Give the client some seconds to read the close frame and to end the connection.

        If we ended it at once while data from the client is unread, the kernel would reset the
        connection and might drop the close frame.
        """
        self._connection.expect("close")
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)
        self.transport.write_eof()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    # --- Sending -----------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Start the deadline for a client that does not read."""
        super().pause_writing()
        self._connection.expect("read")

    def resume_writing(self) -> None:
        """End that deadline."""
        super().resume_writing()
        self._connection.done("read")

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._connection.lost()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        """Run the application, and announce that batches are possible."""
        self.scope["extensions"] = {**(self.scope["extensions"] or {}), TEXTS: {}}
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send a batch of messages in one write, and anything else as Uvicorn does."""
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
    """Return text messages as WebSocket frames of a server, which are not masked."""
    parts: list[bytes] = []
    for text in texts:
        parts += (WHOLE_TEXT, encode_length(len(text)), text)
    return b"".join(parts)


def encode_length(number: int) -> bytes:
    """Return the length of a frame as RFC 6455 encodes it."""
    if number < 126:
        return bytes((number,))
    if number < 1 << 16:
        return b"\x7e" + number.to_bytes(2, "big")
    return b"\x7f" + number.to_bytes(8, "big")
