"""Fast dice for search and simulations, the same interpreted and compiled."""

MASK64 = 0xFFFFFFFFFFFFFFFF
MASK32 = 0xFFFFFFFF
TWO32 = 0x100000000
MULTIPLIER = 0x5851F42D4C957F2D
INCREMENT = 0x14057B7EF767814F


class Dice:
    """The 64-bit congruential generator of Knuth's MMIX, of which the upper half is used.

    Made to be quick, also in plain Python: for search and simulations, never for the cards of a
    table. Two dice of the same seed and stream roll the same.
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        # Neighbouring seeds and streams must not roll alike: both go through a mixer first.
        self.word = splitmix64(splitmix64(seed & MASK64) ^ (stream & MASK64))

    def next_word(self) -> int:
        """The next 32 random bits."""
        self.word = (self.word * MULTIPLIER + INCREMENT) & MASK64
        return self.word >> 32

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each exactly as likely (n up to 2**32)."""
        product = self.next_word() * n
        if product & MASK32 < n:
            rejected_below = (TWO32 - n) % n
            while product & MASK32 < rejected_below:
                product = self.next_word() * n
        return product >> 32

    def draw(self, purpose: str, among: int) -> int:
        """A draw at a table. Fast dice do not mind what it is for; sealed dice write it down."""
        return self.below(among)


def splitmix64(x: int) -> int:
    """The splitmix64 finisher: every bit of the answer hangs on every bit of the question."""
    x = (x + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return x ^ (x >> 31)
