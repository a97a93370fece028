"""A whole move as people and the wire speak of it: a verb and some numbers."""

from typing import Final, NamedTuple

SEVERAL: Final = "steps"
"""The verb of steps that are more than one move, or no whole one."""


class Move(NamedTuple):
    """What a player does in one go; the rules take it as one small action or several."""

    verb: str
    numbers: tuple[int, ...] = ()

    def to_wire(self) -> list[str | int]:
        """As plain JSON."""
        return [self.verb, *self.numbers]
