"""The search: it keeps its budget, counts correctly, mixes where it should, and plays well."""

import json
from dataclasses import asdict
from functools import cache
from typing import Any

import pytest

from cosca.arena.bout import Bout, play_bout
from cosca.bots.roster import Bot, default_bot, find_bot, random_bot, roster
from cosca.bots.search.budget import Budget
from cosca.bots.search.search import Search
from cosca.bots.search.search_bot import SearchBot
from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.names import ALL_SEATS
from cosca.core.playout import random_actor, resolve_chance
from cosca.core.state import State
from cosca.testing.laws import wire
from cosca.words import say
from tests.arena.contests import no_time
from tests.bots.hiding import LEFT, Bluffer, Hiding
from tests.bots.urns import URNS, FirstUrnEvaluator, Urns
from tests.compiled.builds import python
from tests.kuhn.game import GAME as KUHN

SIMULATIONS = 200
BUDGET = Budget(simulations=SIMULATIONS)
ALL = {**GAMES, "kuhn": KUHN}
STEPS = (0, 15, 40)
"""Decisions after which a game is searched."""


@cache
def after(name: str, steps: int) -> State:
    """Return a game after so many random decisions, at which a seat has a choice."""
    game = ALL[name]
    dice = Dice(steps)
    state: State = game.new(game.settings("", game.random_play_options), game.default_seats)
    bot = random_bot(game)
    resolve_chance(state, dice)
    while steps > 0 or (state.acting() and len(state.legal_actions(state.actors()[0])) < 2):
        if not state.acting():
            return after(name, 0)
        seat = random_actor(state.acting(), dice)
        state.apply(seat, bot(game.position(state, seat), dice))
        resolve_chance(state, dice)
        steps -= 1
    return state if state.acting() else after(name, 0)


def at_turn(name: str, steps: int) -> Any:
    """Return the position of the first seat that may act there."""
    state = after(name, steps)
    return ALL[name].position(state, state.actors()[0])


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
def test_the_same_dice_give_the_same_search(name: str, steps: int) -> None:
    position = at_turn(name, steps)
    one, two = (SearchBot(ALL[name], BUDGET).analyse(position, Dice(3)) for _ in range(2))
    assert one == two
    assert one.simulations == SIMULATIONS


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("textbook", [False, True], ids=["ours", "textbook"])
def test_every_visit_is_counted_once(name: str, steps: int, textbook: bool) -> None:
    position = at_turn(name, steps)
    bot = SearchBot(ALL[name], BUDGET, textbook=textbook)
    search, root = bot.run_search(position, Dice(4), until_decided=False)
    tree = search.tree
    assert search.simulations == SIMULATIONS
    assert 0 < tree.visits[root] <= SIMULATIONS
    for node in range(tree.nodes):
        edges = range(tree.first_edge[node], tree.first_edge[node] + tree.edge_count[node])
        assert tree.visits[node] == sum(tree.edge_visits[edge] for edge in edges)
        for edge in edges:
            shares = tree.value_sum[edge * search.seats : (edge + 1) * search.seats]
            assert sum(shares) == pytest.approx(tree.edge_visits[edge]), (
                "each walk shares out a victory"
            )


@pytest.mark.parametrize("name", ALL)
def test_an_analysis_has_legal_moves_and_a_principal_variation(name: str) -> None:
    position = at_turn(name, 15)
    hint = SearchBot(ALL[name], BUDGET).analyse(position, Dice(5))
    assert {evaluation.action for evaluation in hint.moves} <= set(position.legal)
    assert sum(evaluation.probability for evaluation in hint.moves) == pytest.approx(1)
    assert all(sum(evaluation.shares) == pytest.approx(1) for evaluation in hint.moves)
    state = ALL[name].sample(position, Dice(0))
    assert hint.principal_variation
    assert ALL[name].parse_action(state, hint.principal_variation[0]) in position.legal


def test_a_search_bot_reuses_its_tree() -> None:
    state = after("vendetta", 0)
    seat = state.actors()[0]
    bot = SearchBot(GAMES["vendetta"], Budget(simulations=1000))
    first = bot(GAMES["vendetta"].position(state, seat), Dice(1))
    assert bot.search is not None
    after_it = state.copy()
    after_it.apply(seat, first)
    while after_it.acting() == 64 or not after_it.acting() >> seat & 1:
        resolve_chance(after_it, Dice(1))
        other = after_it.actors()[0]
        if other != seat:
            after_it.apply(other, after_it.legal_actions(other)[-1])
    nodes = bot.search.tree.nodes
    bot(GAMES["vendetta"].position(after_it, seat), Dice(2))
    assert bot.search.tree.nodes > nodes, "nothing was forgotten"


