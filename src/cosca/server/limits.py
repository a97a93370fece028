"""How much one address or one seat may ask for in a while."""

from cosca.server.clock import Clock


class Bucket:
    """Some drops at once, and then so many a second."""

    __slots__ = ("_clock", "_drops", "_filled", "_most", "_rate")

    def __init__(self, clock: Clock, most: float, rate: float) -> None:
        self._clock = clock
        self._most = most
        self._rate = rate
        self._drops = most
        self._filled = clock.now()

    def take(self) -> bool:
        """Take a drop, if there is one."""
        self._fill()
        if self._drops < 1:
            return False
        self._drops -= 1
        return True

    @property
    def is_empty(self) -> bool:
        """Whether there is no drop to take."""
        self._fill()
        return self._drops < 1

    @property
    def is_full(self) -> bool:
        """Whether it is as if it had never been used."""
        self._fill()
        return self._drops >= self._most

    def _fill(self) -> None:
        now = self._clock.now()
        self._drops = min(self._most, self._drops + (now - self._filled) * self._rate)
        self._filled = now


class Limits:
    """A bucket for each address; those that are full again are thrown away."""

    def __init__(self, clock: Clock, most: float, rate: float, kept: int = 10_000) -> None:
        self._clock = clock
        self._most = most
        self._rate = rate
        self._kept = kept
        self._buckets: dict[str, Bucket] = {}

    def allows(self, address: str) -> bool:
        """Whether that address may ask for one thing more."""
        if address not in self._buckets:
            if len(self._buckets) >= self._kept:
                self._tidy()
            self._buckets[address] = Bucket(self._clock, self._most, self._rate)
        return self._buckets[address].take()

    def is_spent(self, address: str) -> bool:
        """Return whether that address may ask for nothing more; takes nothing."""
        return address in self._buckets and self._buckets[address].is_empty

    def _tidy(self) -> None:
        used = {at: bucket for at, bucket in self._buckets.items() if not bucket.is_full}
        self._buckets = used if len(used) < self._kept else {}
