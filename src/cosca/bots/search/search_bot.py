"""A bot that searches: samples worlds consistent with a position, searches them, and chooses."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

from cosca.bots.search import parallel
from cosca.bots.search.budget import Budget
from cosca.bots.search.search import Search
from cosca.bots.search.textbook import Textbook
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.core.names import ALL_SEATS, CHANCE_BIT, Action, Seat
from cosca.core.playout import random_actor, resolve_chance
from cosca.core.state import State

TOO_RARE = 0.34
"""In mixed play, actions with a lower probability are never played, which leaves two at most: a
third one looks good by chance as often as not.
"""
LEAST_IN_A_WORLD = 32
SHARES = 4
"""At most this fraction (1/4) of the remaining budget is spent in one world."""
MOST_KEPT = 100_000
"""The most nodes that are kept for the next move,"""
MOST_MOVES_KEPT = 1_000_000
"""with this many edges: a hundred megabytes."""
VARIATION_LENGTH = 8
"""The most actions of a principal variation."""


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """One action with what the search found about it."""

    action: Action
    visits: int
    shares: tuple[float, ...]
    """Each seat's expected share of the victory."""
    probability: float
    """How often to play it: 1 for the best action, or a part of a mixed strategy."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search: the actions, best first, and the principal variation."""

    simulations: int
    moves: tuple[MoveEvaluation, ...]
    principal_variation: tuple[str, ...]
    """In notation, as played in one of the sampled worlds."""


