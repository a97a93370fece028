"""The subscribers of a table: who has it open, and what has been sent to them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from cosca.core.names import SPECTATOR, Seat
from cosca.server import wire
from cosca.server.domain.reaction_order import Reaction
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.views import Stream, Viewer, ViewFormat

Send = Callable[[bytes], None]
"""Sends a message to one browser."""
RoundTrip = Callable[[], float]
"""Returns how many seconds a message takes to one browser and back, as measured."""


def not_measured() -> float:
    """Return the round trip of a connection that is not measured."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Subscriber:
    """One connection to a table."""

    owner: str
    viewer: Viewer
    round_trip: RoundTrip
    local_players: Collection[str]
    """The owners of all who play at the same device."""


class Subscribers:
    """Who has a table open. Those who see the same are sent the same messages."""

    def __init__(self, room: Room, on_arrival: Callable[[Seat], None]) -> None:
        self.room = room
        self._on_arrival = on_arrival
        """Called when somebody has opened the table, with the seat or SPECTATOR."""
        self._connections: dict[Send, Subscriber] = {}
        self._streams: dict[Viewer, Stream] = {}
        self._latencies: list[int | None] = [None] * len(room.seats)
        """What everybody was last sent about the round trips."""
        self._arrangement = room.arrangement
        self._takebacks = len(room.takebacks.steps)
        self._sent = room.length
        """How many log entries everybody knows."""

    # --- Presence ---------------------------------------------------------------------------------

    def present(self) -> set[Seat]:
        """Return the seats whose people have the table open."""
        present = {each.viewer.seat for each in self._connections.values()}
        for each in self._connections.values():
            present |= {self.room.seats.of(owner) for owner in each.local_players}
        return present - {SPECTATOR}

    def spectators(self) -> int:
        """Count the browsers that have the table open and belong to nobody with a seat."""
        known: set[str] = set()
        unknown = 0
        for each in self._connections.values():
            owners = [*each.local_players, each.owner]
            seats = [each.viewer.seat, *(self.room.seats.of(owner) for owner in owners)]
            if all(seat == SPECTATOR for seat in seats):
                known |= {owners[0]} - {""}
                unknown += not owners[0]  # a browser without a cookie is taken for a new one
        return len(known) + unknown

    def __bool__(self) -> bool:
        """Whether anybody has the table open."""
        return bool(self._connections)

    def _presence(self) -> tuple[set[Seat], int]:
        return self.present(), self.spectators()

    def viewer(self, owner: str, format: ViewFormat, language: str) -> Viewer:
        """Return what a browser may see, and how it wants it."""
        seats = self.room.seats
        return Viewer(seats.of(owner), seats.is_host(owner), format, language)

    def add(
        self,
        owner: str,
        format: ViewFormat,
        send: Send,
        round_trip: RoundTrip,
        local_players: Collection[str],
        language: str,
    ) -> None:
        """Send somebody the whole table first, and from then on whatever changes."""
        if self._sent != self.room.length:  # first the others, or this one would get it twice
            self.broadcast()
        viewer = self.viewer(owner, format, language)
        before = self._presence()
        self._connections[send] = Subscriber(owner, viewer, round_trip, local_players)
        if self._presence() != before:
            self.broadcast(arranged=True)
        present, spectators = self._presence()
        if viewer not in self._streams:
            self._streams[viewer] = Stream(self.room, viewer, present, spectators)
        send(views.sync_message(self.room, viewer, present, spectators))
        if any(latency is not None for latency in self._latencies):
            send(wire.write(wire.Latency(milliseconds=self._latencies)))
        self._on_arrival(viewer.seat)

    def remove(self, send: Send) -> bool:
        """Remove a connection; return whether a seat has nobody present now."""
        before = self._presence()
        self._drop(send)
        now = self._presence()
        if now != before:
            self.broadcast(arranged=True)
        return now[0] != before[0]

    def _drop(self, send: Send) -> None:
        dropped = self._connections.pop(send, None)
        if dropped and not self._sends(dropped.viewer):
            self._streams.pop(dropped.viewer, None)

    def _sends(self, viewer: Viewer) -> list[Send]:
        return [send for send, each in self._connections.items() if each.viewer == viewer]

    # --- Broadcast --------------------------------------------------------------------------------

    def broadcast(self, *, arranged: bool = False) -> None:
        """Send everybody what has changed for them; `arranged` if somebody has come or gone."""
        self._sent = self.room.length
        if len(self.room.takebacks.steps) != self._takebacks:
            self._send_all_again()
            return
        arranged = self.room.arrangement != self._arrangement or arranged
        self._arrangement = self.room.arrangement
        moved = self._drop_moved() if arranged else {}
        present, spectators = self._presence()
        for viewer, stream in self._streams.items():
            message = stream.update(present, spectators, arranged=arranged)
            if message:
                for send in self._sends(viewer):
                    send(message)
        for send, each in moved.items():
            view, language = each.viewer.format, each.viewer.language
            self.add(each.owner, view, send, each.round_trip, each.local_players, language)

    def _send_all_again(self) -> None:
        """Send everybody the whole table: a move was taken back, and updates only ever add."""
        self._takebacks = len(self.room.takebacks.steps)
        self._arrangement = self.room.arrangement
        present, spectators = self._presence()
        for viewer in self._streams:
            self._streams[viewer] = Stream(self.room, viewer, present, spectators)
            message = views.sync_message(self.room, viewer, present, spectators)
            for send in self._sends(viewer):
                send(message)

    def _drop_moved(self) -> dict[Send, Subscriber]:
        """Drop those who see something else now because they have sat down or left; return them."""
        moved = {
            send: each
            for send, each in self._connections.items()
            if self.viewer(each.owner, each.viewer.format, each.viewer.language) != each.viewer
        }
        for send in moved:
            self._drop(send)
        return moved

    def _send_all(self, message: wire.Latency | wire.Reactions) -> None:
        encoded = wire.write(message)
        for send in self._connections:
            send(encoded)

    # --- Latency ----------------------------------------------------------------------------------

    def round_trips(self) -> dict[Seat, float]:
        """Return the round trip of each seat: the best one, for people may use two devices."""
        found: dict[Seat, float] = {}
        for each in self._connections.values():
            seat = each.viewer.seat
            if seat != SPECTATOR:
                found[seat] = min(each.round_trip(), found.get(seat, float("inf")))
        return found

    def send_latencies(self) -> None:
        """Send everybody the round trips of all seats, if they have changed."""
        latencies: list[int | None] = [None] * len(self.room.seats)
        for seat, round_trip in self.round_trips().items():
            latencies[seat] = round(round_trip * 100) * 10
        if latencies != self._latencies:
            self._latencies = latencies
            self._send_all(wire.Latency(milliseconds=latencies))

    def send_reactions(self, reactions: Sequence[Reaction]) -> None:
        """Broadcast who reacted and how long each took, the fastest first."""
        reached = [wire.Reaction(each.seat, max(0, round(each.score * 1000))) for each in reactions]
        self._send_all(wire.Reactions(reactions=reached))
