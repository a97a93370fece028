"""The table of Sicilianos as text: stacks, businesses, the war, hands and money."""

from collections.abc import Iterator, Sequence
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
from cosca.core.errors import Param
from cosca.core.names import Action, Seat
from cosca.core.options import Settings
from cosca.core.typed import show_notation
from cosca.games.sicilianos.actions import to_move
from cosca.games.sicilianos.goal import black_money, goal
from cosca.games.sicilianos.notation import WORDS, format_move
from cosca.games.sicilianos.pieces import (
    CARD,
    COLOURS,
    LOOK,
    NOTE,
    NOTE_WORTH,
    ROLL,
    SECOND,
    VALUES,
    VICTIM,
    WORTH_AS_DEFECTOR,
)
from cosca.games.sicilianos.position import Position

TURN: Final = "▶"
BACK: Final = "▒▒"
LABEL: Final = 9
COLUMN: Final = 11
NAME: Final = 12
"""Columns for a name of seven letters and the mark for your own seat."""
WAR: Final = {"name": 8, "colour": 8, "cards": 26, "strength": 6, "stake": 6}
HEADINGS: Final = {"notes": 6, "black": 6, "clean": 6}
DRAFTING: Final = ("draft", "drafted")
COUNTS: Final = (EMPTY, *(Piece(str(number)) for number in range(1, VALUES + 1)))
"""Numbers of notes or cards as pieces of text, made once because they are used often."""
RULE_OF_QUESTION: Final = {
    "draft": "S-S3",
    "turn": "S-17",
    "turn_full": "S-1",
    "turn_empty": "S-1",
    "which": "S-1",
    "one": "S-4",
    "one_draw": "S-4",
    "take": "S-4",
    "steal": "S-5",
    "victim": "S-5",
    "stake": "S-17",
    "join": "S-16",
    "defect": "S-9",
    "bomb": "S-11",
    "lay": "S-14",
    "share": "S-19",
    "shop": "S-23",
}
"""The rule that says what a question means, by its key in the language files."""
COLOURED: Final = ("lay", "shop", "defect")
"""Phases whose question names a colour."""


def render_drawing(position: Position, settings: Settings, say: Say) -> Drawing:
    """S-M1: the whole table as the seat knows it: colours are open, values are not."""
    table = _Table(position, say)
    return Drawing(table.board(), table.players(), table.sentences())


def render_layout(position: Position, settings: Settings, say: Say) -> Layout:
    """S-M1: tables of the war, known hands, players, money and families."""
    table = _Table(position, say)
    return Layout(table.grids(), table.question(), table.notes(), table.meaning(), table.goal)


