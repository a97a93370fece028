"""Positions: what one seat knows. Bots, clients, logs and errors are made from nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias, TypeVar

from cosca.core.names import Action, Seat

P = TypeVar("P", bound="Position")

Fields: TypeAlias = dict[str, Any]
"""Some fields of a position, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What one seat, or a spectator, sees now and has learnt. Each game adds its own fields."""

    seat: Seat
    """Whose position it is; `SPECTATOR` for somebody who only watches."""
    actors: tuple[Seat, ...]
    """The seats that may act now, as far as this seat can tell."""
    legal: tuple[Action, ...]
    """What this seat may do now, in ascending order."""

    def to_wire(self) -> dict[str, Any]:
        """Return all fields as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def visible_fields(self) -> dict[str, Any]:
        """Return the fields without `learnt`: a browser must not remember for its player."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "learnt"}

    @classmethod
    def combine(cls, public_fields: Fields, private_fields: Fields) -> Self:
        """Return the position with these fields; what was learnt before is in neither part."""
        return cls(**public_fields, **private_fields)

    @classmethod
    def from_wire(cls, fields: dict[str, Any]) -> Self:
        """Return the position in this JSON."""
        return cls(**{name: tuples(value) for name, value in fields.items()})


def tuples(value: Any) -> Any:
    """Turn the lists of JSON into tuples."""
    return tuple(tuples(item) for item in value) if isinstance(value, list | tuple) else value


def no_insertable_actions(position: Position) -> Sequence[Action]:
    """Return nothing, for a game whose actions are chosen in the order the rules take them."""
    return ()


def keep_all_memory(position: P, span: int) -> P:
    """Return the position unchanged, for games in which all that was seen stays visible."""
    return position
