"""Limit how often a network or a seat may do something, with token buckets."""

from cosca.server.live.clock import Clock


class Bucket:
    """A token bucket: a burst of tokens, and then a rate per second."""

    __slots__ = ("_clock", "_filled", "_most", "_rate", "_tokens")

    def __init__(self, clock: Clock, most: float, rate: float) -> None:
        self._clock = clock
        self._most = most
        self._rate = rate
        self._tokens = most
        self._filled = clock.now()

    def take(self, cost: int = 1) -> bool:
        """Take some tokens, if there are enough."""
        self._fill()
        if self._tokens < cost:
            return False
        self._tokens -= cost
        return True

    @property
    def is_empty(self) -> bool:
        """Whether there is no token left."""
        self._fill()
        return self._tokens < 1

    @property
    def is_full(self) -> bool:
        """Whether it has all its tokens."""
        self._fill()
        return self._tokens >= self._most

    def _fill(self) -> None:
        now = self._clock.now()
        self._tokens = min(self._most, self._tokens + (now - self._filled) * self._rate)
        self._filled = now


class RateLimits:
    """A token bucket for each network or seat.

    At most `kept` are remembered: beyond that, the least recently used is forgotten, so that nobody
    can make it forget all others.
    """

    def __init__(self, clock: Clock, most: float, rate: float, kept: int = 10_000) -> None:
        self._clock = clock
        self._most = most
        self._rate = rate
        self._kept = kept
        self._buckets: dict[str, Bucket] = {}
        """Least recently used first."""

    def allows(self, who: str, cost: int = 1) -> bool:
        """Take tokens for one more request, and return whether there were enough."""
        bucket = self._buckets.pop(who, None) or Bucket(self._clock, self._most, self._rate)
        self._forget_oldest()
        self._buckets[who] = bucket
        return bucket.take(cost)

    def is_spent(self, who: str) -> bool:
        """Return whether there is no token left, without taking one."""
        return who in self._buckets and self._buckets[who].is_empty

    def _forget_oldest(self) -> None:
        """Make room for one more, and forget buckets that are full again."""
        while self._buckets:
            oldest = next(iter(self._buckets))
            if len(self._buckets) < self._kept and not self._buckets[oldest].is_full:
                return
            del self._buckets[oldest]
