"""Taking back a move: when it is allowed, and how the game goes back."""

from collections.abc import Callable
from typing import Any, Final

from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.names import CHANCE, SPECTATOR, Seat
from cosca.core.options import Settings
from cosca.core.state import State
from cosca.match.sealed import SealedDice
from cosca.match.table import Table

MOST_CHECKPOINTS: Final = 32
"""States kept for takebacks; an older one is replayed from the log."""
WORLDS: Final = 16
"""Sampled worlds in which a move is tried, to find out whether it has shown something."""


class Takebacks:
    """The moves that may be taken back, with the states before them."""

    def __init__(
        self, game: Game[Any, Any], settings: Settings, dice: Callable[[], SealedDice]
    ) -> None:
        self._game = game
        self._settings = settings
        self._dice = dice
        self.steps: list[int] = []
        """The number of steps that were left, for each move that was taken back."""
        self._moves: list[tuple[Seat, int, int]] = []
        """For each move: its seat, and the numbers of steps and events before it."""
        self._checkpoints: dict[int, State] = {}
        """The states before the latest moves, by the number of steps, since chance last acted."""

    def before_move(self, seat: Seat, table: Table) -> None:
        """Keep the state before a move, so that taking it back replays nothing."""
        self._checkpoints[len(table.log)] = table.checkpoint()
        while len(self._checkpoints) > MOST_CHECKPOINTS:
            del self._checkpoints[next(iter(self._checkpoints))]
        self._moves.append((seat, len(table.log), len(table.events)))

    def after_move(self, table: Table) -> None:
        """Drop the checkpoints if chance has acted: what came before cannot be taken back."""
        _, steps, _ = self._moves[-1]
        if any(seat == CHANCE for seat, _ in table.log[steps:]):
            self._checkpoints.clear()

    def find(self, seat: Seat, table: Table, *, in_secret: bool) -> tuple[int, int]:
        """Return the numbers of steps and events before a seat's last move, if it may be undone.

        Never after chance has acted or somebody was shown something: that cannot be unseen. Nor
        while several seats answer in secret: the answer would reveal whether somebody has.
        """
        last = next((move for move in reversed(self._moves) if move[0] == seat), None)
        if last is None:
            raise Refused("web.nothing_to_take_back")
        _, steps, events = last
        was_shown = any(
            event.audience is not None or event.is_transient for event in table.events[events:]
        )
        if in_secret or was_shown or any(who == CHANCE for who, _ in table.log[steps:]):
            raise Refused("web.already_seen")
        if not self._could_be_foreseen(table, steps, events):
            raise Refused("web.already_seen")
        return steps, events

    def _could_be_foreseen(self, table: Table, steps: int, events: int) -> bool:
        """Whether what happened since then has revealed nothing, such as a card laid face up.

        A spectator knows least: in every world possible for one, the same events must follow.
        """
        before = self._game.position(self._state_at(table, steps), SPECTATOR)
        for number in range(WORLDS):
            world = self._game.sample(before, Dice(number))
            happened: list[Event] = []
            for seat, action in table.log[steps:]:
                if seat not in world.actors() or action not in world.legal_actions(seat):
                    return False
                happened += self._game.events(world, seat, action)
                world.apply(seat, action)
            if happened != table.events[events:]:
                return False
        return True

    def _state_at(self, table: Table, steps: int) -> State:
        """Return a copy of the state after some steps, from a checkpoint if there is one."""
        if steps in self._checkpoints:
            state: State = self._checkpoints[steps].copy()
            return state
        kept = table.log[:steps]  # after which chance had acted: no dice are rolled
        replayed = Table.resume(self._game, self._settings, table.seats, kept, self._dice())
        return replayed.checkpoint()

    def take_back(self, table: Table, steps: int, events: int) -> None:
        """Rewind the game. The dice stay as they are: they have not rolled since."""
        table.rewind(self._state_at(table, steps), steps, events)
        while self._moves and self._moves[-1][1] >= steps:
            self._checkpoints.pop(self._moves.pop()[1], None)
        self.steps.append(steps)
