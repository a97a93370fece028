"""One game among bots: who sits where, with which deal, and how it went."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cosca.bots.roster import Bot
from cosca.catalog import find
from cosca.core.dice import Dice
from cosca.core.names import CHANCE, CHANCE_BIT
from cosca.core.options import Settings
from cosca.core.playout import random_actor
from cosca.match.chance import draw_outcome
from cosca.match.record import Contribution, Scribe
from cosca.match.sealed import SealedDice, pack
from cosca.match.table import Step

Clock: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bout:
    """One game to play. Small and plain, so that it can be sent to a worker process."""

    game: str
    settings: Settings
    seed: int
    number: int
    """The number of the game among all with the same seed; it seeds the dice of the bots."""
    deal: int
    """The number of the deal: bouts with the same seed and deal are shuffled alike."""
    bots: tuple[str, ...]
    """The name of the bot at each seat."""

    def dice(self) -> SealedDice:
        """Return the sealed dice of its deal; anyone can compute their seed."""
        deal = f"{self.seed}-{self.deal}"
        seed = hashlib.sha256(pack("cosca/simulation/1", deal)).digest()
        return SealedDice(f"simulation-{deal}", seed, {})


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """How one game went."""

    log: list[Step]
    rounds: int
    shares: list[float]
    ending: str
    seconds: list[float] = field(compare=False)
    """How long the bot at each seat has thought."""

    def decisions(self, seat: int) -> int:
        """Return how many actions a seat took."""
        return sum(mover == seat for mover, _ in self.log)


def play_bout(bout: Bout, bots: Sequence[Bot], clock: Clock) -> PlayedGame:
    """Play one game from start to end."""
    game = find(bout.game)
    dice = bout.dice()
    bot_dice = Dice(bout.seed, bout.number)  # separate, so that no bot can change the deal
    state = game.new(bout.settings, len(bots))
    log: list[Step] = []
    seconds = [0.0] * len(bots)
    while acting := state.acting():
        if acting == CHANCE_BIT:
            seat, action = CHANCE, draw_outcome(game, state, dice)
        else:
            seat = random_actor(acting, bot_dice)
            position = game.position(state, seat)
            started = clock()
            action = bots[seat](position, bot_dice)
            seconds[seat] += clock() - started
        state.apply(seat, action)
        log.append((seat, action))
    ending = game.endings[state.ending()]
    return PlayedGame(log, game.round(state), state.returns(), ending, seconds)


def record_of(bout: Bout, played: PlayedGame) -> str:
    """Return the record of a game."""
    nothing = [Contribution("bot")] * len(bout.bots)
    game = find(bout.game)
    scribe = Scribe(game, bout.settings, len(bout.bots), bout.dice(), bout.bots, nothing)
    return scribe.write_all(played.log)
