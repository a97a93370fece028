"""A simulated network between browsers and houses: it delays, duplicates, reorders and cuts.

Messages of a house over one connection arrive in order, as with TCP. Commands of a browser may
arrive late, twice or in another order: over an older connection, or because of a proxy.
"""

import asyncio
from collections.abc import Callable, MutableMapping
from random import Random
from typing import Any, Final

from tests.simulation.disk import HARDLY
from tests.simulation.loop import OUTSIDE, Process, SimLoop

DISCONNECT: Final = {"type": "websocket.disconnect"}
NOTICED: Final = 25.0
"""Seconds until a house notices that nobody answers its pings."""
LOST, GOING_AWAY = 1006, 1001

Message = MutableMapping[str, Any]


class NetworkQuality:
    """How bad the network is."""

    def __init__(self, loop: SimLoop, rng: Random, bad: float) -> None:
        self.loop = loop
        self.rng = rng
        self.bad = bad
        """From 0, where everything arrives once and soon, to 1."""

    def delay(self) -> float:
        """Return how many seconds a message takes."""
        if self.rng.random() < 0.05 * self.bad:
            return self.rng.uniform(0.5, 4.0)
        return self.rng.uniform(0.005, 0.15)

    def happens(self, share: float) -> bool:
        """Return whether a fault happens that has this probability in the worst network."""
        return self.rng.random() < share * self.bad


class Connection:
    """A connection of a browser to a house; each end may notice a break at another time."""

    def __init__(
        self,
        network: NetworkQuality,
        house: Process,
        on_message: "Callable[[Connection, bytes], None]",
        on_lost: "Callable[[Connection, int], None]",
    ) -> None:
        self._network = network
        self._loop = network.loop
        self._house = house
        self._on_message, self._on_lost = on_message, on_lost
        self._inbox: list[Message] = []
        self._arrived = asyncio.Event()
        self._last = 0.0
        self._broken = [False, False]
        """Whether the house's end is broken, and the browser's."""
        self.is_open = False
        self.round_trip = network.rng.uniform(0.01, 0.3)

    # --- The house's end ----------------------------------------------------------------------

    async def receive(self) -> Message:
        """Return the next message of the browser."""
        while not self._inbox:
            self._arrived.clear()
            await self._arrived.wait()
        return self._inbox.pop(0)

    async def send(self, message: Message) -> None:
        """Send a message to the browser."""
        if self._network.happens(0.05):
            await asyncio.sleep(self._network.delay())
        if self._broken[0]:
            raise OSError("the connection is broken")
        moment = max(self._last + HARDLY, self._loop.time() + self._network.delay())
        self._last = moment
        self._at(moment, self._deliver, dict(message))

    def _deliver(self, message: Message) -> None:
        if self._broken[1]:
            return
        if message["type"] == "websocket.accept":
            self.is_open = True
        elif message["type"] == "websocket.send":
            self._on_message(self, message["text"].encode())
        else:
            self._lose(message["code"])

    # --- The browser's end --------------------------------------------------------------------

    def put(self, frame: str) -> None:
        """Send a frame to the house; the network may delay or duplicate it."""
        copies = 2 if self._network.happens(0.1) else 1
        for _ in range(copies):
            self._to_house(self._network.delay(), {"type": "websocket.receive", "text": frame})

    def close(self) -> None:
        """Close the browser's end; what is under way may still arrive."""
        self._broken[1] = True
        self._end_house(self._network.delay())

    def _to_house(self, delay: float, message: Message) -> None:
        context = self._house.context
        self._loop.call_at(self._loop.time() + delay, self._put, message, context=context)

    def _put(self, message: Message) -> None:
        if not self._broken[0]:
            self._inbox.append(message)
            self._arrived.set()

    # --- Faults -------------------------------------------------------------------------------

    def cut(self) -> None:
        """Break it: each end notices at another time, or the browser's end not at all."""
        self._end_house(self._network.rng.choice([0.0, 1.0, NOTICED]))
        self.break_browser_end()

    def break_browser_end(self) -> None:
        """Stop messages to the browser, which notices or does not."""
        rng = self._network.rng
        notices = rng.random() < 0.7
        if notices:
            self._at(self._loop.time() + rng.uniform(0.0, 2.0), self._lose, LOST)
        else:
            self._broken[1] = True

    def _lose(self, code: int) -> None:
        if not self._broken[1]:
            self._broken[1] = True
            self._on_lost(self, code)

    def _end_house(self, delay: float) -> None:
        self._to_house(delay, dict(DISCONNECT))
        self._loop.call_later(delay + HARDLY, self._break_house, context=self._house.context)

    def _break_house(self) -> None:
        self._broken[0] = True

    def _at(self, moment: float, do: Callable[..., None], *words: Any) -> None:
        """Schedule something at the browser, which survives a kill of the house."""
        self._loop.call_at(moment, do, *words, context=OUTSIDE)