def competing(urns: Urns, simulations: int) -> Search:
    """Return a search with urns as candidates, and no simulations yet."""
    search = Search(FirstUrnEvaluator(), 2, Dice(1))
    search.select_candidates(search.root(urns, 0), simulations)
    return search


def test_candidates_are_tried_with_the_same_random_numbers() -> None:
    urns = Urns((4,) * URNS)
    search = competing(urns, 100)
    search.simulate_candidates(urns, 0, 25)
    tree = search.tree
    assert list(tree.edge_visits[:URNS]) == [25] * URNS
    assert len(set(tree.value_sum[: 2 * URNS : 2])) == 1, (
        "what differs is the move, and here none does"
    )
    assert search.simulations == 25 * URNS


def test_candidates_are_halved_and_clearly_worse_ones_dropped() -> None:
    urns = Urns((4,) * URNS)
    search = competing(urns, 100)
    left = []
    for spent in range(10):
        search.simulate_candidates(urns, 0, 2)
        search.halve_candidates(spent / 10)
        left.append(search.candidates_left)
    assert left == [6, 6, 6, 6, 3, 3, 3, 2, 2, 2]
    urns = Urns((0, 10, 0, 0, 0, 0))
    search = competing(urns, 100)
    search.simulate_candidates(urns, 0, 40)
    search.halve_candidates(0.0)
    assert [search.tree.action[edge] for edge in search.candidates[: search.candidates_left]] == [1]


def test_search_overrules_priors_and_priors_break_ties() -> None:
    for winning, best in (((3, 3, 3, 3, 3, 6), URNS - 1), ((0,) * URNS, 0)):
        urns = Urns(winning)
        search = competing(urns, 600)
        while search.simulations < 600:
            search.simulate_candidates(urns, 0, 4)
            search.halve_candidates(search.simulations / 600)
        assert search.tree.action[search.final_edge(search.root_node)] == best


def test_the_tree_grows_as_needed() -> None:
    """Most nodes never get edges: room for those was most of the memory of a search."""
    search, _ = SearchBot(GAMES["omerta"], Budget(simulations=5000)).run_search(
        at_turn("omerta", 15), Dice(1), until_decided=False
    )
    tree = search.tree
    assert tree.nodes <= tree.node_capacity <= 4 * tree.nodes
    assert tree.edges <= tree.edge_capacity <= max(4 * tree.edges, 4096)


def test_hidden_commitments_are_played_with_a_mixed_strategy() -> None:
    search = Search(Bluffer(), 2, Dice(1))
    search.root(Hiding(), 0)
    search.simulate(Hiding(), 0, ALL_SEATS, 60_000)
    for seat, state in ((0, Hiding()), (1, Hiding(coin=LEFT))):
        node = search.root(state, seat)
        first = search.tree.first_edge[node]
        edges = range(first, first + search.tree.edge_count[node])
        mix = {search.tree.action[edge]: search.tree.strategy_sum[edge] for edge in edges}
        assert mix[LEFT] / sum(mix.values()) == pytest.approx(1 / 3, abs=0.04)
        value = sum(search.tree.value_sum[edge * 2] for edge in edges) / search.tree.visits[node]
        assert value == pytest.approx(2 / 3, abs=0.04)


def test_the_root_is_mixed_while_others_learn() -> None:
    search = Search(Bluffer(), 2, Dice(1))
    node = search.root(Hiding(), 0)
    search.select_candidates(node, 60_000)
    for _ in range(3_000):
        search.simulate_candidates(
            Hiding(), 0, 5
        )  # the one who hides learns, and then the one who looks
        search.simulate(Hiding(), 1, 1, 10)
        search.halve_candidates(0.9)
    assert search.candidates_left == 2, "neither goes"
    first = search.tree.first_edge[node]
    mix = {search.tree.action[edge]: search.tree.strategy_sum[edge] for edge in (first, first + 1)}
    assert mix[LEFT] / sum(mix.values()) == pytest.approx(1 / 3, abs=0.04)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "vendetta"])
