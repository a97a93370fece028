"""Search on several cores: worker processes search the same position, and results are merged."""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from typing import Any, NamedTuple

from cosca.bots.search.budget import Budget
from cosca.bots.search.search import Search
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import Action


class EdgeStatistics(NamedTuple):
    """What a search has found about one action."""

    action: Action
    visits: int
    strategy_sum: float
    value_sums: list[float]


SearchResult = tuple[int, list[EdgeStatistics]]
"""The number of simulations, and the statistics of all actions."""


def search_on_workers(
    game: str,
    position: Any,
    budget: Budget,
    textbook: bool,
    clock: Callable[[], float],
    dice: Dice,
) -> list["Future[SearchResult]"]:
    """Let every other core search a position, each with its own dice."""
    alone = Budget(budget.seconds, budget.simulations)
    seeds = [int(dice.next_word()) for _ in range(budget.cores - 1)]
    return [_pool().submit(_search, game, position, alone, textbook, clock, seed) for seed in seeds]


def merge(search: Search, node: int, result: SearchResult) -> None:
    """Add another process's results for a node to this search."""
    tree = search.tree
    simulations, moves = result
    by_action = {statistics.action: statistics for statistics in moves}
    for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
        statistics = by_action.get(tree.action[edge])
        if statistics:
            tree.edge_visits[edge] += statistics.visits
            tree.visits[node] += statistics.visits
            tree.strategy_sum[edge] += statistics.strategy_sum
            for seat, part in enumerate(statistics.value_sums):
                tree.value_sum[edge * search.seats + seat] += part
    search.simulations += simulations


def _search(
    game: str,
    position: Any,
    budget: Budget,
    textbook: bool,
    clock: Callable[[], float],
    seed: int,
) -> SearchResult:
    """Search in a worker process, and return the statistics of every action."""
    from cosca.bots.search.search_bot import SearchBot

    bot = SearchBot(find(game), budget, textbook=textbook, clock=clock)
    search, node = bot.run_search(position, Dice(seed), until_decided=False)
    tree, seats = search.tree, search.seats
    return search.simulations, [
        EdgeStatistics(
            int(tree.action[edge]),
            int(tree.edge_visits[edge]),
            float(tree.strategy_sum[edge]),
            [float(part) for part in tree.value_sum[edge * seats : (edge + 1) * seats]],
        )
        for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node])
    ]


@cache
def _pool() -> ProcessPoolExecutor:
    """Return the worker processes, started once and kept."""
    context = multiprocessing.get_context("spawn")  # a fork would copy sockets and threads
    return ProcessPoolExecutor(os.cpu_count(), context)
