"""Tables of Sicilianos set up in one line and acted out line by line."""

import pytest

from cosca.core.events import Event
from cosca.core.names import CHANCE, Action, Seat
from cosca.games.sicilianos import pieces
from cosca.games.sicilianos.actions import refusal, to_actions, to_move
from cosca.games.sicilianos.events import events
from cosca.games.sicilianos.notation import (
    LETTERS,
    format_move,
    parse_action,
    parse_move,
    parse_state,
)
from cosca.games.sicilianos.pieces import COLOUR_NAMES, COLOURS, KIND_NAMES, KINDS, NOTES, VALUES
from cosca.games.sicilianos.position import position
from cosca.games.sicilianos.rules import State

rule = pytest.mark.rule
ALONE = ("turn_up", "open", "look")
"""Phases in which a story applies the only outcome of chance by itself."""
SMALL = "5"
"""What is staked where the note does not matter."""


class Story:
    """A table at which lines are acted out: `1 r7 20` by the first player, `draw 7` by chance."""

    def __init__(self, line: str | State) -> None:
        self.state = parse_state(line) if isinstance(line, str) else line
        self.events: list[Event] = []

    def play(self, *lines: str) -> "Story":
        """Play lines in order."""
        for line in lines:
            who, _, what = line.partition(" ")
            if who.isdigit():
                for action in to_actions(parse_move(what)):
                    self.do(int(who) - 1, action)
            else:
                self.do(CHANCE, parse_action(self.state, line))
            self.settle()
        return self

    def do(self, seat: Seat, action: Action) -> None:
        """Apply one step, which must be legal."""
        chance = [outcome for outcome, _ in self.state.chance_outcomes()]
        assert self.state.actors() == (seat,), f"{phase(self.state)} of {self.state.actors()}"
        assert action in (chance if seat == CHANCE else self.state.legal_actions(seat))
        self.events += events(self.state, seat, action)
        self.state.apply(seat, action)

    def settle(self) -> None:
        """Apply steps of chance that have only one outcome."""
        while self.state.actors() == (CHANCE,) and phase(self.state) in ALONE:
            if self.state.chance_outcomes() != [(0, 1)]:
                return
            self.do(CHANCE, 0)


def rolled(line: str, *dice: str) -> Story:
    """The first player has rolled these dice."""
    return Story(line).play("1 roll", *(f"die {face}" for face in dice))


def war(*entries: str, line: str = "", **hands: str) -> Story:
    """A war just after the first cards are turned up.

    For each player a card, or a card and a note, or `-` to stay out; `hand1=` and so on are cards
    they have besides, `line` anything else about the table.
    """
    parts = [f"seats={max(3, len(entries))}", line]
    for number, entry in enumerate(entries, start=1):
        cards = [entry.split()[0]] * (entry != "-") + [hands.pop(f"hand{number}", "")]
        parts.append(f"hand{number}=" + ",".join(filter(None, cards)))
    parts += [f"{key}={value}" for key, value in hands.items()]
    story = Story(" ".join(word for word in parts if word))
    while phase(story.state) in ("turn", "join"):
        seat = story.state.mover
        entry = entries[seat]
        note = "" if entry == "-" or " " in entry else f" {SMALL}"
        opens = phase(story.state) == "turn"
        story.play(f"{seat + 1} {entry}{note}")
        if not opens and phase(story.state) == "turn":
            break
    return story


def phase(state: State) -> str:
    """What is being done."""
    return pieces.PHASE_NAMES[state.phase]


def asked(state: State) -> tuple[int, str]:
    """Who is asked, counted from 1, and for what."""
    return state.mover + 1, phase(state)


def moves(state: State) -> list[str]:
    """What the player who is asked may do, as it is written."""
    return [format_move(to_move([action])) for action in state.legal_actions(state.mover)]


def hand(state: State, number: int) -> str:
    """What a player has in hand."""
    return ",".join(
        f"{LETTERS[colour]}{value}"
        for colour in range(COLOURS)
        for value in range(1, VALUES + 1)
        if state.hand[(number - 1) * COLOURS + colour] >> (value - 1) & 1
    )


def stack(state: State, name: str) -> list[int]:
    """What lies in a stack, the top first, 0 for what nobody has seen."""
    colour = COLOUR_NAMES.index(name)
    return list(state.stack[colour * VALUES : colour * VALUES + state.size[colour]])


def table(state: State) -> list[list[int]]:
    """What each player has turned up in the war."""
    return [
        list(state.laid[seat * VALUES : seat * VALUES + state.cards[seat]])
        for seat in range(state.seats)
    ]


def money(state: State, number: int) -> list[int]:
    """A player's notes of black money."""
    return list(state.notes[(number - 1) * NOTES : number * NOTES])


def laundered(state: State) -> list[int]:
    """Everybody's laundered money, in thousands."""
    return list(state.laundered[: state.seats])


def businesses(state: State, number: int) -> list[str]:
    """What a player owns."""
    return [
        f"{colour} {KIND_NAMES[kind]}"
        for place, colour in enumerate(COLOUR_NAMES)
        for kind in range(KINDS)
        if state.owner[place * KINDS + kind] == number - 1
    ]


def winner(state: State) -> tuple[int, str]:
    """Who has won the war and is shopping, and in which colour."""
    assert phase(state) == "shop"
    return state.mover + 1, COLOUR_NAMES[state.prize]


def refused(state: State, line: str) -> str:
    """Why a player may not do this, a whole move or its first step that cannot be."""
    seat = int(line[0]) - 1
    there = state.copy()
    for action in to_actions(parse_move(line[2:])):
        if action not in there.legal_actions(seat):
            return refusal(position(there, seat), action).key.removeprefix("sicilianos.")
        there.apply(seat, action)
    raise AssertionError(f"{line} may be done")


def scored(line: str = "") -> State:
    """The first and the second player lose their last notes in a war that nobody wins."""
    broke = "money1=1.0.0.0.0 money2=1.0.0.0.0 hand1=r3 hand2=b3"
    return Story(f"{broke} {line}").play("1 r3 5", "2 b3 5").state
