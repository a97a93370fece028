"""More cores: several processes think about the same position, and what they find is added."""

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
    """What a search has found about one move."""

    action: Action
    tried: int
    mix: float
    sums: list[float]


SearchResult = tuple[int, list[EdgeStatistics]]
"""How many simulations it took, and all moves."""


def search_on_workers(
    game: str,
    position: Any,
    budget: Budget,
    textbook: bool,
    clock: Callable[[], float],
    dice: Dice,
) -> list["Future[SearchResult]"]:
    """Let every other core think about a position, each with dice of its own."""
    alone = Budget(budget.seconds, budget.simulations)
    seeds = [int(dice.next_word()) for _ in range(budget.cores - 1)]
    return [_pool().submit(_search, game, position, alone, textbook, clock, seed) for seed in seeds]


def merge(search: Search, node: int, finding: SearchResult) -> None:
    """Add what another process has found about a node to what is known here."""
    tree = search.tree
    simulations, moves = finding
    by_action = {found.action: found for found in moves}
    for edge in range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node]):
        found = by_action.get(tree.action[edge])
        if found:
            tree.edge_visits[edge] += found.tried
            tree.visits[node] += found.tried
            tree.strategy_sum[edge] += found.mix
            for seat, part in enumerate(found.sums):
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
    """In another process: search, and tell what was found about every move."""
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
    """Processes that are begun once and kept."""
    context = multiprocessing.get_context("spawn")  # a fork would copy sockets and threads
    return ProcessPoolExecutor(os.cpu_count(), context)
