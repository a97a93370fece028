"""Reaction windows of a live table: answers wait until slower connections had their chance."""

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.names import SPECTATOR, Action, Seat
from cosca.server import wire
from cosca.server.domain import commands
from cosca.server.domain.reaction_order import HOLD, Reaction, hold_seconds, in_order
from cosca.server.domain.room import Room
from cosca.server.live.clock import Clock
from cosca.server.live.subscribers import Subscribers
from cosca.server.live.tasks import Tasks
from cosca.server.live.views import REACTION_SECONDS

REACTION_TIMEOUT: Final = REACTION_SECONDS + HOLD[1]
"""Seconds after which a person has passed: an answer that came in time may still be held."""


@dataclass(slots=True)
class ReactionWindow:
    """One window in which the fastest reaction counts: lets answers through in their order."""

    lot: Callable[[int], int]
    is_timed: bool = True
    """Whether the clock had started when the first answer came."""
    reactions: dict[Seat, Reaction] = field(default_factory=dict)
    is_decided: bool = False
    order: list[Reaction] = field(default_factory=list)
    """The reactions in the order in which they were let through, once that is decided."""
    _turns: dict[Seat, "asyncio.Future[None]"] = field(default_factory=dict)

    @property
    def has_begun(self) -> bool:
        """Whether somebody has answered."""
        return bool(self._turns)

    def enter(self, reaction: Reaction) -> "asyncio.Future[None]":
        """Add an answer. Its turn comes at once if the order is decided already."""
        turn = self._turns.get(reaction.seat)
        if turn is None:
            turn = asyncio.get_running_loop().create_future()
            self._turns[reaction.seat] = turn
            self.reactions[reaction.seat] = reaction
            if self.is_decided:
                turn.set_result(None)
        return turn

    def decide(self) -> None:
        """Let everybody through who has answered, the fastest first."""
        self.is_decided = True
        self.order = in_order(list(self.reactions.values()), self.lot)
        for reaction in self.order:
            turn = self._turns[reaction.seat]
            if not turn.done():
                turn.set_result(None)


class Reactions:
    """The reaction windows of one table."""

    def __init__(self, room: Room, clock: Clock, subscribers: Subscribers, tasks: Tasks) -> None:
        self._room = room
        self._clock = clock
        self._subscribers = subscribers
        self._tasks = tasks
        self._shown = ("", 0.0)
        """The latest window, and when it was shown."""
        self._windows: dict[str, ReactionWindow] = {}
        self._held_for = SPECTATOR
        """The seat that windows wait for, while its person is connected."""
        self._started = ""
        """The window that waited and was started."""

    @property
    def is_waiting(self) -> bool:
        """Whether the open window waits for the only person to react or to be ready."""
        return (
            self._held_for != SPECTATOR
            and self._is_open()
            and self._room.seats.persons() == [self._held_for]
            and self._held_for in self._room.pending_reactions()
            and self._held_for in self._subscribers.present()
            and self._started != self._window_id()
        )

    def pace(self, seat: Seat, command: commands.HoldReactions | commands.Ready) -> None:
        """Let windows wait for a seat from now on, or start the one that does."""
        if seat == SPECTATOR:
            raise Refused("web.spectator")
        if isinstance(command, commands.Ready):
            self._start(seat)
        elif self._room.seats.persons() != [seat]:
            raise Refused("web.no_hold")
        else:
            self._held_for = seat

    def _start(self, seat: Seat) -> None:
        """Start the clock of a window that waits for this seat; no other is changed."""
        if self.is_waiting and seat == self._held_for:
            self._started = self._window_id()
            self._shown = (self._started, self._clock.now())

    @property
    def are_undecided(self) -> bool:
        """Whether somebody has answered and nobody is let through yet."""
        windows = self._windows.values()
        return any(window.has_begun and not window.is_decided for window in windows)

    async def wait_for_turn(self, seat: Seat, actions: Sequence[Action], bot: str = "") -> None:
        """Where the fastest reaction counts, wait until faster ones are let through."""
        if not self._is_reaction(seat, actions, bot):
            return
        self.note_window()
        window = self._window()
        if self.is_waiting:
            window.is_timed = False
            self._start(seat)
        is_first = not window.has_begun
        _, shown = self._shown
        round_trip = 0.0 if bot else self._subscribers.round_trips().get(seat, 0.0)
        turn = window.enter(Reaction(seat, self._clock.now() - shown, round_trip))
        if is_first:
            self._tasks.start(f"race:{self._window_id()}", self._decide(window))
        await turn

    def _is_reaction(self, seat: Seat, actions: Sequence[Action], bot: str) -> bool:
        """Whether somebody reacts: passing, or what is not legal, has to wait for nobody."""
        room = self._room
        if seat not in room.actors() or not room.game.is_race(room.shown.position(seat)):
            return False
        if room.seats[seat].bot != bot:
            return False
        try:
            room.playing().check_actions(seat, list(actions))
        except Refused:
            return False
        return list(actions) != room.pass_actions(seat)

    def note_window(self) -> None:
        """Note when a window is first shown; the time counts from then for everybody."""
        if self._is_open():
            window = self._window_id()
            if self._shown[0] != window:
                self._shown = (window, self._clock.now())

    def _is_open(self) -> bool:
        return self._room.stage == "playing" and self._room.is_reaction_window

    def _window_id(self) -> str:
        """Return the id of the window that is open, by what everybody sees."""
        seen = wire.write(self._room.shown.position(SPECTATOR).visible_fields())
        return hashlib.sha256(seen).hexdigest()[:16]

    def _window(self) -> ReactionWindow:
        """Return the open window. Ties are decided by a lot that only the server can know."""
        id = self._window_id()
        if id not in self._windows:
            dice = Dice(int.from_bytes(self._room.deal.secret(f"tie:{id}")[:8], "big"))
            self._windows = {id: ReactionWindow(dice.below)}
        return self._windows[id]

    async def _decide(self, window: ReactionWindow) -> None:
        await self._clock.sleep(hold_seconds(list(self._subscribers.round_trips().values())))
        window.decide()

    def publish(self) -> None:
        """O-9: broadcast who reacted, and how fast, once the window is closed."""
        if self._is_open():
            return
        for window in self._windows.values():
            if window.is_decided and window.is_timed:
                self._subscribers.send_reactions(window.order)
        windows = self._windows.items()
        self._windows = {id: window for id, window in windows if not window.is_decided}

    def settle(self) -> None:
        """Decide all windows now."""
        for window in self._windows.values():
            window.decide()
