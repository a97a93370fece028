"""Sealed dice: promised before the game, and open to anybody's check when the seed is revealed.

Before a game the house publishes a hash of its secret seed, then each person at the table adds some
bytes of their own. All draws follow from both, so neither can choose them. `docs/records.md` has
every formula and vectors to try them on.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

from cosca.core.names import Seat

SEED_BYTES: Final = 32
ENTROPY_BYTES: Final = 16
WORD_BYTES: Final = 4
WORDS: Final = 1 << 32


def pack(*parts: str | bytes) -> bytes:
    """Parts one after another, each behind its length, so that no two lists look the same."""
    told = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in told)


def commitment(table: str, seed: bytes) -> str:
    """The hash of the seed that is published before the game."""
    return hashlib.sha256(pack("cosca/commit/1", table, seed)).hexdigest()


def dealing_key(table: str, seed: bytes, entropy: Mapping[Seat, bytes]) -> bytes:
    """The key all draws follow from: HKDF of the seed, salted with what the players added."""
    added = [part for seat in sorted(entropy) for part in (str(seat), entropy[seat])]
    salt = hashlib.sha256(pack("cosca/entropy/1", table, commitment(table, seed), *added)).digest()
    extracted = hmac.digest(salt, seed, "sha256")
    return hmac.digest(extracted, b"cosca/deal/1" + b"\x01", "sha256")


def rolled(key: bytes, purpose: str, index: int, among: int) -> int:
    """A number from 0 to among - 1, each exactly as likely: words that would favour some go."""
    return _rolled(hmac.new(key, digestmod="sha256"), purpose, index, among)


def _rolled(keyed: hmac.HMAC, purpose: str, index: int, among: int) -> int:
    if not 1 <= among <= WORDS:
        raise ValueError(f"a draw is among 1 to {WORDS}, not {among}")
    fair = WORDS - WORDS % among
    counter = 0
    while True:
        drawing = keyed.copy()  # a third of the time it takes to begin with the key
        drawing.update(pack("cosca/draw/1", purpose, str(index), str(counter)))
        block = drawing.digest()
        for at in range(0, len(block), WORD_BYTES):
            word = int.from_bytes(block[at : at + WORD_BYTES], "big")
            if word < fair:
                return word % among
        counter += 1


class SealedDice:
    """The dice of one table; those of a game taken up again go on from where they were."""

    def __init__(
        self, table: str, seed: bytes, entropy: Mapping[Seat, bytes], draws: int = 0
    ) -> None:
        self.table = table
        self.seed = seed
        self.entropy = dict(entropy)
        self.key = dealing_key(table, seed, entropy)
        self._keyed = hmac.new(self.key, digestmod="sha256")
        self.draws = draws

    @property
    def commitment(self) -> str:
        """What was published before the game."""
        return commitment(self.table, self.seed)

    def draw(self, purpose: str, among: int) -> int:
        """The next draw: a number from 0 to among - 1."""
        self.draws += 1
        return _rolled(self._keyed, purpose, self.draws - 1, among)
