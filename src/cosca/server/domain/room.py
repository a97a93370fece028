"""A room: one table as its log tells it, which folds what has happened.

No input, no output, no clock: the same lines give the same room anywhere and at any time.
"""

import contextlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Any, Final, Literal, get_args

import msgspec

from cosca.bots.roster import default_bot, roster
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.move import Move
from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.core.options import AIDED
from cosca.core.position import Fields, Position
from cosca.core.state import State
from cosca.match.record import Scribe
from cosca.match.sealed import SealedDice, pack
from cosca.match.table import Table
from cosca.server import wire
from cosca.server.domain import commands, log_entries
from cosca.server.domain.chat import Said
from cosca.server.domain.clocks import Pace, Times
from cosca.server.domain.contributions import Contributions
from cosca.server.domain.identifiers import code_from
from cosca.server.domain.links import Link, Links
from cosca.server.domain.log_entries import LogEntry
from cosca.server.domain.quotas import LINES, Tally


@dataclass(slots=True)
class Proposal:
    """What somebody proposes, and who has agreed."""

    what: Literal["pause", "takeback"]
    seat: Seat
    agreed: set[Seat]


@dataclass(slots=True)
class Chair:
    """One seat, and who has it."""

    name: str = ""
    bot: str = ""
    """The bot that plays; empty where a person does, or nobody yet."""
    owners: set[str] = field(default_factory=set)
    """Hashes of what only the browsers of the person know; none at an open or a bot's seat."""
    key: str = ""
    entropy: bytes = b""
    """What the browser added to the dice at a table of format 1."""
    until_back: bool = False
    """Whether a bot keeps the seat only until the person comes to the table again."""
    withheld: bool = False
    """Whether the person committed and revealed nothing: a bot plays to the end of the game."""

    @property
    def is_open(self) -> bool:
        """Whether anybody may sit down."""
        return not self.owners and not self.bot

    @property
    def kind(self) -> Literal["open", "person", "bot"]:
        """What has the seat, in a word."""
        return "person" if self.owners else "bot" if self.bot else "open"


