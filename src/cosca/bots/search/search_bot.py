"""Thinks about a position: samples worlds that may be the truth, searches them, and chooses."""

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
"""Where play is mixed, what should be played less often than this is not played at all, so at most
two moves are: what comes third looks good by chance as likely as not."""
LEAST_IN_A_WORLD = 32
SHARES = 4
"""Of what is left of a budget, at most such a share is spent in one world."""
MOST_KEPT = 100_000
"""So many nodes at most are kept for the next move,"""
MOST_MOVES_KEPT = 1_000_000
"""with so many moves: a hundred megabytes."""
VARIATION_LENGTH = 8
"""So many steps of what is expected are told."""


@dataclass(frozen=True, slots=True)
class MoveEvaluation:
    """One move as the search sees it."""

    action: Action
    visits: int
    shares: tuple[float, ...]
    """What it promises each seat of the victory."""
    probability: float
    """How often it is to be played: always the best one, or a mix where it must not be read."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search has found: the moves, best first, and what it expects to follow."""

    simulations: int
    moves: tuple[MoveEvaluation, ...]
    principal_variation: tuple[str, ...]
    """The main line in notation, as it would be in one of the worlds."""


class SearchBot:
    """Plays one game by search. It remembers what it thought, for the next move of the same game.

    The same positions in the same order, with the same dice and a budget of simulations, are
    answered in the same way.
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
        """The best move found."""
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
        """Search as long as the budget lasts; the tree, and where in it the position is.

        Once no other move could win any more, the rest of the budget is not used.
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
        """Simulations in one world after another, from one seat's view and another's."""
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
            elif left != inf and not self.textbook:  # the first world tells how many there will be
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
        """How many simulations the next world gets: a part of what is left, for more to come."""
        share = LEAST_IN_A_WORLD if left == inf else int(left / SHARES)
        number = min(self.evaluator.simulations_per_world, max(LEAST_IN_A_WORLD, share))
        return number if self.budget.simulations is None else min(number, int(left))

    def _simulations_left(self, done: int, spent: float) -> float:
        """How many simulations the budget still allows, as far as can be told."""
        left = inf
        if self.budget.simulations is not None:
            left = self.budget.simulations - done
        if self.budget.seconds is not None:
            rest = self.budget.seconds - spent
            left = min(left, rest * done / spent if done and spent else rest * inf)
        return left

    def _viewer(self, seat: Seat, seats: int, turn: int) -> Seat:
        """From whose view the next world is: that of who is to act, and now and then another's."""
        others = self._opponent_view_period()
        if others == 0 or turn % others != others - 1:
            return seat
        return (seat + 1 + turn // others % (seats - 1)) % seats

    def _opponent_view_period(self) -> int:
        """One world of so many is another seat's; none where all learn from all."""
        return 0 if self.textbook else self.evaluator.opponent_view_period

    def _reusable_search(self, seats: int, dice: Dice) -> Search:
        """The search of the last move if it is still good, with these dice."""
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

    # --- Hints --------------------------------------------------------------------------------

    def evaluate_moves(self, position: Any, dice: Dice) -> tuple[MoveEvaluation, ...]:
        """The moves with what they promise each seat, the best first; no longer than it takes."""
        own = Dice(dice.next_word(), dice.next_word())
        return self._evaluations(*self.run_search(position, own))

    def analyse(self, position: Any, dice: Dice) -> Analysis:
        """The moves with what they promise each seat, and what is expected to follow."""
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
        """Go down the tree by what each seat would do, in one of the worlds."""
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
    """Whether a search remembers more than may be kept."""
    return bool(search.tree.nodes > MOST_KEPT or search.tree.edges > MOST_MOVES_KEPT)


def _mean_share(search: Search, edge: int, seat: Seat) -> float:
    return float(search.tree.value_sum[edge * search.seats + seat] / search.tree.edge_visits[edge])
