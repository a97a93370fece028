"""Sealed dice: fixed before the game, and verifiable by anyone once the seed is revealed.

The house publishes a hash of its secret seed, the *seal*. Then each player's program publishes a
hash of some random bytes, the *commitment*, and reveals the bytes only when all commitments are
known. All draws follow from the seed and the bytes, so nobody can choose them. `docs/records.md`
has every formula with test vectors. Format 1, in which players sent their bytes without a
commitment, remains for records and tables that began with it.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

from cosca.core.names import Seat

FORMAT: Final = 2
"""The newest way to deal, and the number of the record format that goes with it."""
FORMATS: Final = (1, 2)
SEED_BYTES: Final = 32
CONTRIBUTION_BYTES: Final = 16
WORD_BYTES: Final = 4
WORDS: Final = 1 << 32


def pack(*parts: str | bytes) -> bytes:
    """Return the parts concatenated, each after its length, so that no two lists look the same."""
    encoded = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


def seal(table: str, seed: bytes, format: int = FORMAT) -> str:
    """Return the hash of the seed that the house publishes before anybody sends anything."""
    tag = "cosca/commit/1" if format == 1 else f"cosca/seal/{format}"
    return hashlib.sha256(pack(tag, table, seed)).hexdigest()


def commit(table: str, seal: str, seat: Seat, contribution: bytes) -> str:
    """Return the hash that binds a player to bytes nobody else knows yet."""
    packed = pack(f"cosca/commit/{FORMAT}", table, seal, str(seat), contribution)
    return hashlib.sha256(packed).hexdigest()


def dealing_key(
    table: str, seed: bytes, contributions: Mapping[Seat, bytes], format: int = FORMAT
) -> bytes:
    """Return the key of all draws: HKDF of the seed, salted with the players' bytes."""
    added = [part for seat in sorted(contributions) for part in (str(seat), contributions[seat])]
    sealed = seal(table, seed, format)
    salt = hashlib.sha256(pack(f"cosca/entropy/{format}", table, sealed, *added)).digest()
    extracted = hmac.digest(salt, seed, "sha256")
    return hmac.digest(extracted, f"cosca/deal/{format}".encode() + b"\x01", "sha256")


def draw_number(key: bytes, purpose: str, index: int, among: int, format: int = FORMAT) -> int:
    """Return a number from 0 to among - 1, uniformly: words that would cause a bias are skipped."""
    return _draw_number(
        hmac.new(key, digestmod="sha256"), f"cosca/draw/{format}", purpose, index, among
    )


def _draw_number(keyed: hmac.HMAC, tag: str, purpose: str, index: int, among: int) -> int:
    if not 1 <= among <= WORDS:
        raise ValueError(f"a draw is among 1 to {WORDS}, not {among}")
    fair = WORDS - WORDS % among
    counter = 0
    while True:
        drawing = keyed.copy()  # three times as fast as starting with the key
        drawing.update(pack(tag, purpose, str(index), str(counter)))
        block = drawing.digest()
        for at in range(0, len(block), WORD_BYTES):
            word = int.from_bytes(block[at : at + WORD_BYTES], "big")
            if word < fair:
                return word % among
        counter += 1


class SealedDice:
    """The dice of one table; those of a resumed game continue where they were.

    All draws follow from the name of the `table`, the house's secret `seed` of 32 bytes, and the
    `contributions` of 16 bytes by seat. `draws` is how many were made before; `format` is that of
    the record.
    """

    def __init__(
        self,
        table: str,
        seed: bytes,
        contributions: Mapping[Seat, bytes],
        draws: int = 0,
        format: int = FORMAT,
    ) -> None:
        self.table = table
        self.seed = seed
        self.contributions = dict(contributions)
        self.format = format
        self.key = dealing_key(table, seed, contributions, format)
        self._keyed = hmac.new(self.key, digestmod="sha256")
        self._tag = f"cosca/draw/{format}"
        self.draws = draws

    @property
    def seal(self) -> str:
        """Return the hash of the seed, published before the game."""
        return seal(self.table, self.seed, self.format)

    def draw(self, purpose: str, among: int) -> int:
        """Return the next draw: a number from 0 to among - 1."""
        self.draws += 1
        return _draw_number(self._keyed, self._tag, purpose, self.draws - 1, among)
