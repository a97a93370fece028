"""Tables of Omerta set up in one line and acted out line by line."""

import pytest

from cosca.core.dice import Dice
from cosca.core.errors import Param, Refused
from cosca.core.events import Event
from cosca.core.names import CHANCE, Action, Seat
from cosca.games.omerta import pieces
from cosca.games.omerta.beliefs import Beliefs
from cosca.games.omerta.game import GAME
from cosca.games.omerta.notation import LETTERS, format_move, parse_action, parse_move, parse_state
from cosca.games.omerta.pieces import KIND_NAMES
from cosca.games.omerta.position import UNKNOWN, Position, position
from cosca.games.omerta.rules import State
from cosca.match.table import Table
from cosca.words import sentences

C, L, H, T, M = range(5)
rule = pytest.mark.rule
TABLE = "row1=1,2 row2=3,4 row3=5,6 safe=7,8,9,10"
ALONE = ("settle", "turn_up", "look", "lay", "called")
"""Phases in which a story applies the only outcome of chance by itself."""


class Story:
    """A table at which lines are acted out: `c draw` by a player, `draw 7` by chance."""

    def __init__(self, line: str | State) -> None:
        self.state = parse_state(line) if isinstance(line, str) else line
        self.events: list[Event] = []

    def play(self, *lines: str) -> "Story":
        """Play lines in order; `nobody` lets all who are still asked pass."""
        for line in lines:
            who, _, what = line.partition(" ")
            if line == "nobody":
                for seat in self.state.actors():
                    self.do(seat, pieces.PASS)
            elif len(who) == 1:
                self.move(LETTERS.index(who), what)
            else:
                self.do(CHANCE, parse_action(self.state, line))
            self.settle()
        return self

    def move(self, seat: Seat, text: str) -> None:
        """Make a whole move; a move that ends by itself needs no closing word."""
        for action in GAME.to_actions(parse_move(text)):
            if self.state.actors() != (CHANCE,) and seat in self.state.actors():
                self.do(seat, action)

    def do(self, seat: Seat, action: Action) -> None:
        """Apply one step, which must be legal."""
        chance = [outcome for outcome, _ in self.state.chance_outcomes()]
        assert action in (chance if seat == CHANCE else self.state.legal_actions(seat))
        self.events += GAME.events(self.state, seat, action)
        self.state.apply(seat, action)

    def settle(self) -> None:
        """Apply steps of chance that have only one outcome."""
        while self.state.actors() == (CHANCE,) and phase(self.state) in ALONE:
            if len(self.state.chance_outcomes()) > 1:
                return
            self.do(CHANCE, self.state.chance_outcomes()[0][0])

    def events_for(self, seat: Seat, key: str) -> list[tuple[Param, ...]]:
        """Return the parameters of the events with a key that a seat sees."""
        return [
            tuple(event.params.values())
            for event in self.events
            if event.key == f"omerta.{key}" and event.is_for(seat)
        ]


def new(seats: int = 3, **changes: str) -> State:
    """A match about to begin."""
    return GAME.new(GAME.settings("", changes), seats)


def dealt(seats: int = 3, start: str = "c", **changes: str) -> Story:
    """A match in which 1, 2, 3 and so on are dealt in order, after 10 again 1."""
    story = Story(new(seats, **changes)).play(f"start {start}")
    number = 0
    while phase(story.state) == "deal":
        story.play(f"deal {number % 10 + 1}")
        number += 1
    return story


def pile(*names: str) -> str:
    """A draw pile of just these cards."""
    return "pile=" + ".".join(str(names.count(name)) for name in KIND_NAMES)


def phase(state: State) -> str:
    """What is being done."""
    return pieces.PHASE_NAMES[state.phase]


def row(state: State, seat: Seat) -> str:
    """What lies in a row."""
    cards = state.row[seat][: state.length[seat]]
    return ",".join(KIND_NAMES[state.kind[card]] for card in cards)


def safe(state: State) -> str:
    """What lies in the safe."""
    return ",".join(KIND_NAMES[state.kind[card]] for card in state.safe)


def discards(state: State) -> str:
    """The discard pile, its top last."""
    return ",".join(KIND_NAMES[kind] for kind in state.discards[: state.discarded])


def drawable(state: State) -> str:
    """What chance may draw."""
    return ",".join(KIND_NAMES[kind] for kind, _ in state.chance_outcomes())


def moves(state: State, seat: Seat) -> list[str]:
    """What a seat may do, as it is written."""
    return [format_move(GAME.to_move([action])) for action in state.legal_actions(seat)]


def seen(state: State, seat: Seat, of: Seat) -> list[int]:
    """What a seat knows of a row: kinds, or UNKNOWN."""
    learnt = position(state, seat).learnt
    return [learnt.kind(of, slot) for slot in range(state.length[of])]


def kinds(names: str) -> list[int]:
    """Cards by their names; `?` for one that is not known."""
    return [UNKNOWN if name == "?" else KIND_NAMES.index(name) for name in names.split(",")]


def refused(state: State, line: str) -> str:
    """Why a player may not do this; the table stays as it was."""
    there = Table(GAME, GAME.settings("", {}), state.seats, Dice(1))
    there._state.load(state.ints())
    logged = len(there.log)
    with pytest.raises(Refused) as caught:
        there.submit_move(LETTERS.index(line[0]), parse_move(line[2:]))
    assert there._state.ints() == state.ints()
    assert len(there.log) == logged
    assert caught.value.key in sentences()
    return caught.value.key


def called(seats: int = 3, **rows: str) -> list[int]:
    """Return the scores when Capone calls with these rows, given by letters."""
    line = " ".join(f"row{LETTERS.index(seat) + 1}={cards}" for seat, cards in rows.items())
    return scores(Story(f"seats={seats} {line}").play("c omerta").state)


def scores(state: State) -> list[int]:
    """What everybody scored in the last game."""
    return state.scores[: state.seats]


def totals(state: State) -> list[int]:
    """What everybody has in all games."""
    return state.totals[: state.seats]


def odds(there: Position, seat: Seat, slot: int) -> list[float]:
    """How likely a card of a row is of each kind."""
    return Beliefs(there.learnt).odds()[there.learnt.rows[seat][slot]]


def played(character: str, line: str = TABLE) -> Story:
    """Capone has just discarded a character and may use it."""
    return Story(f"phase=use discards={character} {line}")


def rows(state: State) -> list[str]:
    """What lies in all rows."""
    return [row(state, seat) for seat in range(state.seats)]
