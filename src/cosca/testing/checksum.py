"""Many seeded games in one number, to see that two builds play alike.

`python -m cosca.testing.checksum GAMES SEED` prints, as JSON, the number for each game of the
catalog, and what it was made with.
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
"""So many games are played inside the core for each one that is looked at step by step."""
DECISIONS: Final = 60


def checksum(game: Game[Any, Any], games: int, seed: int) -> str:
    """So many games, spread over all seats and editions, in one number."""
    tables = table_setups(game, (), {LIMIT: LAST_ROUND})
    sha = sha256()
    for number in range(games):
        setup = tables[number % len(tables)]
        sha.update(played(setup, Dice(seed, number)).encode())
        if number % EVERY == 0:
            sha.update(watched(setup, Dice(seed, number)).encode())
    return sha.hexdigest()


def played(setup: TableSetup, dice: Dice) -> str:
    """How a game goes inside the core: its length, its end, and the dice after it."""
    state = setup.new()
    decisions = playout(state, dice)
    return canonical_json([setup.name, decisions, state.ints(), state.returns(), dice.word])


def watched(setup: TableSetup, dice: Dice) -> str:
    """How a game goes before all eyes: who may do what, what happens, and what everybody knows."""
    game = setup.game
    walk = random_walk(setup, dice, POLICIES[dice.below(len(POLICIES))], DECISIONS)
    seen: list[object] = []
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        events = [(event.key, dict(event.params)) for event in game.events(state, seat, action)]
        told = [wire(game.position(state, watcher)) for watcher in viewers(walk)]
        seen += [seat, action, state.ints(), answers_of(state, setup.seats), events, told]
    return canonical_json(seen)


def main(games: str, seed: str) -> None:
    """Say the number of every game, and what plays here."""
    told = {
        "compiled": cosca.is_compiled(),
        "home": cosca.__path__[0],
        "checksums": {name: checksum(game, int(games), int(seed)) for name, game in GAMES.items()},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
