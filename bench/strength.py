"""`./run bench strength GAME ONE OTHERS`: how often one bot wins against others in all other seats.

Each deal is played once from every seat. A bot that searches may be given another budget:
`boss@0.5s` thinks for half a second of processor time, `boss@1000` for a thousand simulations.
Processor time, so that the figures do not hang on what else the machine has to do.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from bench.__main__ import Arguments, repeats
from cosca.arena.bout import Bout, play_bout
from cosca.arena.interval import Part, rate
from cosca.bots.roster import Bot, roster
from cosca.bots.search.budget import Budget
from cosca.catalog import GAMES
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.words import say


def arguments() -> Arguments:
    """What can be asked for."""
    parser = Arguments(
        prog="bench strength",
        description="How often ONE wins against OTHERS in all other seats, with 95 % intervals.",
        epilog="boss@0.5s thinks half a second of processor time, boss@1000 so many simulations.",
        allow_abbrev=False,
    )
    parser.add_argument("game", choices=sorted(GAMES), metavar="GAME")
    parser.add_argument("one", metavar="ONE")
    parser.add_argument("others", metavar="OTHERS")
    parser.add_argument(
        "--deals", type=repeats, default=15, metavar="N", help="each is played from every seat (15)"
    )
    return parser


def budget(text: str) -> Budget | None:
    """What comes after the @ of a bot: seconds, or simulations, or nothing."""
    if not text:
        return None
    try:
        if text.endswith("s"):
            return Budget(seconds=float(text[:-1]))
        return Budget(simulations=int(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no budget: 0.5s is a time, 1000 a number of simulations"
        ) from error


def seated(game: Game[Any, Any], text: str) -> Bot:
    """A new bot of that name, and with that budget, if one is given."""
    name, _, spent = text.partition("@")
    bots = roster(game, budget(spent), time.process_time)
    if name not in bots:
        raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(bots)}")
    return bots[name]


def won(game: Game[Any, Any], one: str, others: str, deal: int) -> list[float]:
    """What one has won of a deal from every seat."""
    seats = game.default_seats
    return [share(game, one, others, deal, at) for at in range(seats)]


def share(game: Game[Any, Any], one: str, others: str, deal: int, at: int) -> float:
    """What one has won of a single game from one seat."""
    names = tuple(one if seat == at else others for seat in range(game.default_seats))
    bout = Bout(
        game=game.name,
        settings=game.settings(""),
        seed=1,
        number=deal * len(names) + at,
        deal=deal,
        bots=names,
    )
    bots = [seated(game, name) for name in names]
    return play_bout(bout, bots, time.process_time).shares[at]


def intervals(game: Game[Any, Any], one: str, others: str, deals: int) -> Iterator[str]:
    """The share of the victories after every deal, with an interval over deals."""
    wins: dict[int, Part] = {}
    for deal in range(deals):
        shares = won(game, one, others, deal)
        wins[deal] = Part(sum(shares), len(shares))
        found = rate(wins)
        games = sum(count for _, count in wins.values())
        told = f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"
        yield f"{game.name}: {one} against {others}, {games} games: {told}"


def main(words: list[str]) -> int:
    """Play, and tell how it stands."""
    parser = arguments()
    asked = parser.parse_args(words)
    game = GAMES[asked.game]
    try:
        for name in (asked.one, asked.others):
            seated(game, name)
    except Refused as refused:
        parser.error(say(refused.key, refused.params).rstrip("."))
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    told = ""
    for told in intervals(game, asked.one, asked.others, asked.deals):
        print(f"\r{told}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(told)
    return 0
