"""The table as text."""

from cosca.core.drawing import Drawing, Piece, Say
from cosca.core.options import Settings
from tests.kuhn.position import Position


def draw(position: Position, settings: Settings, say: Say) -> Drawing:
    """The pot; each seat's chips, and its card where it is known."""
    players = [
        [Piece(f"{seat}", f"seat.{seat}"), Piece(f" {chips} {position.cards[seat]}")]
        for seat, chips in enumerate(position.chips)
    ]
    return Drawing(board=[[Piece(f"{position.pot}")]], players=players, told=[])
