"""A game replayed ply by ply: each state, what happened, and who could know it.

A ply is one line of a score sheet: what a seat does in one turn, and how chance answers. Everything
chance does before the first move is one ply as well; after that chance answers once, and anything
more it does is a ply of its own.

A record is replayed without its seed, because it says what chance did. So this works while the game
is still going on. Whether the dice were honest is checked by `verification`.
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
"""The viewer who may know everything."""
Viewer = Seat | None


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One action of a seat or of chance."""

    seat: Seat
    action: Action
    does: str
    """The action in the notation of the game."""
    events: Sequence[Event]

    def is_known_to(self, viewer: Viewer) -> bool:
        """Return whether a viewer knew the exact action: no event of it was hidden from them."""
        if viewer is OMNISCIENT or viewer == self.seat:
            return True
        return bool(self.events) and all(event.is_for(viewer) for event in self.events)


@dataclass(slots=True)
class Ply:
    """One move: what a seat does in one turn, and how chance answers."""

    number: int
    round: int
    """The round it began in; 0 before the first."""
    opens_round: bool
    """Whether it is the first of its round; then everything dealt belongs to it."""
    steps: list[ReplayStep] = field(default_factory=list)

    @property
    def seat(self) -> Seat:
        """Return whose move it is; CHANCE if no seat moved."""
        return self.steps[0].seat

    def events_for(self, viewer: Viewer) -> list[Event]:
        """Return the events in it that a viewer saw."""
        events = [event for step in self.steps for event in step.events]
        return [event for event in events if viewer is OMNISCIENT or event.is_for(viewer)]

    def continues_with(self, seat: Seat) -> bool:
        """Return whether this seat's next action in the same round still belongs to the ply."""
        last = self.steps[-1].seat
        if seat == CHANCE:
            return last != CHANCE or (self.opens_round and self.seat == CHANCE)
        return last == seat


class Replay:
    """A game as far as it is known, with every state on the way.

    `replay_record` makes one from a record; or begin with the `settings`, the names of the
    `players` and the name of the `table`, and add steps with `apply`.
    """

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
        """The state before the first ply and after each."""

    # --- Adding steps -----------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Return the state after all moves."""
        return self.states[-1]

    def is_legal(self, seat: Seat, action: Action) -> bool:
        """Return whether a seat, or chance, may take this action next."""
        if seat not in self.state.actors():
            return False
        if seat == CHANCE:
            return any(action == outcome for outcome, _ in self.state.chance_outcomes())
        return action in self.state.legal_actions(seat)

    def apply(self, seat: Seat, action: Action) -> None:
        """Add an action, which has to be legal."""
        does = self.game.format_action(self.state, action)
        step = ReplayStep(seat, action, does, tuple(self.game.events(self.state, seat, action)))
        if not self._continues(seat):
            now = self.game.round(self.state)
            opens_round = not self.plies or self.plies[-1].round < now
            self.plies.append(Ply(len(self.plies) + 1, now, opens_round))
            self.states.append(self.state.copy())
        self.plies[-1].steps.append(step)
        self.state.apply(seat, action)
        self.log.append((seat, action))

    def _continues(self, seat: Seat) -> bool:
        """Return whether this seat's next action belongs to the last ply, within its round."""
        if not self.plies:
            return False
        last = self.plies[-1]
        return last.round == self.game.round(self.state) and last.continues_with(seat)

    @property
    def complete_plies(self) -> int:
        """Return the number of plies that nothing can be added to any more."""
        is_open = any(self._continues(seat) for seat in self.state.actors())
        return len(self.plies) - is_open

    # --- Looking back ---------------------------------------------------------------------------

    def position(self, number: int, seat: Seat) -> Position:
        """Return what a seat, or a spectator, knew after so many plies."""
        position: Position = self.game.position(self.states[number], seat)
        return position

    def reveal(self, number: int) -> Position:
        """Return everything that was true after so many plies."""
        position: Position = self.game.reveal(self.states[number])
        return position

    def round(self, number: int) -> int:
        """Return how many rounds had begun after so many plies."""
        return self.game.round(self.states[number])

    def is_over(self, number: int) -> bool:
        """Return whether the game had ended after so many plies."""
        return bool(self.states[number].is_over)

    def round_after(self, number: int) -> int:
        """Return the number of plies at which the next round begins, or the last one."""
        later = range(number + 1, len(self.states))
        return next((at for at in later if self._begins(at)), len(self.plies))

    def round_before(self, number: int) -> int:
        """Return the number of plies at which this round began, or the one before at its start."""
        return next((at for at in range(number - 1, 0, -1) if self._begins(at)), 0)

    def _begins(self, number: int) -> bool:
        return self.round(number) > self.round(number - 1)

    @property
    def reason(self) -> str:
        """Return why the game ended, in one word; empty while it goes on."""
        return str(self.game.endings[self.state.ending()])

    @property
    def winners(self) -> list[Seat]:
        """Return the seats that have won."""
        return [seat for seat in range(self.seats) if self.state.winners() >> seat & 1]


# --- From a record -------------------------------------------------------------------------------


def replay_record(record: Record) -> Replay:
    """Return the replay of a record, as far as it goes."""
    replay = _new_replay(record.header)
    extend_replay(replay, record)
    return replay


def extend_replay(replay: Replay, record: Record) -> None:
    """Add the steps that the record has gained since it was read before."""
    known = len(replay.log)
    for number, line in enumerate(record.steps[known:], start=known + 2):
        if replay.state.is_over:
            raise InvalidRecord(number, "record.after_the_end")
        if line.get("step") != number - 1:
            raise InvalidRecord(number, "record.bad_step")
        seat = _seat(replay, line, number)
        replay.apply(seat, _action(replay, seat, line, number))
    if record.is_finished:
        _check_result(replay, record.contents[-1]["result"], len(record.lines))


def _new_replay(header: dict[str, Any]) -> Replay:
    """Return a replay of no moves yet, with the settings and players of a header."""
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


def _seat(replay: Replay, line: dict[str, Any], number: int) -> Seat:
    by = line.get("by")
    seat = CHANCE if by == BY_CHANCE else by
    if type(seat) is not int or seat not in replay.state.actors() or by == CHANCE:
        raise InvalidRecord(number, "record.bad_by")
    return seat


def _action(replay: Replay, seat: Seat, line: dict[str, Any], number: int) -> Action:
    try:
        action = replay.game.parse_action(replay.state, line["does"])
    except (Refused, LookupError, TypeError, ValueError, AttributeError):
        raise InvalidRecord(number, "record.bad_does") from None
    if not replay.is_legal(seat, action):
        raise InvalidRecord(number, "record.illegal", does=line["does"][:40])
    return int(action)


def _check_result(replay: Replay, line: object, number: int) -> None:
    if not replay.state.is_over:
        raise InvalidRecord(number, "record.ends_early")
    if line != {"reason": replay.reason, "winners": replay.winners}:
        raise InvalidRecord(number, "record.bad_result")
