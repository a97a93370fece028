"""The clock of the server; tests pass one of their own."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Returns the time, and waits."""

    def now(self) -> float:
        """Return the time in seconds, which never goes back."""
        ...

    def date(self) -> int:
        """Return the date in milliseconds since 1970."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        ...


class WallClock:
    """The wall clock as it was when the server started, advanced by the monotonic clock.

    If the system clock is set later, no date goes back and nobody's time runs out earlier.
    """

    def __init__(self) -> None:
        self._opened = time.time_ns() // 1_000_000 - round(time.monotonic() * 1000)

    def now(self) -> float:
        """Return the time in seconds, which never goes back."""
        return time.monotonic()

    def date(self) -> int:
        """Return the date in milliseconds since 1970."""
        return self._opened + round(time.monotonic() * 1000)

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)
