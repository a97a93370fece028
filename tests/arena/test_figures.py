"""Figures, each as `docs/arena.md` defines it, checked against counts by hand."""

import itertools

import pytest

from cosca.arena.arena import play_contest
from cosca.arena.balance import variants
from cosca.arena.figures import (
    bars,
    bot_figures,
    cross_table,
    has_half_leader,
    is_comeback,
    order_share,
    report,
    seat_share,
    table_figures,
    times,
)
from cosca.arena.rating import ratings_of
from cosca.arena.result import Result
from cosca.catalog import GAMES, find
from tests.arena.contests import contest, no_time


def result(number: int, **changes: object) -> Result:
    """Return a game of a against b and c, won by a."""
    parts: dict[str, object] = {
        "number": number,
        "deal": number // 3,
        "bots": ["a", "b", "c"],
        "shares": [1.0, 0.0, 0.0],
        "ranks": [1.0, 2.0, 3.0],
        "standing": [10, 7, 1],
        "sudden": False,
        "ending": "points",
        "rounds": 4,
        "decisions": [5, 6, 7],
        "first": 0,
        "half": [1, 2, 3],
        "leads": 2,
        "decided": 0.5,
        "by": ["turned_up card=3", "scored"],
        "seconds": [0.5, 0.6, 0.0],
    }
    return Result(**{**parts, **changes})  # type: ignore[arg-type]  # names are checked above


def value(interval: object) -> float:
    """Return the value of an interval."""
    assert isinstance(interval, dict)
    assert interval["low"] <= interval["value"] <= interval["high"]
    return float(interval["value"])


GAMES_PLAYED = [
    result(0),
    result(
        1, bots=["c", "a", "b"], shares=[0.5, 0.5, 0.0], ranks=[1.5, 1.5, 3.0], by=[], half=[1] * 3
    ),
    result(2, bots=["b", "c", "a"], sudden=True, ending="districts", half=[5, 2, 3], first=2),
]


def test_a_bot_is_counted_for_each_seat_it_had() -> None:
    figures = bot_figures("a", GAMES_PLAYED)
    assert (figures["games"], figures["decisions"]) == (3, 5 + 6 + 7)
    assert value(figures["win_share"]) == pytest.approx((1 + 0.5 + 0) / 3)
    assert value(figures["mean_rank"]) == pytest.approx((1 + 1.5 + 3) / 3, abs=1e-6)
    assert value(figures["margin"]) == (3 - 3) / 2  # 10 - 7, and 7 - 10; the sudden one is left out
    twice = bot_figures("a", [result(0, bots=["a", "a", "b"])])
    assert twice["games"] == 2
    assert value(twice["win_share"]) == 0.5


def test_the_cross_table_counts_who_placed_above_whom() -> None:
    table = cross_table(["a", "b", "c"], GAMES_PLAYED)
    assert table[0][0] is None
    assert value(table[0][1]) == pytest.approx((1 + 1 + 0) / 3, abs=1e-6)
    assert value(table[0][2]) == pytest.approx((1 + 0.5 + 0) / 3, abs=1e-6)
    for one in range(3):
        for other in range(one):
            assert value(table[one][other]) + value(table[other][one]) == pytest.approx(1, abs=1e-5)


def test_seats_are_counted_as_they_are_and_from_the_first_to_decide() -> None:
    assert seat_share(GAMES_PLAYED, 0).value == pytest.approx((1 + 0.5 + 1) / 3)
    shares = [order_share(GAMES_PLAYED, place).value for place in range(3)]
    assert shares == pytest.approx([1.5 / 3, 1.5 / 3, 0])
    assert sum(shares) == pytest.approx(1)


def test_a_comeback_is_from_the_last_place_at_half_time() -> None:
    assert is_comeback(result(0, half=[1, 2, 3]))
    assert is_comeback(result(0, half=[1, 1, 3]))
    assert not is_comeback(result(0, half=[2, 1, 3]))
    assert not is_comeback(result(0, half=[2, 2, 2]))  # nobody was behind
    assert not has_half_leader(result(0, half=[3, 3, 2]))


