"""A table: one game in progress, its log, and the checked door for everybody outside."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cosca.core.errors import Refused
from cosca.core.events import Event
from cosca.core.game import Game
from cosca.core.move import Move
from cosca.core.names import CHANCE, Action, Seat
from cosca.core.options import Settings
from cosca.core.position import Fields, Position
from cosca.core.state import State
from cosca.match.chance import DrawSource, draw_outcome
from cosca.match.sealed import SealedDice

Step = tuple[Seat, Action]
"""One line of a log: who did what, chance among them."""


class Table:
    """One game in progress. Chance acts by itself as soon as it may."""

    def __init__(
        self, game: Game[Any, Any], settings: Settings, seats: int, dice: DrawSource
    ) -> None:
        self.game = game
        self.settings = settings
        self.dice = dice
        self.log: list[Step] = []
        self.events: list[Event] = []
        self._state = game.new(settings, seats)
        self._roll()

    @classmethod
    def resume(
        cls,
        game: Game[Any, Any],
        settings: Settings,
        seats: int,
        log: Sequence[Step],
        dice: DrawSource,
    ) -> "Table":
        """The table whose log this is, ready to go on. A log that breaks the rules is refused."""
        table = cls.__new__(cls)
        table.game, table.settings, table.dice = game, settings, dice
        table.log, table.events = [], []
        table._state = game.new(settings, seats)
        for number, (seat, action) in enumerate(log, start=1):
            if not table._may(seat, action):
                raise Refused("bad_log", line=number)
            table._do(seat, action)
        table._roll()
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
        """The number of seats."""
        return int(self._state.seats)

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Who may act now; nobody when the game is over."""
        actors: tuple[Seat, ...] = self._state.actors()
        return actors

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state.is_over)

    @property
    def ending(self) -> str:
        """The reason the game ended, in one word; empty while it goes on."""
        return str(self.game.endings[self._state.ending()])

    @property
    def round(self) -> int:
        """How many rounds have begun."""
        return self.game.round(self._state)

    def returns(self) -> list[float]:
        """Each seat's share of the victory."""
        shares: list[float] = self._state.returns()
        return shares

    def position(self, seat: Seat) -> Position:
        """What a seat, or a spectator, knows."""
        position: Position = self.game.position(self._state, seat)
        return position

    def visible_position(self, seat: Seat) -> Position:
        """What a seat, or a spectator, sees now, without what it has learnt before."""
        position: Position = self.game.visible_position(self._state, seat)
        return position

    def public_fields(self) -> Fields:
        """Of a glance what everybody sees."""
        return self.game.public_fields(self._state)

    def private_fields(self, seat: Seat) -> Fields:
        """Of a glance what a seat, or a spectator, sees besides."""
        return self.game.private_fields(self._state, seat)

    def events_for(self, seat: Seat, since: int = 0) -> list[Event]:
        """What a seat, or a spectator, could see happen since then."""
        return [event for event in self.events[since:] if event.is_for(seat)]

    # --- The checked door ----------------------------------------------------------------------

    def submit(self, seat: Seat, action: Action) -> list[Event]:
        """Do one action of a seat if it is legal, and all that chance does after it."""
        self._check(seat, [action])
        return self.play(seat, [action])

    def submit_move(self, seat: Seat, move: Move) -> list[Event]:
        """Do a whole move of a seat, or none of it if any part is illegal."""
        return self.play(seat, self._check(seat, self._actions(move)))

    def check_actions(self, seat: Seat, actions: Sequence[Action]) -> None:
        """Refuse steps of a seat that are not legal one after another. Changes nothing."""
        self._after(seat, actions)

    def order_actions(self, seat: Seat, actions: Sequence[Action]) -> list[Action]:
        """Return the steps a person chose in the order the rules take them, or refuse them."""
        state = self._about_to_act(seat, actions)
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
        """Do steps that have been checked just now, and all that chance does after them."""
        before = len(self.events)
        for action in actions:
            self._do(seat, action)
        self._roll()
        return self.events[before:]

    def preview_steps(self, seat: Seat, actions: Sequence[Action]) -> tuple[Position, bool]:
        """What the seat would see after some steps, and whether they are a whole move.

        After a whole one it may only do what makes it a longer one: the next is thought of when
        this one is done, for others may come to act before.
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

    def move_actions(self, seat: Seat, move: Move) -> list[Action]:
        """The steps of a whole move of a seat. One that is not legal is refused."""
        return list(self._check(seat, self._actions(move)))

    def preview(self, seat: Seat, move: Move) -> Position:
        """What the seat would see after that move, before chance answers. Changes nothing."""
        state = self._state.copy()
        for action in self._check(seat, self._actions(move)):
            state.apply(seat, action)
        position: Position = self.game.position(state, seat)
        return position

    def _actions(self, move: Move) -> Sequence[Action]:
        """The actions of a whole move, if it is one at all: outsiders may hand in anything."""
        if not (isinstance(move, Move) and isinstance(move.numbers, tuple)):
            raise Refused("not_a_move")
        if type(move.verb) is not str or not all(type(number) is int for number in move.numbers):
            raise Refused("not_a_move")
        return self.game.to_actions(move)

    def _check(self, seat: Seat, actions: Sequence[Action]) -> Sequence[Action]:
        """The actions that are to be done, if a seat may do all of them, one after another."""
        state = self._about_to_act(seat, actions)
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
        """How it would be after some steps of a seat, if all of them are legal."""
        state = self._about_to_act(seat, actions)
        for action in actions:
            self._step(state, seat, action)
        return state

    def _about_to_act(self, seat: Seat, actions: Sequence[Action]) -> State:
        """A copy of what is true, for a seat that may act now."""
        if self._state.is_over:
            raise Refused("game_over")
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise Refused("not_your_turn")
        if seat not in self._state.actors() and actions and type(actions[0]) is int:
            raise self.game.refusal(self.position(seat), actions[0])
        state: State = self._state.copy()
        return state

    def _step(self, state: State, seat: Seat, action: Action) -> None:
        """One step on a copy of what is true, if it is legal."""
        if type(action) is not int:  # True == 1, and compiled rules take C integers only
            raise Refused("not_an_action")
        if action not in state.legal_actions(seat):
            raise self.game.refusal(self.game.position(state, seat), action)
        state.apply(seat, action)

    def _is_complete_move(self, done: Sequence[Action], actions: Sequence[Action]) -> bool:
        """Whether a move ended by itself, so that its closing word is not needed."""
        return list(self.game.to_actions(self.game.to_move(done))) == list(actions)

    # --- Inside -----------------------------------------------------------------------------------

    def _may(self, seat: Seat, action: Action) -> bool:
        if type(seat) is not int or type(action) is not int or seat not in self._state.actors():
            return False
        if seat == CHANCE:
            return any(action == outcome for outcome, _ in self._state.chance_outcomes())
        return action in self._state.legal_actions(seat)

    def _do(self, seat: Seat, action: Action) -> None:
        self.events += self._tell(self._state, seat, action)
        self._state.apply(seat, action)
        self.log.append((seat, action))

    @property
    def _tell(self) -> Callable[[State, Seat, Action], list[Event]]:
        """What happens, told as the record of this table tells it: people compare the two."""
        is_first = isinstance(self.dice, SealedDice) and self.dice.format == 1
        return self.game.format_1_events if is_first else self.game.events

    def _roll(self) -> None:
        """Let chance do all it has to do."""
        while self._state.actors() == (CHANCE,):
            self._do(CHANCE, draw_outcome(self.game, self._state, self.dice))
