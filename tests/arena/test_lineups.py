"""Lineups: all bots meet equally often, in an order that the seed determines."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosca.arena.lineups import Lineup, lineups, seatings
from cosca.core.errors import Refused

NAMES = tuple("abcdefgh")


def meetings(some: tuple[Lineup, ...]) -> Counter[tuple[str, str]]:
    """Return how often each two bots meet, counted for each pair of seats."""
    return Counter(
        (min(pair), max(pair))
        for lineup in some
        for pair in combinations(lineup, 2)
        if pair[0] != pair[1]
    )


@settings(derandomize=True, max_examples=60, deadline=None)
@given(bots=st.integers(2, 8), seats=st.integers(3, 6), seed=st.integers(0, 2**64 - 1))
def test_over_all_lineups_all_pairs_meet_equally_often(bots: int, seats: int, seed: int) -> None:
    names = NAMES[:bots]
    found = lineups(names, seats, seed)
    assert all(len(lineup) == seats for lineup in found)
    assert len(set(meetings(found).values())) == 1
    assert len(meetings(found)) == bots * (bots - 1) // 2
    assert len(set(Counter(name for lineup in found for name in lineup).values())) == 1


@settings(derandomize=True, max_examples=30, deadline=None)
@given(bots=st.integers(5, 8), part=st.integers(1, 70), seed=st.integers(0, 1000))
def test_any_prefix_of_the_lineups_is_nearly_even(bots: int, part: int, seed: int) -> None:
    found = lineups(NAMES[:bots], 4, seed)[:part]
    met = meetings(found)
    often = [met[pair] for pair in combinations(NAMES[:bots], 2)]
    assert max(often) - min(often) <= 3


def test_the_seed_decides_the_order() -> None:
    lineups.cache_clear()
    first = lineups(NAMES, 4, 7)
    lineups.cache_clear()
    assert lineups(NAMES, 4, 7) == first
    assert lineups(NAMES, 4, 8) != first
    assert set(lineups(NAMES, 4, 8)) == set(first)


def test_fewer_bots_than_seats_share_out_the_rest() -> None:
    assert set(lineups(("a", "b"), 4, 1)) == {
        ("a", "a", "a", "b"),
        ("a", "a", "b", "b"),
        ("a", "b", "b", "b"),
    }


def test_repeated_names_are_one_lineup() -> None:
    assert lineups(("a", "b", "b", "b"), 4, 1) == (("a", "b", "b", "b"),)
    with pytest.raises(Refused, match=r"arena\.bots_for_seats"):
        lineups(("a", "b", "b"), 4, 1)


def test_too_many_bots_are_refused() -> None:
    with pytest.raises(Refused, match=r"arena\.too_many_bots"):
        lineups(tuple(str(number) for number in range(15)), 4, 1)


def test_seatings_vary_the_neighbours() -> None:
    ways = seatings(("a", "b", "c", "d"), 1)
    assert len(ways) == 6
    left_of_a = Counter(way[1] for way in ways)
    assert left_of_a == {"b": 2, "c": 2, "d": 2}
    assert len(seatings(("a", "a", "b", "b"), 1)) == 3
