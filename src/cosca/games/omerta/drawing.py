"""The table of Omerta as text: piles, safe and rows, and what a seat may see of them now."""

from typing import Final

from cosca.core.drawing import Drawing, Line, Piece, Say
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.games.omerta.position import FACE_DOWN, NO_ANSWER, NO_CARD, UNKNOWN, Position

TURN: Final = "▶"
BACK: Final = "▒▒▒"
NAME: Final = 12
ACROSS: Final = 11
"""So many cards fit side by side."""
HEADINGS: Final = {"cards": 6, "last": 8, "total": 8}


def draw(position: Position, settings: Settings, say: Say) -> Drawing:
    """O-S2: piles, safe and rows; cards once seen only where the table helps to remember."""
    table = _Table(position, settings, say)
    return Drawing(table.board(), table.players(), table.told())


class _Table:
    """One position about to be drawn."""

    def __init__(self, position: Position, settings: Settings, say: Say) -> None:
        self.at = position
        self.seats = range(position.seats)
        self._say = say
        tracks = position.learnt.by_number()
        aided = settings["memory"] == "aided"
        self.learnt = {
            (place, slot): tracks[card].kind
            for place, row in enumerate((*position.learnt.rows, position.learnt.safe))
            for slot, card in enumerate(row)
            if aided and card in tracks and tracks[card].kind != UNKNOWN
        }

    def say(self, key: str, **params: int | str) -> str:
        return self._say(f"omerta.{key}", params)

    @property
    def over(self) -> bool:
        return self.at.phase == "over"

    # --- The table ----------------------------------------------------------------------------

    def board(self) -> list[Line]:
        """O-S2: the middle of the table, then row by row."""
        lines = self._middle()
        for seat in self.seats:
            lines += self._row(seat)
        return [*lines, *self._asks()]

    def _middle(self) -> list[Line]:
        """O-2, O-S2: draw pile, discard pile, safe, and the card in hand."""
        top = FACE_DOWN if self.at.top == NO_CARD else self.at.top
        discards = self._card(top) if self.at.discarded else Piece("[   ]", "dim")
        safe: Line = [Piece(self.say("drawing.safe") + " ", "dim")]
        for place, kind in enumerate(self.at.safe):
            safe += [self._seen(kind, (self.at.seats, place)), Piece(" ")]
        pile = self._card(FACE_DOWN) if self.at.pile_count else Piece("[   ]", "dim")
        line = [
            Piece(self.say("drawing.pile") + " ", "dim"),
            pile,
            Piece(f" {self.at.pile_count:<4} "),
            Piece(self.say("drawing.discards") + " ", "dim"),
            discards,
            Piece(f" {self.at.discarded:<4} "),
        ]
        if self.at.held != NO_CARD:
            held = self.say("drawing.held", seat=self.at.active)
            safe += [Piece("  " + held + " ", "dim"), self._card(self.at.held)]
        return [line, safe]

    def _card(self, kind: int, style: str = "title", edges: str = "[]") -> Piece:
        face = BACK if kind == FACE_DOWN else f"{self.say(f'short.{kind}'):^3}"
        return Piece(edges[0] + face + edges[1], "dim" if kind == FACE_DOWN else style)

    def _seen(self, kind: int, place: tuple[int, int], edges: str = "[]") -> Piece:
        """A card of a row or of the safe: visible, or remembered, or face down."""
        if kind == FACE_DOWN and place in self.learnt:
            return self._card(self.learnt[place], "", edges)
        return self._card(kind, "accent", edges)

    def _row(self, seat: Seat) -> list[Line]:
        """O-6, O-19p: the cards of a player with their places; a patrol is a pair of braces."""
        name = self.say(f"seat.{seat}")
        marks = {patrol[1]: patrol[3] for patrol in self.at.patrols if patrol[0] == seat}
        active = seat == self.at.active and not self.over
        head = [
            Piece(f"{TURN} " if active else "  ", "accent"),
            Piece(f"{name:<{NAME - 2}}", f"seat.{seat}" + (" strong" if active else "")),
        ]
        lines: list[Line] = []
        row = self.at.rows[seat]
        for first in range(0, max(1, len(row)), ACROSS):
            cards: Line = head if first == 0 else [Piece(" " * NAME)]
            with_mamma = first == 0 and self.at.mammas[seat] >= 0
            note = f"  {self.say('drawing.mamma')}" if with_mamma else ""
            places: Line = [Piece(f"{note[:NAME]:<{NAME}}", "accent")]
            for slot in range(first, min(first + ACROSS, len(row))):
                edges = "{}" if slot in marks else "[]"
                cards = [*cards, self._seen(row[slot], (seat, slot), edges), Piece(" ")]
                places.append(Piece(f"{slot + 1:^5} ", "dim"))
            lines += [cards, places]
        return lines

    def _asks(self) -> list[Line]:
        """What the seat may do now, in a sentence."""
        ask = self._ask()
        return [[Piece(ask[:78], "strong")]] if ask else []

    def _ask(self) -> str:
        """O-1 to O-19p: what is asked of this seat; nothing when others act."""
        at = self.at
        if at.seat not in at.actors:
            waits = at.phase == "window" and at.answer != NO_ANSWER
            return self.say("ask.wait") if waits else ""
        if at.phase == "window":
            return self.say(f"ask.{at.window}", **({} if at.window == "peek" else {"card": at.top}))
        if at.phase == "use":
            return self.say(f"ask.use.{at.top}")
        if at.phase == "turn" and not at.discarded:
            return self.say("ask.draw" if at.pile_count else "ask.nothing")
        if at.phase == "place" and at.from_discards:
            return self.say("ask.replace")
        return self.say(f"ask.{at.phase}")

    # --- The players --------------------------------------------------------------------------

    def players(self) -> list[Line]:
        """O-23: how many cards everybody has, and all points."""
        return [
            [Piece(" " * (4 + NAME)), *(Piece(self._heading(key), "dim") for key in HEADINGS)],
            *(self._player(seat) for seat in self.seats),
            [Piece("  " + self.say("drawing.game", game=self.at.game, games=self.at.games), "dim")],
        ]

    def _heading(self, key: str) -> str:
        return f"{self.say(f'drawing.{key}'):>{HEADINGS[key]}}"

    def _player(self, seat: Seat) -> Line:
        active = seat == self.at.active and not self.over
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("drawing.you", name=name)
        holds = (len(self.at.rows[seat]), self.at.scores[seat], self.at.totals[seat])
        return [
            Piece(f"{TURN} " if active else "  ", "accent"),
            Piece(
                f"{name[: NAME + 2]:<{NAME + 2}}", f"seat.{seat}" + (" strong" if active else "")
            ),
            *(Piece(f"{n:>{w}}") for n, w in zip(holds, HEADINGS.values(), strict=True)),
        ]

    # --- The same, told -----------------------------------------------------------------------

    def told(self) -> list[str]:
        """O-S2: the table in sentences: the piles, the safe, every row, all totals."""
        at = self.at
        told = [self.say("told.pile", number=at.pile_count)]
        if at.discarded:
            told.append(self.say("told.discards", card=at.top, number=at.discarded))
        else:
            told.append(self.say("told.no_discards"))
        if at.held != NO_CARD:
            key = "told.hidden_hand" if at.held == FACE_DOWN else "told.hand"
            params = {} if at.held == FACE_DOWN else {"card": at.held}
            told.append(self.say(key, seat=at.active, **params))
        told += [
            self.say("told.safe", place=place + 1, card=kind)
            for place, kind in self._known(at.seats, at.safe)
        ]
        for seat in self.seats:
            told += self._told_row(seat)
        return [*told, *filter(None, [self._ask()])]

    def _known(self, place: int, row: tuple[int, ...]) -> list[tuple[int, int]]:
        """The cards of a row that are visible or remembered."""
        cards = [
            (slot, self.learnt.get((place, slot), FACE_DOWN) if kind == FACE_DOWN else kind)
            for slot, kind in enumerate(row)
        ]
        return [(slot, kind) for slot, kind in cards if kind != FACE_DOWN]

    def _told_row(self, seat: Seat) -> list[str]:
        at = self.at
        row = at.rows[seat]
        told = [self.say("told.row", seat=seat, number=len(row), total=at.totals[seat])]
        told += [
            self.say("told.card", seat=seat, slot=slot + 1, card=kind)
            for slot, kind in self._known(seat, row)
        ]
        told += [
            self.say("told.patrol", seat=seat, slot=slot + 1)
            for whose, slot, _, _ in at.patrols
            if whose == seat
        ]
        if at.mammas[seat] >= 0:
            told.append(self.say("told.mamma", seat=seat))
        return told
