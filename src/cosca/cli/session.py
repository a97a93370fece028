"""One player's game against bots, without input or output.

An interface (plain or full-screen) passes in what the player types and displays the results.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from typing import Any

from cosca.bots.consigliere import AdvisedMove, advise, describe_steps, format_reason
from cosca.bots.external import BotProcesses
from cosca.bots.roster import reaction_time
from cosca.cli import rulebook
from cosca.cli.seating import PERSON, Seating
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing
from cosca.core.errors import Param, Refused
from cosca.core.move import Move
from cosca.core.names import CHANCE, Seat
from cosca.core.options import AIDED
from cosca.core.position import Position
from cosca.match.chance import draw_outcome
from cosca.match.narration import event_lines
from cosca.match.ranking_text import ranking_lines
from cosca.match.record import Scribe
from cosca.match.table import Step, Table
from cosca.match.typed_moves import read_move, show_move
from cosca.words import say, sentences

REACTION_SECONDS = 5.0
"""Length of a reaction window, in which the fastest player counts."""
PASS = Move("pass")
"""The move of a player who does not react in time."""

MENU_MARK = "#"
"""Typed before the number of a menu entry: a number alone is always part of a move."""

PREVIEW, EMPTY, REACTED, LATE = "preview", "nothing", "reacted", "late"
CONFIRM, UNDO, MENU, RULES, HINT, LOG, MAP, LIST, QUIT = (
    "confirm",
    "undo",
    "menu",
    "rules",
    "hint",
    "log",
    "map",
    "list",
    "quit",
)
COMMANDS = (CONFIRM, UNDO, MENU, RULES, HINT, LOG, MAP, LIST, QUIT)


@dataclass(frozen=True)
class InputResult:
    """What an input line meant: a move to preview, a command, a reaction, or nothing."""

    kind: str
    text: str = ""


@cache
def command_words() -> dict[str, str]:
    """Return the words that can be typed in the current language, each with its command."""
    return {word: name for name in COMMANDS for word in sentences()[f"play.command.{name}"].split()}


class Session:
    """A table, its player and bots, and the move the player is considering."""

    def __init__(
        self,
        seating: Seating,
        table: Table,
        bot_dice: Sequence[Dice],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seating = seating
        self.game = seating.game
        self.seat = seating.seat
        self.table = table
        self.pending: Move | None = None
        self.menu: list[Move] = []
        self.news_start = 0
        """Index of the first event since the player's last move."""
        self.last_turn_start = 0
        """Index of the first event of the last turn."""
        self._bot_dice = bot_dice
        self._clock = clock
        self._reaction_started: float | None = None
        self._scribe = Scribe(
            self.game,
            seating.settings,
            seating.seats,
            seating.dice(),
            self.players(),
            seating.contributions(),
        )
        self._record = [self._scribe.header]
        self._company = BotProcesses()
        self._bots = {
            place: self._company.bot(self.game, name, place)
            for place, name in enumerate(seating.bots)
            if name != PERSON
        }

    def close(self) -> None:
        """Stop the bots that are external programs."""
        self._company.close()

    @classmethod
    def new(cls, seating: Seating, clock: Callable[[], float] = time.monotonic) -> "Session":
        """Start a new game. Each bot has its own dice, so that bots do not influence the cards."""
        table = Table(seating.game, seating.settings, seating.seats, seating.dice())
        bot_dice = [Dice(seating.seed, place + 1) for place in range(seating.seats)]
        return cls(seating, table, bot_dice, clock)

    # --- What the player sees -------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.is_over

    @property
    def is_my_turn(self) -> bool:
        """Whether the player may move."""
        return self.seat in self.table.actors

    @property
    def actor(self) -> Seat:
        """The seat to move. It is the player's if several may move, and when the game is over."""
        actors = self.position().actors
        return self.seat if self.seat in actors or not actors else actors[0]

    @property
    def is_reaction_window(self) -> bool:
        """Whether the player may react now, and the fastest player counts."""
        return self.is_my_turn and self.game.is_race(self.position())

    def name(self, seat: Seat) -> str:
        """Return the name of a seat in this game."""
        return say(f"{self.game.name}.seat.{seat}", {})

    def rules(self) -> str:
        """Return the rules of this table as Markdown, first on one page, then all of them."""
        return rulebook.rules(self.game, self.table.settings, self.table.seats)

    def edition(self) -> str:
        """Return the edition being played."""
        return self.game.edition_of(self.table.settings)

    def position(self) -> Position:
        """Return what the player knows, without the pending move."""
        return self.table.position(self.seat)

    def drawing(self) -> Drawing:
        """Draw the table as it is."""
        return self.game.render_drawing(self.position(), self.table.settings, say)

    def preview(self) -> Drawing:
        """Draw the table as it would be after the pending move."""
        if self.pending is None:
            return self.drawing()
        position = self.table.preview(self.seat, self.pending)
        return self.game.render_drawing(position, self.table.settings, say)

    def event_lines(self, since: int = 0, until: int | None = None) -> list[str]:
        """Return the events the player could see, with similar ones joined in one line."""
        events = [e for e in self.table.events[since:until] if e.is_for(self.seat)]
        if not self._aids_memory():
            events = [event for event in events if not event.is_transient]
        return event_lines(events, lambda event: say(event.key, event.params))

    def _aids_memory(self) -> bool:
        """Return whether the house rules let the player see such cards again."""
        option, value = AIDED
        return self.table.settings.get(option) == value

    def glimpses(self) -> list[str]:
        """Return what the player is shown only now and must remember."""
        events = [
            e
            for e in self.table.events[self.last_turn_start :]
            if e.is_transient and e.is_for(self.seat)
        ]
        return [] if self._aids_memory() else [say(event.key, event.params) for event in events]

    def result(self) -> str:
        """Return who has won, addressed to the player."""
        winners = [seat for seat, share in enumerate(self.table.returns()) if share > 0]
        if winners == [self.seat]:
            return say("play.you_won", {})
        names = say("play.and", {}).join(self.name(seat) for seat in winners)
        if self.seat in winners:
            return say("play.you_shared", {"names": names})
        return say("play.they_won", {"names": names, "number": len(winners)})

    def ranking(self) -> list[str]:
        """Return a line for each seat of a finished game: its place and what decided it."""
        return ranking_lines(self.game, self.table.ranking())

    # --- What the player does -------------------------------------------------------------------

    def handle_input(self, text: str) -> InputResult:
        """Interpret an input line. A move is only previewed; an illegal one is refused.

        A refusal drops the pending move: the player meant something else, so Enter must not make
        that one.
        """
        text = text.strip()
        if not text and self.is_reaction_window:
            return self.react(PASS)
        if not text:
            return InputResult(CONFIRM if self.pending else EMPTY)
        command = command_words().get(text.lower())
        if command:
            return InputResult(command)
        try:
            move = self._read(text)
            if self.is_reaction_window:
                return self.react(move)
            self.propose(move)
        except Refused:
            self.pending = None
            raise
        return InputResult(PREVIEW, self.pending_text())

    def _read(self, text: str) -> Move:
        """Read a move as typed, or the menu entry of a number such as `#2`."""
        if not text.startswith(MENU_MARK):
            return read_move(self.game, text)
        if not self.menu:
            raise Refused("play.no_menu")
        number = text.removeprefix(MENU_MARK).strip()[:9]
        if not (number.isdecimal() and 1 <= int(number) <= len(self.menu)):
            raise Refused("play.no_such_choice", number=number, most=len(self.menu))
        return self.menu[int(number) - 1]

    def propose(self, move: Move) -> None:
        """Make a move pending. An illegal one is refused, and the previous one stays pending."""
        self.table.preview(self.seat, move)
        self.pending = move

    def undo(self) -> None:
        """Drop the pending move."""
        if self.pending is None:
            raise Refused("play.nothing_to_undo")
        self.pending = None

    def confirm(self) -> None:
        """Make the pending move. It cannot be undone."""
        if self.pending is None:
            raise Refused("play.nothing_to_confirm")
        before = len(self.table.events)
        self.table.submit_move(self.seat, self.pending)
        self.news_start = self.last_turn_start = before
        self.pending = None
        self.menu = []

    # --- Reaction windows -------------------------------------------------------------------------

    def start_reaction_clock(self) -> None:
        """Start the clock when the player sees the reaction window."""
        if self._reaction_started is None:
            self._reaction_started = self._clock()

    def time_left(self) -> float:
        """Return the seconds left in the reaction window."""
        self.start_reaction_clock()
        return max(0.0, REACTION_SECONDS - self._reaction_elapsed())

    def _reaction_elapsed(self) -> float:
        return self._clock() - (self._reaction_started or self._clock())

    def react(self, move: Move) -> InputResult:
        """Make a move in a reaction window: faster bots move before it, slower ones after.

        A move after the end of the window counts as a pass.
        """
        self.table.preview(self.seat, move)
        self.start_reaction_clock()
        took = self._reaction_elapsed()
        before = len(self.table.events)
        self._reaction_started = None
        limit = min(took, REACTION_SECONDS)
        times = self._reaction_times()
        self._play_bots([seat for seat in times if times[seat] <= limit])
        self.table.submit_move(self.seat, move if took <= REACTION_SECONDS else PASS)
        self._play_bots([seat for seat in times if times[seat] > limit])
        self.news_start = self.last_turn_start = before
        self.pending = None
        self.menu = []
        in_time = took <= REACTION_SECONDS or move == PASS  # a pass cannot be late
        return InputResult(REACTED if in_time else LATE, self.format_move(move))

    def is_unambiguous(self, text: str) -> bool:
        """Return whether the text is one legal move and not the beginning of another."""
        legal = [self.game.to_move([action]) for action in self.position().legal]
        begin = [move for move in map(self.game.format_move, legal) if move.startswith(text)]
        return bool(text) and begin == [text]

    def _reaction_times(self) -> dict[Seat, float]:
        """Return the bots that may act now with the seconds they take, the fastest first."""
        stream = 8 * len(self.table.log)
        took = {}
        for seat in self.table.actors:
            if seat in self._bots:
                luck = Dice(self.seating.seed, stream + seat).below(667) / 1000 + 0.667
                took[seat] = luck * reaction_time(self._bots[seat])
        return dict(sorted(took.items(), key=lambda item: item[1]))

    def _play_bots(self, seats: Sequence[Seat]) -> None:
        for seat in seats:
            self._play_bot(seat)

    # --- Menu and hints ---------------------------------------------------------------------------

    def open_menu(self) -> list[Move]:
        """Return suggested moves, to be chosen by number: `#2` for the second."""
        if not self.is_my_turn:
            raise Refused("game_over" if self.is_over else "not_your_turn")
        self.menu = self.game.candidates(self.position())
        return self.menu

    def hint(self) -> list[str]:
        """Return the advice of the consigliere: the best move, why, and the expected replies."""
        if not self.is_my_turn:
            raise Refused("game_over" if self.is_over else "not_your_turn")
        advice = advise(self.game, self.position())

        def as_typed(move: AdvisedMove) -> str:
            return self.format_move(self.game.to_move(move.actions))

        why = format_reason(self.game, advice, as_typed)
        params: dict[str, Param] = {"move": as_typed(advice.moves[0]), "why": why}
        steps = [
            say(
                "play.hint_step",
                {"name": self.name(step.seat), "move": describe_steps(step.choices)},
            )
            for step in advice.principal_variation[1:]
        ]
        lines = [say("play.hint", params)]
        return [*lines, say("play.hint_line", {"line": "; ".join(steps)})] if steps else lines

    def pending_text(self) -> str:
        """Return the pending move as it would be typed."""
        return self.format_move(self.pending) if self.pending else ""

    def format_move(self, move: Move) -> str:
        """Return a move as it would be typed."""
        return show_move(self.game, move)

    # --- Bots -----------------------------------------------------------------------------------

    def advance(self) -> Seat:
        """Let a bot finish its turn, or all bots act that may; return the first seat."""
        self.last_turn_start = len(self.table.events)
        seats = list(self._reaction_times())
        if len(seats) > 1:
            self._play_bots(seats)
            return seats[0]
        seat = seats[0]
        while True:
            self._play_bot(seat)
            if self.table.log[-1][0] == CHANCE or seat not in self.table.actors:
                return seat

    def _play_bot(self, seat: Seat) -> None:
        """Let a bot make one decision."""
        action = self._bots[seat](self.table.position(seat), self._bot_dice[seat])
        self.table.submit(seat, action)

    # --- Record ---------------------------------------------------------------------------------

    def players(self) -> list[str]:
        """Return the name of the player at each seat, for the record."""
        return [bot if bot != PERSON else say("play.person", {}) for bot in self.seating.bots]

    def seal(self) -> str:
        """Return a sentence with the first digits of the seal of the dice."""
        return say("play.sealed", {"seal": self.seating.dice().seal[:16]})

    def record(self) -> list[str]:
        """Return the record so far; until the game is over it stops before the first secret."""
        for seat, action in self.table.log[self._scribe.steps :]:
            scribe = self._scribe
            line = scribe.write_chance() if seat == CHANCE else scribe.write(seat, action)
            self._record.append(line)
        if self.is_over:
            if len(self._record) == 1 + self._scribe.steps:
                self._record.append(self._scribe.write_end())
            return self._record
        return list(takewhile(lambda line: '"for":' not in line, self._record))

    # --- Saving ---------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return everything needed to resume the game, as plain data."""
        return {
            "format": self.seating.format,
            "game": self.game.name,
            "rules": self.game.version,
            "settings": dict(self.table.settings),
            "seat": self.seat,
            "bots": list(self.seating.bots),
            "seed": self.seating.seed,
            "entropy": self.seating.entropy.hex(),
            "table": self.seating.table,
            "record": self.seating.record,
            "bot_dice": [dice.word for dice in self._bot_dice],
            "since": self.news_start,
            "latest": self.last_turn_start,
            "pending": self.pending.to_wire() if self.pending else None,
            "log": [list(step) for step in self.table.log],
        }

    @classmethod
    def load(cls, seating: Seating, data: dict[str, Any]) -> "Session":
        """Resume a saved game; its log is replayed through the rules."""
        log: list[Step] = [(int(seat), int(action)) for seat, action in data["log"]]
        dice = seating.dice(draws=sum(seat == CHANCE for seat, _ in log))
        table = Table.resume(seating.game, seating.settings, seating.seats, log, dice)
        _check_draws(seating, log)
        session = cls(seating, table, [_dice(word) for word in data["bot_dice"]])
        session.news_start, session.last_turn_start = int(data["since"]), int(data["latest"])
        if data["pending"]:
            verb, *numbers = data["pending"]
            session.propose(Move(str(verb), tuple(int(number) for number in numbers)))
        return session


def _check_draws(seating: Seating, log: Sequence[Step]) -> None:
    """Refuse a log whose chance outcomes differ from those of the sealed dice."""
    state = seating.game.new(seating.settings, seating.seats)
    dice = seating.dice()
    for number, (seat, action) in enumerate(log, start=1):
        if seat == CHANCE and draw_outcome(seating.game, state, dice) != action:
            raise Refused("bad_log", line=number)
        state.apply(seat, action)


def _dice(word: int) -> Dice:
    """Return dice that continue from a saved state."""
    if not 0 <= int(word) < 2**64:  # compiled dice refuse it themselves, plain ones do not
        raise ValueError("the state of dice is a number of 64 bits")
    dice = Dice(0)
    dice.word = int(word)
    return dice
