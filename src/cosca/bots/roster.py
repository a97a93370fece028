"""The bots that can play: characters and plain bots for every game, and each game's own."""

import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from cosca.bots.characters import CHARACTERS, CharacterBot
from cosca.bots.search.budget import Budget
from cosca.bots.search.search_bot import SearchBot
from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.names import Action, pick

Bot: TypeAlias = Callable[[Any, Dice], Action]
"""Chooses one of the legal actions of a position."""


def random_bot(game: Game[Any, Any]) -> Bot:
    """Return a bot that plays every complete move with the same probability."""

    def choose(position: Any, dice: Dice) -> Action:
        counts = game.count_moves(position)
        return pick(zip(position.legal, counts, strict=True), dice.below(sum(counts)))

    return choose


UNDERBOSS_BUDGET: Final = Budget(simulations=500)
"""A few hundredths of a second, and the same answer on any machine."""
BOSS_BUDGET: Final = Budget(seconds=0.25)


def roster(
    game: Game[Any, Any],
    budget: Budget | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Bot]:
    """Return all bots that can play a game, by name, weakest first as far as their levels show.

    Search bots use budgets of their own unless a `budget` is given for all of them. Seconds are
    those of the clock; on a busy machine `time.process_time` shows what they can do.
    """
    bots: dict[str, Bot] = {
        **plain_bots(game, budget, clock),
        **{name: CharacterBot(game, who, budget, clock) for name, who in CHARACTERS.items()},
    }
    return dict(sorted(bots.items(), key=lambda bot: strength_level(bot[0])))


def plain_bots(
    game: Game[Any, Any],
    budget: Budget | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Bot]:
    """Return the bots without a character, for measuring others against, weakest first."""
    return {
        "random": random_bot(game),
        "textbook": SearchBot(game, budget or BOSS_BUDGET, textbook=True, clock=clock),
        **game.heuristic_bots,
        "underboss": SearchBot(game, budget or UNDERBOSS_BUDGET, clock=clock),
        "boss": SearchBot(game, budget or BOSS_BUDGET, clock=clock),
    }


LEVELS_OF_PLAIN: Final = {"random": 0, "textbook": 1, "underboss": 4, "boss": 5}
"""The levels of plain bots; a game's own bots are at level 2."""


def strength_level(name: str) -> int:
    """Return roughly how strong a bot is, from 0 to 5."""
    if name in CHARACTERS:
        return CHARACTERS[name].level
    return LEVELS_OF_PLAIN.get(name, 2)


STRENGTHS: Final = {
    name: tuple(bot for bot, who in CHARACTERS.items() if who.level == level)
    for name, level in (("easy", 1), ("normal", 3), ("strong", 5))
}
"""Who sits down against somebody who asks for easy, normal or strong opponents."""


def strength_key(game: Game[Any, Any], name: str) -> str:
    """Return the key of the sentence that says how strong a bot is."""
    return "strength.own" if name in game.heuristic_bots else f"strength.{strength_level(name)}"


def description_key(game: Game[Any, Any], name: str) -> str:
    """Return the key of the sentence that describes a bot."""
    return f"{game.name}.bot.{name}" if name in game.heuristic_bots else f"bot.{name}"


def default_bot(game: Game[Any, Any]) -> str:
    """Return the bot that plays unless one is named: the game's best, which answers at once."""
    return list(game.heuristic_bots)[-1]


DEFAULT_REACTION: Final = 3.0
"""Seconds until a bot reacts in a race, unless it has a reaction time of its own."""


def reaction_time(bot: Bot) -> float:
    """Return how many seconds a bot takes to react in a race, on average."""
    return float(getattr(bot, "reaction_time", DEFAULT_REACTION))


def find_bot(game: Game[Any, Any], name: str) -> Bot:
    """Return the bot with that name that plays this game, or refuse the name."""
    bots = roster(game)
    if name not in bots:
        raise Refused("bad_bot", game=game.title, bot=name, bots=", ".join(bots))
    return bots[name]
