"""Fast pseudorandom numbers for search and simulations, identical interpreted and compiled."""

MASK64 = 0xFFFFFFFFFFFFFFFF
MASK32 = 0xFFFFFFFF
TWO32 = 0x100000000
MULTIPLIER = 0x5851F42D4C957F2D
INCREMENT = 0x14057B7EF767814F


class Dice:
    """A 64-bit linear congruential generator (Knuth's MMIX), of which the upper half is used.

    It is fast even in plain Python. Use it for search and simulations, never for the cards of a
    real table (see `match/sealed.py`). Dice with the same seed and stream give the same numbers.
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        # Mixed first, so that neighbouring seeds and streams give unrelated numbers.
        self.word = splitmix64(splitmix64(seed & MASK64) ^ (stream & MASK64))

    def next_word(self) -> int:
        """Return the next 32 random bits."""
        self.word = (self.word * MULTIPLIER + INCREMENT) & MASK64
        return self.word >> 32

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, uniformly (n up to 2**32)."""
        product = self.next_word() * n
        if product & MASK32 < n:
            rejected_below = (TWO32 - n) % n
            while product & MASK32 < rejected_below:
                product = self.next_word() * n
        return product >> 32

    def draw(self, purpose: str, among: int) -> int:
        """Return a number from 0 to among - 1. Unlike sealed dice, these ignore the purpose."""
        return self.below(among)


def splitmix64(x: int) -> int:
    """Mix a 64-bit number so that every output bit depends on every input bit."""
    x = (x + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return x ^ (x >> 31)
