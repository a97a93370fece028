"""A browser, as `web/src/lib/table.svelte.ts` is one.

It keeps a command until it is answered, sends it again with the same id after a lost line, and
folds what it is told. Other than that one it also gives up a line on which nothing is told at all.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Protocol

import msgspec

from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.live.views import ViewFormat
from tests.server.contributions import Contributor
from tests.simulation.disk import HARDLY
from tests.simulation.loop import SimLoop
from tests.simulation.network import Connection

FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 8.0
TIMEOUT: Final = 6.0
CLOSED_FOR_GOOD: Final = 1008
TRANSIENT: Final = (b'"web.not_written"', b'"web.too_fast"')
"""Refusals that are not for good: who asks again may be granted it."""


class Told(msgspec.Struct):
    """Of a message what a browser keeps, as it was written."""

    type: str
    id: str = ""
    now: int = 0
    room: msgspec.Raw = msgspec.Raw()
    view: msgspec.Raw = msgspec.Raw()
    events: list[msgspec.Raw] = []
    chat: list[msgspec.Raw] = []
    link: msgspec.Raw = msgspec.Raw()


read_told = msgspec.json.Decoder(Told).decode
NULL: Final = b"null"


@dataclass
class Asked:
    """A command, and all answers that ever came."""

    command: commands.AnyCommand
    since: float
    answers: list[bytes] = field(default_factory=list)

    @property
    def final(self) -> set[bytes]:
        """The answers that are for good."""
        return {told for told in self.answers if not any(key in told for key in TRANSIENT)}


@dataclass
class Folded:
    """What a browser has been told, all in all."""

    room: bytes = NULL
    view: bytes = NULL
    events: list[bytes] = field(default_factory=list)
    chat: list[bytes] = field(default_factory=list)
    link: bytes = NULL
    """The newest link of the chain."""
    digest: str = ""
    """Of the events."""

    def sync(self, told: Told) -> None:
        """Begin anew."""
        self.room, self.view, self.link = bytes(told.room), bytes(told.view), bytes(told.link)
        self.events, self.chat, self.digest = [], [], ""
        self._add(told)

    def update(self, told: Told) -> bool:
        """Take in what is new; whether anything was."""
        before = (self.room, self.view, self.link, len(self.events), len(self.chat))
        self.room = bytes(told.room) or self.room
        self.view = bytes(told.view) or self.view
        self.link = bytes(told.link) or self.link
        self._add(told)
        return before != (self.room, self.view, self.link, len(self.events), len(self.chat))

    def _add(self, told: Told) -> None:
        for event in told.events:
            self.events.append(bytes(event))
            self.digest = rolled(self.digest, bytes(event))
        self.chat += [bytes(said) for said in told.chat]


def rolled(digest: str, event: bytes) -> str:
    """The digest of some events and one more."""
    return hashlib.blake2b(digest.encode() + event, digest_size=8).hexdigest()


class World(Protocol):
    """What a browser needs of the world around it."""

    loop: SimLoop

    def connect(self, browser: "Browser") -> Connection | None:
        """A line to a house, if there is one."""
        ...

    def note(self, *words: object) -> None:
        """Tell what happens, for the story."""
        ...

    def heard(self, browser: "Browser", message: bytes, told: Told) -> None:
        """Look at what a browser was told."""
        ...


class Browser:
    """One person's browser at one table."""

    def __init__(self, world: World, name: str, owner: str, style: ViewFormat, rng: Random) -> None:
        self.world = world
        self.name = name
        self.owner = owner
        self.style: ViewFormat = style
        self.rng = rng
        self.known = Folded()
        self.link = "joining"
        self.line: Connection | None = None
        self.unanswered: dict[str, Asked] = {}
        self.asked: dict[str, Asked] = {}
        """Everything that was ever asked, to the end."""
        self.reached = 0
        """How far in the log this line has told."""
        self.house_time = 0
        self.is_away = True
        self._tries = 0
        self._visits = 0
        self._connected = 0.0
        self._contributor = Contributor(f"{name}/{rng.random()}")

    # --- Coming and going -----------------------------------------------------------------------

    def open(self) -> None:
        """Open the page."""
        self.is_away = False
        self.link = "joining"
        self.known = Folded()
        self._visits += 1
        self._watch(self._visits)
        self._connect()

    def close(self) -> None:
        """Close the page: what was not answered is forgotten here, but may happen."""
        self.is_away = True
        self._visits += 1
        self.unanswered.clear()
        self._drop()

    def _connect(self) -> None:
        if self.is_away or self.line is not None:
            return
        self.line = self.world.connect(self)
        self._connected = self.world.loop.time()
        self.reached = self.house_time = 0
        if self.line is None:
            self._retry()

    def _drop(self) -> None:
        line, self.line = self.line, None
        if line is not None:
            line.hang_up()

    def lost(self, line: Connection, code: int) -> None:
        """The line is closed, by the house or by the network."""
        if line is not self.line:
            return
        self.world.note(self.name, "loses its line", code)
        self.line = None
        if code == CLOSED_FOR_GOOD:
            self.link = "closed"
            return
        self._retry()

    def _retry(self) -> None:
        self.link = "lost" if self.link == "open" else self.link
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**self._tries)
        self._tries += 1
        self.world.loop.call_later(wait * (0.5 + self.rng.random() / 2), self._connect)

    def _watch(self, visit: int) -> None:
        """Every second, as long as the page is open: is the line dead, whatever it says?"""
        if visit != self._visits:
            return
        now = self.world.loop.time()
        oldest = min([asked.since for asked in self.unanswered.values()], default=now)
        waits = now - (oldest if self.link == "open" else self._connected)
        if self.line is not None and waits >= TIMEOUT:
            self.world.note(self.name, "has no patience")
            self.link = "lost" if self.link == "open" else self.link
            self._drop()
            self._connect()
        self.world.loop.call_later(1.0, self._watch, visit)

    # --- Asking -----------------------------------------------------------------------------------

    def id(self) -> str:
        """A new one for each command."""
        return f"{self.name}{len(self.asked)}"

    def ask(self, command: commands.AnyCommand) -> None:
        """Ask for something, until it is answered."""
        asked = Asked(command, self.world.loop.time())
        self.asked[command.id] = self.unanswered[command.id] = asked
        if self.link == "open":
            self._send(command)

    def _send(self, command: commands.AnyCommand) -> None:
        if self.line is not None and self.line.is_open:
            frame = wire.write(command).decode()
            self.world.note(self.name, "sends", frame)
            self.line.put(frame)

    # --- Hearing ----------------------------------------------------------------------------------

    def heard(self, line: Connection, message: bytes) -> None:
        """The house tells something."""
        if line is not self.line:
            return
        told = read_told(message)
        self.world.note(self.name, "hears", message.decode())
        if told.type == "sync":
            self._sync(told)
        elif told.type == "update":
            assert self.known.update(told), f"{self.name} was told nothing new: {message!r}"
        self.world.heard(self, message, told)
        if told.type in ("sync", "update"):
            self._contribute()
        elif told.id in self.asked:
            self.asked[told.id].answers.append(message)
            self.unanswered.pop(told.id, None)

    def _sync(self, told: Told) -> None:
        self.known.sync(told)
        self.link = "open"
        self._tries = 0
        for number, asked in enumerate(self.unanswered.values()):
            asked.since = self.world.loop.time()
            # One after another: that the house might see them in another order is for the weather.
            self.world.loop.call_later(number * HARDLY, self._send, asked.command)

    def _contribute(self) -> None:
        """Commit to random bytes for the deal, then reveal them."""
        command = self._contributor.next_command(self.room())
        if command:
            self.ask(msgspec.convert({"id": self.id(), **command}, commands.AnyCommand))

    # --- What its person sees -----------------------------------------------------------------

    def room(self) -> dict[str, Any]:
        """The room, as it is told."""
        return dict(msgspec.json.decode(self.known.room))

    def legal(self) -> Sequence[int]:
        """The steps that stand on the buttons."""
        view = msgspec.json.decode(self.known.view)
        if view is None:
            return []
        if view["kind"] == "text":
            return [choice["action"] for choice in view["choices"]]
        return list(view["position"]["legal"])
