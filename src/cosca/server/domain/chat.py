"""What is said at a table, and who may read it."""

from msgspec import Struct


class Said(Struct, frozen=True):
    """Something somebody said."""

    seat: int
    name: str
    text: str
