"""The consigliere: what to play and what it is for, what to expect from it, and what may follow.

It knows only the position of the seat that asks, and gives the same advice for the same position on
any machine: its dice are seeded by the position.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from cosca.bots.search.budget import Budget
from cosca.bots.search.search import Search
from cosca.bots.search.search_bot import SearchBot
from cosca.bots.win_chances import SIMULATIONS as PLAYOUTS
from cosca.bots.win_chances import position_dice, win_chances
from cosca.core.choice import Choice
from cosca.core.errors import Param
from cosca.core.events import Reason
from cosca.core.game import Game
from cosca.core.names import Action, Seat
from cosca.core.playout import random_actor, resolve_chance
from cosca.core.position import Position
from cosca.core.state import State
from cosca.words import say

SIMULATIONS: Final = 2000
MOST_MOVES: Final = 4
"""The most moves that are shown."""
SELDOM: Final = 0.02
"""Moves with less than this share of the visits of the best one are not worth mentioning."""
ENOUGH: Final = 0.05
"""Share of the simulations that a move that was begun needs, or it is searched on its own."""
VARIATION_LENGTH: Final = 5
"""The most moves of a principal variation."""
SURE: Final = 0.995
ALIKE: Final = 0.01
"""Chances that differ by less count as equal."""
HELD: Final = 0.03
"""A leader who loses less than this is not held back."""
LAST_RESORT: Final = ("no_other",)
"""Sentences that are only said if there is nothing else to say."""
CERTAIN: Final = 0.95
"""Where one move is played at least this often, play is not mixed."""


@dataclass(frozen=True, slots=True)
class AdvisedMove:
    """A complete move with what the search found about it."""

    actions: tuple[Action, ...]
    text: str
    """The move in notation."""
    visits: int
    shares: tuple[float, ...]
    """Each seat's expected share of the victory."""
    probability: float
    """How often to play it: 1 for the best move, or a part of a mixed strategy."""
    choices: tuple[Choice, ...] = ()
    """The labels of its actions, as on the buttons."""


class ExpectedMove(NamedTuple):
    """A move of the principal variation."""

    seat: Seat
    choices: tuple[Choice, ...]
    """The labels of its actions, as on the buttons."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Moves, best first; what the best is for; the principal variation; and the figures."""

    moves: tuple[AdvisedMove, ...]
    """The moves worth considering, with their visits, win chances and probabilities."""
    principal_variation: tuple[ExpectedMove, ...]
    """The moves that are expected to follow, the best one first."""
    reason: str
    """Which sentence has the figures; `format_figures` returns it."""
    params: Mapping[str, Param]
    """What fills that sentence."""
    explanation: Reason | None = None
    """What the best move is for, in the words of the rules."""
    better: AdvisedMove | None = None
    """A clearly better move, if the steps that were chosen already do not belong to it."""


def advise(
    game: Game[Any, Any],
    position: Position,
    simulations: int = SIMULATIONS,
    begun: Sequence[Action] = (),
) -> Advice:
    """Return advice for the seat of a position of the game, which is to act.

    More `simulations` make it better and slower. The same position always gets the same advice.
    With `begun`, the steps of a move chosen so far, only moves that contain them are advised.
    """
    analysis = _Analysis(game, position, simulations)
    return analysis.advice_after(tuple(begun)) if begun else analysis.advice(analysis.moves)


def format_reason(
    game: Game[Any, Any], advice: Advice, describe: Callable[[AdvisedMove], str]
) -> str:
    """Return what the best move is for, then the figures, with moves as `describe` writes them."""
    better = format_better(advice, describe)
    parts = [better, format_explanation(advice), format_figures(game, advice, describe)]
    return " ".join(part for part in parts if part)


def format_explanation(advice: Advice) -> str:
    """Return what the best move is for, as a sentence; empty if there is nothing to say."""
    reason = advice.explanation
    return say(reason.key, reason.params) if reason else ""


