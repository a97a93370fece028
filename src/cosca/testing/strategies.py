"""Walks for Hypothesis: lists of choices, so that a walk that breaks a law shrinks to a few."""

from hypothesis import strategies as st

from cosca.testing.case import Case
from cosca.testing.walks import ListedRolls, TableSetup, Walk, random_walk


def walks(case: Case, most: int = 40) -> st.SearchStrategy[Walk]:
    """Return a strategy for walks of at most so many decisions, in any setup of a game."""
    choices = st.lists(st.integers(0, 2**16 - 1), max_size=3 * most)
    return st.builds(follow, st.sampled_from(case.table_setups()), choices, st.just(most))


def follow(setup: TableSetup, choices: list[int], most: int) -> Walk:
    """Return the walk that takes these choices, those of chance included."""
    return random_walk(setup, ListedRolls(choices), most=min(most, len(choices)))
