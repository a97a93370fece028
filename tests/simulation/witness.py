"""The witness: reads every commit, and checks every message to a browser.

It replays the log itself, so it knows what each viewer may know after each entry. What a browser
knows must be what its viewer may know after some entry, and it must never go back.
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
from tests.simulation.browser import NULL, Browser, Known, Message, SentCommand, rolling_digest
from tests.simulation.disk import SimDisk

EARLY: Final = 2.0
"""Tolerance of times, in seconds: the disk may be this slow."""
BEHIND: Final = 25
"""Entries that may be written while a message is under way."""
NOT_JUDGED_HERE: Final = (commands.Fill,)
"""Commands that are judged by who is present, which is not in the log."""

Snapshot = tuple[bytes, bytes, str, bytes, bytes]
"""What a viewer knows: the room, the view, the events, the chat and the newest link."""


@dataclass
class ViewHistory:
    """What one viewer could know after each log entry."""

    viewer: Viewer
    snapshots: dict[Snapshot, list[int]] = field(default_factory=dict)
    """Each snapshot with the log lengths at which it was current."""
    last: Snapshot = (NULL, NULL, "", b"", NULL)
    digest: str = ""
    events: int = 0
    rewound: int = 0

    def look(self, room: Room) -> None:
        """Add the snapshot after another entry."""
        if len(room.takebacks.steps) != self.rewound:
            self.digest, self.events, self.rewound = "", 0, len(room.takebacks.steps)
        for event in views.visible_events(room, self.viewer, self.events):
            self.digest = rolling_digest(self.digest, wire.write(event))
        self.events = len(room.table.events) if room.table else 0
        seen = wire.write(views.room_payload(room, self.viewer, ()))
        view = wire.write(views.current_view(room, self.viewer))
        said = b",".join(map(wire.write, room.chat.readable_by(self.viewer.seat)))
        self.last = (seen, view, self.digest, said, wire.write(views.newest_link(room)))
        self.snapshots.setdefault(self.last, []).append(room.length)

    def earliest(self, known: Snapshot, since: int) -> int | None:
        """Return the first log length, from one on, at which a snapshot was current."""
        return min([at for at in self.snapshots.get(known, []) if at >= since], default=None)


@dataclass
class Downtime:
    """The virtual time in which no house ran the clocks of the table."""

    seconds: float = 0.0
    since: float | None = None
    restarts: int = 0
    """How often a house was restarted, even while another one ran on."""

    def begin(self, now: float) -> None:
        """The last house that ran them is gone."""
        self.since = now if self.since is None else self.since

    def end(self, now: float) -> None:
        """A house runs them again."""
        if self.since is not None:
            self.seconds += now - self.since
            self.since = None


@dataclass
class ThinkingTimes:
    """How long each person has really thought, in virtual time during which a house ran."""

    downtime: Downtime
    since: dict[Seat, tuple[int, float, int]] = field(default_factory=dict)
    """For each clock: its start by the log, its real start, and the restarts before it."""
    stopped: float | None = None

    def time(self, now: float) -> float:
        """Return how long houses have run so far."""
        running = now if self.downtime.since is None else self.downtime.since
        return running - self.downtime.seconds

    def look(self, room: Room, entry: LogEntry, now: float) -> None:
        """Note which clocks have started or resumed."""
        ran = self.time(now)
        pause = ran - self.stopped if self.stopped is not None else 0.0
        for seat, at in room.clocks.since.items():
            before = self.since.get(seat)
            if isinstance(entry, log_entries.Resumed | log_entries.Woken) and before:
                self.since[seat] = (at, before[1] + pause, before[2])
            elif before is None or before[0] != at:
                self.since[seat] = (at, ran, self.downtime.restarts)
        self.since = {seat: self.since[seat] for seat in room.clocks.since}
        if not room.is_paused:
            self.stopped = None
        elif self.stopped is None:
            self.stopped = ran

    def thought(self, seat: Seat, now: float) -> tuple[float, float]:
        """Return how long somebody has really thought, and the least that clocks may show of it."""
        _, since, restarts = self.since[seat]
        really = self.time(now) - since
        return really, really - (self.downtime.restarts - restarts) * (
            HEARTBEAT_SECONDS + EARLY
        ) - EARLY


class Witness:
    """Knows the true state of one table, and checks what others make of it."""

    def __init__(
        self, disk: SimDisk, code: str, now: Callable[[], float], key: Callable[[str], str]
    ) -> None:
        self._disk = disk
        self.code = code
        self._now = now
        self._key = key
        self.keys: dict[str, int] = {}
        """The number of the log entry of each granted command."""
        self.sent: dict[str, SentCommand] = {}
        self.downtime = Downtime()
        self._thinking = ThinkingTimes(self.downtime)
        self._histories: dict[Viewer, ViewHistory] = {}
        self._had_seat: set[tuple[str, Seat]] = set()
        self.owners: tuple[str, ...] = ()
        opened = decode_entry(disk.entries(code)[0][1])
        assert isinstance(opened, log_entries.Opened)
        self.room = Room(opened)
        self.read()

    # --- What is written --------------------------------------------------------------------------

    def read(self) -> None:
        """Read and check what was just committed."""
        for key, body in self._disk.entries(self.code, self.room.length if self.keys else 0):
            self._note(self._key(key), decode_entry(body))

    def _note(self, key: str, entry: LogEntry) -> None:
        assert key not in self.keys, f"{key} was done twice"
        self.keys[key] = len(self.keys)
        if isinstance(entry, log_entries.Sat | log_entries.Claimed):
            self._had_seat.add((entry.owner, entry.seat))
        if not isinstance(entry, log_entries.Opened):
            self._check_granted(key, entry)
            if isinstance(entry, log_entries.Woken):
                self.downtime.end(self._now())
            if isinstance(entry, log_entries.Overdue):
                self._check_had_time(entry)
            banks = list(self.room.clocks.banks)
            self.room.apply(entry)
            assert all(now <= was for now, was in zip(self.room.clocks.banks, banks, strict=True))
            self._thinking.look(self.room, entry, self._now())
            self._check_clocks(entry)
            self._check_one_seat_each()
        for history in self._histories.values():
            history.look(self.room)

    def _check_granted(self, key: str, entry: LogEntry) -> None:
        """Check that the entry of a granted command is what the judge returns here."""
        sent = self.sent.get(key)
        if sent is None or isinstance(sent.command, NOT_JUDGED_HERE):
            return
        owner = next(who for who in self.owners if key.startswith(who[:16]))
        assert Judge(self.room).command(owner, sent.command, (), entry.at) == entry

    def _check_had_time(self, entry: log_entries.Overdue) -> None:
        """Check that nobody runs out of time early, despite clock jumps and downtime."""
        times = self.room.clocks
        allowed = (times.until(entry.seat) - times.since[entry.seat]) / 1000
        had, _ = self._thinking.thought(entry.seat, self._now())
        assert had >= allowed - EARLY, f"seat {entry.seat} had {had:.1f} s of {allowed:.1f} s"

    def _check_clocks(self, entry: LogEntry) -> None:
        """Check that a restart refunds the downtime and at most a heartbeat, and takes nothing."""
        if not self.room.has_running_clocks:
            return
        for seat, since in self.room.clocks.since.items():
            used = (entry.at - since) / 1000
            most, least = self._thinking.thought(seat, self._now())
            assert used <= most + EARLY, f"{used - most:.1f} s were taken from seat {seat}"
            assert used >= least, f"{most - used:.1f} s were given to seat {seat}"

    def _check_one_seat_each(self) -> None:
        owners = [owner for chair in self.room.seats for owner in chair.owners]
        assert len(set(owners)) == len(owners), "somebody has two seats"

    # --- Messages ---------------------------------------------------------------------------------

    def history_of(self, owner: str, format: ViewFormat) -> ViewHistory:
        """Return what somebody may know now, and could know before."""
        viewer = Viewer(self.room.seats.of(owner), self.room.seats.is_host(owner), format)
        if viewer not in self._histories:
            self._histories[viewer] = self._replayed(viewer)
        return self._histories[viewer]

    def _replayed(self, viewer: Viewer) -> ViewHistory:
        """Return the recent history of a viewer that is new."""
        history = ViewHistory(viewer)
        log = [decode_entry(body) for _, body in self._disk.entries(self.code)]
        assert isinstance(log[0], log_entries.Opened)
        room = Room(log[0])
        for entry in log[1:]:
            room.apply(entry)
            if room.length >= len(log) - BEHIND:
                history.look(room)
        return history

    def receive(self, browser: Browser, message: bytes, decoded: Message) -> None:
        """Check a message: that it leaks nothing, and that it is true."""
        self._check_no_secret(browser, message)
        if decoded.type in ("sync", "update"):
            self._check_snapshot(browser)
        elif decoded.type == "done":
            key = f"{browser.owner[:16]}:{decoded.id}"
            assert key in self.keys, f"{key} is acknowledged and not written"
        elif decoded.type == "pong":
            self._check_time(browser, decoded.now)

    def _check_no_secret(self, browser: Browser, message: bytes) -> None:
        """Check that a message holds no seed, contribution or token."""
        assert self.room.opened.seed.encode() not in message, "the seed is sent"
        for contribution in self.room.deal.contributions.revealed.values():
            assert contribution.hex().encode() not in message
        for chair in self.room.seats:
            assert not chair.key or chair.key.encode() not in message
        assert not any(owner.encode() in message for owner in self.owners)

    def _check_snapshot(self, browser: Browser) -> None:
        """Check that what a browser knows is what its viewer could know after some entry."""
        you, is_host = _looks(browser.known)
        viewer = Viewer(you, is_host, browser.format)
        if viewer not in self._histories:
            self._histories[viewer] = self._replayed(viewer)
        known = as_snapshot(browser.known)
        at = self._histories[viewer].earliest(known, browser.reached)
        if at is None:
            raise AssertionError(self._difference(browser, self._histories[viewer], known))
        browser.reached = at
        self._check_had_seat(browser, you)

    def _check_had_seat(self, browser: Browser, you: Seat) -> None:
        """Check that nobody sees the view of a seat that was never theirs."""
        assert you == SPECTATOR or (browser.owner, you) in self._had_seat

    def _difference(self, browser: Browser, history: ViewHistory, known: Snapshot) -> str:
        parts = [f"{browser.name} knows what it never could (since entry {browser.reached}):"]
        snapshots = list(history.snapshots)
        for number, part in enumerate(("room", "view", "events", "chat", "link")):
            matching = [snapshot for snapshot in snapshots if snapshot[number] == known[number]]
            if matching:
                parts.append(f"{part} as after {[history.snapshots[one] for one in matching]}")
            else:
                parts.append(f"{part} never: {known[number]!r} last: {history.last[number]!r}")
        return "\n".join(parts)

    def _check_time(self, browser: Browser, now: int) -> None:
        """Check that the time of a house never goes back on one connection."""
        assert now >= browser.house_time, "the time of the house goes back"
        browser.house_time = now

    # --- At the end -------------------------------------------------------------------------------

    def check_answers(self, browser: Browser) -> None:
        """Check that all answers to a command are the same, and true."""
        for id, sent in browser.sent.items():
            if isinstance(sent.command, commands.Ping | commands.PreviewActions):
                continue
            key = f"{browser.owner[:16]}:{id}"
            assert len(sent.final) <= 1, f"{key} was answered {sent.final}"
            for answer in sent.final:
                done = b'"type":"done"' in answer
                assert done == (key in self.keys), f"{key}: {answer!r} is not so"

    def check_knows_all(self, browser: Browser) -> None:
        """Check that a browser knows everything up to the end of the log."""
        history = self.history_of(browser.owner, browser.format)
        known = as_snapshot(browser.known)
        assert known == history.last, self._difference(browser, history, known)


def _looks(known: Known) -> tuple[Seat, bool]:
    room = msgspec.json.decode(known.room)
    return room["you"], room["host"]


def as_snapshot(known: Known) -> Snapshot:
    """Return what a browser knows for comparison, without who is present."""
    room = known.room.replace(b'"present":true', b'"present":false')
    room = re.sub(rb'"watchers":\d+', b'"watchers":0', room)
    return (
        room,
        known.view,
        known.digest,
        b",".join(known.chat),
        known.link,
    )