def test_a_resampled_world_looks_the_same_to_the_seat(name: str) -> None:
    game = GAMES[name]
    changed = 0
    for steps in range(0, 60, 3):
        position = at_turn(name, steps)
        evaluator = game.evaluator(game)
        world = game.sample(position, Dice(steps))
        before = world.ints()
        evaluator.prepare(position)
        evaluator.resample(world, position.seat, Dice(steps))
        assert wire(game.position(world, position.seat)) == wire(position)
        assert sorted(world.legal_actions(position.seat)) == sorted(position.legal)
        changed += world.ints() != before
    assert changed > 5


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("name", ALL)
def test_hidden_information_does_not_change_the_choice(name: str, steps: int) -> None:
    """The laws compare twins; here the true state is changed instead."""
    game = ALL[name]
    state = after(name, steps)
    position = at_turn(name, steps)
    other_truth = game.sample(position, Dice(99))
    again = game.position(other_truth, position.seat)
    for bot in ("textbook", "underboss", "boss"):
        one = roster(game, BUDGET)[bot](game.position(state, position.seat), Dice(1))
        assert roster(game, BUDGET)[bot](again, Dice(1)) == one


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({}, "Set seconds, simulations"),
        ({"seconds": 0}, "0 seconds"),
        ({"seconds": float("nan")}, "nan seconds"),
        ({"simulations": -5}, "-5 simulations"),
        ({"simulations": 10, "cores": 0}, "0 cores"),
        ({"simulations": 10, "cores": 10_000}, "10,000 cores"),
    ],
)
def test_invalid_budgets_are_refused(budget: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused) as refused:
        Budget(**budget)
    assert reason in say(refused.value.key, refused.value.params)


def test_a_search_stops_when_its_time_is_over() -> None:
    ticks = iter(range(1_000_000))
    bot = SearchBot(GAMES["vendetta"], Budget(seconds=10), clock=lambda: float(next(ticks)))
    search, _ = bot.run_search(at_turn("vendetta", 0), Dice(1), until_decided=False)
    assert 0 < search.simulations < 10 * bot.evaluator.simulations_per_world
    assert next(ticks) < 15


def test_the_bots_of_the_roster_read_the_clock_that_is_given() -> None:
    ticks = iter(range(1_000_000))
    bots = roster(GAMES["vendetta"], Budget(seconds=10), clock=lambda: float(next(ticks)))
    bots["boss"](at_turn("vendetta", 0), Dice(1))
    assert 0 < next(ticks) < 15


def test_the_running_mean_and_variance_follow_the_values() -> None:
    position = at_turn("omerta", 0)
    search, _ = SearchBot(GAMES["omerta"], Budget(simulations=2000)).run_search(position, Dice(1))
    few, whole = search.variance[position.seat], 1 / 4 * 3 / 4
    assert 0 < few < whole / 10, "the first of four games decides little of a match"


def test_two_cores_find_more_than_one() -> None:
    position = at_turn("vendetta", 0)
    bot = SearchBot(GAMES["vendetta"], Budget(simulations=SIMULATIONS, cores=2))
    hint = bot.analyse(position, Dice(1))
    assert hint.simulations == 2 * SIMULATIONS
    assert sum(evaluation.visits for evaluation in hint.moves) > SIMULATIONS


@pytest.mark.needs_compiler
@pytest.mark.parametrize("name", GAMES)
def test_interpreted_and_compiled_search_give_the_same(name: str) -> None:
    position = json.dumps(json.loads(wire(at_turn(name, 15))))
    code = f"""
import json
from dataclasses import asdict
from cosca.bots.search.budget import Budget
from cosca.bots.search.search_bot import SearchBot
from cosca.catalog import find
from cosca.core.dice import Dice
game = find({name!r})
position = game.read_position(json.loads({position!r}))
print(json.dumps(asdict(SearchBot(game, Budget(simulations=60)).analyse(position, Dice(1)))))
"""
    plain = json.loads(python("-c", code, COSCA_PURE="1").stdout)
    hint = SearchBot(GAMES[name], Budget(simulations=60)).analyse(at_turn(name, 15), Dice(1))
    assert plain == json.loads(json.dumps(asdict(hint)))


def won(game: Game[Any, Any], bot: Bot, others: Bot, deals: int) -> float:
    """Return the share of the victories of one bot against others in all other seats."""
    seats, share = game.default_seats, 0.0
    for number in range(deals):
        mine = number % seats
        bout = Bout(
            game=game.name,
            settings=game.settings("", game.random_play_options),
            seed=1,
            number=number,
            deal=number,
            bots=("",) * seats,
        )
        bots = [bot if seat == mine else others for seat in range(seats)]
        share += play_bout(bout, bots, no_time).shares[mine]
    return share / deals


@pytest.mark.parametrize("name", GAMES)
def test_the_underboss_beats_random_players(name: str) -> None:
    game = GAMES[name]
    assert won(game, roster(game, Budget(simulations=100))["underboss"], random_bot(game), 12) > 0.7


def test_search_bots_are_in_the_roster_of_every_game() -> None:
    for game in GAMES.values():
        assert {"textbook", "underboss", "boss"} <= set(roster(game))
        assert isinstance(find_bot(game, "boss"), SearchBot)


def test_the_default_bot_answers_at_once() -> None:
    for game in GAMES.values():
        assert not isinstance(find_bot(game, default_bot(game)), SearchBot)
