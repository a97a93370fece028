"""A game played again, move by move: what was true after each, what happened, and who could know.

A move here is one line of a score: what a seat does in one go, and what chance answers. All that
chance does before anybody has moved is one move too; after that it answers once, and whatever it
does on top is a move of its own.

A record is played again without its seed: what chance did stands in it. So this works while the
game still goes on. Whether the dice were honest is for `verification` to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cosca.catalog import GAMES
from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, Action, Seat
from cosca.core.options import Settings
from cosca.core.position import Position
from cosca.core.state import State
from cosca.match.record import BY_CHANCE
from cosca.match.table import Step
from cosca.match.verification import InvalidRecord, Record

OMNISCIENT: Final = None
"""The eyes of whoever may know everything, instead of a seat's."""
Viewer = Seat | None


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One step of a seat or of chance."""

    seat: Seat
    action: Action
    does: str
    """The action in the notation of the game."""
    events: Sequence[Event]

    def is_known_to(self, viewer: Viewer) -> bool:
        """Whether these eyes saw just what was done: nothing that came of it was kept from them."""
        if viewer is OMNISCIENT or viewer == self.seat:
            return True
        return bool(self.events) and all(event.is_for(viewer) for event in self.events)


@dataclass(slots=True)
class Ply:
    """One move: what a seat does in one go, and what chance answers."""

    number: int
    round: int
    """Which round it began in; 0 before the first."""
    opens_round: bool
    """Whether it is the first of that round: then all that is dealt belongs to it."""
    steps: list[ReplayStep] = field(default_factory=list)

    @property
    def seat(self) -> Seat:
        """Whose move it is; chance's where nobody moved."""
        return self.steps[0].seat

    def events_for(self, viewer: Viewer) -> list[Event]:
        """What these eyes saw happen in it."""
        events = [event for step in self.steps for event in step.events]
        return [event for event in events if viewer is OMNISCIENT or event.is_for(viewer)]

    def continues_with(self, seat: Seat) -> bool:
        """Whether what that seat does next in the same round still belongs to this move."""
        last = self.steps[-1].seat
        if seat == CHANCE:
            return last != CHANCE or (self.opens_round and self.seat == CHANCE)
        return last == seat


class Replay:
    """A game as far as it is known, with all that was true on the way."""

    def __init__(
        self,
        game: Game[Any, Any],
        settings: Settings,
        players: Sequence[str],
        table: str = "",
    ) -> None:
        self.game = game
        self.settings = settings
        self.seats = len(players)
        self.players = list(players)
        self.table = table
        self.log: list[Step] = []
        self.plies: list[Ply] = []
        self.states: list[State] = [game.new(settings, self.seats)]
        """What is true before the first move, and after each."""

    # --- Going on -------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """What is true after all moves."""
        return self.states[-1]

    def is_legal(self, seat: Seat, action: Action) -> bool:
        """Whether a seat, or chance, may do this next."""
        if seat not in self.state.actors():
            return False
        if seat == CHANCE:
            return any(action == outcome for outcome, _ in self.state.chance_outcomes())
        return action in self.state.legal_actions(seat)

    def apply(self, seat: Seat, action: Action) -> None:
        """Add a step, which has to be legal."""
        does = self.game.format_action(self.state, action)
        step = ReplayStep(seat, action, does, tuple(self.game.events(self.state, seat, action)))
        if not self._goes_on(seat):
            now = self.game.round(self.state)
            opens_round = not self.plies or self.plies[-1].round < now
            self.plies.append(Ply(len(self.plies) + 1, now, opens_round))
            self.states.append(self.state.copy())
        self.plies[-1].steps.append(step)
        self.state.apply(seat, action)
        self.log.append((seat, action))

    def _goes_on(self, seat: Seat) -> bool:
        """Whether what that seat does next belongs to the last move; a round begins a new one."""
        if not self.plies:
            return False
        last = self.plies[-1]
        return last.round == self.game.round(self.state) and last.continues_with(seat)

    @property
    def complete_plies(self) -> int:
        """How many moves nothing can be added to any more."""
        is_open = any(self._goes_on(seat) for seat in self.state.actors())
        return len(self.plies) - is_open

    # --- Looking back ---------------------------------------------------------------------------

    def position(self, number: int, seat: Seat) -> Position:
        """What a seat, or a spectator, knew after so many moves."""
        position: Position = self.game.position(self.states[number], seat)
        return position

    def reveal(self, number: int) -> Position:
        """What was true after so many moves."""
        position: Position = self.game.reveal(self.states[number])
        return position

    def round(self, number: int) -> int:
        """How many rounds had begun after so many moves."""
        return self.game.round(self.states[number])

    def is_over(self, number: int) -> bool:
        """Whether the game had ended after so many moves."""
        return bool(self.states[number].is_over)

    def round_after(self, number: int) -> int:
        """Where the next round begins, as a number of moves; the end where there is none."""
        later = range(number + 1, len(self.states))
        return next((at for at in later if self._begins(at)), len(self.plies))

    def round_before(self, number: int) -> int:
        """Where this round began, or the one before if it begins just here."""
        return next((at for at in range(number - 1, 0, -1) if self._begins(at)), 0)

    def _begins(self, number: int) -> bool:
        return self.round(number) > self.round(number - 1)

    @property
    def reason(self) -> str:
        """Why the game ended, in one word; empty while it goes on."""
        return str(self.game.endings[self.state.ending()])

    @property
    def winners(self) -> list[Seat]:
        """Who has won."""
        return [seat for seat in range(self.seats) if self.state.winners() >> seat & 1]


