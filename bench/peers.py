"""The engines Cosca is compared with, each measured in the way that suits it best.

A rate counts decisions of players. Chance steps are never counted, for them or for us. Wherever
Python picks an action, it does so in the cheapest way, as in `ours.py`, so that no engine is
charged for a slow `random.choice`.
"""

from importlib.metadata import version
from importlib.util import find_spec
from random import Random
from typing import Any

from bench.sample import Measurement, Sample, clock, copies, repeat

PACKAGES = {
    "pyspiel": "open-spiel",
    "rlcard": "rlcard",
    "catanatron": "catanatron",
    "matplotlib": "matplotlib",
}
"""The modules that are imported, with the names they are installed by."""

SEED = 20_250_101
SIMULATIONS = 2_000
"""Simulations of a tree search for one decision."""
PASSING = (0, 1, 2, 3)
"""Chance's first outcomes in hearts: who passes to whom. With 0 nobody does: a shorter game."""


def missing() -> list[str]:
    """Return the packages that the comparison needs but does not find."""
    return [package for module, package in PACKAGES.items() if find_spec(module) is None]


def versions() -> dict[str, str]:
    """Return the exact versions of the peers."""
    return {package: version(package) for package in PACKAGES.values()}


def measurements() -> dict[str, Measurement]:
    """Return all measurements of peers, by name."""
    return {
        "openspiel.playout": openspiel_playout,
        "openspiel.ismcts": openspiel_ismcts,
        "pyspiel.python": pyspiel_python,
        "pyspiel.python_after_deal": pyspiel_python_after_deal,
        "pyspiel.copy": pyspiel_copy,
        "rlcard.uno": rlcard_uno,
        "rlcard.uno_run": rlcard_uno_run,
        "catanatron.catan": catanatron_catan,
    }


# --- OpenSpiel's hearts ---------------------------------------------------------------------


def openspiel_playout(seconds: float) -> Sample:
    """Measure random games of hearts in C++, from the first decision to the end.

    Python cannot call OpenSpiel's random rollouts by themselves, but a tree search that is allowed
    one simulation has nothing to search: it copies the state and hands it to its evaluator, which
    plays all the rollouts without coming back to Python.

    The games start after the deal, because decisions are what we compare and all the chance in
    hearts comes before the first of them. That is kind to OpenSpiel: our own chance steps come in
    the middle of a game, and their time is in our figure. (A search from a chance step crashes.)
    """
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng = Random(SEED)
    rollouts = 250
    deals = [dealt(game, passing, rng) for passing in PASSING * 2]
    decisions = rollouts * sum(hearts_decisions(deal, rng) for deal in deals)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=SEED)
    settings = {"uct_c": 1.0, "max_memory_mb": 1, "solve": False, "seed": SEED, "verbose": False}
    search = pyspiel.MCTSBot(game, evaluator, max_simulations=1, **settings).mcts_search

    def batch() -> Sample:
        began = clock()
        for deal in deals:
            search(deal)
        return decisions, clock() - began

    return repeat(batch, seconds)


def openspiel_ismcts(seconds: float) -> Sample:
    """Measure OpenSpiel's own ISMCTS in C++, with one random rollout for each simulation.

    Two games of hearts are at their first decision, two somewhat later.
    """
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng = Random(SEED)
    states = []
    for passing, decisions in ((1, 0), (2, 0), (3, 20), (0, 20)):
        state = dealt(game, passing, rng)
        while decisions > 0 or len(state.legal_actions()) < 2:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions -= 1
        states.append(state)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=SEED)
    bot = pyspiel.ISMCTSBot(SEED, evaluator, 1.0, SIMULATIONS)

    def batch() -> Sample:
        began = clock()
        for state in states:
            bot.step(state)
        return SIMULATIONS * len(states), clock() - began

    return repeat(batch, seconds)