class SearchBot:
    """Plays one `game` by search. It keeps its tree for the next move of the same game.

    It spends its `budget` on every decision, in seconds of `clock`. With `textbook` it is plain
    ISMCTS with random playouts, to measure others against.

    The same positions in the same order, with the same dice and a budget of simulations, give the
    same answers.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        budget: Budget,
        *,
        textbook: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.game = game
        self.budget = budget
        self.textbook = textbook
        self.clock = clock
        self.evaluator = game.evaluator(game)
        self.search: Search | None = None

    def __call__(self, position: Any, dice: Dice) -> Action:
        """Return the best action found."""
        own = Dice(dice.next_word(), dice.next_word())
        if len(position.legal) == 1:
            return int(position.legal[0])
        search, node = self.run_search(position, own)
        tree = search.tree
        if tree.is_mixed[node]:
            return int(tree.action[search.average_strategy_edge(node, TOO_RARE)])
        return int(tree.action[search.final_edge(node)])

    def run_search(
        self, position: Any, dice: Dice, *, until_decided: bool = True
    ) -> tuple[Search, int]:
        """Search until the budget is spent; return the search, and the node of the position.

        The rest of the budget is not used once no other action could become the best.
        """
        began = self.clock()
        seat: Seat = position.seat
        world = self.game.sample(position, dice)
        search = self._reusable_search(world.seats, dice)
        node = search.root(world, seat)
        others = []
        if self.budget.cores > 1:
            others = parallel.search_on_workers(
                self.game.name, position, self.budget, self.textbook, self.clock, dice
            )
            until_decided = False
        self._search_alone(search, node, position, began, until_decided)
        for other in others:
            parallel.merge(search, node, other.result())
        return search, node

    def _search_alone(
        self, search: Search, node: int, position: Any, began: float, until_decided: bool
    ) -> None:
        """Simulate in one world after another, mostly from the view of the seat to act."""
        seat: Seat = position.seat
        dice = search.dice
        before = search.simulations
        turn = 0
        while True:
            done = search.simulations - before
            left = self._simulations_left(done, self.clock() - began)
            if left <= 0 or (until_decided and search.is_decided(node, left)):
                return
            if search.root_node == node:
                search.halve_candidates(done / (done + left))
            elif left != inf and not self.textbook:  # after the first world the number is known
                search.select_candidates(node, left)
            viewer = self._viewer(seat, search.seats, turn)
            view = position
            if viewer != seat:
                view = self.game.position(self.game.sample(position, dice), viewer)
            world = self.game.sample(view, dice)
            search.evaluator.prepare(view)
            learner = viewer if self._opponent_view_period() else ALL_SEATS
            number = self._simulations_in_world(left)
            if viewer == seat and search.root_node == node and number >= search.candidates_left:
                search.simulate_candidates(world, learner, number // search.candidates_left)
            else:
                search.simulate(world, viewer, learner, number)
            turn += 1

    def _simulations_in_world(self, left: float) -> int:
        """Return how many simulations the next world gets, leaving budget for more worlds."""
        share = LEAST_IN_A_WORLD if left == inf else int(left / SHARES)
        number = min(self.evaluator.simulations_per_world, max(LEAST_IN_A_WORLD, share))
        return number if self.budget.simulations is None else min(number, int(left))

    def _simulations_left(self, done: int, spent: float) -> float:
        """Return how many simulations the budget still allows, as an estimate."""
        left = inf
        if self.budget.simulations is not None:
            left = self.budget.simulations - done
        if self.budget.seconds is not None:
            rest = self.budget.seconds - spent
            left = min(left, rest * done / spent if done and spent else rest * inf)
        return left

    def _viewer(self, seat: Seat, seats: int, turn: int) -> Seat:
        """Return from whose view the next world is sampled: now and then an opponent's."""
        others = self._opponent_view_period()
        if others == 0 or turn % others != others - 1:
            return seat
        return (seat + 1 + turn // others % (seats - 1)) % seats

    def _opponent_view_period(self) -> int:
        """Return every how many worlds one is an opponent's view; 0 if all seats learn in all."""
        return 0 if self.textbook else self.evaluator.opponent_view_period

    def _reusable_search(self, seats: int, dice: Dice) -> Search:
        """Return the search of the last move if it is still usable, with these dice."""
        search = self.search
        if search is None or search.seats != seats or _is_too_large(search):
            if self.textbook:
                search = Search(
                    Textbook(self.evaluator), seats, dice, exploration=1.0, textbook=True
                )
            else:
                search = Search(self.evaluator, seats, dice)
            self.search = search
        search.dice = dice
        return search

    # --- Analysis -----------------------------------------------------------------------------

    def evaluate_moves(self, position: Any, dice: Dice) -> tuple[MoveEvaluation, ...]:
        """Return the actions with their values for each seat, best first; stops when decided."""
        own = Dice(dice.next_word(), dice.next_word())
        return self._evaluations(*self.run_search(position, own))

    def analyse(self, position: Any, dice: Dice) -> Analysis:
        """Return the actions with their values for each seat, and the principal variation."""
        own = Dice(dice.next_word(), dice.next_word())
        search, node = self.run_search(position, own, until_decided=False)
        return Analysis(
            search.simulations,
            self._evaluations(search, node),
            self._principal_variation(search, position),
        )

    def _evaluations(self, search: Search, node: int) -> tuple[MoveEvaluation, ...]:
        tree = search.tree
        edges = range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node])
        often = [tree.strategy_sum[edge] if tree.is_mixed[node] else 0.0 for edge in edges]
        whole = sum(often)
        best = search.final_edge(node)
        found = [
            MoveEvaluation(
                int(tree.action[edge]),
                int(tree.edge_visits[edge]),
                tuple(_mean_share(search, edge, seat) for seat in range(search.seats)),
                mixed / whole if whole else float(edge == best),
            )
            for edge, mixed in zip(edges, often, strict=True)
            if tree.edge_visits[edge]
        ]
        return tuple(
            sorted(found, key=lambda evaluation: (-evaluation.probability, -evaluation.visits))
        )

    def _principal_variation(self, search: Search, position: Any) -> tuple[str, ...]:
        """Follow each seat's best action down the tree, in one sampled world."""
        world: State = self.game.sample(position, search.dice)
        line: list[str] = []
        while (acting := world.acting()) and len(line) < VARIATION_LENGTH:
            if acting == CHANCE_BIT:
                resolve_chance(world, search.dice)
                continue
            first = not line and acting >> position.seat & 1
            seat = position.seat if first else random_actor(acting, search.dice)
            world.fill_legal(seat, search.legal)
            node = search.tree.find(search.key(world, seat))
            if node < 0 or (line and search.tree.visits[node] < 2):
                break
            action = int(search.tree.action[search.final_edge(node)])
            line.append(self.game.format_action(world, action))
            world.apply(seat, action)
        return tuple(line)


def _is_too_large(search: Search) -> bool:
    """Return whether a tree is larger than what may be kept."""
    return bool(search.tree.nodes > MOST_KEPT or search.tree.edges > MOST_MOVES_KEPT)


def _mean_share(search: Search, edge: int, seat: Seat) -> float:
    return float(search.tree.value_sum[edge * search.seats + seat] / search.tree.edge_visits[edge])
