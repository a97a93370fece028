"""A complete move as people and the wire write it: a verb and some numbers."""

from typing import Final, NamedTuple

SEVERAL: Final = "steps"
"""The verb for actions that are not exactly one complete move."""


class Move(NamedTuple):
    """What a player does in one turn; the rules take it as one or more actions."""

    verb: str
    """What is done, in the words of the game."""
    numbers: tuple[int, ...] = ()
    """With what: cards, places, seats, as the game numbers them."""

    def to_wire(self) -> list[str | int]:
        """Return the move as JSON."""
        return [self.verb, *self.numbers]