# --- From a record -------------------------------------------------------------------------------


def replay_record(record: Record) -> Replay:
    """The game that a record tells, as far as it goes."""
    replay = _agreed(record.header)
    extend_replay(replay, record)
    return replay


def extend_replay(replay: Replay, record: Record) -> None:
    """Add what the record has more than when it was read before."""
    known = len(replay.log)
    for number, told in enumerate(record.steps[known:], start=known + 2):
        if replay.state.is_over:
            raise InvalidRecord(number, "record.after_the_end")
        if told.get("step") != number - 1:
            raise InvalidRecord(number, "record.bad_step")
        seat = _seat(replay, told, number)
        replay.apply(seat, _action(replay, seat, told, number))
    if record.is_finished:
        _check_result(replay, record.contents[-1]["result"], len(record.lines))


def _agreed(header: dict[str, Any]) -> Replay:
    """The game about to begin, as it was agreed."""
    try:
        game = GAMES[header["game"]]
        settings = game.read_settings(header["options"])
        players, table = header["players"], header["table"]
        texts = [table, *players]
        replay = Replay(game, settings, players, table)
    except (Refused, LookupError, TypeError, ValueError, AttributeError):
        raise InvalidRecord(1, "record.bad_header") from None
    agreed = [header["options"], header.get("edition"), header.get("seats")]
    listed = game.list_settings(settings, header["format"])
    if agreed != [listed, game.edition_of(settings), replay.seats]:
        raise InvalidRecord(1, "record.bad_header")
    if type(players) is not list or not all(type(text) is str for text in texts):
        raise InvalidRecord(1, "record.bad_header")
    return replay


def _seat(replay: Replay, told: dict[str, Any], number: int) -> Seat:
    by = told.get("by")
    seat = CHANCE if by == BY_CHANCE else by
    if type(seat) is not int or seat not in replay.state.actors() or by == CHANCE:
        raise InvalidRecord(number, "record.bad_by")
    return seat


def _action(replay: Replay, seat: Seat, told: dict[str, Any], number: int) -> Action:
    try:
        action = replay.game.parse_action(replay.state, told["does"])
    except (Refused, LookupError, TypeError, ValueError, AttributeError):
        raise InvalidRecord(number, "record.bad_does") from None
    if not replay.is_legal(seat, action):
        raise InvalidRecord(number, "record.illegal", does=told["does"][:40])
    return int(action)


def _check_result(replay: Replay, told: object, number: int) -> None:
    if not replay.state.is_over:
        raise InvalidRecord(number, "record.ends_early")
    if told != {"reason": replay.reason, "winners": replay.winners}:
        raise InvalidRecord(number, "record.bad_result")
