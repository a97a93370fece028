"""The table of Omerta as text: piles, safe and rows, and what a seat may see of them now."""

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
    question_lines,
)
from cosca.core.names import Seat
from cosca.core.options import Settings
from cosca.core.typed import show_notation
from cosca.games.omerta.actions import to_move
from cosca.games.omerta.goal import goal
from cosca.games.omerta.notation import LETTERS, WORDS, format_move
from cosca.games.omerta.pieces import (
    CALL,
    DRIVER,
    HENCHMAN,
    LADY,
    MAMMA,
    MOLE,
    PATROL,
    SAFECRACKER,
    TRAITOR,
)
from cosca.games.omerta.position import FACE_DOWN, NO_ANSWER, NO_CARD, UNKNOWN, Position

TURN: Final = "▶"
BACK: Final = "▒▒▒"
NAME: Final = 12
ACROSS: Final = 9
"""Number of cards that fit side by side, each with its number before it."""
BESIDE_MAMMA: Final = 7
"""Number of cards that leave room for a note beside them."""
HEADINGS: Final = {"cards": 6, "last": 8, "total": 8}
RULE_OF_QUESTION: Final = {
    "peek": "O-S3",
    "snap": "O-8",
    "assassin": "O-16",
    "call": "O-21",
    "take": "O-2",
    "place": "O-3",
    "replace": "O-4",
    "safe": "O-18",
    f"use.{HENCHMAN}": "O-12",
    f"use.{LADY}": "O-13",
    f"use.{MOLE}": "O-14",
    f"use.{TRAITOR}": "O-15",
    f"use.{DRIVER}": "O-17",
    f"use.{SAFECRACKER}": "O-18",
    f"use.{MAMMA}": "O-19m",
    f"use.{PATROL}": "O-19p",
}
"""The rule that says what a question means, by its key in the language files."""


def render_drawing(position: Position, settings: Settings, say: Say) -> Drawing:
    """O-S2: piles, safe and rows; cards seen before only if the house rules aid memory."""
    table = _Table(position, settings, say)
    return Drawing(table.board(), table.players(), table.sentences())


def render_layout(position: Position, settings: Settings, say: Say) -> Layout:
    """O-S2: tables of piles, of all rows with the safe, and of players."""
    table = _Table(position, settings, say)
    grids = [table.piles(), table.cards(), table.seated()]
    return Layout(grids, table.question(), table.notes(), table.meaning(), table.goal)


