"""Measure the round trip to a browser with WebSocket pings, which browsers answer by themselves.

A page cannot speed up the answer; only a modified browser can delay it. Where the kernel has
measured the same connection too, its figure limits how slow the connection is taken to be.
"""

import contextlib
import socket
import struct
from collections import deque
from statistics import median
from typing import Any, Final

from cosca.server.http.frames import WebSocketProtocol

KEPT: Final = 8
"""Measurements that are kept; their median counts."""
HURRY: Final = 0.4
"""Seconds between the first measurements."""
SLACK: Final = 0.040
"""Seconds a browser may take to answer, on top of the kernel's round trip."""
RTT_AT: Final = 68
"""The offset of the round trip, in microseconds, in TCP_INFO of the kernel."""
ROUND_TRIP: Final = "cosca.round_trip"


def credited_round_trip(measured: float, kernel: float | None) -> float:
    """Return the round trip to believe: the measured one, but not much above the kernel's."""
    return measured if kernel is None else min(measured, kernel + SLACK)


class MeasuringProtocol(WebSocketProtocol):
    """A WebSocket protocol that measures its round trip."""

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self._measured: deque[float] = deque(maxlen=KEPT)

    def handle_connect(self, event: Any) -> None:
        """Offer the round trip to the application."""
        super().handle_connect(event)
        self.scope[ROUND_TRIP] = self.round_trip  # type: ignore[typeddict-unknown-key]  # ours, beside ASGI's

    def handle_pong(self, event: Any) -> None:
        """Keep the round trip of an answered ping."""
        waited = self.pending_ping_payload
        super().handle_pong(event)
        if waited is not None and self.pending_ping_payload is None:
            self._measured.append(self.last_ping_rtt)

    def schedule_ping(self) -> None:
        """Schedule the next ping: soon, while there are few measurements."""
        if len(self._measured) == KEPT:
            super().schedule_ping()
        else:
            self.ping_timer = self.loop.call_later(HURRY, self.send_keepalive_ping)

    def round_trip(self) -> float:
        """Return the round trip in seconds; 0 before the first measurement."""
        if not self._measured:
            return 0.0
        measured = median(self._measured)
        return credited_round_trip(
            measured, None if self.config.proxy_headers else self._kernel_round_trip()
        )

    def _kernel_round_trip(self) -> float | None:
        """Return the kernel's round trip; None if it has none, or the connection is closed."""
        connection = self.transport.get_extra_info("socket")
        if connection is None or self.transport.is_closing() or not hasattr(socket, "TCP_INFO"):
            return None
        with contextlib.suppress(OSError, struct.error):
            info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, RTT_AT + 4)
            (microseconds,) = struct.unpack_from("=I", info, RTT_AT)
            return float(microseconds) / 1_000_000
        return None