class Room:
    """A table as far as its log goes."""

    def __init__(self, opened: log_entries.Opened) -> None:
        self.opened = opened
        self.code = opened.code
        self.game: Game[Any, Any] = find(opened.game)
        if opened.format > log_entries.FORMAT or opened.rules != self.game.version:
            raise Refused("web.other_version", code=self.code)
        self.settings = self.game.read_settings(opened.settings)
        self.game.check(self.settings, len(opened.seats))
        option, value = AIDED
        self._aids_memory = self.settings.get(option) == value
        self.chairs = [Chair(name=bot, bot=bot) for bot in opened.seats]
        self.stage: commands.Stage = "lobby"
        self.table: Table | None = None
        self.chat: list[Said] = []
        self.open_chat: list[Said] = []
        """Of what was said, what spectators may read: each word keeps the audience it had."""
        self.listed = opened.listed
        self.spectator_chat = opened.spectator_chat
        self.rematch = ""
        self.length = 1
        """How many lines have been room_from_log, which is the number of the next."""
        self.arrangement = 0
        """Counts what concerns the room itself: who sits where, and how far it is."""
        self.moves = [0] * len(self.chairs)
        """How often each seat has done something."""
        self.fresh = [0] * len(self.chairs)
        """From which event on a seat is still shown what fades."""
        self.pace = Pace(opened.pace, opened.move, opened.bank)
        self.times = Times(self.pace, [opened.bank] * len(self.chairs))
        self.proposal: Proposal | None = None
        self.taken_back: list[int] = []
        """To how many steps the game went back each time a move was taken back."""
        self.last = opened.at
        """When the last line was written."""
        self._glances: dict[Seat, Position] = {}
        self._marks: list[tuple[Seat, int, int]] = []
        """Of each move who made it, and how much had happened before."""
        self._checkpoints: dict[int, State] = {}
        """The states before the latest moves, by the number of steps, since chance last acted."""
        self.tally = Tally(len(self.chairs))
        self._own_parts: dict[Seat, Fields] = {}
        self._public_fields: Fields = {}
        self._open_json = b""
        self.written: dict[tuple[str, str, int], list[tuple[Event, msgspec.Raw]]] = {}
        """The latest events as they are sent, by their style and the first of them."""
        self._seed = bytes.fromhex(opened.seed)
        self.contributions = Contributions(self.code, self._seed, opened.format)
        self._names: list[str] = []
        """Who had which seat when the cards were dealt, as it stands in the record."""
        self.dealt_to: list[Seat] = []
        """The seats of people when the cards were dealt."""
        self._links: Links | None = None

    # --- What is to be known ----------------------------------------------------------------------

    @property
    def rewound(self) -> int:
        """How often a move was taken back: then whoever looks on has to be told anew."""
        return len(self.taken_back)

    def seat_of(self, owner: str) -> Seat:
        """The seat of a browser; a spectator's where it has none."""
        for seat, chair in enumerate(self.chairs):
            if owner in chair.owners:
                return seat
        return SPECTATOR

    def is_host(self, owner: str) -> bool:
        """Whether that browser is the host's: it opened the table, or is at the same seat."""
        host = self.opened.host
        seat = self.seat_of(owner)
        return owner == host or (seat != SPECTATOR and host in self.chairs[seat].owners)

    def persons(self) -> list[Seat]:
        """The seats that people have."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.owners]

    def awaited(self) -> list[Seat]:
        """Whose browsers are still to send what the phase of the deal asks for."""
        if self.stage != "sealing" or not self.contributions.phase:
            return []
        if self.contributions.is_closed:
            return self.contributions.missing
        return [seat for seat in self.persons() if seat not in self.contributions.commitments]

    def bots_to_act(self) -> list[Seat]:
        """The seats that may act now and are played by bots, which wait while people agree."""
        if self.proposal or self.is_full:
            return []
        return [seat for seat in self.actors() if self.chairs[seat].bot]

    def actors(self) -> Sequence[Seat]:
        """Who may truly act now, which in an open window is a secret."""
        if self.table is None or self.stage != "playing" or self.is_paused:
            return ()
        return self.table.actors

    @property
    def is_full(self) -> bool:
        """Whether the log is so long that nothing more may be written."""
        return self.length >= LINES

    @property
    def is_paused(self) -> bool:
        """Whether all agreed to a pause."""
        return self.times.stopped is not None

    def players(self) -> list[Seat]:
        """The people who play their seats themselves."""
        return [seat for seat in self.persons() if not self.chairs[seat].bot]

    def timers(self, seat: Seat) -> list[tuple[Seat, int, int]]:
        """The clocks a seat, or a spectator, sees: of whom, and until when."""
        if self.stage != "playing" or self.is_paused or not self.pace.has_clocks:
            return []
        times = self.times
        return [
            (other, times.move_until(other), times.until(other))
            for other in self.visible_position(seat).actors
            if other in times.since and not self.chairs[other].bot and not self.is_race
        ]

    @property
    def has_running_clocks(self) -> bool:
        """Whether somebody's time is running."""
        return self.stage == "playing" and self.pace.has_clocks and not self.is_paused

    def deadline(self, seat: Seat) -> int | None:
        """When the time of somebody is over who truly may act now."""
        timed = self.pace.has_clocks and seat in self.actors() and seat in self.times.since
        own = self.chairs[seat].bot or (timed and self.is_race)
        return self.times.until(seat) if timed and not own else None

    @property
    def is_race(self) -> bool:
        """Whether the fastest hand counts now: that has a time of its own."""
        return self.game.is_race(self.visible_position(SPECTATOR))

    def slow_hands(self) -> list[Seat]:
        """The people who may act now and where the fastest hand counts."""
        return [
            seat
            for seat in self.actors()
            if not self.chairs[seat].bot and self.game.is_race(self.visible_position(seat))
        ]

    def position(self, seat: Seat) -> Position:
        """What a seat, or a spectator, knows."""
        return self.playing().position(seat)

    def visible_position(self, seat: Seat) -> Position:
        """What a seat, or a spectator, sees now; kept until something happens, for all who ask."""
        if seat not in self._glances:
            self._glances[seat] = self.game.combine(self.public_fields(), self.private_fields(seat))
        return self._glances[seat]

    def public_fields(self) -> Fields:
        """Of all glances what everybody sees."""
        if not self._public_fields:
            self._public_fields = self.playing().public_fields()
        return self._public_fields

    def private_fields(self, seat: Seat) -> Fields:
        """Of a glance what a seat, or a spectator, sees besides."""
        if seat not in self._own_parts:
            self._own_parts[seat] = self.playing().private_fields(seat)
        return self._own_parts[seat]

    def glance_json(self, seat: Seat) -> bytes:
        """A glance for the wire: what everybody sees is written once for all."""
        if not self._open_json:
            self._open_json = wire.write(self.public_fields())
        return wire.write(self.private_fields(seat))[:-1] + b"," + self._open_json[1:]

    def playing(self) -> Table:
        """The game in progress, or over."""
        if self.table is None:
            raise Refused("web.not_begun")
        return self.table

    def aids_memory(self) -> bool:
        """Whether what was shown for a moment is told again."""
        return self._aids_memory

    def events_for(self, seat: Seat, since: int = 0) -> list[Event]:
        """What a seat, or a spectator, may read of what has happened since then."""
        events = self.table.events[since:] if self.table else []
        return [event for event in events if self.may_read(event, seat)]

    def may_read(self, event: Event, seat: Seat) -> bool:
        """Whether a seat, or a spectator, may read of an event: what fades was only to be seen."""
        return event.is_for(seat) and (self._aids_memory or not event.is_transient)

    def chat_for(self, seat: Seat) -> list[Said]:
        """What a seat, or a spectator, may read of what was said."""
        return self.open_chat if seat == SPECTATOR else self.chat

    def sights(self, seat: Seat) -> list[Event]:
        """What a seat is shown and will have to remember: until its next move, and no longer."""
        if self.table is None or seat == SPECTATOR or self.aids_memory():
            return []
        events = self.table.events[self.fresh[seat] :]
        return [event for event in events if event.is_transient and event.is_for(seat)]

    def default_bot(self) -> str:
        """The bot that takes a seat when nobody says which."""
        return default_bot(self.game)

    def secret(self, purpose: str) -> bytes:
        """Something only the house can know, always the same for the same purpose."""
        return hmac.digest(self._seed, pack("cosca/house/1", self.code, purpose), "sha256")

    @property
    def alias(self) -> str:
        """What the table is called where its code must not be known, as in logs."""
        return self.secret("alias").hex()[:8]

    def record(self) -> str:
        """The record of a finished game."""
        if self.stage != "over":
            raise Refused("web.not_over")
        if self.opened.format == 1:
            names = [chair.name for chair in self.chairs]
            scribe = Scribe(self.game, self.settings, len(self.chairs), self._dice(), names)
            return scribe.write_all(self.playing().log)
        return self._chain().record(self.playing())

    def newest_link(self) -> Link | None:
        """Return the newest link of the chain that may be published; format 1 publishes none."""
        if self.table is None or self.opened.format == 1:
            return None
        return self._chain().newest(self.table, self.private_fields(SPECTATOR)["actors"])

    def _chain(self) -> Links:
        if self._links is None:
            self._links = Links(self._scribe())
        return self._links

    def _scribe(self) -> Scribe:
        seats = len(self.chairs)
        given = self.contributions.recorded(self.dealt_to, seats)
        return Scribe(self.game, self.settings, seats, self._dice(), self._names, given)

    def _dice(self, draws: int = 0) -> SealedDice:
        return SealedDice(self.code, self._seed, self._added(), draws, self.opened.format)

    def _added(self) -> dict[Seat, bytes]:
        """What goes into the dice besides the seed of the house."""
        if self.opened.format == 1:
            return {seat: chair.entropy for seat, chair in enumerate(self.chairs) if chair.entropy}
        return self.contributions.revealed

    # --- What follows from it ---------------------------------------------------------------------

    def asked(self) -> list[Seat]:
        """Who has not answered yet to what is proposed."""
        agreed = self.proposal.agreed if self.proposal else set(self.players())
        return [seat for seat in self.players() if seat not in agreed]

    def before_last_move(self, seat: Seat) -> tuple[int, int]:
        """How much had happened before a seat's last move, if it may be taken back.

        Never after chance has acted or somebody was shown something: that cannot be unseen. Nor
        while several answer in secret: who asks would hear whether somebody has.
        """
        table = self.playing()
        last = next((mark for mark in reversed(self._marks) if mark[0] == seat), None)
        if last is None:
            raise Refused("web.nothing_to_take_back")
        _, steps, events = last
        in_secret = len(self.visible_position(SPECTATOR).actors) > 1
        seen = any(
            event.audience is not None or event.is_transient for event in table.events[events:]
        )
        if in_secret or seen or any(who == CHANCE for who, _ in table.log[steps:]):
            raise Refused("web.already_seen")
        if not self._could_be_foreseen(steps, events):
            raise Refused("web.already_seen")
        return steps, events

    def _could_be_foreseen(self, steps: int, events: int) -> bool:
        """Whether what happened since then has shown nobody anything, as a card that is laid open.

        Asked of who knows least, a spectator: in all worlds that were possible it went like that.
        """
        table = self.playing()
        before = self.game.position(self._state_at(steps), SPECTATOR)
        for number in range(WORLDS):
            world = self.game.sample(before, Dice(number))
            told: list[Event] = []
            for seat, action in table.log[steps:]:
                if seat not in world.actors() or action not in world.legal_actions(seat):
                    return False
                told += self.game.events(world, seat, action)
                world.apply(seat, action)
            if told != table.events[events:]:
                return False
        return True

    def _state_at(self, steps: int) -> State:
        """Return a copy of the state after so many steps, from a checkpoint if there is one."""
        if steps in self._checkpoints:
            state: State = self._checkpoints[steps].copy()
            return state
        kept = self.playing().log[:steps]  # after which chance had acted: no dice are rolled
        table = Table.resume(self.game, self.settings, len(self.chairs), kept, self._dice())
        return table.checkpoint()

    def timeout_actions(self, seat: Seat) -> list[int]:
        """What is done for somebody who does not decide."""
        return [self.game.timeout_action(self.position(seat))]

    def substitute_bot(self) -> str:
        """The bot that keeps somebody's seat: as strong as those at the table."""
        bots = [chair.bot for chair in self.chairs if chair.bot and not chair.owners]
        known = list(roster(self.game))
        return max(bots, key=known.index) if bots else self.default_bot()

    def pass_actions(self, seat: Seat) -> list[int]:
        """The steps of doing nothing."""
        return self.playing().move_actions(seat, Move("pass"))

    def next_code(self) -> str:
        """The code of the table at which it goes on: asked twice, it is the same."""
        return code_from(self.secret("rematch"))

    def next_opening(self, seed: bytes, at: int) -> log_entries.Opened:
        """The first line of the table at which it goes on."""
        return log_entries.Opened(
            at=at,
            format=log_entries.FORMAT,
            code=self.next_code(),
            game=self.game.name,
            rules=self.game.version,
            settings=dict(self.settings),
            seats=["" if chair.owners else chair.bot for chair in self.chairs],
            host=self.opened.host,
            seed=seed.hex(),
            pace=self.pace.kind,
            move=self.pace.move,
            bank=self.pace.bank,
            listed=self.listed,
            spectator_chat=self.spectator_chat,
        )

    def next_sittings(self, at: int) -> list[LogEntry]:
        """The lines by which all people have their seats at the next table."""
        sittings: list[LogEntry] = []
        for seat in self.persons():
            chair = self.chairs[seat]
            first, *others = sorted(chair.owners)
            sittings.append(
                log_entries.Sat(at=at, seat=seat, name=chair.name, owner=first, key=chair.key)
            )
            sittings += [log_entries.Claimed(at=at, seat=seat, owner=other) for other in others]
        return sittings

    # --- What has happened ------------------------------------------------------------------------

    def apply(self, line: LogEntry, *, trusted: bool = False) -> None:
        """Let a line have its effect. One that was judged just now is not checked again."""
        self._look_again()
        if not trusted and not self._could_be(line):
            raise Refused("bad_log", line=self.length + 1)
        before = self._seen_to_act()
        if isinstance(line, log_entries.Moved):
            self._move(line, trusted)
        else:
            self._fold(line)
            self.arrangement += 1
        self._go_on_from(before, line.at)
        self.last = line.at
        self.length += 1
        self.tally.count(line)

    def _look_again(self) -> None:
        """Something happens: what was seen until now is gone."""
        self._glances.clear()
        self._own_parts.clear()
        self.written.clear()
        self._public_fields, self._open_json = {}, b""

    def _seen_to_act(self) -> Position | None:
        """What everybody sees, to tell whether somebody has something else to decide now."""
        if self.stage != "playing" or not (self.pace.has_clocks or self.proposal):
            return None
        return self.visible_position(SPECTATOR)

    def _go_on_from(self, before: Position | None, at: int) -> None:
        """If somebody has something else to decide than before, all that was for then is over.

        Not by an answer in secret: from nothing that everybody sees may it be told.
        """
        self._look_again()
        now = self._seen_to_act()
        if now is None or now == before:
            return
        self.times.begin(now.actors, at)
        if before is not None and self.proposal:
            self.proposal = None
            self.arrangement += 1

    def _could_be(self, line: LogEntry) -> bool:
        """Whether anybody could have been granted a line here. What is a move is for the rules."""
        if self.stage not in WHEN.get(type(line), STAGES):
            return False
        if isinstance(line, OF_THE_DEAL) and not self._could_be_of_deal(line):
            return False
        seat = getattr(line, "seat", None)
        if seat is None:
            return True
        if not 0 <= seat < len(self.chairs):
            return False
        chair: Chair = self.chairs[seat]
        if isinstance(line, log_entries.Sat):
            return chair.is_open
        if isinstance(line, log_entries.TakenBack) and chair.withheld:
            return False
        return bool(chair.owners) or not isinstance(line, OF_PEOPLE)

    def _could_be_of_deal(self, line: LogEntry) -> bool:
        """Whether a line fits the phase of the deal, and revealed bytes their commitment."""
        given = self.contributions
        if isinstance(line, log_entries.Stirred):
            return given.format == 1
        if isinstance(line, log_entries.Dealt):
            return given.format == 1 or given.is_closed
        if isinstance(line, log_entries.Revealed):
            fits = given.fits(line.seat, bytes.fromhex(line.contribution))
            return given.is_closed and fits and line.seat not in given.revealed
        if isinstance(line, log_entries.Committed) and line.seat in given.commitments:
            return False
        return given.phase == "commit"

    def _move(self, line: log_entries.Moved, trusted: bool) -> None:
        table = self.playing()
        if not trusted:  # a log from outside: compiled rules check nothing themselves
            table.check_actions(line.seat, line.actions)
        self._keep_checkpoint(table)
        self._marks.append((line.seat, len(table.log), len(table.events)))
        self.fresh[line.seat] = len(table.events)
        self.times.moved(line.seat, line.at)
        steps = len(table.log)
        table.play(line.seat, line.actions)
        if any(who == CHANCE for who, _ in table.log[steps:]):  # what came before is settled now
            self._checkpoints.clear()
        self.moves[line.seat] += 1
        if table.is_over:
            self.stage = "over"
            self.arrangement += 1

    def _keep_checkpoint(self, table: Table) -> None:
        """Keep the state before a move, so that taking it back replays nothing."""
        self._checkpoints[len(table.log)] = table.checkpoint()
        while len(self._checkpoints) > MOST_CHECKPOINTS:
            del self._checkpoints[next(iter(self._checkpoints))]

    @singledispatchmethod
    def _fold(self, line: LogEntry) -> None:
        raise Refused("bad_log", line=self.length + 1)

    @_fold.register
    def _(self, line: log_entries.Sat) -> None:
        self.chairs[line.seat] = Chair(name=line.name, owners={line.owner}, key=line.key)

    @_fold.register
    def _(self, line: log_entries.Claimed) -> None:
        self.chairs[line.seat].owners.add(line.owner)

    @_fold.register
    def _(self, line: log_entries.Freed) -> None:
        self.chairs[line.seat] = Chair()

    @_fold.register
    def _(self, line: log_entries.Filled) -> None:
        chair = self.chairs[line.seat]
        chair.bot = line.bot
        chair.name = chair.name if chair.owners else line.bot
        chair.until_back = line.until_back
        self._settle_proposal(line.at)

    @_fold.register
    def _(self, line: log_entries.Expelled) -> None:
        entropy = self.chairs[line.seat].entropy  # the dice are as they were sealed
        self.chairs[line.seat] = Chair(name=line.bot, bot=line.bot, entropy=entropy)
        self._settle_proposal(line.at)

    @_fold.register
    def _(self, line: log_entries.TakenBack) -> None:
        self.chairs[line.seat].bot = ""
        self.chairs[line.seat].until_back = False

    @_fold.register
    def _(self, line: log_entries.Overdue) -> None:
        self._move(
            log_entries.Moved(at=line.at, seat=line.seat, actions=line.actions), trusted=False
        )
        self.chairs[line.seat].bot = line.bot
        self.chairs[line.seat].until_back = True

    @_fold.register
    def _(self, line: log_entries.Woken) -> None:
        self.times.wake(line.at, line.alive)

    @_fold.register
    def _(self, line: log_entries.Proposed) -> None:
        self.proposal = Proposal(line.what, line.seat, {line.seat})
        self._settle_proposal(line.at)

    @_fold.register
    def _(self, line: log_entries.Answered) -> None:
        if self.proposal and line.agrees:
            self.proposal.agreed.add(line.seat)
            self._settle_proposal(line.at)
        else:
            self.proposal = None

    @_fold.register
    def _(self, line: log_entries.Resumed) -> None:
        self.times.go_on(line.at)

    def _settle_proposal(self, at: int) -> None:
        """Do what was proposed when everybody has agreed."""
        proposal = self.proposal
        if proposal and proposal.seat not in self.players():
            self.proposal = None  # who is gone wants nothing any more
        if self.proposal is None or proposal is None or self.asked():
            return
        self.proposal = None
        if proposal.what == "pause":
            self.times.stop(at)
        else:
            with contextlib.suppress(Refused):  # somebody has answered in secret meanwhile
                self._take_back(proposal.seat)

    def _take_back(self, seat: Seat) -> None:
        """Go back to before a seat's last move. The dice are as they were: they have not rolled."""
        steps, events = self.before_last_move(seat)
        self.playing().rewind(self._state_at(steps), steps, events)
        while self._marks and self._marks[-1][1] >= steps:
            self._checkpoints.pop(self._marks.pop()[1], None)
        self.fresh = [min(fresh, events) for fresh in self.fresh]
        self._links = None
        self.taken_back.append(steps)
        self.tally.takebacks += 1

    @_fold.register
    def _(self, line: log_entries.Stirred) -> None:
        self.chairs[line.seat].entropy = bytes.fromhex(line.entropy)

    @_fold.register
    def _(self, line: log_entries.Committed) -> None:
        self.contributions.commitments[line.seat] = line.commitment

    @_fold.register
    def _(self, line: log_entries.CommitmentsClosed) -> None:
        self.contributions.is_closed = True

    @_fold.register
    def _(self, line: log_entries.Revealed) -> None:
        self.contributions.revealed[line.seat] = bytes.fromhex(line.contribution)

    @_fold.register
    def _(self, line: log_entries.Started) -> None:
        for chair in self.chairs:
            if chair.is_open:
                chair.name = chair.bot = line.bot
        self.stage = "sealing"

    @_fold.register
    def _(self, line: log_entries.Dealt) -> None:
        self._names = [chair.name for chair in self.chairs]
        self.dealt_to = self.persons()
        for seat in self.contributions.missing:
            self.chairs[seat].bot = line.bot or self.default_bot()
            self.chairs[seat].withheld = True
        self.table = Table(self.game, self.settings, len(self.chairs), self._dice())
        self.stage = "playing"

    @_fold.register
    def _(self, line: log_entries.Spoken) -> None:
        said = Said(line.seat, self.chairs[line.seat].name, line.text)
        self.chat.append(said)
        if self.spectator_chat:
            self.open_chat.append(said)
        self.arrangement -= 1  # said to the table, but nobody has moved a chair

    @_fold.register
    def _(self, line: log_entries.PrivacySet) -> None:
        self.listed = line.listed
        self.spectator_chat = line.spectator_chat

    @_fold.register
    def _(self, line: log_entries.Continued) -> None:
        self.rematch = line.code