def test_table_figures_do_not_depend_on_the_bots() -> None:
    figures = table_figures(3, GAMES_PLAYED)
    assert value(figures["comebacks"]) == 0.5  # of two with one winner
    assert value(figures["shared"]) == pytest.approx(1 / 3, abs=1e-6)
    assert value(figures["half_time_leader"]) == 0.5
    assert {key: value(share) for key, share in figures["decided_by"].items()} == {
        "scored": 1.0,
        "turned_up": 1.0,
    }
    assert list(figures["decided_with"]) == ["card=3"]
    assert list(figures["endings"]) == ["points", "districts"]
    assert value(figures["endings"]["points"]) == pytest.approx(2 / 3, abs=1e-6)
    assert value(figures["decided_after"]) == 0.5


def test_time_is_reported_per_move() -> None:
    figures = times(["a", "b", "c"], GAMES_PLAYED[:1])
    assert figures["seconds_per_move"] == {"a": 0.1, "b": 0.1, "c": 0.0}
    assert figures["decisions_per_second"] == round(18 / 1.1, 1)


@pytest.mark.parametrize("lengths", [[4], [1, 2, 3], list(range(500)), [7, 7, 1000]])
def test_the_histogram_counts_every_game_once(lengths: list[int]) -> None:
    drawn = bars(sorted(lengths))
    assert sum(count for _, _, count in drawn) == len(lengths)
    assert len(drawn) <= 24
    assert drawn[0][0] == min(lengths) and drawn[-1][1] >= max(lengths)
    assert all(one[1] + 1 == other[0] for one, other in itertools.pairwise(drawn))


def test_better_places_give_higher_ratings() -> None:
    ratings = ratings_of(["a", "b", "c"], [result(number) for number in range(30)])
    assert ratings["a"].mu > ratings["b"].mu > ratings["c"].mu
    assert all(rating.sigma < 25 / 3 for rating in ratings.values())


def test_games_of_a_bot_against_itself_do_not_change_ratings() -> None:
    ratings = ratings_of(["a"], [result(0, bots=["a", "a", "a"])])
    assert ratings["a"].mu == 25
    twice = ratings_of(["a", "b"], [result(0, bots=["a", "b", "b"])])
    assert twice["a"].mu > 25 > twice["b"].mu


# --- House rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_balance_tries_each_edition_and_each_option_once(name: str) -> None:
    game = find(name)
    found = variants(game, "", {})
    assert next(iter(found)) == next(iter(game.editions))
    assert set(game.editions) <= set(found)
    settings = [tuple(sorted(one.items())) for one in found.values()]
    assert len(set(settings)) == len(settings)
    base = next(iter(found.values()))
    for option in game.options:
        if not isinstance(option.values, range):
            tried = {one[option.key] for one in found.values()}
            assert tried == set(option.values)
    for label, one in found.items():
        key, changed, changed_to = label.partition("=")
        if changed:
            assert {k: v for k, v in one.items() if base[k] != v} == {key: one[key]}
            assert str(one[key]) == changed_to


def test_changes_of_the_host_apply_to_every_variant() -> None:
    found = variants(find("vendetta"), "english", {"control": "alone"})
    assert next(iter(found)) == "english"
    assert {one["control"] for one in found.values()} == {"alone"}
    assert not any(name.startswith("control") for name in found)


def test_a_house_rule_changes_the_figures() -> None:
    short, long = (
        report(whole, list(play_contest(whole, range(8), 1, None, no_time)))
        for whole in (
            contest("vendetta", "random", "random", "random"),
            contest("omerta", "random", "random", "random"),
        )
    )
    assert value(short["rounds"]["mean"]) <= 2
    assert value(long["rounds"]["mean"]) == 1
