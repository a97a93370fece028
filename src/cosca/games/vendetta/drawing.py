"""The village as text: districts with the men in them, hands, box and points.

The thirteen districts lie in reading order on a grid of three columns. Two of its fifteen cells are
water. They hold the legend: how many cards are still face down, and what the marks mean.
"""

from typing import Final

from cosca.core.dice import Dice
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
from cosca.games.vendetta.goal import goal
from cosca.games.vendetta.pieces import DISTRICTS, TURNS
from cosca.games.vendetta.position import Position, sample
from cosca.games.vendetta.rules import State

COLUMNS: Final = 3
ROWS: Final = 5
INNER: Final = 24  # characters between the walls of a district
SLOTS: Final = 20  # of these for the men; the rest for the controller
WATER: Final = ((0, 0), (ROWS - 1, COLUMNS - 1))  # a bay, and the open sea
WAVES: Final = "~  ~~   ~   ~  ~    ~~  ~   "

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
WALLS: Final = {
    0: " ",
    UP | DOWN: "│",
    LEFT | RIGHT: "─",
    DOWN | RIGHT: "╭",
    DOWN | LEFT: "╮",
    UP | RIGHT: "╰",
    UP | LEFT: "╯",
    UP | DOWN | RIGHT: "├",
    UP | DOWN | LEFT: "┤",
    LEFT | RIGHT | DOWN: "┬",
    LEFT | RIGHT | UP: "┴",
    UP | DOWN | LEFT | RIGHT: "┼",
}

SAFE: Final = "✓"
CROWN: Final = "♛"
TURN: Final = "▶"
FLAG: Final = "⚑"
NONE: Final = "·"
SECRET: Final = "?"

NAME: Final = 12
HEADINGS: Final = {"hand": 5, "box": 6, "districts": 7, "points": 8}
"""The columns of the table of players, with their widths."""


def render_drawing(position: Position, settings: Settings, say: Say) -> Drawing:
    """V-M1, V-8: the map, who is where, and what everybody holds."""
    village = _Village(position, settings, say)
    return Drawing(village.board(), village.players(), village.sentences())


def render_layout(position: Position, settings: Settings, say: Say) -> Layout:
    """V-M1, V-8: two tables, one of districts and one of players."""
    village = _Village(position, settings, say)
    grids = [village.districts(), village.seated()]
    return Layout(grids, village.ask(), village.notes(), village.meaning(), village.goal)


