"""One person's game against bots, without any input or output: what is typed comes in, what is to
be shown goes out, and a front end does the rest."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, takewhile
from typing import Any

from cosca.bots.consigliere import AdvisedMove, advise, format_reason, percent
from cosca.bots.external import BotProcesses
from cosca.bots.roster import reaction_time
from cosca.cli.seating import PERSON, Seating
from cosca.core.dice import Dice
from cosca.core.drawing import Drawing
from cosca.core.errors import Param, Refused
from cosca.core.move import Move
from cosca.core.names import CHANCE, Seat
from cosca.core.options import AIDED
from cosca.core.position import Position
from cosca.match.chance import draw_outcome
from cosca.match.record import Scribe
from cosca.match.table import Step, Table
from cosca.words import say, sentences

REACTION_SECONDS = 5.0
"""Seconds in which a hand on the table counts, where the fastest does."""
PASS = Move("pass")
"""What a player does in a race who does nothing."""

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
    """What came of something typed: a move to look at, a command, a reaction, or nothing."""

    kind: str
    text: str = ""


@cache
def command_words() -> dict[str, str]:
    """What may be typed for each command."""
    return {word: name for name in COMMANDS for word in sentences()[f"play.command.{name}"].split()}


class Session:
    """A table, the person at it, the bots at it, and the move the person is thinking of."""

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
        """From here on the events are news: they came after the person's last move began."""
        self.last_turn_start = 0
        """From here on the events are those of the last turn."""
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
        """Let the programs among the bots go."""
        self._company.close()

    @classmethod
    def new(cls, seating: Seating, clock: Callable[[], float] = time.monotonic) -> "Session":
        """A game about to begin. Every bot has dice of its own, so none disturbs the cards."""
        table = Table(seating.game, seating.settings, seating.seats, seating.dice())
        bot_dice = [Dice(seating.seed, place + 1) for place in range(seating.seats)]
        return cls(seating, table, bot_dice, clock)

    # --- What is to be seen ---------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.is_over

    @property
    def is_my_turn(self) -> bool:
        """Whether the person may move."""
        return self.seat in self.table.actors

    @property
    def actor(self) -> Seat:
        """Who moves now: the person, if among those who may, or when the game is over."""
        actors = self.position().actors
        return self.seat if self.seat in actors or not actors else actors[0]

    @property
    def is_reaction_window(self) -> bool:
        """Whether the person may move, and the fastest hand counts."""
        return self.is_my_turn and self.game.is_race(self.position())

    def name(self, seat: Seat) -> str:
        """How a seat is called in this game."""
        return say(f"{self.game.name}.seat.{seat}", {})

    def edition(self) -> str:
        """The edition that is played."""
        return self.game.edition_of(self.table.settings)

    def position(self) -> Position:
        """What the person sees now, without the move that is only thought of."""
        return self.table.position(self.seat)

    def drawing(self) -> Drawing:
        """The table as it is."""
        return self.game.render_drawing(self.position(), self.table.settings, say)

    def preview(self) -> Drawing:
        """The table as it will be with the move that is thought of."""
        if self.pending is None:
            return self.drawing()
        position = self.table.preview(self.seat, self.pending)
        return self.game.render_drawing(position, self.table.settings, say)

    def event_lines(self, since: int = 0, until: int | None = None) -> list[str]:
        """What the person could see happen, a line for each kind of thing."""
        events = [e for e in self.table.events[since:until] if e.is_for(self.seat)]
        if not self._aids_memory():
            events = [event for event in events if not event.is_transient]
        lines = []
        for _, alike in groupby(events, lambda event: event.key):
            told = [say(event.key, event.params) for event in alike]
            lines.append(" ".join(filter(None, told)))
        return [line for line in lines if line]

    def _aids_memory(self) -> bool:
        """Whether what was shown for a moment is told again."""
        option, value = AIDED
        return self.table.settings.get(option) == value

    def glimpses(self) -> list[str]:
        """What the person is shown just now, and will have to remember."""
        events = [
            e
            for e in self.table.events[self.last_turn_start :]
            if e.is_transient and e.is_for(self.seat)
        ]
        return [] if self._aids_memory() else [say(event.key, event.params) for event in events]

    def result(self) -> str:
        """Who has won, told to the person."""
        winners = [seat for seat, share in enumerate(self.table.returns()) if share > 0]
        if winners == [self.seat]:
            return say("play.you_won", {})
        names = say("play.and", {}).join(self.name(seat) for seat in winners)
        if self.seat in winners:
            return say("play.you_shared", {"names": names})
        return say("play.they_won", {"names": names, "number": len(winners)})

    # --- What the person does -------------------------------------------------------------------

    def handle_input(self, text: str) -> InputResult:
        """What a typed line means. A move is not made yet, only looked at; a bad one is refused."""
        text = text.strip()
        if not text and self.is_reaction_window:
            return self.react(PASS)
        if not text:
            return InputResult(CONFIRM if self.pending else EMPTY)
        command = command_words().get(text.lower())
        if command:
            return InputResult(command)
        if self.is_reaction_window:
            return self.react(self._read(text))
        self.propose(self._read(text))
        return InputResult(PREVIEW, self.pending_text())

    def _read(self, text: str) -> Move:
        """A move in the game's notation, or its number in the menu if that is open."""
        if not (self.menu and text.isdecimal()):
            return self.game.parse_move(text)
        if not 1 <= int(text[:9]) <= len(self.menu):
            raise Refused("play.no_such_choice", number=text[:9], most=len(self.menu))
        return self.menu[int(text) - 1]

    def propose(self, move: Move) -> None:
        """Think of a move. One that is not legal is refused, and the one before it stays."""
        self.table.preview(self.seat, move)
        self.pending = move

    def undo(self) -> None:
        """Think again."""
        if self.pending is None:
            raise Refused("play.nothing_to_undo")
        self.pending = None

    def confirm(self) -> None:
        """Make the move that was thought of: from here on there is no way back."""
        if self.pending is None:
            raise Refused("play.nothing_to_confirm")
        before = len(self.table.events)
        self.table.submit_move(self.seat, self.pending)
        self.news_start = self.last_turn_start = before
        self.pending = None
        self.menu = []

    # --- A race -----------------------------------------------------------------------------------

    def start_reaction_clock(self) -> None:
        """The person sees from now on that the fastest hand counts."""
        if self._reaction_started is None:
            self._reaction_started = self._clock()

    def time_left(self) -> float:
        """How many seconds of a race there are."""
        self.start_reaction_clock()
        return max(0.0, REACTION_SECONDS - self._reaction_elapsed())

    def _reaction_elapsed(self) -> float:
        return self._clock() - (self._reaction_started or self._clock())

    def react(self, move: Move) -> InputResult:
        """Do a move in a race: the bots that were faster have theirs before it, the others after.

        Whoever is later than the race lasts has done nothing.
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
        in_time = took <= REACTION_SECONDS or move == PASS  # who keeps still cannot be late
        return InputResult(REACTED if in_time else LATE, self.format_move(move))

    def is_unambiguous(self, text: str) -> bool:
        """Whether that can be typed for one legal move, and is not the beginning of another."""
        legal = [self.game.to_move([action]) for action in self.position().legal]
        begin = [move for move in map(self.game.format_move, legal) if move.startswith(text)]
        return bool(text) and begin == [text]

    def _reaction_times(self) -> dict[Seat, float]:
        """The bots that may act now, the quickest first, with the seconds they take."""
        stream = 8 * len(self.table.log)
        took = {}
        for seat in self.table.actors:
            if seat in self._bots:
                luck = Dice(self.seating.seed, stream + seat).below(667) / 1000 + 0.667
                took[seat] = luck * reaction_time(self._bots[seat])
        return dict(sorted(took.items(), key=lambda hand: hand[1]))

    def _play_bots(self, seats: Sequence[Seat]) -> None:
        for seat in seats:
            self._play_bot(seat)

    # --- What may be asked for --------------------------------------------------------------------

    def open_menu(self) -> list[Move]:
        """The moves worth a thought, to be picked by number."""
        if not self.is_my_turn:
            raise Refused("game_over" if self.is_over else "not_your_turn")
        self.menu = self.game.candidates(self.position())
        return self.menu

    def hint(self) -> list[str]:
        """What the consigliere says: the best move and why; and what he expects then."""
        if not self.is_my_turn:
            raise Refused("game_over" if self.is_over else "not_your_turn")
        advice = advise(self.game, self.position())

        def told(move: AdvisedMove) -> str:
            return self.format_move(self.game.to_move(move.actions))

        best = advice.moves[0]
        params: dict[str, Param] = {
            "move": told(best),
            "chance": percent(best.shares[self.seat]),
            "why": format_reason(self.game, advice, told),
        }
        steps = [
            say("play.hint_step", {"name": self.name(step.seat), "move": step.text})
            for step in advice.principal_variation[1:]
        ]
        lines = [say("play.hint", params)]
        return [*lines, say("play.hint_line", {"line": ", ".join(steps)})] if steps else lines

    def pending_text(self) -> str:
        """The move that is thought of, as it would be typed."""
        return self.format_move(self.pending) if self.pending else ""

    def format_move(self, move: Move) -> str:
        """A move as a person would type it."""
        key = f"{self.game.name}.move.{move.verb}"
        return say(key, {"notation": self.game.format_move(move)})

    # --- What the bots do -----------------------------------------------------------------------

    def advance(self) -> Seat:
        """Let one bot play until chance or somebody else is to act, or all who may act at once."""
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
        """Let a bot take one step."""
        action = self._bots[seat](self.table.position(seat), self._bot_dice[seat])
        self.table.submit(seat, action)

    # --- On record ------------------------------------------------------------------------------

    def players(self) -> list[str]:
        """Who sits at each seat, as it stands in the record."""
        return [bot if bot != PERSON else say("play.person", {}) for bot in self.seating.bots]

    def seal(self) -> str:
        """The beginning of the promise that was made before the first card."""
        return say("play.sealed", {"seal": self.seating.dice().seal[:16]})

    def record(self) -> list[str]:
        """The lines of the record so far; of what is hidden nothing before the game is over."""
        for seat, action in self.table.log[self._scribe.steps :]:
            scribe = self._scribe
            line = scribe.write_chance() if seat == CHANCE else scribe.write(seat, action)
            self._record.append(line)
        if self.is_over:
            if len(self._record) == 1 + self._scribe.steps:
                self._record.append(self._scribe.write_end())
            return self._record
        return list(takewhile(lambda line: '"for":' not in line, self._record))

    # --- Kept for later -------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """All it takes to go on as if there had been no break, as plain data."""
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
    def load(cls, seating: Seating, told: dict[str, Any]) -> "Session":
        """The game that was saved, with its log played through the rules once more."""
        log: list[Step] = [(int(seat), int(action)) for seat, action in told["log"]]
        dice = seating.dice(draws=sum(seat == CHANCE for seat, _ in log))
        table = Table.resume(seating.game, seating.settings, seating.seats, log, dice)
        _check_draws(seating, log)
        session = cls(seating, table, [_dice(word) for word in told["bot_dice"]])
        session.news_start, session.last_turn_start = int(told["since"]), int(told["latest"])
        if told["pending"]:
            verb, *numbers = told["pending"]
            session.propose(Move(str(verb), tuple(int(number) for number in numbers)))
        return session


def _check_draws(seating: Seating, log: Sequence[Step]) -> None:
    """Refuse a legal log in which chance did something else than the sealed dice say."""
    state = seating.game.new(seating.settings, seating.seats)
    dice = seating.dice()
    for number, (seat, action) in enumerate(log, start=1):
        if seat == CHANCE and draw_outcome(seating.game, state, dice) != action:
            raise Refused("bad_log", line=number)
        state.apply(seat, action)


def _dice(word: int) -> Dice:
    """Dice that go on from where they were."""
    dice = Dice(0)
    dice.word = int(word)
    return dice
