"""The clock of the house, handed in so that tests have one of their own."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time, and wakes whoever waits."""

    def now(self) -> float:
        """Seconds that only ever go forward."""
        ...

    def date(self) -> int:
        """Milliseconds since 1970."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class WallClock:
    """The clock on the wall, as it was when the house opened: if it is set later, nobody's time
    is over sooner for it, and none goes back."""

    def __init__(self) -> None:
        self._opened = time.time_ns() // 1_000_000 - round(time.monotonic() * 1000)

    def now(self) -> float:
        """Seconds that only ever go forward."""
        return time.monotonic()

    def date(self) -> int:
        """Milliseconds since 1970."""
        return self._opened + round(time.monotonic() * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)