def pyspiel_python(seconds: float) -> Sample:
    """Measure whole random games of hearts, each step driven from Python.

    Chance outcomes are queried, as in every game of OpenSpiel: there is no call that samples them.
    They are equally likely in hearts, so the loop can ignore their probabilities. The chance steps
    take time, as ours do, and are not counted.
    """
    import pyspiel

    game = pyspiel.load_game("hearts")
    random = Random(SEED).random

    def batch() -> Sample:
        decisions = 0
        began = clock()
        for _ in range(20):
            state = game.new_initial_state()
            is_terminal, is_chance = state.is_terminal, state.is_chance_node
            outcomes, legal, apply = state.chance_outcomes, state.legal_actions, state.apply_action
            while not is_terminal():
                if is_chance():
                    pairs = outcomes()
                    apply(pairs[int(random() * len(pairs))][0])
                else:
                    actions = legal()
                    apply(actions[int(random() * len(actions))])
                    decisions += 1
        return decisions, clock() - began

    return repeat(batch, seconds)


def pyspiel_python_after_deal(seconds: float) -> Sample:
    """Measure the same with all cards dealt beforehand: pyspiel at its fastest."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng = Random(SEED)
    random = rng.random
    deals = [dealt(game, passing, rng) for passing in PASSING * 5]

    def batch() -> Sample:
        states = [deal.clone() for deal in deals]
        decisions = 0
        began = clock()
        for state in states:
            is_terminal, legal, apply = state.is_terminal, state.legal_actions, state.apply_action
            while not is_terminal():
                actions = legal()
                apply(actions[int(random() * len(actions))])
                decisions += 1
        return decisions, clock() - began

    return repeat(batch, seconds)


def pyspiel_copy(seconds: float) -> Sample:
    """Measure copies of a half-played game of hearts."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    rng = Random(SEED)
    state = dealt(game, PASSING[1], rng)
    for _ in range(hearts_decisions(state, rng) // 2):
        state.apply_action(rng.choice(state.legal_actions()))
    return copies(state.clone, seconds)


def dealt(game: Any, passing: int, rng: Random) -> Any:
    """Return hearts with all cards dealt and nothing decided yet."""
    state = game.new_initial_state()
    state.apply_action(passing)
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    return state


def hearts_decisions(deal: Any, rng: Random) -> int:
    """Return how many decisions remain. It is the same in all games from one deal.

    Four seats pass three cards each, if they pass at all, and 52 cards are played.
    """
    state = deal.clone()
    decisions = 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        decisions += 1
    return decisions


# --- For scale: engines in plain Python -----------------------------------------------------


def rlcard_uno(seconds: float) -> Sample:
    """Measure random games of uno with RLCard's engine, stepped directly. Dealing is not timed."""
    import rlcard

    env = rlcard.make("uno", config={"seed": SEED})
    random = Random(SEED).random
    step, is_over = env.step, env.is_over

    def batch() -> Sample:
        decisions = 0
        state, _ = env.reset()
        began = clock()
        while not is_over():
            actions = list(state["legal_actions"])
            state, _ = step(actions[int(random() * len(actions))])
            decisions += 1
        return decisions, clock() - began

    return repeat(batch, seconds)


def rlcard_uno_run(seconds: float) -> Sample:
    """Measure random games of uno as RLCard plays them by default, with its own players."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("uno", config={"seed": SEED})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])

    def batch() -> Sample:
        before = env.timestep
        began = clock()
        env.run()
        return env.timestep - before, clock() - began

    return repeat(batch, seconds)


def catanatron_catan(seconds: float) -> Sample:
    """Measure random games of Catan for four. Set-up is not timed; a dice roll is a decision."""
    from catanatron import Color, Game, RandomPlayer
    from catanatron.game import TURNS_LIMIT

    players = [RandomPlayer(color) for color in Color]

    # A game of random players can take a whole second, so a sample may stop in the middle of one.
    def batch() -> Sample:
        decisions = 0
        game = Game(players)
        began = clock()
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            game.play_tick()
            decisions += 1
            if clock() - began > seconds:
                break
        return decisions, clock() - began

    return repeat(batch, seconds)