def format_figures(
    game: Game[Any, Any], advice: Advice, describe: Callable[[AdvisedMove], str]
) -> str:
    """Return how the best move compares with others; empty if that says less than its purpose."""
    if advice.explanation and advice.reason in LAST_RESORT:
        return ""
    params = dict(advice.params)
    if len(advice.moves) > 1:
        params["move"] = describe(advice.moves[1])
    if "leader" in params:
        params["leader"] = say(f"{game.name}.seat.{params['leader']}", {})
    return say(f"consigliere.{advice.reason}", params)


def format_better(advice: Advice, describe: Callable[[AdvisedMove], str]) -> str:
    """Return which move would be better than what was begun; empty if none would."""
    if advice.better is None:
        return ""
    return say("consigliere.better", {"move": describe(advice.better)})


def describe_move(move: AdvisedMove) -> str:
    """Return a move as the labels of its actions."""
    return describe_steps(move.choices)


def describe_steps(choices: Sequence[Choice]) -> str:
    """Return a move as the labels of its steps; a step that the next one repeats is left out."""
    following = [*choices[1:], None][: len(choices)]
    pairs = zip(choices, following, strict=True)
    return " · ".join(_label(step) for step, after in pairs if not _is_repeated(step, after))


def _is_repeated(step: Choice, after: Choice | None) -> bool:
    """Whether the next step says the same and more, as a card does after its owner."""
    if after is None or not step.params or step.group or after.group:
        return False
    return step.params.items() < after.params.items()


def _label(choice: Choice) -> str:
    text = say(choice.key, choice.params)
    return f"{say(*choice.group)}: {text}" if choice.group else text


def percent(share: float) -> int:
    """Return a share as a whole percentage."""
    return round(100 * share)


# --- What was found ---------------------------------------------------------------------------


class _Analysis:
    """A search from a position, with the moves it found."""

    def __init__(self, game: Game[Any, Any], position: Position, simulations: int) -> None:
        self.game = game
        self.position = position
        self.seat = position.seat
        self.simulations = simulations
        bot = SearchBot(game, Budget(simulations=simulations))
        self.search, _ = bot.run_search(position, position_dice(position), until_decided=False)
        self.world = game.sample(position, self.search.dice)
        found = _MoveFinder(game, self.search, position).moves(self.world)
        self.moves = sorted(found, key=lambda move: (-move.probability, -move.visits))

    def advice(self, moves: Sequence[AdvisedMove], begun: tuple[Action, ...] = ()) -> Advice:
        """Return advice among these moves, the best first; `begun` was done before them."""
        often = max(move.visits for move in moves)
        worth = [moves[0], *(move for move in moves[1:] if move.visits >= SELDOM * often)]
        only = not begun and sum(self.game.count_moves(self.position)) == 1
        why, params = ("forced", {}) if only else reason(worth, self.seat)
        shown = [self.labelled(move) for move in worth[:MOST_MOVES]]
        line = _principal_variation(self.game, self.search, self.world, shown[0], self.seat)
        return Advice(
            tuple(shown), tuple(line), why, params, None if only else self.explain(shown[0])
        )

    def explain(self, move: AdvisedMove) -> Reason | None:
        """Return what a move is for, in the words of the rules."""
        explanation: Reason | None = self.game.explain(
            self.position, self.game.to_move(move.actions)
        )
        return explanation

    def labelled(self, move: AdvisedMove) -> AdvisedMove:
        """Return a move with the labels of its actions."""
        return replace(move, choices=_choices(self.game, self.world, self.seat, move.actions))

    # --- A move that has begun ------------------------------------------------------------------

    def advice_after(self, begun: tuple[Action, ...]) -> Advice:
        """Return advice among the moves that contain these steps, and a better one if it is clear.

        If the search hardly looked at them, the moves come from a search of their own.
        """
        state = self.world.copy()
        for action in begun:
            state.apply(self.seat, action)
        after: Position = self.game.position(state, self.seat)
        earlier = set(self.game.insertable_actions(after)) - set(begun)
        moves = [move for move in self.moves if _contains(move.actions, begun, earlier)]
        if not moves or max(move.visits for move in moves) < ENOUGH * self.simulations:
            moves = self.continuations(begun, state, after)
        best = self.moves[0]
        ahead = best.shares[self.seat] - moves[0].shares[self.seat]
        is_clear = best.actions != moves[0].actions and _is_clear(ahead, moves[:1], self.seat)
        better = self.labelled(best) if is_clear else None
        return replace(self.advice(moves, begun), better=better)

    def continuations(
        self, begun: tuple[Action, ...], state: State, after: Position
    ) -> list[AdvisedMove]:
        """Return the moves that begin with these steps, from a search after them."""
        if self.game.is_complete_move(state, self.seat, begun) and not any(
            self.game.continues_move(begun, action) for action in after.legal
        ):
            shares = win_chances(self.game, after)
            return [AdvisedMove(begun, self.text(begun), PLAYOUTS, shares, 1.0)]
        moves = []
        for move in _Analysis(self.game, after, self.simulations).moves:
            actions = (*begun, *move.actions)
            moves.append(replace(move, actions=actions, text=self.text(actions)))
        return moves

    def text(self, actions: Sequence[Action]) -> str:
        """Return a move in notation."""
        return self.game.format_move(self.game.to_move(actions))


