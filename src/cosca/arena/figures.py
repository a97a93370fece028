"""The figures of an arena; `docs/arena.md` defines all of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from cosca.arena.contest import Contest
from cosca.arena.interval import DealSum, Interval, mean, rate
from cosca.arena.rating import ratings_of
from cosca.arena.result import NOBODY, Result

Json: TypeAlias = dict[str, Any]
"""JSON data."""

BARS: Final = 24
"""The most columns of a histogram."""


def report(contest: Contest, results: Sequence[Result]) -> Json:
    """Return all figures of a contest; those that depend on the machine are under `time`."""
    bots = contest.names()
    ratings = ratings_of(bots, results)
    figures = {
        "game": contest.game,
        "rules": contest.rules,
        "edition": contest.edition(),
        "options": contest.settings,
        "seats": contest.seats,
        "seed": contest.seed,
        "deals": len({result.deal for result in results}),
        "games": len(results),
        "bots": [bot_figures(bot, results) | {"rating": ratings[bot].to_json()} for bot in bots],
        "cross": cross_table(bots, results),
    }
    return figures | table_figures(contest.seats, results) | {"time": times(bots, results)}


def table_figures(seats: int, results: Sequence[Result]) -> Json:
    """Return the figures about the game and its rules, regardless of who plays."""
    return {
        "by_seat": [_json(seat_share(results, seat)) for seat in range(seats)],
        "by_order": [_json(order_share(results, place)) for place in range(seats)],
        "rounds": length(results, lambda result: result.rounds),
        "decisions": length(results, lambda result: sum(result.decisions)),
        "shared": _json(_share(results, lambda result: not is_decided(result))),
        "endings": _shares(results, lambda result: [result.ending]),
        "comebacks": _json(_share(results, is_comeback, is_decided)),
        "half_time_leader": _json(_share(results, half_leader_wins, has_half_leader)),
        "lead_changes": _json(_mean(results, lambda result: result.leads)),
        "decided_after": _json(capped_share(_mean(results, lambda r: r.decided, is_decided))),
        "decided_by": _shares(results, event_keys, is_decided),
        "decided_with": _shares(results, things, is_decided),
    }


def _json(interval: Interval) -> dict[str, float]:
    return interval.to_json()


# --- Adding up, deal by deal ----------------------------------------------------------------------

Number: TypeAlias = Callable[[Result], float]
Test: TypeAlias = Callable[[Result], bool]


def every_game(result: Result) -> bool:
    """Count every game."""
    return True


def _parts(results: Iterable[Result], number: Number, counts: Test) -> dict[int, DealSum]:
    deals: dict[int, DealSum] = {}
    for result in results:
        if counts(result):
            before = deals.get(result.deal, DealSum(0.0, 0))
            deals[result.deal] = DealSum(before.total + number(result), before.number + 1)
    return deals


def _share(results: Iterable[Result], holds: Test, counts: Test = every_game) -> Interval:
    return rate(_parts(results, lambda result: float(holds(result)), counts))


def _mean(results: Iterable[Result], number: Number, counts: Test = every_game) -> Interval:
    """Return the mean of numbers that are never below 0."""
    value, low, high = mean(_parts(results, number, counts))
    return Interval(value, max(low, 0.0), high)


def capped_share(share: Interval) -> Interval:
    """Return a mean of shares, none of which exceeds 1."""
    return share._replace(high=min(share.high, 1.0))


def _shares(
    results: Sequence[Result], of: Callable[[Result], Sequence[str]], counts: Test = every_game
) -> dict[str, dict[str, float]]:
    """Return how often each thing occurred, the most frequent first."""
    often = Counter(thing for result in results if counts(result) for thing in of(result))
    ordered = sorted(often, key=lambda thing: (-often[thing], thing))
    return {
        thing: _json(_share(results, lambda result, it=thing: it in of(result), counts))  # type: ignore[misc]  # a default binds the name
        for thing in ordered
    }


# --- The bots -------------------------------------------------------------------------------------


def bot_figures(bot: str, results: Sequence[Result]) -> Json:
    """Return how a bot did, counting each seat it had."""
    wins = bot_sums(bot, results, lambda result, seat: result.shares[seat])
    margins = bot_sums(bot, results, margin, lambda result: not result.sudden)
    return {
        "name": bot,
        "games": sum(part.number for part in wins.values()),
        "win_share": _json(rate(wins)),
        "mean_rank": _json(mean(bot_sums(bot, results, lambda result, seat: result.ranks[seat]))),
        "margin": _json(mean(margins)),
        "decisions": sum(
            result.decisions[seat] for result in results for seat in seats_of(bot, result)
        ),
    }


def seats_of(bot: str, result: Result) -> list[int]:
    """Return the seats of a bot."""
    return [seat for seat, name in enumerate(result.bots) if name == bot]


def bot_sums(
    bot: str,
    results: Iterable[Result],
    number: Callable[[Result, int], float],
    counts: Test = every_game,
) -> dict[int, DealSum]:
    """Return what each deal adds to a bot's figure."""
    deals: dict[int, DealSum] = {}
    for result in results:
        seats = seats_of(bot, result) if counts(result) else []
        if seats:
            total, count = deals.get(result.deal, DealSum(0.0, 0))
            more = sum(number(result, seat) for seat in seats)
            deals[result.deal] = DealSum(total + more, count + len(seats))
    return deals