class _Table:
    """Draws one position."""

    def __init__(self, position: Position, settings: Settings, say: Say) -> None:
        self.at = position
        self.seats = range(position.seats)
        self._say = say
        self.learnt = _remembered(position) if settings["memory"] == "aided" else {}
        self.goal = goal(position, self.learnt, say)

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
        return [*lines, *question_lines(self._ask())]

    def _middle(self) -> list[Line]:
        """O-2, O-S2: draw pile, discard pile, safe, and the card in hand."""
        top = FACE_DOWN if self.at.top == NO_CARD else self.at.top
        discards = self._card(top) if self.at.discarded else Piece("[   ]", "dim")
        safe: Line = [Piece(self.say("drawing.safe"), "dim")]
        for place, kind in enumerate(self.at.safe):
            safe += [_number(place), self._seen(kind, (self.at.seats, place))]
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
        """O-6, O-19p: the cards of a player with their numbers; braces mark a patrol."""
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
            for slot in range(first, min(first + ACROSS, len(row))):
                edges = "{}" if slot in marks else "[]"
                cards = [*cards, _number(slot), self._seen(row[slot], (seat, slot), edges)]
            lines.append(cards)
        if self.at.mammas[seat] >= 0:
            if len(row) > BESIDE_MAMMA:
                lines.append([Piece(" " * NAME)])
            lines[-1] = [*lines[-1], Piece(f"  {self.say('drawing.mamma')}", "accent")]
        return lines

    def _ask(self) -> str:
        """O-1 to O-19p: the question to this seat; empty while others act."""
        if self.at.seat not in self.at.actors:
            return self.say("ask.wait") if self._waits() else ""
        return self._asked("ask")

    def _waits(self) -> bool:
        """O-8: whether this seat has answered in a window and waits for others."""
        return self.at.phase == "window" and self.at.answer != NO_ANSWER

    def _asked(self, how: str) -> str:
        """Return the question of this phase: "ask" for the terminal, "question" for buttons."""
        at = self.at
        if at.phase == "window":
            card = {} if at.window == "peek" else {"card": at.top}
            return self.say(f"{how}.{at.window}", **card)
        if at.phase == "use":
            may = int(not at.must_use)
            return self.say(f"{how}.use.{at.top}", example=self._example(), may=may)
        if at.phase == "safe":
            example = self._typed(f"{at.free(at.seat)[0] + 1} with safe 1")
            return self.say(f"{how}.safe", example=example)
        if at.phase == "turn" and not at.discarded:
            return self.say(f"{how}.draw" if at.pile_count else f"{how}.nothing")
        if at.phase == "place" and at.from_discards:
            return self.say(f"{how}.replace")
        return self.say(f"{how}.{at.phase}")

    def _example(self) -> str:
        """O-12 to O-19p: an example of a legal action, as typed. It reveals no card."""
        at = self.at
        if at.top == HENCHMAN:
            able = [seat for seat in self.seats if at.mammas[seat] < 0 and at.free(seat)]
            one, other = self._first_card(able[0]), self._first_card(able[-1])
            return self._typed(f"swap {one} with {other}")
        if at.top == PATROL:
            able = [seat for seat in self.seats if seat != at.seat and at.free(seat)]
            return self._typed(f"watch {self._first_card(able[0])}")
        if at.top == DRIVER:
            return " ".join(str(slot + 1) for slot in at.free(at.seat)[:2])
        return self._typed(format_move(to_move([at.legal[-1]])))

    def _typed(self, notation: str) -> str:
        """Return notation in the words of the player's language."""
        return show_notation(notation, "omerta", WORDS, self._say)

    def _first_card(self, seat: Seat) -> str:
        """Return the first free card of a row, as typed."""
        return f"{LETTERS[seat]}{self.at.free(seat)[0] + 1}"

    # --- The players --------------------------------------------------------------------------

    def players(self) -> list[Line]:
        """O-23: how many cards everybody has, and all points."""
        return [
            [Piece(" " * (4 + NAME)), *(Piece(self._heading(key), "dim") for key in HEADINGS)],
            *(self._player(seat) for seat in self.seats),
            [Piece("  " + self.say("drawing.game", game=self.at.game, games=self.at.games), "dim")],
            *goal_lines(self.goal),
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

    # --- As tables ----------------------------------------------------------------------------

    def piles(self) -> Grid:
        """O-2, O-S2: draw pile, discard pile, and the card in hand."""
        at = self.at
        head = [self.say(f"layout.{key}") for key in ("place", "number", "top")]
        rows = [
            self._pile("pile", at.pile_count, FACE_DOWN),
            self._pile("discards", at.discarded, at.top),
        ]
        if at.held != NO_CARD:
            name = Piece(self.say("layout.held", seat=at.active), f"seat.{at.active}")
            rows.append([name, Piece("1"), self._face(at.held)])
        return Grid(self.say("layout.piles"), head, rows)

    def _pile(self, key: str, number: int, top: int) -> list[Piece]:
        name = Piece(self.say(f"layout.{key}"), "title")
        return [name, Piece(str(number)), self._face(top) if number else EMPTY]

    def _face(self, kind: int) -> Piece:
        """Return a card, face up or face down."""
        if kind == FACE_DOWN:
            return Piece(self.say("layout.down"), "dim")
        return Piece(self.say(f"face.{kind}"), "accent")

    def cards(self) -> Grid:
        """O-6, O-S2, O-19m, O-19p: every row place by place, and the safe."""
        at = self.at
        most = max(len(at.safe), *map(len, at.rows))
        head = [self.say("layout.row"), *map(str, range(1, most + 1))]
        rows = [
            [self._row_name(seat), *self._places(seat, row, most)]
            for seat, row in enumerate(at.rows)
        ]
        safe = Piece(self.say("layout.safe"), "title")
        rows.append([safe, *self._places(at.seats, at.safe, most)])
        return Grid(self.say("layout.cards"), head, rows)

    def _row_name(self, seat: Seat) -> Piece:
        key = "layout.mamma" if self.at.mammas[seat] >= 0 else f"seat.{seat}"
        return Piece(self.say(key, seat=seat), f"seat.{seat}")

    def _places(self, place: int, row: tuple[int, ...], most: int) -> list[Piece]:
        """O-19p: the cards of a row; a patrol is marked."""
        down = self._face(FACE_DOWN)
        pieces = [down if kind == FACE_DOWN else self._face(kind) for kind in row]
        for (there, slot), kind in self.learnt.items():
            if there == place and row[slot] == FACE_DOWN:
                pieces[slot] = Piece(self.say("layout.seen", face=kind))
        for seat, slot, _, _ in self.at.patrols:
            if seat == place:
                card = pieces[slot].text
                pieces[slot] = Piece(self.say("layout.patrol", name=card), "accent")
        return pieces + [EMPTY] * (most - len(row))

    def seated(self) -> Grid:
        """O-23: how many cards everybody has, all points, and who is to move."""
        at = self.at
        head = [self.say(f"layout.{key}") for key in ("player", "number", "last", "total")]
        rows = [
            [
                self._seat_name(seat),
                Piece(str(len(at.rows[seat]))),
                Piece(str(at.scores[seat])),
                Piece(str(at.totals[seat])),
            ]
            for seat in self.seats
        ]
        return Grid(self.say("layout.players"), head, rows)

    def _seat_name(self, seat: Seat) -> Piece:
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("drawing.you", name=name)
        if seat in self.at.actors:
            return Piece(self.say("layout.moves", name=name), f"seat.{seat} strong")
        return Piece(name, f"seat.{seat}")

    def question(self) -> str:
        """O-1 to O-19p: the question above the buttons."""
        return self._asked("question") if self.at.legal else ""

    def meaning(self) -> Meaning:
        """O-S3 to O-21: what the question means, and what a mistake costs."""
        if not self.at.legal:
            return NO_MEANING
        key = self._meaning_key()
        return Meaning(self.say(f"meaning.{key}"), RULE_OF_QUESTION[key])

    def _meaning_key(self) -> str:
        at = self.at
        if at.phase == "window":
            return at.window
        if at.phase == "use":
            return f"use.{at.top}"
        if at.phase == "turn":
            return "call" if CALL in at.legal else "take"
        return "replace" if at.phase == "place" and at.from_discards else at.phase

    def notes(self) -> list[str]:
        """O-1, O-8, O-23: whose turn it is, how far the match is, and whether others may answer."""
        at = self.at
        notes = [self.say("layout.game", game=at.game, games=at.games)]
        if at.active >= 0 and not self.over:
            notes.append(self.say("layout.turn", seat=at.active))
        return [*notes, self.say("ask.wait")] if self._waits() else notes

    # --- As sentences -------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """O-S2: the table in sentences: the piles, the safe, every row, all totals."""
        at = self.at
        sentences = [self.say("sentence.pile", number=at.pile_count)]
        if at.discarded:
            sentences.append(self.say("sentence.discards", card=at.top, number=at.discarded))
        else:
            sentences.append(self.say("sentence.no_discards"))
        if at.held != NO_CARD:
            key = "sentence.hidden_hand" if at.held == FACE_DOWN else "sentence.hand"
            params = {} if at.held == FACE_DOWN else {"card": at.held}
            sentences.append(self.say(key, seat=at.active, **params))
        sentences += [
            self.say("sentence.safe", place=place + 1, card=kind)
            for place, kind in self._known(at.seats, at.safe)
        ]
        for seat in self.seats:
            sentences += self._describe_row(seat)
        return [*sentences, self.goal.text, *filter(None, [self._ask()])]

    def _known(self, place: int, row: tuple[int, ...]) -> list[tuple[int, int]]:
        """Return the cards of a row that are visible or remembered."""
        cards = [
            (slot, self.learnt.get((place, slot), FACE_DOWN) if kind == FACE_DOWN else kind)
            for slot, kind in enumerate(row)
        ]
        return [(slot, kind) for slot, kind in cards if kind != FACE_DOWN]

    def _describe_row(self, seat: Seat) -> list[str]:
        at = self.at
        row = at.rows[seat]
        sentences = [self.say("sentence.row", seat=seat, number=len(row), total=at.totals[seat])]
        sentences += [
            self.say("sentence.card", seat=seat, slot=slot + 1, card=kind)
            for slot, kind in self._known(seat, row)
        ]
        sentences += [
            self.say("sentence.patrol", seat=seat, slot=slot + 1)
            for whose, slot, _, _ in at.patrols
            if whose == seat
        ]
        if at.mammas[seat] >= 0:
            sentences.append(self.say("sentence.mamma", seat=seat))
        return sentences


def _number(place: int) -> Piece:
    """Return the number of a card, which stands before it."""
    return Piece(f"{place + 1:>2}", "dim")


def _remembered(position: Position) -> dict[tuple[int, int], int]:
    """Return the cards on the table that the seat has seen, by row and place; the safe is last."""
    tracks = position.learnt.by_number()
    return {
        (place, slot): tracks[card].kind
        for place, row in enumerate((*position.learnt.rows, position.learnt.safe))
        for slot, card in enumerate(row)
        if card in tracks and tracks[card].kind != UNKNOWN
    }