def _contains(
    actions: Sequence[Action], begun: tuple[Action, ...], earlier: Collection[Action]
) -> bool:
    """Return whether a move has these steps; those in `earlier` may still come before them."""
    rest = [action for action in actions if action not in earlier]
    return tuple(rest[: len(begun)]) == begun


# --- Whole moves ------------------------------------------------------------------------------


class _MoveFinder:
    """Finds the complete moves that a search has visited; the tree holds single actions."""

    def __init__(self, game: Game[Any, Any], search: Search, position: Position) -> None:
        self.game = game
        self.search = search
        self.position = position
        self.seat = position.seat

    def moves(self, world: State) -> Iterator[AdvisedMove]:
        """Yield all complete moves from here, where the seat is to act."""
        yield from self._on(world.copy(), (), None, self.search.simulations, 1.0)

    def _on(
        self,
        state: State,
        steps: tuple[Action, ...],
        edge: int | None,
        visits: int,
        probability: float,
    ) -> Iterator[AdvisedMove]:
        """Yield the complete moves that begin with these actions, the last of which is an edge."""
        search, seat = self.search, self.seat
        while not (steps and self.game.is_complete_move(state, seat, steps)):
            state.fill_legal(seat, search.legal)
            action = search.legal.first[0]
            if search.legal.total > 1:
                node = search.tree.find(search.key(state, seat))
                if node >= 0 and search.tree.visits[node]:
                    yield from self._from(state, node, steps, visits, probability)
                    return
                action = search.evaluator.playout_action(state, seat, search.legal, search.dice)
            state.apply(seat, action)
            steps = (*steps, action)
        shares = win_chances(self.game, self.position) if edge is None else _shares(search, edge)
        yield AdvisedMove(steps, self._text(steps), visits, shares, probability)

    def _from(
        self, state: State, node: int, steps: tuple[Action, ...], most: int, probability: float
    ) -> Iterator[AdvisedMove]:
        """Do the same from a node with visited edges."""
        tree = self.search.tree
        edges = range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node])
        mixed = [float(tree.strategy_sum[edge]) for edge in edges] if tree.is_mixed[node] else []
        best = self.search.final_edge(node)
        for edge in edges:
            visits = min(most, int(tree.edge_visits[edge]))  # other paths may lead to the same edge
            if visits:
                often = mixed[edge - edges[0]] / sum(mixed) if sum(mixed) else float(edge == best)
                action = int(tree.action[edge])
                after = state.copy()
                after.apply(self.seat, action)
                yield from self._on(after, (*steps, action), edge, visits, probability * often)

    def _text(self, steps: Sequence[Action]) -> str:
        return self.game.format_move(self.game.to_move(steps))


