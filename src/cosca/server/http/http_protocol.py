"""Serve HTTP on one connection as Uvicorn does, with deadlines for the client."""

from functools import partial
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cosca.server.http.connections import FULL, Connection, Connections
from cosca.server.http.latency import MeasuringProtocol


class HttpProtocol(H11Protocol):
    """Uvicorn's HTTP protocol on a connection that is counted, and cut when it is overdue."""

    def __init__(self, connections: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._connections = connections
        self._connection: Connection | None = None
        self._is_upgraded = False

    def connection_made(self, transport: Any) -> None:
        """Start serving, if there is room for one more connection."""
        self._connection = self._connections.admit(transport)
        if self._connection is None:
            transport.write(FULL)
            transport.close()
            return
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        if self._connection:
            self._connection.lost()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received data, and update the deadlines."""
        if self._connection:
            super().data_received(data)
            self._update_deadlines()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._update_deadlines()

    def _update_deadlines(self) -> None:
        """Start the deadline for what the client has to send next, and end the others."""
        assert self._connection is not None
        state = self.conn.their_state
        if self._is_upgraded or state not in (h11.IDLE, h11.SEND_BODY):
            self._connection.done("request", "body")
        elif state is h11.SEND_BODY:
            self._connection.done("request")
            self._connection.expect("body")
        else:
            self._connection.done("body")
            self._connection.expect("request")

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._is_upgraded = True
        protocol = partial(MeasuringProtocol, connection=self._connection)
        self.ws_protocol_class = cast(Any, protocol)  # called like the class
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Start the deadline for a client that does not read."""
        super().pause_writing()
        if self._connection:
            self._connection.expect("read")

    def resume_writing(self) -> None:
        """End that deadline."""
        super().resume_writing()
        if self._connection:
            self._connection.done("read")
