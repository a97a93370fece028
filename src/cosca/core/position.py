"""What one seat knows: the only thing that bots, clients, logs and errors are made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias, TypeVar

from cosca.core.names import Action, Seat

P = TypeVar("P", bound="Position")

Fields: TypeAlias = dict[str, Any]
"""Some fields of a position, by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What one seat, or a spectator, may see and has learnt. Each game adds its own fields."""

    seat: Seat
    actors: tuple[Seat, ...]
    legal: tuple[Action, ...]

    def to_wire(self) -> dict[str, Any]:
        """As plain JSON, field by field."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def visible_fields(self) -> dict[str, Any]:
        """The same without what was learnt before: a browser is not to remember for its person."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "learnt"}

    @classmethod
    def combine(cls, public_fields: Fields, private_fields: Fields) -> Self:
        """The position of which these are the parts; what was learnt before is in neither."""
        return cls(**public_fields, **private_fields)

    @classmethod
    def from_wire(cls, told: dict[str, Any]) -> Self:
        """The position that was told."""
        return cls(**{name: tuples(value) for name, value in told.items()})


def tuples(value: Any) -> Any:
    """JSON has lists where we have tuples."""
    return tuple(tuples(item) for item in value) if isinstance(value, list | tuple) else value


def no_insertable_actions(position: Position) -> Sequence[Action]:
    """For a game whose steps are chosen in the order the rules take them."""
    return ()


def keep_all_memory(position: P, span: int) -> P:
    """Where all that is known lies open, the shortest memory knows it too."""
    return position