class _Table:
    """Draws one position."""

    def __init__(self, position: Position, say: Say) -> None:
        self.at = position
        self.seats = range(len(position.hands))
        self._say = say
        self.goal = goal(position, say)

    def say(self, key: str, **params: Param) -> str:
        return self._say(f"sicilianos.{key}", params)

    @property
    def over(self) -> bool:
        return self.at.phase == "over"

    # --- State of the war ---------------------------------------------------------------------

    def _fighters(self) -> list[Seat]:
        """S-7: who is in the war, from the opener on."""
        first = max(self.at.active, 0)
        seats = [(first + n) % len(self.seats) for n in self.seats]
        return [seat for seat in seats if self.at.family[seat] >= 0]

    def _strength(self, seat: Seat) -> int:
        """S-8, S-9: the sum of the cards; a defector counts for the family it has joined."""
        at = self.at
        if at.joined[seat] >= 0:
            return 0
        ally = at.joined_by[seat]
        return sum(at.laid[seat]) + (WORTH_AS_DEFECTOR if ally >= 0 and at.laid[ally] else 0)

    def _shown_hands(self) -> dict[Seat, Sequence[int]]:
        """Return the own hand, or all hands if everything is revealed."""
        if self.at.truth:
            return {seat: self.at.truth[seat] for seat in self.seats}
        return {self.at.seat: self.at.mine} if self.at.seat in self.seats else {}

    # --- The table ----------------------------------------------------------------------------

    def board(self) -> list[Line]:
        """S-M1: stacks and businesses by colour; then dice, the own hand, the war, the question."""
        return [
            self._headings(),
            self._by_colour("stacks", [str(size) for size in self.at.sizes]),
            self._by_colour("shops", [self._owned(colour) for colour in range(COLOURS)]),
            *self._dice(),
            *(self._hand(seat, hand) for seat, hand in self._shown_hands().items()),
            *(self._fighter(seat) for seat in self._fighters()),
            *question_lines(self._ask()),
        ]

    def _headings(self) -> Line:
        names = [self.say(f"colour.{colour}") for colour in range(COLOURS)]
        return [Piece(" " * LABEL), *(Piece(f"{name:<{COLUMN}}", "title") for name in names)]

    def _by_colour(self, key: str, cells: list[str]) -> Line:
        label = self.say(f"drawing.{key}")
        return [
            Piece(f"{label[: LABEL - 1]:<{LABEL}}", "dim"),
            *(Piece(f"{cell:<{COLUMN}}") for cell in cells),
        ]

    def _owned(self, colour: int) -> str:
        """S-18: the owners of businesses of a colour, in order, and the known kinds."""
        bought = zip(self.at.owners[colour], self.at.known_kinds[colour], strict=True)
        return " ".join(
            self.say(f"seat.{seat}")[:1] + (self.say(f"short.{kind}") if kind >= 0 else "?")
            for seat, kind in bought
            if seat >= 0
        )

    def _dice(self) -> list[Line]:
        """S-2, S-4: the dice, and what the seat sees in a stack."""
        at = self.at
        if not at.rolled:
            return []
        rolled = [self.say(f"colour.{face}") for face in at.die[: min(at.rolled, 2)]]
        rolled += [self.say(f"face.{face}") for face in at.die[2 : at.rolled]]
        line = [Piece(f"{self.say('drawing.dice'):<{LABEL}}", "dim"), Piece(", ".join(rolled))]
        if at.looking:
            line.append(Piece("   " + self.say("drawing.looking") + " ", "dim"))
            line.append(Piece(" ".join(map(str, at.looking)), "accent"))
        return [line]

    def _hand(self, seat: Seat, hand: Sequence[int]) -> Line:
        """S-1: the cards of a hand, by colour."""
        groups = [
            " ".join(f"{self.say(f'letter.{colour}')}{value}" for value in values)
            for colour, values in enumerate(map(_values, hand))
            if values
        ]
        label = self.say(f"seat.{seat}") if self.at.truth else self.say("drawing.hand")
        cards = "  ".join(groups) or self.say("drawing.no_hand")
        return [Piece(f"{label[: LABEL - 1]:<{LABEL}}", f"seat.{seat}"), Piece(cards, "strong")]

    def _fighter(self, seat: Seat) -> Line:
        """S-6 to S-14: a family in the war."""
        at = self.at
        name = self.say(f"seat.{seat}")
        cards = " ".join(map(str, at.laid[seat]))
        down = self._face_down(seat)
        gap = " " if cards and down else ""
        room = WAR["cards"] - len(cards) - len(gap) - len(down)
        strength = self.say("drawing.strength", number=self._strength(seat))
        staked = at.stake[seat]
        stake = self.say("drawing.stake", note=NOTE_WORTH[staked]) if staked >= 0 else ""
        return [
            Piece(f"{TURN} " if seat in at.actors else "  ", "accent"),
            Piece(f"{name:<{WAR['name']}}", f"seat.{seat}"),
            Piece(f"{self.say(f'colour.{at.family[seat]}'):<{WAR['colour']}}", "title"),
            Piece(cards + gap, "strong"),
            Piece(down + " " * room, "dim"),
            Piece(
                f"{strength if at.laid[seat] and at.joined[seat] < 0 else '':<{WAR['strength']}}"
            ),
            Piece(f"{stake:<{WAR['stake']}}"),
            Piece(self._fate(seat), "dim"),
        ]

    def _face_down(self, seat: Seat) -> str:
        """S-6: the own card face down is known."""
        if not self.at.face_down[seat]:
            return ""
        known = seat == self.at.seat and self.at.mine_down
        return f"{BACK}({self.at.mine_down})" if known else BACK

    def _fate(self, seat: Seat) -> str:
        """S-9, S-14: the ally, and whether more cards may follow."""
        at = self.at
        if at.joined[seat] >= 0:
            return self.say("drawing.joined", other=at.joined[seat])
        ally = self.say("drawing.ally", other=at.joined_by[seat]) if at.joined_by[seat] >= 0 else ""
        passed = self.say("drawing.passed") if at.passed[seat] else ""
        return " ".join(filter(None, (ally, passed)))

    # --- Questions ----------------------------------------------------------------------------

    def _ask(self) -> str:
        """S-1 to S-19: the question to this seat; empty while others act."""
        at = self.at
        if at.seat not in at.actors or at.seat not in self.seats:
            return ""
        return self._victims() if at.phase == "victim" else self._asked("ask")

    def _asked(self, how: str) -> str:
        """Return the question of this phase: "ask" for the terminal, "question" for buttons."""
        if self.at.phase in COLOURED:
            colour = self._asked_colour()
            return self.say(f"{how}.{self.at.phase}", colour=colour, **self._examples())
        return self.say(f"{how}.{self._question()}", **self._examples())

    def _examples(self) -> dict[str, str]:
        """Return examples of legal moves, as typed: any one, and one that looks into a stack."""
        at = self.at
        looks = [action for action in at.legal if LOOK <= action < VICTIM]
        plain = [action for action in at.legal if NOTE <= action < LOOK or action >= CARD]
        examples = {"look": self._typed(looks[0])} if looks else {}
        if plain:
            note = f" with {self._smallest_note()}" if at.phase in ("turn", "join") else ""
            examples["example"] = self._typed(plain[-1], note)
        return examples

    def _typed(self, action: Action, more: str = "") -> str:
        """Return an action as typed in the player's language."""
        notation = format_move(to_move([action])) + more
        return show_notation(notation, "sicilianos", WORDS, self._say)

    def _smallest_note(self) -> int:
        """S-6: the smallest note left, in thousands."""
        left = zip(NOTE_WORTH, self.at.notes[self.at.seat], strict=True)
        return next(worth for worth, number in left if number)

    def _victims(self) -> str:
        """S-5: who has the colour, with the number of the seat."""
        seats = [action - VICTIM for action in self.at.legal]
        names = ", ".join(self.say(f"seat.{seat}") for seat in seats)
        return self.say("ask.victim", colour=self.at.colour, first=seats[0], names=names)

    def _question(self) -> str:
        """S-1, S-4: the question depends on the hand and the stacks."""
        at = self.at
        if at.phase == "turn" and ROLL not in at.legal:
            return "turn_full"
        if at.phase == "turn" and not any(at.hands[at.seat]):
            return "turn_empty"
        if at.phase == "one" and not any(LOOK <= action < VICTIM for action in at.legal):
            return "one_draw"
        return at.phase

    def _asked_colour(self) -> int:
        """S-9, S-14, S-18: the colour in question."""
        at = self.at
        if at.phase == "shop":
            return at.prize
        family = at.family[at.seat]
        return SECOND[at.defectors][family] if at.phase == "defect" else family

    # --- The players --------------------------------------------------------------------------

    def players(self) -> list[Line]:
        """S-M1, S-S1: the backs of all hands by colour, and all money in thousands."""
        letters = [f"{self.say(f'colour.{colour}')[:1]:>2}" for colour in range(COLOURS)]
        keys = [("total" if key == "notes" and self.over else key) for key in HEADINGS]
        words = [f"{self.say(f'drawing.{key}'):>6}" for key in keys]
        return [
            [
                Piece(" " * (2 + NAME)),
                Piece("".join(letters), "title"),
                Piece("".join(words), "dim"),
            ],
            *(self._player(seat) for seat in self.seats),
            *goal_lines(self.goal),
        ]

    def _at_turn(self) -> Seat:
        """S-S3, S-22: whose turn it is; during the draft, who draws."""
        return self.at.mover if self.at.phase in DRAFTING else self.at.active

    def _player(self, seat: Seat) -> Line:
        at = self.at
        turn = seat == self._at_turn() and not self.over
        name = self.say(f"seat.{seat}")
        if seat == at.seat:
            name = self.say("drawing.you", name=name)
        hand = "".join(f"{number or '·':>2}" for number in at.hands[seat])
        notes = str(at.money[seat]) if self.over else "".join(map(str, at.notes[seat]))
        money = (notes, black_money(self.at, seat), at.laundered[seat])
        return [
            Piece(f"{TURN} " if turn else "  ", "accent"),
            Piece(f"{name[:NAME]:<{NAME}}", f"seat.{seat}" + (" strong" if turn else "")),
            Piece(hand),
            *(Piece(f"{n:>{w}}") for n, w in zip(money, HEADINGS.values(), strict=True)),
        ]

    # --- As tables ----------------------------------------------------------------------------

    def grids(self) -> list[Grid]:
        """S-M1: all tables, those that change most first."""
        fighters = self._fighters()
        return [
            *([self.war(fighters)] if fighters else []),
            *(self.hand(seat, hand) for seat, hand in self._shown_hands().items() if any(hand)),
            self.seated(),
            self.money(),
            self.families(),
        ]

    def war(self, fighters: list[Seat]) -> Grid:
        """S-6 to S-14: a row for each family in the war, from the opener on."""
        keys = ("player", "family", "laid", "strength", "stake", "side")
        head = [self.say(f"layout.{key}") for key in keys]
        return Grid(self.say("layout.war"), head, [self._warrior(seat) for seat in fighters])

    def _warrior(self, seat: Seat) -> list[Piece]:
        at = self.at
        cards = [self.say(f"rank.{value}") for value in at.laid[seat]]
        if at.face_down[seat]:
            cards.append(self._down(seat))
        counts = at.laid[seat] and at.joined[seat] < 0
        stake, side = at.stake[seat], self._fate(seat)
        return [
            Piece(self.say(f"seat.{seat}"), f"seat.{seat}"),
            Piece(self.say(f"family.{at.family[seat]}"), "title"),
            Piece(", ".join(cards), "strong") if cards else EMPTY,
            Piece(str(self._strength(seat))) if counts else EMPTY,
            Piece(self._amount(NOTE_WORTH[stake])) if stake >= 0 else EMPTY,
            Piece(side) if side else EMPTY,
        ]

    def _down(self, seat: Seat) -> str:
        """S-6: the own card face down is known."""
        if seat == self.at.seat and self.at.mine_down:
            return self.say("layout.mine_down", rank=self.at.mine_down)
        return self.say("layout.down")

    def hand(self, seat: Seat, hand: Sequence[int]) -> Grid:
        """S-1: the cards of a hand that is known, family by family."""
        own = seat == self.at.seat
        caption = self.say("layout.your_hand") if own else self.say("layout.hand", seat=seat)
        rows = [
            [
                Piece(self.say(f"family.{colour}"), "title"),
                Piece(", ".join([self.say(f"rank.{value}") for value in _values(cards)]), "strong"),
            ]
            for colour, cards in enumerate(hand)
            if cards
        ]
        return Grid(caption, [self.say("layout.family"), self.say("layout.cards")], rows)

    def seated(self) -> Grid:
        """S-M1: the backs of all hands by colour, and who is to move."""
        names = [self.say(f"family.{colour}") for colour in range(COLOURS)]
        hands = self.at.hands
        held = {pair for hand in hands for pair in enumerate(hand)}  # each is formatted only once
        backs = {pair: self._backs(*pair) for pair in held}
        rows = [
            [self._seat_name(seat), *(backs[pair] for pair in enumerate(hands[seat]))]
            for seat in self.seats
        ]
        return Grid(self.say("layout.players"), [self.say("layout.player"), *names], rows)

    def _backs(self, colour: int, number: int) -> Piece:
        return Piece(self.say("sentence.backs", number=number, colour=colour)) if number else EMPTY

    def _seat_name(self, seat: Seat) -> Piece:
        name = self.say(f"seat.{seat}")
        if seat == self.at.seat:
            name = self.say("layout.you", name=name)
        if seat in self.at.actors:
            return Piece(self.say("layout.moves", name=name), f"seat.{seat} strong")
        return Piece(name, f"seat.{seat}")

    def money(self) -> Grid:
        """S-S1, S-17, S-25: the notes of each value, their sum, and the laundered money."""
        at = self.at
        head = [self.say("layout.player"), *(self.say("layout.note", note=n) for n in NOTE_WORTH)]
        keys = ("black", "clean", "total") if self.over else ("black", "clean")
        rows = [
            [
                Piece(self.say(f"seat.{seat}"), f"seat.{seat}"),
                *[COUNTS[number] for number in at.notes[seat]],
                Piece(self._amount(black_money(at, seat))),
                Piece(self._amount(at.laundered[seat])),
                *([Piece(self._amount(at.money[seat]), "strong")] if self.over else []),
            ]
            for seat in self.seats
        ]
        head += [self.say(f"layout.{key}") for key in keys]
        return Grid(self.say("layout.money"), head, rows)

    def _amount(self, thousands: int) -> str:
        """S-M6: an amount of money, as people write it."""
        return self.say("layout.thousands", number=thousands)

    def families(self) -> Grid:
        """S-M1, S-18: the stacks, and who owns which business."""
        head = [self.say(f"layout.{key}") for key in ("family", "stack", "shops")]
        rows = [
            [
                Piece(self.say(f"family.{colour}"), "title"),
                COUNTS[size],
                Piece(", ".join(self._shops(colour))) if self.at.owners[colour][0] >= 0 else EMPTY,
            ]
            for colour, size in enumerate(self.at.sizes)
        ]
        return Grid(self.say("layout.families"), head, rows)

    def _shops(self, colour: int) -> list[str]:
        """S-18: the owned businesses of a colour, and what is known of them."""
        return [
            self.say("layout.shop", seat=seat, kind=kind)
            if kind >= 0
            else self.say("layout.hidden_shop", seat=seat)
            for seat, kind in zip(self.at.owners[colour], self.at.known_kinds[colour], strict=True)
            if seat >= 0
        ]

    def question(self) -> str:
        """S-1 to S-19: the question above the buttons."""
        if not self.at.legal:
            return ""
        if self.at.phase == "victim":
            return self.say("question.victim", colour=self.at.colour)
        return self._asked("question")

    def meaning(self) -> Meaning:
        """S-1 to S-23: what the question means."""
        if not self.at.legal:
            return NO_MEANING
        key = self._question()
        return Meaning(self.say(f"meaning.{key}"), RULE_OF_QUESTION[key])

    def notes(self) -> list[str]:
        """S-1, S-2, S-4: whose turn, the dice, what is seen, and the limit of hands."""
        at = self.at
        turn = at.active >= 0 and not self.over
        return [
            *([self.say("layout.turn", seat=at.active)] if turn else []),
            *self._describe_dice(),
            self.say("layout.limit", number=at.hand_limit),
        ]

    # --- As sentences -------------------------------------------------------------------------

    def sentences(self) -> list[str]:
        """S-M1: the table in sentences: stacks, businesses, dice, players, the war."""
        sentences = [
            self.say("sentence.stack", colour=colour, number=size)
            for colour, size in enumerate(self.at.sizes)
        ]
        sentences += [*self._describe_businesses(), *self._describe_dice()]
        for seat in self.seats:
            sentences += self._describe_player(seat)
        for seat, hand in self._shown_hands().items():
            sentences += self._describe_hand(seat, hand)
        for seat in self._fighters():
            sentences += self._describe_fighter(seat)
        return [*sentences, self.goal.text, *filter(None, [self._ask()])]

    def _describe_businesses(self) -> Iterator[str]:
        """S-18: the owned businesses."""
        for colour in range(COLOURS):
            owners, kinds = self.at.owners[colour], self.at.known_kinds[colour]
            for seat, kind in zip(owners, kinds, strict=True):
                if seat >= 0 and kind >= 0:
                    yield self.say("sentence.known_shop", seat=seat, colour=colour, kind=kind)
                elif seat >= 0:
                    yield self.say("sentence.shop", seat=seat, colour=colour)

    def _describe_dice(self) -> Iterator[str]:
        """S-2, S-4: the dice, and what is seen in a stack."""
        at = self.at
        if at.rolled == len(at.die):
            one, other, face = at.die
            yield self.say("sentence.dice", colour=one, other_colour=other, face=face)
        if at.looking:
            values = ", ".join(map(str, at.looking))
            yield self.say("sentence.looking", colour=at.colour, values=values)

    def _describe_player(self, seat: Seat) -> Iterator[str]:
        """S-M1, S-S1: the colours of a hand, and the money."""
        at = self.at
        backs = [
            self.say("sentence.backs", number=number, colour=colour)
            for colour, number in enumerate(at.hands[seat])
            if number
        ]
        holds = ", ".join(backs) or self.say("sentence.nothing")
        money = {"black": black_money(self.at, seat), "clean": at.laundered[seat]}
        yield self.say("sentence.player", seat=seat, holds=holds, **money)
        if self.over:
            yield self.say("sentence.total", seat=seat, money=at.money[seat])

    def _describe_hand(self, seat: Seat, hand: Sequence[int]) -> Iterator[str]:
        """S-1: the cards of a hand that is known."""
        cards = [
            self.say(f"card.{colour * VALUES + value - 1}")
            for colour, values in enumerate(map(_values, hand))
            for value in values
        ]
        if cards:
            yield self.say("sentence.hand", seat=seat, cards=", ".join(cards))

    def _describe_fighter(self, seat: Seat) -> Iterator[str]:
        """S-6 to S-14: a family in the war."""
        at = self.at
        colour = at.family[seat]
        if at.joined[seat] >= 0:
            yield self.say("sentence.joined", seat=seat, other=at.joined[seat])
        else:
            yield self.say("sentence.war", seat=seat, colour=colour, strength=self._strength(seat))
        if at.stake[seat] >= 0:
            yield self.say("sentence.stake", seat=seat, note=NOTE_WORTH[at.stake[seat]])
        for value in at.laid[seat]:
            yield self.say("sentence.war_card", seat=seat, card=colour * VALUES + value - 1)
        if at.face_down[seat]:
            yield self.say("sentence.face_down", seat=seat)
        if at.face_down[seat] and seat == at.seat and at.mine_down:
            yield self.say("sentence.mine_down", card=colour * VALUES + at.mine_down - 1)
        if at.passed[seat] and at.joined[seat] < 0:
            yield self.say("sentence.passed", seat=seat)


def _values(cards: int) -> list[int]:
    """Return the values in a bit mask of one colour."""
    return [value for value in range(1, VALUES + 1) if cards >> (value - 1) & 1]
