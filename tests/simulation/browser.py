"""A simulated browser that behaves like `web/src/lib/table.svelte.ts`.

It keeps a command until it is answered, resends it with the same id after a lost connection, and
applies the messages it receives. Unlike the real one it also gives up a connection on which nothing
arrives.
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
"""Refusals that are temporary: the same command may be granted later."""


class Message(msgspec.Struct):
    """The parts of a message that a browser keeps, still encoded."""

    type: str
    id: str = ""
    now: int = 0
    room: msgspec.Raw = msgspec.Raw()
    view: msgspec.Raw = msgspec.Raw()
    events: list[msgspec.Raw] = []
    chat: list[msgspec.Raw] = []
    link: msgspec.Raw = msgspec.Raw()


decode_message = msgspec.json.Decoder(Message).decode
NULL: Final = b"null"


@dataclass
class SentCommand:
    """A command, and all answers to it."""

    command: commands.AnyCommand
    since: float
    answers: list[bytes] = field(default_factory=list)

    @property
    def final(self) -> set[bytes]:
        """The answers that are not temporary refusals."""
        return {answer for answer in self.answers if not any(key in answer for key in TRANSIENT)}


@dataclass
class Known:
    """What a browser knows: the first message with all later ones applied."""

    room: bytes = NULL
    view: bytes = NULL
    events: list[bytes] = field(default_factory=list)
    chat: list[bytes] = field(default_factory=list)
    link: bytes = NULL
    """The newest link of the chain."""
    digest: str = ""
    """The rolling digest of the events."""

    def sync(self, decoded: Message) -> None:
        """Replace everything by a first message."""
        self.room, self.view, self.link = (
            bytes(decoded.room),
            bytes(decoded.view),
            bytes(decoded.link),
        )
        self.events, self.chat, self.digest = [], [], ""
        self._add(decoded)

    def update(self, decoded: Message) -> bool:
        """Apply an update; return whether it changed anything."""
        before = (self.room, self.view, self.link, len(self.events), len(self.chat))
        self.room = bytes(decoded.room) or self.room
        self.view = bytes(decoded.view) or self.view
        self.link = bytes(decoded.link) or self.link
        self._add(decoded)
        return before != (self.room, self.view, self.link, len(self.events), len(self.chat))

    def _add(self, decoded: Message) -> None:
        for event in decoded.events:
            self.events.append(bytes(event))
            self.digest = rolling_digest(self.digest, bytes(event))
        self.chat += [bytes(said) for said in decoded.chat]


def rolling_digest(digest: str, event: bytes) -> str:
    """Return the digest of some events and one more."""
    return hashlib.blake2b(digest.encode() + event, digest_size=8).hexdigest()


class World(Protocol):
    """What a browser needs from the simulated world."""

    loop: SimLoop

    def connect(self, browser: "Browser") -> Connection | None:
        """Connect to a house; return None if none is open."""
        ...

    def note(self, *words: object) -> None:
        """Add a line to the trace."""
        ...

    def receive(self, browser: "Browser", message: bytes, decoded: Message) -> None:
        """Check a message that a browser received."""
        ...


class Browser:
    """One person's browser at one table."""

    def __init__(
        self, world: World, name: str, owner: str, format: ViewFormat, rng: Random
    ) -> None:
        self.world = world
        self.name = name
        self.owner = owner
        self.format: ViewFormat = format
        self.rng = rng
        self.known = Known()
        self.link = "joining"
        self.connection: Connection | None = None
        self.unanswered: dict[str, SentCommand] = {}
        self.sent: dict[str, SentCommand] = {}
        """All commands it has sent, answered or not."""
        self.reached = 0
        """The log length up to which this connection has sent everything."""
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
        self.known = Known()
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
        if self.is_away or self.connection is not None:
            return
        self.connection = self.world.connect(self)
        self._connected = self.world.loop.time()
        self.reached = self.house_time = 0
        if self.connection is None:
            self._retry()

    def _drop(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()

    def lost(self, connection: Connection, code: int) -> None:
        """Handle a connection that was closed by the house or by the network."""
        if connection is not self.connection:
            return
        self.world.note(self.name, "loses its connection", code)
        self.connection = None
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
        """Check every second, while the page is open, whether the connection is dead."""
        if visit != self._visits:
            return
        now = self.world.loop.time()
        oldest = min([sent.since for sent in self.unanswered.values()], default=now)
        waits = now - (oldest if self.link == "open" else self._connected)
        if self.connection is not None and waits >= TIMEOUT:
            self.world.note(self.name, "has no patience")
            self.link = "lost" if self.link == "open" else self.link
            self._drop()
            self._connect()
        self.world.loop.call_later(1.0, self._watch, visit)

    # --- Sending ----------------------------------------------------------------------------------

    def id(self) -> str:
        """Return a new id for a command."""
        return f"{self.name}{len(self.sent)}"

    def send(self, command: commands.AnyCommand) -> None:
        """Send a command, again and again until it is answered."""
        sent = SentCommand(command, self.world.loop.time())
        self.sent[command.id] = self.unanswered[command.id] = sent
        if self.link == "open":
            self._send(command)

    def _send(self, command: commands.AnyCommand) -> None:
        if self.connection is not None and self.connection.is_open:
            frame = wire.write(command).decode()
            self.world.note(self.name, "sends", frame)
            self.connection.put(frame)

    # --- Receiving --------------------------------------------------------------------------------

    def receive(self, connection: Connection, message: bytes) -> None:
        """Handle a message from the house."""
        if connection is not self.connection:
            return
        decoded = decode_message(message)
        self.world.note(self.name, "receives", message.decode())
        if decoded.type == "sync":
            self._sync(decoded)
        elif decoded.type == "update":
            assert self.known.update(decoded), (
                f"{self.name} got an update with nothing new: {message!r}"
            )
        self.world.receive(self, message, decoded)
        if decoded.type in ("sync", "update"):
            self._contribute()
        elif decoded.id in self.sent:
            self.sent[decoded.id].answers.append(message)
            self.unanswered.pop(decoded.id, None)

    def _sync(self, decoded: Message) -> None:
        self.known.sync(decoded)
        self.link = "open"
        self._tries = 0
        for number, sent in enumerate(self.unanswered.values()):
            sent.since = self.world.loop.time()
            # One after another: reordering them is up to the simulated network.
            self.world.loop.call_later(number * HARDLY, self._send, sent.command)

    def _contribute(self) -> None:
        """Commit to random bytes for the deal, then reveal them."""
        command = self._contributor.next_command(self.room())
        if command:
            self.send(msgspec.convert({"id": self.id(), **command}, commands.AnyCommand))

    # --- What its person sees -----------------------------------------------------------------

    def room(self) -> dict[str, Any]:
        """Return the room as the browser knows it."""
        return dict(msgspec.json.decode(self.known.room))

    def legal(self) -> Sequence[int]:
        """Return the steps that the browser offers."""
        view = msgspec.json.decode(self.known.view)
        if view is None:
            return []
        if view["kind"] == "text":
            return [choice["action"] for choice in view["choices"]]
        return list(view["position"]["legal"])
