"""How much one network or one seat may ask for in a while."""

from cosca.server.live.clock import Clock


class Bucket:
    """Some drops at once, and then so many a second."""

    __slots__ = ("_clock", "_drops", "_filled", "_most", "_rate")

    def __init__(self, clock: Clock, most: float, rate: float) -> None:
        self._clock = clock
        self._most = most
        self._rate = rate
        self._drops = most
        self._filled = clock.now()

    def take(self, cost: int = 1) -> bool:
        """Take so many drops, if there are as many."""
        self._fill()
        if self._drops < cost:
            return False
        self._drops -= cost
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


class RateLimits:
    """A bucket for each network or seat. At most `kept` are remembered: if there are more, the
    one that was not used for longest is forgotten, so that nobody can have all forgotten."""

    def __init__(self, clock: Clock, most: float, rate: float, kept: int = 10_000) -> None:
        self._clock = clock
        self._most = most
        self._rate = rate
        self._kept = kept
        self._buckets: dict[str, Bucket] = {}
        """In the order in which they were last used."""

    def allows(self, who: str, cost: int = 1) -> bool:
        """Whether they may ask for one thing more, which costs so much."""
        bucket = self._buckets.pop(who, None) or Bucket(self._clock, self._most, self._rate)
        self._forget_oldest()
        self._buckets[who] = bucket
        return bucket.take(cost)

    def is_spent(self, who: str) -> bool:
        """Return whether they may ask for nothing more; takes nothing."""
        return who in self._buckets and self._buckets[who].is_empty

    def _forget_oldest(self) -> None:
        """Make room, and forget who has their whole allowance again."""
        while self._buckets:
            oldest = next(iter(self._buckets))
            if len(self._buckets) < self._kept and not self._buckets[oldest].is_full:
                return
            del self._buckets[oldest]
