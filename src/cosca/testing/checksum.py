"""Many seeded games as one checksum, to compare two builds.

Running `python -m cosca.testing.checksum GAMES SEED` prints, as JSON, the checksum of each game of
the catalog, and which build made it.
"""

import json
import sys
from hashlib import sha256
from typing import Any, Final

import cosca
from cosca.catalog import GAMES
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.core.playout import playout
from cosca.match.record import canonical_json
from cosca.testing.case import viewers
from cosca.testing.laws import answers_of, wire
from cosca.testing.walks import LIMIT, POLICIES, TableSetup, random_walk, table_setups

LAST_ROUND: Final = "30"
EVERY: Final = 50
"""How many games are played inside the core for each one that is observed step by step."""
DECISIONS: Final = 60


def checksum(game: Game[Any, Any], games: int, seed: int) -> str:
    """Return the checksum of so many games, spread over all seats and editions."""
    tables = table_setups(game, (), {LIMIT: LAST_ROUND})
    sha = sha256()
    for number in range(games):
        setup = tables[number % len(tables)]
        sha.update(played_summary(setup, Dice(seed, number)).encode())
        if number % EVERY == 0:
            sha.update(observed_summary(setup, Dice(seed, number)).encode())
    return sha.hexdigest()


def played_summary(setup: TableSetup, dice: Dice) -> str:
    """Return how a game goes inside the core: its length, its end, and the dice after it."""
    state = setup.new()
    decisions = playout(state, dice)
    return canonical_json([setup.name, decisions, state.ints(), state.returns(), dice.word])


def observed_summary(setup: TableSetup, dice: Dice) -> str:
    """Return how a game goes step by step: legal actions, events, and what everybody knows."""
    game = setup.game
    walk = random_walk(setup, dice, POLICIES[dice.below(len(POLICIES))], DECISIONS)
    observed: list[object] = []
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        events = [(event.key, dict(event.params)) for event in game.events(state, seat, action)]
        result = [wire(game.position(state, watcher)) for watcher in viewers(walk)]
        observed += [seat, action, state.ints(), answers_of(state, setup.seats), events, result]
    return canonical_json(observed)


def main(games: str, seed: str) -> None:
    """Print the checksum of every game, and which build this is."""
    result = {
        "compiled": cosca.is_compiled(),
        "home": cosca.__path__[0],
        "checksums": {name: checksum(game, int(games), int(seed)) for name, game in GAMES.items()},
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
