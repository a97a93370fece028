"""The table as text."""

from cosca.core.drawing import (
    EMPTY,
    NO_MEANING,
    Drawing,
    Goal,
    Grid,
    Layout,
    Meaning,
    Piece,
    Progress,
    Say,
    best_seats,
)
from cosca.core.options import Settings
from tests.kuhn.pieces import UNKNOWN
from tests.kuhn.position import Position


def render_drawing(position: Position, settings: Settings, say: Say) -> Drawing:
    """The pot; each seat's chips, and its card where it is known."""
    players = [
        [Piece(f"{seat}", f"seat.{seat}"), Piece(f" {chips} {position.cards[seat]}")]
        for seat, chips in enumerate(position.chips)
    ]
    return Drawing(board=[[Piece(f"{position.pot}")]], players=players, sentences=[])


def render_layout(position: Position, settings: Settings, say: Say) -> Layout:
    """The same as a table of players, with a question and a note."""
    rows = [
        [
            Piece(say("kuhn.layout.seat", {"seat": seat}), f"seat.{seat}"),
            Piece(str(chips)),
            EMPTY if position.cards[seat] == UNKNOWN else Piece(str(position.cards[seat])),
        ]
        for seat, chips in enumerate(position.chips)
    ]
    head = [say(f"kuhn.layout.{key}", {}) for key in ("player", "chips", "card")]
    ask = say("kuhn.layout.ask", {}) if position.legal else ""
    pot = say("kuhn.layout.pot", {"pot": position.pot})
    meaning = Meaning(say("kuhn.layout.meaning", {}), "") if position.legal else NO_MEANING
    chips = Progress(head[1], [str(number) for number in position.chips], "")
    leaders = list(position.winners) if position.ending else best_seats(position.chips)
    goal = Goal(say("kuhn.goal.text", {}), [chips], leaders, [])
    return Layout([Grid(say("kuhn.layout.players", {}), head, rows)], ask, [pot], meaning, goal)
