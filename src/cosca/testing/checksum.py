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
from cosca.testing.case import watchers
from cosca.testing.laws import lists, wire
from cosca.testing.walks import HABITS, LIMIT, Sitting, sittings, take_walk

LAST_ROUND: Final = "30"
EVERY: Final = 50
"""So many games are played inside the core for each one that is looked at step by step."""
DECISIONS: Final = 60


def checksum(game: Game[Any, Any], games: int, seed: int) -> str:
    """So many games, spread over all seats and editions, in one number."""
    tables = sittings(game, (), {LIMIT: LAST_ROUND})
    sha = sha256()
    for number in range(games):
        sitting = tables[number % len(tables)]
        sha.update(played(sitting, Dice(seed, number)).encode())
        if number % EVERY == 0:
            sha.update(watched(sitting, Dice(seed, number)).encode())
    return sha.hexdigest()


def played(sitting: Sitting, dice: Dice) -> str:
    """How a game goes inside the core: its length, its end, and the dice after it."""
    state = sitting.new()
    decisions = playout(state, dice)
    return canonical_json([sitting.name, decisions, state.ints(), state.returns(), dice.word])


def watched(sitting: Sitting, dice: Dice) -> str:
    """How a game goes before all eyes: who may do what, what happens, and what everybody knows."""
    game = sitting.game
    walk = take_walk(sitting, dice, HABITS[dice.below(len(HABITS))], DECISIONS)
    seen: list[object] = []
    for state, (seat, action) in zip(walk.states(), walk.log, strict=False):
        events = [(event.key, dict(event.params)) for event in game.events(state, seat, action)]
        told = [wire(game.position(state, watcher)) for watcher in watchers(walk)]
        seen += [seat, action, state.ints(), lists(state, sitting.seats), events, told]
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