def margin(result: Result, seat: int) -> float:
    """Return how far a seat was ahead of the best other seat (negative: behind)."""
    others = [points for other, points in enumerate(result.standing) if other != seat]
    return result.standing[seat] - max(others)


def cross_table(bots: Sequence[str], results: Sequence[Result]) -> list[list[Json | None]]:
    """Return, for each two bots, how often the first placed above the second."""
    return [
        [None if one == other else _json(rate(duel_sums(one, other, results))) for other in bots]
        for one in bots
    ]


def duel_sums(one: str, other: str, results: Iterable[Result]) -> dict[int, DealSum]:
    """Return what each deal adds: 1 for a better place, a half for the same."""
    deals: dict[int, DealSum] = {}
    for result in results:
        for seat in seats_of(one, result):
            for rival in seats_of(other, result):
                mine, theirs = result.ranks[seat], result.ranks[rival]
                better = 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
                before = deals.get(result.deal, DealSum(0.0, 0))
                deals[result.deal] = DealSum(before.total + better, before.number + 1)
    return deals


def times(bots: Sequence[str], results: Sequence[Result]) -> Json:
    """Return how long the bots thought; this depends on the machine."""
    spent: dict[str, float] = dict.fromkeys(bots, 0.0)
    made: dict[str, int] = dict.fromkeys(bots, 0)
    for result in results:
        for seat, bot in enumerate(result.bots):
            spent[bot] += result.seconds[seat]
            made[bot] += result.decisions[seat]
    total = sum(spent.values())
    return {
        "seconds_per_move": {bot: _ratio(spent[bot], made[bot]) for bot in bots},
        "thinking_seconds": round(total, 3),
        "decisions_per_second": round(_ratio(sum(made.values()), total), 1),
    }


def _ratio(one: float, other: float) -> float:
    return round(one / other, 9) if other else 0.0


# --- The table ------------------------------------------------------------------------------------


def seat_share(results: Sequence[Result], seat: int) -> Interval:
    """Return the share of the victories that went to a seat."""
    return rate(_parts(results, lambda result: result.shares[seat], every_game))


def order_share(results: Sequence[Result], place: int) -> Interval:
    """Return the share of the victories by place in the order of the first turn."""

    def share(result: Result) -> float:
        return result.shares[(result.first + place) % len(result.shares)]

    return rate(_parts(results, share, lambda result: result.first != NOBODY))


def length(results: Sequence[Result], number: Number) -> Json:
    """Return how long games are: mean, quantiles and a histogram."""
    lengths = sorted(int(number(result)) for result in results)
    return {
        "mean": _json(_mean(results, number)),
        "tenth": _quantile(lengths, 0.1),
        "median": _quantile(lengths, 0.5),
        "ninth": _quantile(lengths, 0.9),
        "bars": bars(lengths),
    }


def _quantile(ordered: Sequence[int], share: float) -> int:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0


def bars(lengths: Sequence[int]) -> list[list[int]]:
    """Return a histogram: from, to and count, in columns of equal width."""
    if not lengths:
        return []
    low, high = min(lengths), max(lengths)
    width = -(-(high - low + 1) // BARS)
    counts = Counter((number - low) // width for number in lengths)
    columns = range((high - low) // width + 1)
    return [[low + n * width, low + (n + 1) * width - 1, counts[n]] for n in columns]


def is_decided(result: Result) -> bool:
    """Return whether one seat has won alone."""
    return max(result.shares) == 1


def is_comeback(result: Result) -> bool:
    """Return whether the winner was last at half time (and not all were level)."""
    mine = result.half[result.shares.index(1)]
    return mine == min(result.half) < max(result.half)


def has_half_leader(result: Result) -> bool:
    """Return whether one seat led alone at half time."""
    return result.half.count(max(result.half)) == 1


def half_leader_wins(result: Result) -> bool:
    """Return whether the leader at half time won, alone or not."""
    return result.shares[result.half.index(max(result.half))] > 0


def event_keys(result: Result) -> list[str]:
    """Return the kinds of events in the deciding step."""
    return list(dict.fromkeys(kind.partition(" ")[0] for kind in result.by))


def things(result: Result) -> list[str]:
    """Return the cards, places and colours in the deciding step."""
    return list(dict.fromkeys(thing for kind in result.by for thing in kind.split(" ")[1:]))
