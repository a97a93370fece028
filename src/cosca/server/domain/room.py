"""A room: one table as its log describes it.

No input, no output, no clock: the same entries give the same room anywhere and at any time.
"""

from collections.abc import Sequence
from typing import Any

from cosca.catalog import find
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.move import Move
from cosca.core.names import SPECTATOR, Seat
from cosca.core.options import AIDED
from cosca.core.position import Position
from cosca.match.table import Table
from cosca.server.domain import commands, log_entries
from cosca.server.domain.agreement import Agreement
from cosca.server.domain.chat import Chat
from cosca.server.domain.clocks import Clocks, Pace
from cosca.server.domain.deal import Deal
from cosca.server.domain.effects import take_effect
from cosca.server.domain.links import Link
from cosca.server.domain.log_check import is_possible
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.quotas import ENTRIES, Quotas
from cosca.server.domain.seats import Seats
from cosca.server.domain.shown import Shown
from cosca.server.domain.takebacks import Takebacks


class Room:
    """The state of a table after the entries of its log that were applied so far."""

    def __init__(self, opened: log_entries.Opened) -> None:
        self.opened = opened
        self.code = opened.code
        self.game: Game[Any, Any] = find(opened.game)
        if opened.format > log_entries.FORMAT or opened.rules != self.game.version:
            raise Refused("web.other_version", code=self.code)
        self.settings = self.game.read_settings(opened.settings)
        self.game.check(self.settings, len(opened.seats))
        self.seats = Seats(opened.seats, opened.host)
        self.stage: commands.Stage = "lobby"
        self.chat = Chat(is_open=opened.spectator_chat)
        self.listed = opened.listed
        """Whether the table is on the list of games to watch."""
        self.rematch = ""
        """The code of the table at which people play on."""
        self.length = 1
        """How many log entries have been applied, which is the number of the next."""
        self.arrangement = 0
        """Counts changes of the room itself: who sits where, and its stage."""
        self.moves = [0] * len(self.seats)
        """How many moves each seat has made."""
        self.pace = Pace(opened.pace, opened.move, opened.bank)
        self.clocks = Clocks(self.pace, [opened.bank] * len(self.seats))
        self.agreement = Agreement()
        self.quotas = Quotas(len(self.seats))
        self.deal = Deal(opened, self.game, self.settings, self.seats)
        self.takebacks = Takebacks(self.game, self.settings, self.deal.dice)
        option, value = AIDED
        aids_memory = self.settings.get(option) == value
        self.shown = Shown(self.game, len(self.seats), aids_memory=aids_memory)
        self.last = opened.at
        """When the last entry was written."""

    # --- The game ---------------------------------------------------------------------------------

    @property
    def table(self) -> Table | None:
        """The game; None until the cards are dealt."""
        return self.shown.table

    def playing(self) -> Table:
        """Return the game in progress, or over."""
        return self.shown.playing()

    def position(self, seat: Seat) -> Position:
        """Return what a seat, or a spectator, knows."""
        return self.playing().position(seat)

    def actors(self) -> Sequence[Seat]:
        """Return the seats that may really act now, which is a secret while several answer."""
        if self.table is None or self.stage != "playing" or self.is_paused:
            return ()
        return self.table.actors

    def bots_to_act(self) -> list[Seat]:
        """Return the seats that may act now and are played by bots, which wait for an agreement."""
        if self.agreement.proposal or self.is_full:
            return []
        return [seat for seat in self.actors() if self.seats[seat].bot]

    @property
    def is_reaction_window(self) -> bool:
        """Whether the fastest reaction counts now."""
        return self.game.is_race(self.shown.position(SPECTATOR))

    def pending_reactions(self) -> list[Seat]:
        """Return the people who may still react where the fastest reaction counts."""
        return [
            seat
            for seat in self.actors()
            if not self.seats[seat].bot and self.game.is_race(self.shown.position(seat))
        ]

    def timeout_actions(self, seat: Seat) -> list[int]:
        """Return what is done for a person who does not decide in time."""
        return [self.game.timeout_action(self.position(seat))]

    def pass_actions(self, seat: Seat) -> list[int]:
        """Return the actions of passing."""
        return self.playing().move_actions(seat, Move("pass"))

    def awaited(self) -> list[Seat]:
        """Return the seats whose browsers still have to contribute to the deal."""
        given = self.deal.contributions
        if self.stage != "sealing" or not given.phase:
            return []
        if given.is_closed:
            return given.missing
        return [seat for seat in self.seats.persons() if seat not in given.commitments]

    def record(self) -> str:
        """Return the record of a finished game."""
        if self.stage != "over":
            raise Refused("web.not_over")
        return self.deal.record(self.playing())

    def newest_link(self) -> Link | None:
        """Return the newest link of the record's chain that may be published."""
        if self.table is None:
            return None
        return self.deal.newest_link(self.table, self.shown.private_fields(SPECTATOR)["actors"])

    # --- Time -------------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        """Whether the log is so long that nothing more may be appended."""
        return self.length >= ENTRIES

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused."""
        return self.clocks.stopped is not None

    @property
    def has_running_clocks(self) -> bool:
        """Whether somebody's time is running."""
        return self.stage == "playing" and self.pace.has_clocks and not self.is_paused

    def timers(self, seat: Seat) -> list[tuple[Seat, int, int]]:
        """Return the clocks that a seat, or a spectator, sees run: whose, and until when."""
        if not self.has_running_clocks:
            return []
        clocks = self.clocks
        return [
            (other, clocks.move_until(other), clocks.until(other))
            for other in self.shown.position(seat).actors
            if other in clocks.since and not self.seats[other].bot and not self.is_reaction_window
        ]

    def deadline(self, seat: Seat) -> int | None:
        """Return when the time of a seat that may act now is over; None if it has no clock."""
        timed = self.pace.has_clocks and seat in self.actors() and seat in self.clocks.since
        exempt = self.seats[seat].bot or (timed and self.is_reaction_window)
        return self.clocks.until(seat) if timed and not exempt else None

    # --- What has happened ------------------------------------------------------------------------

    def apply(self, entry: LogEntry, *, trusted: bool = False) -> None:
        """Apply a log entry. One that was judged just now is trusted, and not checked again."""
        self.shown.clear()
        if not trusted and not is_possible(self, entry):
            raise Refused("bad_log", line=self.length + 1)
        before = self._decision()
        if isinstance(entry, log_entries.Moved):
            self.move(entry.seat, entry.actions, entry.at, trusted=trusted)
        else:
            take_effect(entry, self)
            if not isinstance(entry, log_entries.Spoken):
                self.arrangement += 1
        self.shown.clear()
        self._start_clocks(before, entry.at)
        self.last = entry.at
        self.length += 1
        self.quotas.count(entry)

    def _decision(self) -> Position | None:
        """Return what everybody sees, to notice that somebody has something new to decide."""
        if self.stage != "playing" or not (self.pace.has_clocks or self.agreement.proposal):
            return None
        return self.shown.position(SPECTATOR)

    def _start_clocks(self, before: Position | None, at: int) -> None:
        """Start the clocks if somebody has something new to decide; an open proposal lapses then.

        An answer in secret changes nothing here: nothing that everybody sees may reveal it.
        """
        now = self._decision()
        if now is None or now == before:
            return
        self.clocks.start(now.actors, at)
        if before is not None and self.agreement.proposal:
            self.agreement.proposal = None
            self.arrangement += 1

    def move(self, seat: Seat, actions: list[int], at: int, *, trusted: bool) -> None:
        """Play some steps of a seat, and all that chance answers."""
        table = self.playing()
        if not trusted:  # a log from outside: compiled rules check nothing themselves
            table.check_actions(seat, actions)
        self.takebacks.before_move(seat, table)
        self.shown.fresh[seat] = len(table.events)
        self.clocks.moved(seat, at)
        table.play(seat, actions)
        self.takebacks.after_move(table)
        self.moves[seat] += 1
        if table.is_over:
            self.stage = "over"
            self.arrangement += 1

    def begin(self) -> None:
        """Deal the cards."""
        self.shown.table = self.deal.begin()
        self.stage = "playing"

    def find_takeback(self, seat: Seat) -> tuple[int, int]:
        """Return the numbers of steps and events before a seat's last move, if it may be undone."""
        in_secret = len(self.shown.position(SPECTATOR).actors) > 1
        return self.takebacks.find(seat, self.playing(), in_secret=in_secret)

    def take_back(self, seat: Seat) -> None:
        """Go back to before a seat's last move."""
        steps, events = self.find_takeback(seat)
        self.takebacks.take_back(self.playing(), steps, events)
        self.shown.fresh = [min(fresh, events) for fresh in self.shown.fresh]
        self.deal.forget_links()
        self.quotas.takebacks += 1


def room_from_log(log: Sequence[LogEntry]) -> Room:
    """Return the room that a log describes. A log that breaks the rules is refused."""
    if not log or not isinstance(log[0], log_entries.Opened):
        raise Refused("bad_log", line=1)
    room = Room(log[0])
    for entry in log[1:]:
        room.apply(entry)
    return room
