"""`cosca bot-check`: test a program that wants to play as a bot."""

import time
from typing import Any

import click

from cosca.arena.bout import Bout, play_bout
from cosca.arena.speed import with_round_limit
from cosca.bots.external import ANSWER_TIMEOUT, COMMAND_PREFIX, BotProcesses
from cosca.bots.roster import Bot
from cosca.catalog import GAMES
from cosca.cli.bench import Seconds
from cosca.cli.options import GameName, WholeNumber
from cosca.core.dice import Dice
from cosca.core.game import Game
from cosca.words import say


@click.command()
@click.argument("program", metavar="COMMAND")
@click.option("--game", type=GameName(), default=None)
@click.option("--games", type=WholeNumber(1, 10_000), default=3)
@click.option("--seconds", type=Seconds(), default=ANSWER_TIMEOUT)
@click.option("--show", is_flag=True)
def command(
    program: str, game: Game[Any, Any] | None, games: int, seconds: float, show: bool
) -> None:
    """Check every answer of the bot program COMMAND in some games."""
    for one in [game] if game else GAMES.values():
        slowest, answers = _check_games(one, COMMAND_PREFIX + program, games, seconds, show)
        click.echo(
            say(
                "external_bot.good",
                {
                    "title": one.title,
                    "games": games,
                    "answers": answers,
                    "slowest": f"{1000 * slowest:.1f}",
                },
            )
        )


def _check_games(
    game: Game[Any, Any], name: str, games: int, seconds: float, show: bool
) -> tuple[float, int]:
    """Play some games; return the time of the slowest answer and the number of answers."""
    settings = game.settings("", with_round_limit(game, game.random_play_options))
    times: list[float] = []
    company = BotProcesses(seconds, on_line=click.echo if show else None)
    try:
        for number in range(games):
            seats = game.seats[number % len(game.seats)]
            bots = [_timed(company.bot(game, name, seat), times) for seat in range(seats)]
            bout = Bout(
                game=game.name,
                settings=settings,
                seed=1,
                number=number,
                deal=number,
                bots=(name,) * seats,
            )
            play_bout(bout, bots, time.perf_counter)
    finally:
        company.close()
    return max(times), len(times)


def _timed(bot: Bot, times: list[float]) -> Bot:
    def choose(position: Any, dice: Dice) -> int:
        began = time.perf_counter()
        action = bot(position, dice)
        times.append(time.perf_counter() - began)
        return action

    return choose