def _choices(
    game: Game[Any, Any], world: State, seat: Seat, actions: Sequence[Action]
) -> tuple[Choice, ...]:
    """Return the labels of a move's actions, one after another."""
    state = world.copy()
    choices = []
    for action in actions:
        choices.append(game.choice(game.position(state, seat), action))
        state.apply(seat, action)
    return tuple(choices)


def _shares(search: Search, edge: int) -> tuple[float, ...]:
    tree, seats = search.tree, search.seats
    return tuple(
        float(tree.value_sum[edge * seats + seat] / tree.edge_visits[edge]) for seat in range(seats)
    )


def _principal_variation(
    game: Game[Any, Any], search: Search, world: State, first: AdvisedMove, seat: Seat
) -> Iterator[ExpectedMove]:
    """Yield the best move, then what each seat would play, in one of the sampled worlds."""
    yield ExpectedMove(seat, first.choices)
    state = world.copy()
    for action in first.actions:
        state.apply(seat, action)
    for _ in range(VARIATION_LENGTH - 1):
        resolve_chance(state, search.dice)
        if not state.acting():
            return
        seat = random_actor(state.acting(), search.dice)
        before, steps = state.copy(), list[Action]()
        while not (steps and game.is_complete_move(state, seat, steps)):
            state.fill_legal(seat, search.legal)
            node = search.tree.find(search.key(state, seat))
            if search.legal.total == 1:
                action = search.legal.first[0]
            elif node >= 0 and search.tree.visits[node] > 1:
                action = int(search.tree.action[search.final_edge(node)])
            else:
                return
            state.apply(seat, action)
            steps.append(action)
        yield ExpectedMove(seat, _choices(game, before, seat, steps))


# --- Why --------------------------------------------------------------------------------------


def reason(moves: Sequence[AdvisedMove], seat: Seat) -> tuple[str, dict[str, Param]]:
    """Return why the first of these moves is best, as the key of a sentence and its parameters.

    `{move}` in a sentence is the second move.
    """
    best, others = moves[0], moves[1:]
    mine = best.shares[seat]
    if mine >= SURE:
        return "sure", {}
    if not others:
        return "no_other", {}
    if best.probability < CERTAIN:
        often, other = percent(best.probability), percent(others[0].probability)
        return "mixed", {"often": often, "other": other}
    rest = _average(others)
    leader = max((one for one in range(len(rest)) if one != seat), key=lambda one: rest[one])
    if rest[leader] - best.shares[leader] > max(mine - rest[seat], HELD):
        chances = {"now": percent(best.shares[leader]), "before": percent(rest[leader])}
        return "guards", {**chances, "leader": leader}
    ahead = mine - others[0].shares[seat]
    if _is_clear(ahead, others[:1], seat):
        return "ahead", {"wins": percent(mine), "more": percent(ahead)}
    if abs(ahead) < ALIKE and len(others) > 1:
        less = mine - _average(others[1:])[seat]
        if _is_clear(less, others[1:], seat):
            return "close", {"wins": percent(mine), "less": percent(less)}
    if _is_clear(mine - rest[seat], others, seat):
        return "above", {"wins": percent(mine), "more": percent(mine - rest[seat])}
    return "alike", {"wins": percent(mine)}


def _average(moves: Sequence[AdvisedMove]) -> list[float]:
    """Return the mean share of each seat over some moves, weighted by visits."""
    visits = sum(move.visits for move in moves)
    seats = range(len(moves[0].shares))
    return [sum(move.shares[seat] * move.visits for move in moves) / visits for seat in seats]


def _is_clear(more: float, moves: Sequence[AdvisedMove], seat: Seat) -> bool:
    """Return whether a lead over some moves is larger than the noise of their visits."""
    share = _average(moves)[seat]
    visits = sum(move.visits for move in moves)
    return more >= max(ALIKE, math.sqrt(share * (1 - share) / visits))
