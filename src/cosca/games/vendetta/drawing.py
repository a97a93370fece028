"""The village as text: districts with the men in them, hands, box and points."""

from cosca.core.drawing import Line, Piece, Say
from cosca.games.vendetta.position import Position


def draw(position: Position, say: Say) -> list[Line]:
    """V-M1, V-8: the map, who is where, and what everybody holds."""
    return [
        [Piece(say(f"vendetta.district.{number}", {}), "title"), Piece(" " + str(row))]
        for number, row in enumerate(position.men, start=1)
    ]
