"""A table: one game in progress, its log, and the checks that every outside move passes."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cosca.core.choice import Choice
from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.move import Move
from cosca.core.names import CHANCE, Action, Seat
from cosca.core.options import Settings
from cosca.core.position import Fields, Position
from cosca.core.ranking import Ranked
from cosca.core.state import State
from cosca.match.chance import DrawSource, draw_outcome
from cosca.match.sealed import SealedDice

Step = tuple[Seat, Action]
"""One entry of a log: who acted, chance included, and the action."""


class Table:
    """One game in progress. Chance acts by itself as soon as it may.

    A table plays `game` with these `settings` (from `Game.settings`) and this number of `seats`.
    Its cards come from `dice`: `Dice` for simulations, `SealedDice` where people play.
    """

    def __init__(
        self, game: Game[Any, Any], settings: Settings, seats: int, dice: DrawSource
    ) -> None:
        self.game = game
        self.settings = settings
        self.dice = dice
        self.log: list[Step] = []
        """Every step so far: who acted, chance included, and the action."""
        self.events: list[Event] = []
        """Everything that happened so far, with its audience."""
        self._state = game.new(settings, seats)
        self._resolve_chance()

    @classmethod
    def resume(
        cls,
        game: Game[Any, Any],
        settings: Settings,
        seats: int,
        log: Sequence[Step],
        dice: DrawSource,
    ) -> "Table":
        """Return the table with this log, ready to continue. Refuses an illegal log."""
        table = cls.__new__(cls)
        table.game, table.settings, table.dice = game, settings, dice
        table.log, table.events = [], []
        table._state = game.new(settings, seats)
        for number, (seat, action) in enumerate(log, start=1):
            if not table._is_legal(seat, action):
                raise Refused("bad_log", line=number)
            table._apply(seat, action)
        table._resolve_chance()
        return table

    # --- Going back ----------------------------------------------------------------------------

    def checkpoint(self) -> State:
        """Return a copy of the state, to which `rewind` can go back."""
        state: State = self._state.copy()
        return state

    def rewind(self, state: State, steps: int, events: int) -> None:
        """Go back to a checkpoint: to its state, and to the length of log and events it had.

        The dice stay as they are, so chance must not have acted since.
        """
        self._state = state
        del self.log[steps:], self.events[events:]

    # --- What may be seen ----------------------------------------------------------------------

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return int(self._state.seats)

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Return who may act now; nobody when the game is over."""
        actors: tuple[Seat, ...] = self._state.actors()
        return actors

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return bool(self._state.is_over)

    @property
    def ending(self) -> str:
        """Return the reason the game ended, in one word; empty while it goes on."""
        return str(self.game.endings[self._state.ending()])

    @property
    def round(self) -> int:
        """Return how many rounds have begun."""
        return self.game.round(self._state)

    def returns(self) -> list[float]:
        """Return each seat's share of the victory."""
        shares: list[float] = self._state.returns()
        return shares

    def ranking(self) -> list[Ranked]:
        """Return who came where and what decided it; empty while the game goes on."""
        return self.game.ranking(self._state) if self.is_over else []

    def position(self, seat: Seat) -> Position:
        """Return what a seat, or a spectator, knows."""
        position: Position = self.game.position(self._state, seat)
        return position

    def visible_position(self, seat: Seat) -> Position:
        """Return what a seat, or a spectator, sees now, without what it has learnt before."""
        position: Position = self.game.visible_position(self._state, seat)
        return position

    def public_fields(self) -> Fields:
        """Return the fields of a visible position that everybody sees."""
        return self.game.public_fields(self._state)

    def private_fields(self, seat: Seat) -> Fields:
        """Return the fields of a visible position that only this seat sees."""
        return self.game.private_fields(self._state, seat)

    def events_for(self, seat: Seat, since: int = 0) -> list[Event]:
        """Return the events since then that a seat, or a spectator, could see."""
        return [event for event in self.events[since:] if event.is_for(seat)]

    # --- Checked moves -------------------------------------------------------------------------

    def submit(self, seat: Seat, action: Action) -> list[Event]:
        """Take one action of a seat if it is legal, and resolve the chance that follows."""
        self._check(seat, [action])
        return self.play(seat, [action])

    def submit_move(self, seat: Seat, move: Move) -> list[Event]:
        """Take a complete move of a seat, or none of it if any part is illegal."""
        return self.play(seat, self._check(seat, self._actions(move)))

    def check_actions(self, seat: Seat, actions: Sequence[Action]) -> None:
        """Refuse actions of a seat that are not legal one after another. Changes nothing."""
        self._after(seat, actions)

    def order_actions(self, seat: Seat, actions: Sequence[Action]) -> list[Action]:
        """Return the actions a person chose in the order the rules take them, or refuse them."""
        state = self._copy_for(seat, actions)
        steps: list[Action] = []
        for action in actions:
            if self._comes_earlier(state, seat, steps, action):
                move = self.game.to_move([*steps, action])
                steps = list(self.game.to_actions(move))[: len(steps) + 1]
                state = self._after(seat, steps)
            else:
                self._step(state, seat, action)
                steps.append(action)
        return steps

    def _comes_earlier(
        self, state: State, seat: Seat, steps: Sequence[Action], action: Action
    ) -> bool:
        if not steps or type(action) is not int or action in state.legal_actions(seat):
            return False
        return action in self.game.insertable_actions(self.game.position(state, seat))

    def play(self, seat: Seat, actions: Sequence[Action]) -> list[Event]:
        """Take actions that have just been checked, and resolve the chance that follows."""
        before = len(self.events)
        for action in actions:
            self._apply(seat, action)
        self._resolve_chance()
        return self.events[before:]

    def preview_steps(self, seat: Seat, actions: Sequence[Action]) -> tuple[Position, bool]:
        """Return what the seat would see after some actions, and whether they complete a move.

        After a complete move only actions that extend it are legal here: the next move is chosen
        when this one has been made, because others may act in between.
        """
        steps = self.order_actions(seat, actions)
        state = self._after(seat, steps)
        position: Position = self.game.position(state, seat)
        if not steps:
            return position, False
        whole = self.game.is_complete_move(state, seat, steps)
        longer = (
            action
            for action in position.legal
            if not whole or self.game.continues_move(steps, action)
        )
        legal = sorted({*longer, *self.game.insertable_actions(position)})
        return replace(position, legal=tuple(legal)), whole

    def step_choices(self, seat: Seat, actions: Sequence[Action]) -> list[Choice]:
        """Return the labels of some actions of a seat that are legal one after another."""
        state = self._copy_for(seat, actions)
        choices = []
        for action in self.order_actions(seat, actions):
            choices.append(self.game.choice(self.game.position(state, seat), action))
            self._step(state, seat, action)
        return choices

    def move_actions(self, seat: Seat, move: Move) -> list[Action]:
        """Return the actions of a complete move of a seat. Refuses an illegal one."""
        return list(self._check(seat, self._actions(move)))

    def preview(self, seat: Seat, move: Move) -> Position:
        """Return what the seat would see after a move, before chance answers. Changes nothing."""
        state = self._state.copy()
        for action in self._check(seat, self._actions(move)):
            state.apply(seat, action)
        position: Position = self.game.position(state, seat)
        return position

    def _actions(self, move: Move) -> Sequence[Action]:
        """Return the actions of a move, checking its types: outsiders may submit anything."""
        if not (isinstance(move, Move) and isinstance(move.numbers, tuple)):
            raise Refused("not_a_move")
        if type(move.verb) is not str or not all(type(number) is int for number in move.numbers):
            raise Refused("not_a_move")
        return self.game.to_actions(move)

    def _check(self, seat: Seat, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the actions to take, if the seat may take all of them one after another."""
        state = self._copy_for(seat, actions)
        for number, action in enumerate(actions):
            if (
                number
                and seat not in state.actors()
                and self._is_complete_move(actions[:number], actions)
            ):
                return actions[:number]
            self._step(state, seat, action)
        return actions

    def _after(self, seat: Seat, actions: Sequence[Action]) -> State:
        """Return the state after some actions of a seat, refusing illegal ones."""
        state = self._copy_for(seat, actions)
        for action in actions:
            self._step(state, seat, action)
        return state

    def _copy_for(self, seat: Seat, actions: Sequence[Action]) -> State:
        """Return a copy of the state, for a seat that may act now."""
        if self._state.is_over:
            raise Refused("game_over")
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise Refused("not_your_turn")
        if seat not in self._state.actors() and actions and type(actions[0]) is int:
            raise self.game.refusal(self.position(seat), actions[0])
        state: State = self._state.copy()
        return state

    def _step(self, state: State, seat: Seat, action: Action) -> None:
        """Take one action on a copy of the state, if it is legal."""
        if type(action) is not int:  # True == 1, and compiled rules take C integers only
            raise Refused("not_an_action")
        if action not in state.legal_actions(seat):
            raise self.game.refusal(self.game.position(state, seat), action)
        state.apply(seat, action)

    def _is_complete_move(self, done: Sequence[Action], actions: Sequence[Action]) -> bool:
        """Return whether a move ended by itself, so that its closing action is not needed."""
        return list(self.game.to_actions(self.game.to_move(done))) == list(actions)

    # --- Inside -----------------------------------------------------------------------------------

    def _is_legal(self, seat: Seat, action: Action) -> bool:
        if type(seat) is not int or type(action) is not int or seat not in self._state.actors():
            return False
        if seat == CHANCE:
            return any(action == outcome for outcome, _ in self._state.chance_outcomes())
        return action in self._state.legal_actions(seat)

    def _apply(self, seat: Seat, action: Action) -> None:
        self.events += self._events_of(self._state, seat, action)
        self._state.apply(seat, action)
        self.log.append((seat, action))

    @property
    def _events_of(self) -> Callable[[State, Seat, Action], list[Event]]:
        """Return the events function of the table's record format: people compare the two."""
        is_first = isinstance(self.dice, SealedDice) and self.dice.format == 1
        return self.game.format_1_events if is_first else self.game.events

    def _resolve_chance(self) -> None:
        """Resolve all chance nodes."""
        while self._state.actors() == (CHANCE,):
            self._apply(CHANCE, draw_outcome(self.game, self._state, self.dice))
