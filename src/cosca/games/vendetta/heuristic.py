"""The values and habits of Vendetta's bots. Reads positions only."""

from cosca.core.move import Move
from cosca.games.vendetta.position import Position


def candidates(position: Position) -> list[Move]:
    """The few whole moves worth a thought, best first."""
    return [Move("pass")]
