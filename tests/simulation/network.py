"""A network between browsers and houses: it delays, doubles, reorders, cuts, and forgets to say so.

What the house tells over one line comes in its order, as TCP has it. What a browser sends may come
late, twice or in another order: over a line that was cut before, or because of somebody between.
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


class Weather:
    """How bad the network is."""

    def __init__(self, loop: SimLoop, rng: Random, bad: float) -> None:
        self.loop = loop
        self.rng = rng
        self.bad = bad
        """From 0, where everything comes once and soon, to 1."""

    def delay(self) -> float:
        """Seconds that a message takes."""
        if self.rng.random() < 0.05 * self.bad:
            return self.rng.uniform(0.5, 4.0)
        return self.rng.uniform(0.005, 0.15)

    def happens(self, share: float) -> bool:
        """Whether something bad happens that happens so often in the worst weather."""
        return self.rng.random() < share * self.bad


class Connection:
    """One connection of a browser to a house, with two ends that may know different things."""

    def __init__(
        self,
        weather: Weather,
        house: Process,
        heard: "Callable[[Connection, bytes], None]",
        lost: "Callable[[Connection, int], None]",
    ) -> None:
        self._weather = weather
        self._loop = weather.loop
        self._house = house
        self._heard, self._lost = heard, lost
        self._inbox: list[Message] = []
        self._arrived = asyncio.Event()
        self._last = 0.0
        self._flaps = [False, False]
        """Whether the house's end is broken, and whether the browser's is."""
        self.is_open = False
        self.trip = weather.rng.uniform(0.01, 0.3)

    # --- The house's end ----------------------------------------------------------------------

    async def receive(self) -> Message:
        """What the browser has sent."""
        while not self._inbox:
            self._arrived.clear()
            await self._arrived.wait()
        return self._inbox.pop(0)

    async def send(self, message: Message) -> None:
        """Tell the browser something."""
        if self._weather.happens(0.05):
            await asyncio.sleep(self._weather.delay())
        if self._flaps[0]:
            raise OSError("nobody is there any more")
        moment = max(self._last + HARDLY, self._loop.time() + self._weather.delay())
        self._last = moment
        self._at(moment, self._hear, dict(message))

    def _hear(self, message: Message) -> None:
        if self._flaps[1]:
            return
        if message["type"] == "websocket.accept":
            self.is_open = True
        elif message["type"] == "websocket.send":
            self._heard(self, message["text"].encode())
        else:
            self._lose(message["code"])

    # --- The browser's end --------------------------------------------------------------------

    def put(self, frame: str) -> None:
        """Send the house something; what becomes of it is up to the weather."""
        copies = 2 if self._weather.happens(0.1) else 1
        for _ in range(copies):
            self._to_house(self._weather.delay(), {"type": "websocket.receive", "text": frame})

    def hang_up(self) -> None:
        """The browser closes its end; what is under way may still arrive."""
        self._flaps[1] = True
        self._end_house(self._weather.delay())

    def _to_house(self, delay: float, message: Message) -> None:
        context = self._house.context
        self._loop.call_at(self._loop.time() + delay, self._put, message, context=context)

    def _put(self, message: Message) -> None:
        if not self._flaps[0]:
            self._inbox.append(message)
            self._arrived.set()

    # --- What happens between -----------------------------------------------------------------

    def cut(self) -> None:
        """Break it: each end notices in its own time, or the browser's not at all."""
        self._end_house(self._weather.rng.choice([0.0, 1.0, NOTICED]))
        self.break_here()

    def break_here(self) -> None:
        """Let nothing come to the browser any more, which notices or does not."""
        rng = self._weather.rng
        notices = rng.random() < 0.7
        if notices:
            self._at(self._loop.time() + rng.uniform(0.0, 2.0), self._lose, LOST)
        else:
            self._flaps[1] = True

    def _lose(self, code: int) -> None:
        if not self._flaps[1]:
            self._flaps[1] = True
            self._lost(self, code)

    def _end_house(self, delay: float) -> None:
        self._to_house(delay, dict(DISCONNECT))
        self._loop.call_later(delay + HARDLY, self._break_house, context=self._house.context)

    def _break_house(self) -> None:
        self._flaps[0] = True

    def _at(self, moment: float, do: Callable[..., None], *words: Any) -> None:
        """Do something at the browser, which lives on when the house is killed."""
        self._loop.call_at(moment, do, *words, context=OUTSIDE)
