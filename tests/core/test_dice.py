"""Fast dice: uniform enough to play with, and the same everywhere."""

from collections import Counter

import pytest

from cosca.core.dice import Dice

ROLLS = 60_000
ROLLED = [7, 8, 7, 2, 1, 11, 10, 9]


def spread(counts: Counter[int], sides: int, rolls: int) -> float:
    """Return how far counts are from even, in standard deviations."""
    expected = rolls / sides
    distance = sum((counts[side] - expected) ** 2 / expected for side in range(sides))
    return float((distance - (sides - 1)) / (2 * (sides - 1)) ** 0.5)


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 13, 50, 651, 1000])
def test_rolls_are_uniform(sides: int) -> None:
    dice = Dice(7)
    counts = Counter(dice.below(sides) for _ in range(ROLLS))
    assert -4 < spread(counts, sides, ROLLS) < 4


@pytest.mark.parametrize("apart", [1, 2, 3, 7])
def test_neighbouring_rolls_are_independent(apart: int) -> None:
    dice = Dice(11)
    rolls = [dice.below(13) for _ in range(ROLLS)]
    pairs = Counter(13 * a + b for a, b in zip(rolls, rolls[apart:], strict=False))
    assert -4 < spread(pairs, 169, ROLLS - apart) < 4


def test_the_first_rolls_of_many_streams_are_even_too() -> None:
    counts = Counter(Dice(3, stream).below(13) for stream in range(ROLLS))
    assert -4 < spread(counts, 13, ROLLS) < 4


def test_awkward_sizes_have_no_bias() -> None:
    dice, sides = Dice(5), 3 << 30
    low = sum(dice.below(sides) < sides // 3 for _ in range(ROLLS))
    assert abs(low - ROLLS / 3) < 4 * (ROLLS * 2 / 9) ** 0.5


def test_seed_and_stream_decide_every_roll() -> None:
    def rolls(seed: int, stream: int = 0) -> list[int]:
        dice = Dice(seed, stream)
        return [dice.below(1 << 30) for _ in range(5)]

    assert rolls(1) == rolls(1)
    assert len({tuple(rolls(seed, stream)) for seed in range(20) for stream in range(20)}) == 400


def test_any_whole_number_is_a_seed() -> None:
    for seed in (0, -1, 2**64, 2**200):
        assert 0 <= Dice(seed).below(6) < 6


def test_the_first_rolls_of_a_seed_never_change() -> None:
    dice = Dice(2026)
    assert [dice.below(13) for _ in range(8)] == ROLLED
