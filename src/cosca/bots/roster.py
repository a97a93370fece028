"""Who can be asked to play: one bot for every game, and each game's own characters."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from cosca.core.dice import Dice
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.core.names import Action, pick

Bot: TypeAlias = Callable[[Any, Dice], Action]
"""Chooses among the legal actions of the position it is handed."""


def random_bot(game: Game[Any, Any]) -> Bot:
    """Any whole move is as likely as any other: each action counts for the moves it begins."""

    def choose(position: Any, dice: Dice) -> Action:
        counts = game.count_moves(position)
        return pick(zip(position.legal, counts, strict=True), dice.below(sum(counts)))

    return choose


def roster(game: Game[Any, Any]) -> dict[str, Bot]:
    """All bots that can play a game, by name, weakest first."""
    return {"random": random_bot(game), **game.characters}


USUAL_REACTION: Final = 3.0
"""Seconds until the hand of a bot is on the table that does not say how quick it is."""


def reaction(bot: Bot) -> float:
    """How many seconds a bot takes in a race, more or less."""
    return float(getattr(bot, "reaction", USUAL_REACTION))


def find_bot(game: Game[Any, Any], name: str) -> Bot:
    """The bot of that name."""
    bots = roster(game)
    if name not in bots:
        raise Refused("bad_bot", game=game.title, bot=name, bots=", ".join(bots))
    return bots[name]