MOST_CHECKPOINTS: Final = 32
"""So many states are kept for takebacks; an older one is replayed from the log."""
WORLDS: Final = 16
"""In so many worlds it is looked whether a move has shown something."""
STAGES: Final = get_args(commands.Stage)
WHEN: Final[Mapping[type, Sequence[str]]] = {
    log_entries.Sat: ("lobby",),
    log_entries.Freed: ("lobby",),
    log_entries.Started: ("lobby",),
    log_entries.Stirred: ("lobby", "sealing"),
    log_entries.Committed: ("sealing",),
    log_entries.CommitmentsClosed: ("sealing",),
    log_entries.Revealed: ("sealing",),
    log_entries.Dealt: ("sealing",),
    log_entries.Expelled: ("sealing", "playing"),
    log_entries.Moved: ("playing",),
    log_entries.Filled: ("lobby", "sealing", "playing"),
    log_entries.TakenBack: ("sealing", "playing", "over"),
    log_entries.Continued: ("over",),
    log_entries.Overdue: ("playing",),
    log_entries.Woken: ("playing",),
    log_entries.Proposed: ("playing",),
    log_entries.Answered: ("playing",),
    log_entries.Resumed: ("playing",),
}
"""At which stages a line can be; others can be at any."""
OF_THE_DEAL: Final = (
    log_entries.Stirred,
    log_entries.Committed,
    log_entries.CommitmentsClosed,
    log_entries.Revealed,
    log_entries.Dealt,
)
"""Lines that can only be in one phase of the deal."""
OF_PEOPLE: Final = (
    log_entries.Claimed,
    log_entries.Expelled,
    log_entries.Spoken,
    log_entries.Stirred,
    log_entries.Committed,
    log_entries.Revealed,
    log_entries.TakenBack,
    log_entries.Overdue,
    log_entries.Proposed,
    log_entries.Answered,
    log_entries.Resumed,
)
"""Lines that concern a seat which somebody has."""


def room_from_log(log: Sequence[LogEntry]) -> Room:
    """The room whose log this is. One that breaks the rules is refused."""
    if not log or not isinstance(log[0], log_entries.Opened):
        raise Refused("bad_log", line=1)
    room = Room(log[0])
    for line in log[1:]:
        room.apply(line)
    return room
