"""The audience of a table: who looks with which eyes, over which line, and what they know."""

from collections.abc import Callable, Collection, Sequence

from cosca.core.names import SPECTATOR, Seat
from cosca.server import wire
from cosca.server.domain.room import Room
from cosca.server.live import views
from cosca.server.live.reactions import Hand
from cosca.server.live.views import Eyes, Stream, Style

Sink = Callable[[bytes], None]
"""Takes a message for one browser."""
Trip = Callable[[], float]
"""How many seconds a message takes to one browser and back, as measured."""


def no_trip() -> float:
    """The line of somebody whose line is not measured."""
    return 0.0


class Audience:
    """Who has a table open. Those with the same eyes are told the same."""

    def __init__(self, room: Room, when_come: Callable[[Seat], None]) -> None:
        self.room = room
        self._when_come = when_come
        """Whom to tell that somebody looks with the eyes of a seat."""
        self._streams: dict[Eyes, Stream] = {}
        self._sinks: dict[Eyes, dict[Sink, str]] = {}
        self._trips: dict[Sink, Trip] = {}
        self._beside: dict[Sink, Collection[str]] = {}
        self._told_trips: list[int | None] = [None] * len(room.seats)
        self._arrangement = room.arrangement
        self._rewound = len(room.takebacks.steps)
        self._told = room.length
        """Of how many lines everybody has been told."""

    def here(self) -> set[Seat]:
        """The seats whose people have the table open."""
        here = {eyes.seat for eyes in self._sinks}
        for others in self._beside.values():
            here |= {self.room.seats.of(other) for other in others}
        return here - {SPECTATOR}

    def watchers(self) -> int:
        """Count the browsers that have the table open and belong to nobody with a seat."""
        known: set[str] = set()
        unknown = 0
        for eyes, sinks in self._sinks.items():
            for sink, owner in sinks.items() if eyes.seat == SPECTATOR else ():
                owners = [*self._beside.get(sink, ()), owner]
                if all(self.room.seats.of(each) == SPECTATOR for each in owners):
                    known |= {owners[0]} - {""}
                    unknown += not owners[0]  # a browser without a cookie is taken for a new one
        return len(known) + unknown

    @property
    def has_viewers(self) -> bool:
        """Whether anybody has the table open."""
        return bool(self._sinks)

    def eyes(self, owner: str, style: Style, language: str) -> Eyes:
        """With which eyes somebody looks."""
        return Eyes(self.room.seats.of(owner), self.room.seats.is_host(owner), style, language)

    # --- Coming and going -------------------------------------------------------------------------

    def come(
        self,
        owner: str,
        style: Style,
        sink: Sink,
        trip: Trip,
        beside: Collection[str],
        language: str,
    ) -> None:
        """Tell somebody all there is to know first, from then on whatever changes.

        Who sits beside them, at the same device, is here as well.
        """
        self._trips[sink] = trip
        if beside:
            self._beside[sink] = beside
        if self._told != self.room.length:  # first the others, or who comes is told it twice
            self.tell()
        eyes = self.eyes(owner, style, language)
        before = self._company()
        self._sinks.setdefault(eyes, {})[sink] = owner
        if self._company() != before:
            self.tell(arranged=True)
        here, watchers = self._company()
        if eyes not in self._streams:
            self._streams[eyes] = Stream(self.room, eyes, here, watchers)
        sink(views.full(self.room, eyes, here, watchers))
        if any(trip is not None for trip in self._told_trips):
            sink(wire.write(wire.Trips(trips=self._told_trips)))
        self._when_come(eyes.seat)

    def go(self, sink: Sink) -> bool:
        """Somebody closes the table: whether the others have to do without them now."""
        before = self._company()
        self._drop(sink)
        self._trips.pop(sink, None)
        self._beside.pop(sink, None)
        now = self._company()
        if now != before:
            self.tell(arranged=True)
        return now[0] != before[0]

    def _company(self) -> tuple[set[Seat], int]:
        """Whose people have the table open, and how many others."""
        return self.here(), self.watchers()

    def _drop(self, sink: Sink) -> None:
        for eyes, sinks in list(self._sinks.items()):
            sinks.pop(sink, None)
            if not sinks:
                del self._sinks[eyes]
                self._streams.pop(eyes, None)

    # --- Telling ----------------------------------------------------------------------------------

    def tell(self, *, arranged: bool = False) -> None:
        """Tell everybody what has changed for them."""
        self._told = self.room.length
        if len(self.room.takebacks.steps) != self._rewound:
            self._tell_anew()
            return
        arranged = self.room.arrangement != self._arrangement or arranged
        self._arrangement = self.room.arrangement
        moved = self._moved() if arranged else []
        here, watchers = self._company()
        for eyes, stream in self._streams.items():
            told = stream.update(here, watchers, arranged=arranged)
            if told:
                for sink in self._sinks[eyes]:
                    sink(told)
        for owner, eyes, sink in moved:
            beside = self._beside.get(sink, ())
            self.come(owner, eyes.style, sink, self._trips[sink], beside, eyes.language)

    def _tell_anew(self) -> None:
        """A move was taken back: everybody is told all there is, for lists only ever grow."""
        self._rewound = len(self.room.takebacks.steps)
        self._arrangement = self.room.arrangement
        here, watchers = self._company()
        for eyes, sinks in self._sinks.items():
            self._streams[eyes] = Stream(self.room, eyes, here, watchers)
            for sink in sinks:
                sink(views.full(self.room, eyes, here, watchers))

    def _moved(self) -> list[tuple[str, Eyes, Sink]]:
        """Those who look with other eyes now, for they have sat down or left; none is told more."""
        moved = [
            (owner, eyes, sink)
            for eyes, sinks in self._sinks.items()
            for sink, owner in sinks.items()
            if self.eyes(owner, eyes.style, eyes.language) != eyes
        ]
        for _, _, sink in moved:
            self._drop(sink)
        return moved

    # --- Lines ------------------------------------------------------------------------------------

    def tell_trips(self) -> None:
        """Tell everybody how long all lines are, if that has changed."""
        trips: list[int | None] = [None] * len(self.room.seats)
        for seat, trip in self.trips().items():
            trips[seat] = round(trip * 100) * 10
        if trips != self._told_trips:
            self._told_trips = trips
            self._tell_all(wire.Trips(trips=trips))

    def tell_race(self, hands: Sequence[Hand]) -> None:
        """Tell everybody who reached and how long each took, the fastest first."""
        reached = [wire.Reached(hand.seat, max(0, round(hand.score * 1000))) for hand in hands]
        self._tell_all(wire.Raced(hands=reached))

    def _tell_all(self, message: wire.Trips | wire.Raced) -> None:
        told = wire.write(message)
        for sinks in self._sinks.values():
            for sink in sinks:
                sink(told)

    def trips(self) -> dict[Seat, float]:
        """How long the line of each seat is; the best one, for who has two devices plays on one."""
        found: dict[Seat, float] = {}
        for eyes, sinks in self._sinks.items():
            if eyes.seat != SPECTATOR:
                trips = [self._trips[sink]() for sink in sinks]
                found[eyes.seat] = min([*trips, found.get(eyes.seat, trips[0])])
        return found
