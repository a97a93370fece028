"""Whoever has seen everything: reads what is committed, and looks at every message to a browser.

It folds the log itself, so that it knows at any moment what each pair of eyes may know. What a
browser has been told must be that of one moment of the log, and never of one before the last.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import msgspec

from cosca.core.names import SPECTATOR, Seat
from cosca.server import wire
from cosca.server.domain import commands, log_entries
from cosca.server.domain.judge import Judge
from cosca.server.domain.log_entries import LogEntry, decode_entry
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.house_clock import HEARTBEAT_SECONDS
from cosca.server.live.views import Viewer, ViewFormat
from tests.simulation.browser import NULL, Asked, Browser, Folded, Told, rolled
from tests.simulation.disk import Platter

EARLY: Final = 2.0
"""Seconds by which the time between two moments is known here: so slow may the disk be."""
BEHIND: Final = 25
"""So many lines may have been written while a message was under way."""
NOT_JUDGED_HERE: Final = (commands.Fill,)
"""What is granted by who has the table open, which the log does not tell."""

Moment = tuple[bytes, bytes, str, bytes, bytes]
"""What some eyes know: the room, the view, the events, what was said, and the newest link."""


@dataclass
class Sight:
    """All that one pair of eyes could know, moment by moment."""

    eyes: Viewer
    moments: dict[Moment, list[int]] = field(default_factory=dict)
    """Of each moment after which lines of the log it was so."""
    last: Moment = (NULL, NULL, "", b"", NULL)
    digest: str = ""
    events: int = 0
    rewound: int = 0

    def look(self, room: Room) -> None:
        """See what there is to see after another line."""
        if len(room.takebacks.steps) != self.rewound:
            self.digest, self.events, self.rewound = "", 0, len(room.takebacks.steps)
        for event in views.visible_events(room, self.eyes, self.events):
            self.digest = rolled(self.digest, wire.write(event))
        self.events = len(room.table.events) if room.table else 0
        seen = wire.write(views.room_payload(room, self.eyes, ()))
        view = wire.write(views.current_view(room, self.eyes))
        said = b",".join(map(wire.write, room.chat.readable_by(self.eyes.seat)))
        self.last = (seen, view, self.digest, said, wire.write(views.newest_link(room)))
        self.moments.setdefault(self.last, []).append(room.length)

    def earliest(self, known: Moment, since: int) -> int | None:
        """After which line that was all there was to know, none before that one."""
        return min([at for at in self.moments.get(known, []) if at >= since], default=None)


@dataclass
class Downtime:
    """The virtual time in which no house ran the clocks of the table."""

    seconds: float = 0.0
    since: float | None = None
    restarts: int = 0
    """How often a house was opened again, be it beside another one that ran on."""

    def begin(self, now: float) -> None:
        """The last house that ran them is gone."""
        self.since = now if self.since is None else self.since

    def end(self, now: float) -> None:
        """A house runs them again."""
        if self.since is not None:
            self.seconds += now - self.since
            self.since = None


@dataclass
class Watch:
    """How long each person has really thought, by virtual time in which a house ran."""

    downtime: Downtime
    since: dict[Seat, tuple[int, float, int]] = field(default_factory=dict)
    """Of each clock: when it began by the log, and really, and after how many restarts."""
    stopped: float | None = None

    def time(self, now: float) -> float:
        """How long houses have run so far."""
        running = now if self.downtime.since is None else self.downtime.since
        return running - self.downtime.seconds

    def look(self, room: Room, line: LogEntry, now: float) -> None:
        """Clocks may have begun, or gone on."""
        ran = self.time(now)
        pause = ran - self.stopped if self.stopped is not None else 0.0
        for seat, at in room.clocks.since.items():
            before = self.since.get(seat)
            if isinstance(line, log_entries.Resumed | log_entries.Woken) and before:
                self.since[seat] = (at, before[1] + pause, before[2])
            elif before is None or before[0] != at:
                self.since[seat] = (at, ran, self.downtime.restarts)
        self.since = {seat: self.since[seat] for seat in room.clocks.since}
        if not room.is_paused:
            self.stopped = None
        elif self.stopped is None:
            self.stopped = ran

    def thought(self, seat: Seat, now: float) -> tuple[float, float]:
        """How long somebody has really thought; and at the least, if restarts gave some back."""
        _, since, restarts = self.since[seat]
        really = self.time(now) - since
        return really, really - (self.downtime.restarts - restarts) * (
            HEARTBEAT_SECONDS + EARLY
        ) - EARLY


class Witness:
    """One table, as it truly is."""

    def __init__(
        self, platter: Platter, code: str, now: Callable[[], float], key: Callable[[str], str]
    ) -> None:
        self._platter = platter
        self.code = code
        self._now = now
        self._key = key
        self.keys: dict[str, int] = {}
        """Of each command that was granted its line."""
        self.asked: dict[str, Asked] = {}
        self.downtime = Downtime()
        self._watch = Watch(self.downtime)
        self._sights: dict[Viewer, Sight] = {}
        self._had_seat: set[tuple[str, Seat]] = set()
        self.owners: tuple[str, ...] = ()
        opened = decode_entry(platter.lines(code)[0][1])
        assert isinstance(opened, log_entries.Opened)
        self.room = Room(opened)
        self.read()

    # --- What is written --------------------------------------------------------------------------

    def read(self) -> None:
        """Look at what was committed just now."""
        for key, body in self._platter.lines(self.code, self.room.length if self.keys else 0):
            self._note(self._key(key), decode_entry(body))

    def _note(self, key: str, line: LogEntry) -> None:
        assert key not in self.keys, f"{key} was done twice"
        self.keys[key] = len(self.keys)
        if isinstance(line, log_entries.Sat | log_entries.Claimed):
            self._had_seat.add((line.owner, line.seat))
        if not isinstance(line, log_entries.Opened):
            self._is_what_was_asked(key, line)
            if isinstance(line, log_entries.Woken):
                self.downtime.end(self._now())
            if isinstance(line, log_entries.Overdue):
                self._had_time(line)
            banks = list(self.room.clocks.banks)
            self.room.apply(line)
            assert all(now <= was for now, was in zip(self.room.clocks.banks, banks, strict=True))
            self._watch.look(self.room, line, self._now())
            self._clocks_are_right(line)
            self._one_seat_each()
        for sight in self._sights.values():
            sight.look(self.room)

    def _is_what_was_asked(self, key: str, line: LogEntry) -> None:
        """A line by which a command was granted is what the rules make of it at this place."""
        asked = self.asked.get(key)
        if asked is None or isinstance(asked.command, NOT_JUDGED_HERE):
            return
        owner = next(who for who in self.owners if key.startswith(who[:16]))
        assert Judge(self.room).command(owner, asked.command, (), line.at) == line

    def _had_time(self, line: log_entries.Overdue) -> None:
        """Nobody's time is over before it is over: clocks that jump, and downtime, are nobody's."""
        times = self.room.clocks
        allowed = (times.until(line.seat) - times.since[line.seat]) / 1000
        had, _ = self._watch.thought(line.seat, self._now())
        assert had >= allowed - EARLY, f"seat {line.seat} had {had:.1f} s of {allowed:.1f} s"

    def _clocks_are_right(self, line: LogEntry) -> None:
        """A restart gives back the time in which no house ran, and a heartbeat; it takes none."""
        if not self.room.has_running_clocks:
            return
        for seat, since in self.room.clocks.since.items():
            told = (line.at - since) / 1000
            most, least = self._watch.thought(seat, self._now())
            assert told <= most + EARLY, f"{told - most:.1f} s were taken from seat {seat}"
            assert told >= least, f"{most - told:.1f} s were given to seat {seat}"

    def _one_seat_each(self) -> None:
        owners = [owner for chair in self.room.seats for owner in chair.owners]
        assert len(set(owners)) == len(owners), "somebody has two seats"

    # --- What is told -----------------------------------------------------------------------------

    def sight(self, owner: str, style: ViewFormat) -> Sight:
        """What somebody may know now, and could know before with the same eyes."""
        eyes = Viewer(self.room.seats.of(owner), self.room.seats.is_host(owner), style)
        if eyes not in self._sights:
            self._sights[eyes] = self._looked_back(eyes)
        return self._sights[eyes]

    def _looked_back(self, eyes: Viewer) -> Sight:
        """What eyes could know of late which nobody had until now."""
        sight = Sight(eyes)
        log = [decode_entry(body) for _, body in self._platter.lines(self.code)]
        assert isinstance(log[0], log_entries.Opened)
        room = Room(log[0])
        for line in log[1:]:
            room.apply(line)
            if room.length >= len(log) - BEHIND:
                sight.look(room)
        return sight

    def heard(self, browser: Browser, message: bytes, told: Told) -> None:
        """Look at a message: whether it may be, whether it is true."""
        self._no_secret(browser, message)
        if told.type in ("sync", "update"):
            self._is_of_one_moment(browser)
        elif told.type == "done":
            key = f"{browser.owner[:16]}:{told.id}"
            assert key in self.keys, f"{key} is acknowledged and not written"
        elif told.type == "pong":
            self._goes_forward(browser, told.now)

    def _no_secret(self, browser: Browser, message: bytes) -> None:
        """The seed is nobody's, and what a browser contributes, or is known by, is its own."""
        assert self.room.opened.seed.encode() not in message, "the seed is told"
        for contribution in self.room.deal.contributions.revealed.values():
            assert contribution.hex().encode() not in message
        for chair in self.room.seats:
            assert not chair.key or chair.key.encode() not in message
        assert not any(owner.encode() in message for owner in self.owners)

    def _is_of_one_moment(self, browser: Browser) -> None:
        """What a browser knows now is what its eyes could know after some line of the log."""
        you, is_host = _looks(browser.known)
        eyes = Viewer(you, is_host, browser.style)
        if eyes not in self._sights:
            self._sights[eyes] = self._looked_back(eyes)
        known = as_moment(browser.known)
        at = self._sights[eyes].earliest(known, browser.reached)
        if at is None:
            raise AssertionError(self._difference(browser, self._sights[eyes], known))
        browser.reached = at
        self._has_those_eyes(browser, you)

    def _has_those_eyes(self, browser: Browser, you: Seat) -> None:
        """Nobody looks with the eyes of a seat that was never theirs."""
        assert you == SPECTATOR or (browser.owner, you) in self._had_seat

    def _difference(self, browser: Browser, sight: Sight, known: Moment) -> str:
        told = [f"{browser.name} knows what it never could (since line {browser.reached}):"]
        moments = list(sight.moments)
        for number, part in enumerate(("room", "view", "events", "chat", "link")):
            fits = [moment for moment in moments if moment[number] == known[number]]
            if fits:
                told.append(f"{part} as after {[sight.moments[fit] for fit in fits]}")
            else:
                told.append(f"{part} never: {known[number]!r} last: {sight.last[number]!r}")
        return "\n".join(told)

    def _goes_forward(self, browser: Browser, now: int) -> None:
        """What time a house says that it is never goes back, as long as it is the same."""
        assert now >= browser.house_time, "the time of the house goes back"
        browser.house_time = now

    # --- At the end -------------------------------------------------------------------------------

    def all_is_answered_once(self, browser: Browser) -> None:
        """Every answer to a command was the same, and what it says is so."""
        for id, asked in browser.asked.items():
            if isinstance(asked.command, commands.Ping | commands.PreviewActions):
                continue
            key = f"{browser.owner[:16]}:{id}"
            assert len(asked.final) <= 1, f"{key} was answered {asked.final}"
            for answer in asked.final:
                done = b'"type":"done"' in answer
                assert done == (key in self.keys), f"{key}: {answer!r} is not so"

    def knows_all(self, browser: Browser) -> None:
        """A browser knows what there is to know at the end of the log."""
        sight = self.sight(browser.owner, browser.style)
        known = as_moment(browser.known)
        assert known == sight.last, self._difference(browser, sight, known)


def _looks(known: Folded) -> tuple[Seat, bool]:
    room = msgspec.json.decode(known.room)
    return room["you"], room["host"]


def as_moment(known: Folded) -> Moment:
    """What a browser knows, to be compared; who has the table open is in no log."""
    room = known.room.replace(b'"present":true', b'"present":false')
    room = re.sub(rb'"watchers":\d+', b'"watchers":0', room)
    return (
        room,
        known.view,
        known.digest,
        b",".join(known.chat),
        known.link,
    )
