"""Intervals have the coverage they claim, also where games come in deals."""

import pytest

from cosca.arena.interval import DealSum, mean, rate, student_t, wilson
from cosca.core.dice import Dice

TRIALS = 400


def test_the_interval_of_a_rate_contains_it_and_stays_within_0_and_1() -> None:
    low, high = wilson(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert wilson(0, 10)[0] == pytest.approx(0)
    assert wilson(10, 10)[1] == pytest.approx(1)


def chance(dice: Dice, percent: int) -> bool:
    """Return whether an event of this probability occurs."""
    return dice.below(100) < percent


def alone(dice: Dice, percent: int) -> DealSum:
    """Return four independent games of a deal."""
    return DealSum(float(sum(chance(dice, percent) for _ in range(4))), 4)


def together(dice: Dice, percent: int) -> DealSum:
    """Return four games of a deal that all end alike."""
    return DealSum(4.0 * chance(dice, percent), 4)


@pytest.mark.parametrize("deal", [alone, together])
@pytest.mark.parametrize("percent", [10, 25, 50])
@pytest.mark.parametrize("deals", [20, 100])
def test_intervals_of_rates_have_their_coverage(deal: object, percent: int, deals: int) -> None:
    assert callable(deal)
    held = 0
    for trial in range(TRIALS):
        dice = Dice(percent, trial)
        _, low, high = rate({number: deal(dice, percent) for number in range(deals)})
        held += low <= percent / 100 <= high
    assert held / TRIALS >= 0.92  # 0.95 less three standard errors


@pytest.mark.parametrize("deals", [5, 100])
def test_intervals_of_means_have_their_coverage(deals: int) -> None:
    held = 0
    for trial in range(1000):
        dice = Dice(deals, trial)
        parts = {
            number: DealSum(float(dice.below(7) + dice.below(7)), 1) for number in range(deals)
        }
        _, low, high = mean(parts)
        held += low <= 6 <= high
    assert held / 1000 >= 0.93


def test_identical_games_of_a_deal_count_as_one() -> None:
    alike = {deal: DealSum(4.0 * (deal % 2), 4) for deal in range(100)}
    single = {deal: DealSum(float(deal % 2), 1) for deal in range(100)}
    assert rate(alike).low == pytest.approx(rate(single).low)


def test_only_many_duplicate_deals_may_count_for_more_than_independent_games() -> None:
    even = {deal: DealSum(1.0 + (deal % 2), 4) for deal in range(200)}
    games = 800
    low, high = wilson(games * 0.375, games)
    assert rate(even).high - rate(even).low < high - low
    few = {deal: even[deal] for deal in range(10)}
    low, high = wilson(15, 40)
    assert rate(few).low == pytest.approx(low)


def test_a_rate_of_zero_has_an_upper_bound() -> None:
    never = {deal: DealSum(0.0, 4) for deal in range(20)}
    assert rate(never).high == pytest.approx(wilson(0, 20)[1])


def test_no_games_give_the_widest_interval() -> None:
    assert rate({}) == (0.0, 0.0, 1.0)
    assert rate({0: DealSum(1.0, 1)}).low == pytest.approx(wilson(1, 1)[0])


@pytest.mark.parametrize(("freedom", "factor"), [(4, 2.776), (9, 2.262), (29, 2.045)])
def test_few_deals_widen_the_interval_of_a_mean(freedom: int, factor: float) -> None:
    assert student_t(freedom) == pytest.approx(factor, rel=0.02)