class _Village:
    """Draws one position, with the scores as if the round ended now."""

    def __init__(self, position: Position, settings: Settings, say: Say) -> None:
        self.at = position
        self.seats = range(len(position.hands))
        self.secret = settings["hands"] == "hidden"
        self._say = say
        state: State = sample(position, Dice(0))
        state.count_districts()
        self.controllers = [state.controller(district) for district in range(DISTRICTS)]
        self.controlled = state.controlled[: len(self.seats)]
        self.goal = goal(position, state, say)

    def say(self, key: str, **params: int | str) -> str:
        return self._say(f"vendetta.{key}", params)

    def letter(self, seat: Seat) -> str:
        return self.say(f"letter.{seat}")

    # --- The map ------------------------------------------------------------------------------

    def board(self) -> list[Line]:
        """V-M1, V-M2: the districts, row by row, each with its name in the wall above it."""
        lines = []
        for row in range(ROWS):
            lines += [self._wall(row), self._inside(row)]
        return [*lines, self._wall(ROWS)]

    def _wall(self, row: int) -> Line:
        """Return the wall above a row of districts, with their names."""
        line = []
        for column in range(COLUMNS):
            line.append(Piece(_corner(row, column), "dim"))
            district = _district(row, column)
            if district is not None:
                line += self._name(district)
            elif _district(row - 1, column) is not None:
                line.append(Piece("─" * INNER, "dim"))
            else:
                line += self._water(2 * row)
        return [*line, Piece(_corner(row, COLUMNS), "dim")]

    def _name(self, district: int) -> Line:
        """V-14: the name; a turned-up card makes the district safe until the next round."""
        safe = district in self.at.turned_up
        name = f" {self.say(f'district.{district + 1}')} "[: INNER - 3]
        mark = Piece(f" {SAFE} " if safe else "───", "accent" if safe else "dim")
        wall = Piece("─" * (INNER - 3 - len(name)), "dim")
        return [Piece(name, "dim" if safe else "title"), wall, mark]

    def _inside(self, row: int) -> Line:
        """Return the line with the men in a row of districts."""
        line = []
        for column in range(COLUMNS):
            line.append(Piece(_side(row, column), "dim"))
            district = _district(row, column)
            line += self._water(2 * row + 1) if district is None else self._men(district)
        return [*line, Piece(_side(row, COLUMNS), "dim")]

    def _men(self, district: int) -> Line:
        """V-8, V-15: how many men each player has there, in fixed columns, and who controls it."""
        width = SLOTS // len(self.seats)
        line = [Piece(" ")]
        for seat in self.seats:
            men = self.at.men[district][seat]
            text = f"{self.letter(seat)}{men:>2}" if men else f"{NONE:>3}"
            line.append(Piece(text, f"seat.{seat}" if men else "dim"))
            line.append(Piece(" " * (width - 3)))
        line.append(Piece(" " * (SLOTS % len(self.seats))))
        controller = self.controllers[district]
        if controller < 0:
            return [*line, Piece("   ")]
        return [*line, Piece(f"{CROWN}{self.letter(controller)} ", f"seat.{controller} strong")]

    def _water(self, line: int) -> Line:
        """Return a line of water with its part of the legend."""
        notes = {
            0: self.say("drawing.card", card=self._card(), cards=TURNS),
            1: self._raid(),
            2 * ROWS - 1: f"{SAFE} " + self.say("drawing.safe"),
            2 * ROWS: f"{CROWN} " + self.say("drawing.controls"),
        }
        note = f" {notes[line]} "[:INNER]
        return [Piece(note), Piece((WAVES * 2)[2 * line :][: INNER - len(note)], "scenery")]

    def _raid(self) -> str:
        """V-14: the chance of a raid in a district whose card is still face down."""
        if self.at.phase == "over":
            return self.say("drawing.raid_over")
        return self.say("drawing.raid", cards=self._face_down())

    def _card(self) -> int:
        """V-2: which of the eleven cards this turn ends with."""
        return min(self.at.turn + 1, TURNS)

    def _face_down(self) -> int:
        """V-1: the cards not yet turned up; two of them are the raid."""
        return DISTRICTS - len(self.at.turned_up)

    # --- The players --------------------------------------------------------------------------

    def players(self) -> list[Line]:
        """V-8, V-16 to V-18: hands, box, districts and points, and what it takes to win."""
        flag = Piece(f"{FLAG} ", "accent")
        return [
            [Piece(" " * (6 + NAME)), *(Piece(self._heading(key), "dim") for key in HEADINGS)],
            *(self._player(seat) for seat in self.seats),
            [flag, Piece(self.say("drawing.starts"), "dim")],
            *goal_lines(self.goal),
        ]

    def _heading(self, key: str) -> str:
        return f"{self.say(f'drawing.{key}'):>{HEADINGS[key]}}"

    def _player(self, seat: Seat) -> Line:
        """Return the line of one player: marks for turn and start, and what they hold."""
        active = seat == self.at.active and self.at.phase != "over"
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("drawing.you", name=name)
        colour = f"seat.{seat} strong" if active else f"seat.{seat}"
        return [
            Piece(f"{TURN} " if active else "  ", "accent"),
            Piece(f"{FLAG} " if seat == self.at.start else "  ", "accent"),
            Piece(f"{self.letter(seat)} {name[:NAME]}", colour),
            Piece(" " * (NAME - len(name))),
            *(Piece(f"{text:>{HEADINGS[key]}}") for key, text in self._holds(seat).items()),
        ]

    def _holds(self, seat: Seat) -> dict[str, str]:
        """V-8: what a player holds, as far as it is shown."""
        hidden = self.secret and seat != self.at.seat
        return {
            "hand": SECRET if hidden else str(self.at.hands[seat]),
            "box": SECRET if hidden else str(self.at.box[seat]),
            "districts": str(self.controlled[seat]),
            "points": self.say("figure.points.value", number=self.at.points[seat]),
        }

    # --- As tables ----------------------------------------------------------------------------

    def districts(self) -> Grid:
        """V-8, V-14, V-15: who has how many men where, who controls it, and whether it is safe."""
        names = [self.say(f"seat.{seat}") for seat in self.seats]
        head = [self.say("layout.district"), *names, self.say("layout.control")]
        cards = self.say("layout.up"), self.say("layout.down")
        up, down = Piece(cards[0], "accent"), Piece(cards[1], "dim")
        controllers = [Piece(name, f"seat.{seat} strong") for seat, name in enumerate(names)]
        styles = [f"seat.{seat}" for seat in self.seats]
        rows = [
            [
                Piece(self.say(f"district.{district + 1}"), "title"),
                *(
                    Piece(f"{names[seat]} {number}", styles[seat]) if number else EMPTY
                    for seat, number in enumerate(self.at.men[district])
                ),
                controllers[controller] if controller >= 0 else EMPTY,
                up if district in self.at.turned_up else down,
            ]
            for district, controller in enumerate(self.controllers)
        ]
        return Grid(self.say("layout.districts"), [*head, self.say("layout.card")], rows)

    def seated(self) -> Grid:
        """V-8, V-16: hands, box, districts and points, and who is to move."""
        keys = ("player", "hand", "box", "holds", "points")
        head = [self.say(f"layout.{key}") for key in keys]
        rows = [[self._seat_name(seat), *self._held(seat)] for seat in self.seats]
        return Grid(self.say("layout.players"), head, rows)

    def _seat_name(self, seat: Seat) -> Piece:
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("drawing.you", name=name)
        if seat in self.at.actors:
            return Piece(self.say("layout.moves", name=name), f"seat.{seat} strong")
        return Piece(name, f"seat.{seat}")

    def _held(self, seat: Seat) -> list[Piece]:
        """V-8: what a player holds, or a word if it is hidden."""
        hidden = Piece(self.say("layout.hidden"), "dim")
        holds = self._holds(seat).values()
        return [hidden if text == SECRET else Piece(text) for text in holds]

    def ask(self) -> str:
        """V-3, V-4, V-7: how many districts the seat may still place men in."""
        if not self.at.legal:
            return ""
        used, left = self.at.districts_used, self.at.districts_left
        return self.say("question.more" if used else "question.two" if left > 1 else "question.one")

    def meaning(self) -> Meaning:
        """V-9, V-12: what follows when the turn is over."""
        return Meaning(self.say("meaning.turn"), "V-9") if self.at.legal else NO_MEANING

    def notes(self) -> list[str]:
        """V-1, V-2: how far the round is, and who started it."""
        started = [self.say("layout.started", seat=self.at.start)] if self.at.start >= 0 else []
        return [self._describe_cards(), *started]

    # --- As sentences -------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """V-8: the village in sentences, district by district, then the players."""
        return [
            self._describe_cards(),
            *(self._describe_district(district) for district in range(DISTRICTS)),
            *(self._describe_player(seat) for seat in self.seats),
            self.goal.text,
        ]

    def _describe_cards(self) -> str:
        """V-1, V-2: how far the round is."""
        return self.say("sentence.cards", card=self._card(), cards=TURNS, down=self._face_down())

    def _describe_district(self, district: int) -> str:
        men = enumerate(self.at.men[district])
        there = [
            self.say("sentence.men", seat=seat, number=number) for seat, number in men if number
        ]
        parts = [
            self.say("sentence.district", district=district + 1, men=", ".join(there))
            if there
            else self.say("sentence.nobody", district=district + 1)
        ]
        if self.controllers[district] >= 0:
            parts.append(self.say("sentence.controls", seat=self.controllers[district]))
        if district in self.at.turned_up:
            parts.append(self.say("sentence.safe"))
        return " ".join(parts)

    def _describe_player(self, seat: Seat) -> str:
        holds: dict[str, int | str] = dict(self._holds(seat).items())
        hidden = holds["hand"] == SECRET
        return self.say("sentence.secret" if hidden else "sentence.player", seat=seat, **holds)


# --- The grid ---------------------------------------------------------------------------------


def _district(row: int, column: int) -> int | None:
    """V-M1: the district in a cell of the grid; water, or nothing, where there is none."""
    inside = 0 <= row < ROWS and 0 <= column < COLUMNS
    if not inside or (row, column) in WATER:
        return None
    return row * COLUMNS + column - 1


def _is_land(row: int, column: int) -> bool:
    return _district(row, column) is not None


def _corner(row: int, column: int) -> str:
    """Return the character where the walls of four cells meet; this cell is the lower right."""
    above, below = (row - 1, row)
    before, after = (column - 1, column)
    walls = 0
    walls |= UP if _is_land(above, before) or _is_land(above, after) else 0
    walls |= DOWN if _is_land(below, before) or _is_land(below, after) else 0
    walls |= LEFT if _is_land(above, before) or _is_land(below, before) else 0
    walls |= RIGHT if _is_land(above, after) or _is_land(below, after) else 0
    return WALLS[walls]


def _side(row: int, column: int) -> str:
    """Return the wall to the left of a cell, if there is land on either side."""
    return "│" if _is_land(row, column - 1) or _is_land(row, column) else " "
