"""How long a line is: measured by the house with frames that browsers answer by themselves.

A page cannot hurry such an answer; only a changed browser can delay it. Where the kernel has
measured the same line too, it is believed when the answers take much longer.
"""

import contextlib
import socket
import struct
from collections import deque
from statistics import median
from typing import Any, Final

from cosca.server.http.frames import WebSocketProtocol

KEPT: Final = 8
"""Of so many measurements the one in the middle counts,"""
HURRY: Final = 0.4
"""which are taken at first with so many seconds between them."""
SLACK: Final = 0.040
"""Seconds a browser may take for its answer on top of the line."""
RTT_AT: Final = 68
"""Where the kernel has the round round_trip in what it tells of a line, in microseconds."""
ROUND_TRIP: Final = "cosca.round_trip"


def credited_round_trip(told: float, known: float | None) -> float:
    """How long a line is held to be: as its answers tell, but not much longer than is known."""
    return told if known is None else min(told, known + SLACK)


class MeasuringProtocol(WebSocketProtocol):
    """A socket that knows how long its line is."""

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self._measured: deque[float] = deque(maxlen=KEPT)

    def handle_connect(self, event: Any) -> None:
        """Let the house ask."""
        super().handle_connect(event)
        self.scope[ROUND_TRIP] = self.round_trip  # type: ignore[typeddict-unknown-key]  # ours, beside ASGI's

    def handle_pong(self, event: Any) -> None:
        """An answer: the line is so long."""
        waited = self.pending_ping_payload
        super().handle_pong(event)
        if waited is not None and self.pending_ping_payload is None:
            self._measured.append(self.last_ping_rtt)

    def schedule_ping(self) -> None:
        """Measure again; soon, while little is known."""
        if len(self._measured) == KEPT:
            super().schedule_ping()
        else:
            self.ping_timer = self.loop.call_later(HURRY, self.send_keepalive_ping)

    def round_trip(self) -> float:
        """Seconds there and back."""
        if not self._measured:
            return 0.0
        told = median(self._measured)
        return credited_round_trip(
            told, None if self.config.proxy_headers else self._kernel_round_trip()
        )

    def _kernel_round_trip(self) -> float | None:
        """What the kernel has measured; nothing where it does not tell, or the line was cut."""
        line = self.transport.get_extra_info("socket")
        if line is None or self.transport.is_closing() or not hasattr(socket, "TCP_INFO"):
            return None
        with contextlib.suppress(OSError, struct.error):
            told = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, RTT_AT + 4)
            (microseconds,) = struct.unpack_from("=I", told, RTT_AT)
            return float(microseconds) / 1_000_000
        return None
