"""The table of Skeleton as text: pile, open cards, and who holds what."""

from typing import Final

from cosca.core.drawing import (
    EMPTY,
    NO_MEANING,
    Drawing,
    Grid,
    Layout,
    Line,
    Meaning,
    Piece,
    Say,
    goal_lines,
)
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.games.skeleton.goal import goal
from cosca.games.skeleton.pieces import CARDS, NO_CARD, UNKNOWN
from cosca.games.skeleton.position import Position

TURN: Final = "▶"
HIDDEN: Final = "?"
NONE: Final = "·"
NAME: Final = 16


def render_drawing(position: Position, settings: Settings, say: Say) -> Drawing:
    """SK-9: the table as this seat sees it."""
    table = _Table(position, say)
    return Drawing(table.board(), table.players(), table.sentences())


def render_layout(position: Position, settings: Settings, say: Say) -> Layout:
    """SK-9: the same as a table of players and a few sentences."""
    table = _Table(position, say)
    return Layout([table.seated()], table.ask(), table.notes(), table.meaning(), table.goal)


class _Table:
    """One position about to be drawn."""

    def __init__(self, position: Position, say: Say) -> None:
        self.at = position
        self.seats = range(len(position.cards))
        self._say = say
        self.goal = goal(position, say)

    def say(self, key: str, **params: int | str) -> str:
        return self._say(f"skeleton.{key}", params)

    def board(self) -> list[Line]:
        """SK-3, SK-9: how many cards the pile has, and those that lie face up."""
        up = " ".join(str(card) for card in self.at.up) or NONE
        lap = self.say("drawing.lap", lap=max(1, self.at.lap), laps=self.at.laps)
        return [
            [Piece(self.say("drawing.pile", number=CARDS - self.at.drawn), "title")],
            [Piece(self.say("drawing.up") + "  ", "dim"), Piece(up, "strong")],
            [Piece(lap, "dim")],
        ]

    def players(self) -> list[Line]:
        """SK-S2, SK-7: everybody, with the card where it has been seen."""
        return [*(self._player(seat) for seat in self.seats), *goal_lines(self.goal)]

    def _player(self, seat: Seat) -> Line:
        active = seat == self.at.active and self.at.phase in ("turn", "draw")
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("drawing.you", name=name)
        return [
            Piece(f"{TURN} " if active else "  ", "accent"),
            Piece(f"{name[:NAME]:<{NAME}}", f"seat.{seat} strong" if active else f"seat.{seat}"),
            Piece(f"{self._card(seat):>3}"),
        ]

    def _card(self, seat: Seat) -> str:
        card = self.at.cards[seat]
        return {UNKNOWN: HIDDEN, NO_CARD: NONE}.get(card, str(card))

    def seated(self) -> Grid:
        """SK-S2, SK-7: everybody with the card where it has been seen, and who is to move."""
        rows = [[self._seat_name(seat), self._seat_card(seat)] for seat in self.seats]
        head = [self.say("layout.player"), self.say("layout.card")]
        return Grid(self.say("layout.players"), head, rows)

    def _seat_name(self, seat: Seat) -> Piece:
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("drawing.you", name=name)
        if seat in self.at.actors:
            return Piece(self.say("layout.moves", name=name), f"seat.{seat} strong")
        return Piece(name, f"seat.{seat}")

    def _seat_card(self, seat: Seat) -> Piece:
        card = self.at.cards[seat]
        if card == NO_CARD:
            return EMPTY
        return Piece(self.say("layout.down"), "dim") if card == UNKNOWN else Piece(str(card))

    def ask(self) -> str:
        """SK-2: what is asked of this seat; nothing when others act."""
        return self.say("layout.ask") if self.at.legal else ""

    def meaning(self) -> Meaning:
        """SK-2: what the question means, for somebody who does not know the game."""
        return Meaning(self.say("layout.meaning"), "SK-2") if self.at.legal else NO_MEANING

    def notes(self) -> list[str]:
        """SK-3, SK-9: the pile, and the cards that lie face up."""
        up = [self.say("sentence.up", card=card) for card in self.at.up]
        return [self.say("drawing.pile", number=CARDS - self.at.drawn) + ".", *up]

    def sentences(self) -> list[str]:
        """SK-9: the same in sentences."""
        up = [self.say("sentence.up", card=card) for card in self.at.up]
        pile = self.say("drawing.pile", number=CARDS - self.at.drawn)
        players = [self._describe_player(seat) for seat in self.seats]
        return [f"{pile}.", *up, *players, self.goal.text]

    def _describe_player(self, seat: Seat) -> str:
        card = self.at.cards[seat]
        if card in (UNKNOWN, NO_CARD):
            return self.say("sentence.hidden" if card == UNKNOWN else "sentence.none", seat=seat)
        return self.say("sentence.card", seat=seat, card=card)
