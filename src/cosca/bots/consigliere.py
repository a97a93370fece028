"""The consigliere: what to play, what to expect from it, what may follow, and why in one sentence.

It knows only the position of the seat that asks, and gives the same advice for the same position on
any machine: its dice are seeded by the position.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from cosca.bots.search.budget import Budget
from cosca.bots.search.search import Search
from cosca.bots.search.search_bot import SearchBot
from cosca.bots.win_chances import position_dice, win_chances
from cosca.core.choice import Choice
from cosca.core.errors import Param
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
VARIATION_LENGTH: Final = 5
"""The most moves of a principal variation."""
SURE: Final = 0.995
ALIKE: Final = 0.01
"""Chances that differ by less count as equal."""
HELD: Final = 0.03
"""A leader who loses less than this is not held back."""
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
    text: str


@dataclass(frozen=True, slots=True)
class Advice:
    """Moves, best first; the principal variation; and the reason, as the key of a sentence."""

    moves: tuple[AdvisedMove, ...]
    """The moves worth considering, with their visits, win chances and probabilities."""
    principal_variation: tuple[ExpectedMove, ...]
    """The moves that are expected to follow, the best one first."""
    reason: str
    """Which sentence says why; `format_reason` returns it."""
    params: Mapping[str, Param]
    """What fills that sentence."""


def advise(game: Game[Any, Any], position: Position, simulations: int = SIMULATIONS) -> Advice:
    """Return advice for the seat of a position of the game, which is to act.

    More `simulations` make it better and slower. The same position always gets the same advice.
    """
    bot = SearchBot(game, Budget(simulations=simulations))
    search, _ = bot.run_search(position, position_dice(position), until_decided=False)
    world = game.sample(position, search.dice)
    seat = position.seat
    found = sorted(
        _MoveFinder(game, search, position).moves(world),
        key=lambda counsel: (-counsel.probability, -counsel.visits),
    )
    often = max(counsel.visits for counsel in found)
    worth = [found[0], *(move for move in found[1:] if move.visits >= SELDOM * often)]
    only = sum(game.count_moves(position)) == 1
    why, params = ("forced", {}) if only else reason(worth, seat)
    moves = [
        replace(move, choices=_choices(game, world, seat, move)) for move in worth[:MOST_MOVES]
    ]
    line = _principal_variation(game, search, world, worth[0], seat)
    return Advice(tuple(moves), tuple(line), why, params)


def format_reason(
    game: Game[Any, Any], advice: Advice, describe: Callable[[AdvisedMove], str]
) -> str:
    """Return the reason as a sentence, with moves written by the given function."""
    params = dict(advice.params)
    if len(advice.moves) > 1:
        params["move"] = describe(advice.moves[1])
    if "leader" in params:
        params["leader"] = say(f"{game.name}.seat.{params['leader']}", {})
    return say(f"consigliere.{advice.reason}", params)


def describe_move(move: AdvisedMove) -> str:
    """Return a move as the labels of its actions."""
    steps = []
    for choice in move.choices:
        text = say(choice.key, choice.params)
        steps.append(f"{say(*choice.group)}: {text}" if choice.group else text)
    return " · ".join(steps)


def percent(share: float) -> int:
    """Return a share as a whole percentage."""
    return round(100 * share)


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
    game: Game[Any, Any], world: State, seat: Seat, move: AdvisedMove
) -> tuple[Choice, ...]:
    """Return the labels of a move's actions, one after another."""
    state = world.copy()
    choices = []
    for action in move.actions:
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
    yield ExpectedMove(seat, first.text)
    state = world.copy()
    for action in first.actions:
        state.apply(seat, action)
    for _ in range(VARIATION_LENGTH - 1):
        resolve_chance(state, search.dice)
        if not state.acting():
            return
        seat = random_actor(state.acting(), search.dice)
        steps: list[Action] = []
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
        yield ExpectedMove(seat, game.format_move(game.to_move(steps)))


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
        return "ahead", {"more": percent(ahead)}
    if abs(ahead) < ALIKE and len(others) > 1:
        less = mine - _average(others[1:])[seat]
        if _is_clear(less, others[1:], seat):
            return "close", {"less": percent(less)}
    if _is_clear(mine - rest[seat], others, seat):
        return "above", {"more": percent(mine - rest[seat])}
    return "alike", {}


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
