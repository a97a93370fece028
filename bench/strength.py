"""`./run bench strength`: how often one bot wins against others in all other seats."""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.__main__ import Arguments, repeats
from bench.strength_report import Figure, Gain, draw, write
from cosca.arena.bout import Bout, play_bout
from cosca.arena.interval import DealSum, Interval, mean, rate
from cosca.bots.roster import Bot, default_bot, roster
from cosca.bots.search.budget import Budget
from cosca.catalog import GAMES
from cosca.core.errors import Refused
from cosca.core.game import Game
from cosca.words import say

TIMES = (0.015, 0.06, 0.25, 0.5)
"""Seconds a move, for the curve; the boss uses the last but one."""
LEVELS = ("lillo", "pina", "agata", "calogero", "assunta")
"""The characters without a style, one of each level, weakest first."""


@dataclass(frozen=True)
class Pairing:
    """One bot against three others: so many deals a round, or one deal in so many rounds."""

    game: str
    one: str
    others: str
    pace: float = 1.0

    @property
    def name(self) -> str:
        """Return the pairing as text."""
        return f"{self.game}: {self.one} against {self.others}"

    def deals(self, number: int) -> range:
        """Return the deals of a round."""
        return range(math.ceil(number * self.pace), math.ceil((number + 1) * self.pace))


def pairings_of(game: Game[Any, Any]) -> Iterator[Pairing]:
    """Return all pairings of a game to measure: fast ones often, slow ones less often."""
    own = default_bot(game)
    for seconds in TIMES:
        yield Pairing(game.name, f"boss@{seconds:g}s", own, 0.5 if seconds > 0.25 else 1.0)
    yield Pairing(game.name, "boss@0.25s", "textbook@0.25s", 0.25)
    for lower, upper in pairwise(LEVELS):
        yield Pairing(game.name, upper, lower, 1.0 if upper == LEVELS[-1] else 4.0)


# --- Playing --------------------------------------------------------------------------------------


def budget(text: str) -> Budget | None:
    """Parse what follows the @ of a bot: seconds, simulations, or nothing."""
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


def make_bot(game: Game[Any, Any], text: str) -> Bot:
    """Return a new bot with that name, and with that budget if one is given."""
    name, _, spent = text.partition("@")
    bots = roster(game, budget(spent), time.process_time)
    if name not in bots:
        raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(bots)}")
    return bots[name]


def share(pairing: Pairing, deal: int, at: int) -> float:
    """Return the share of the victory of one bot in a single game from one seat."""
    game = GAMES[pairing.game]
    names = tuple(
        pairing.one if seat == at else pairing.others for seat in range(game.default_seats)
    )
    bout = Bout(
        game=game.name,
        settings=game.settings(""),
        seed=1,
        number=deal * len(names) + at,
        deal=deal,
        bots=names,
    )
    bots = [make_bot(game, name) for name in names]
    return play_bout(bout, bots, time.process_time).shares[at]


def whole_deal(pairing: Pairing, deal: int) -> list[float]:
    """Return the shares of one bot in a deal played from every seat."""
    return [share(pairing, deal, at) for at in range(GAMES[pairing.game].default_seats)]


def format_rate(found: Interval) -> str:
    """Return a rate with its interval as text."""
    return f"{found.value:.1%} ({found.low:.1%} to {found.high:.1%})"


def play_one(pairing: Pairing, deals: int) -> None:
    """Play a single pairing, and print the result after every deal."""
    wins: dict[int, DealSum] = {}
    line = ""
    for deal in range(deals):
        shares = whole_deal(pairing, deal)
        wins[deal] = DealSum(sum(shares), len(shares))
        games = sum(number for _, number in wins.values())
        line = f"{pairing.name}, {games} games: {format_rate(rate(wins))}"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(line)


# --- All pairings of the report ------------------------------------------------------------------


class Book:
    """The games played so far, in a file of lines: pairing, deal and shares."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "deals.jsonl"
        self.wins: dict[str, dict[int, DealSum]] = {}
        text = self.file.read_text(encoding="utf-8") if self.file.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # who was stopped may have been writing
        for line in whole.splitlines():
            name, deal, shares = json.loads(line)
            self._count(name, deal, shares)
        if whole != text:
            self.file.write_text(whole, encoding="utf-8")

    def has(self, pairing: Pairing, deal: int) -> bool:
        """Return whether a deal was played."""
        return deal in self.wins.get(pairing.name, {})

    def enter(self, pairing: Pairing, deal: int, shares: list[float]) -> None:
        """Store a deal."""
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps([pairing.name, deal, shares]) + "\n")
        self._count(pairing.name, deal, shares)

    def _count(self, name: str, deal: int, shares: list[float]) -> None:
        self.wins.setdefault(name, {})[deal] = DealSum(sum(shares), len(shares))

    def figures(self, pairings: Iterable[Pairing]) -> list[Figure]:
        """Return the results of each pairing that was played."""
        return [
            Figure(
                pairing.game,
                pairing.one,
                pairing.others,
                sum(number for _, number in self.wins[pairing.name].values()),
                rate(self.wins[pairing.name]),
            )
            for pairing in pairings
            if pairing.name in self.wins
        ]

    def gains(self, pairings: Iterable[Pairing]) -> list[Gain]:
        """Return how much more the boss wins of the same deals with each step of time."""
        found = []
        for before, after in pairwise(pairings):
            if before.game == after.game and before.others == after.others:
                one, two = (self.wins.get(each.name, {}) for each in (before, after))
                more = {
                    deal: DealSum(two[deal].total - one[deal].total, two[deal].number)
                    for deal in one.keys() & two.keys()
                }
                if more:
                    found.append(Gain(after.game, before.one, after.one, len(more), mean(more)))
        return found


def play_all(folder: Path, rounds: int, jobs: int) -> None:
    """Play all pairings, round by round, and write the report after each."""
    book = Book(folder)
    pairings = [pairing for game in GAMES.values() for pairing in pairings_of(game)]
    with ProcessPoolExecutor(jobs) as workers:
        for number in range(rounds):
            open_deals = {
                workers.submit(whole_deal, pairing, deal): (pairing, deal)
                for pairing in sorted(pairings, key=lambda each: each.pace)  # what takes long first
                for deal in pairing.deals(number)
                if not book.has(pairing, deal)
            }
            for done in as_completed(open_deals):
                book.enter(*open_deals[done], done.result())
            report(book, pairings, folder)
            print(f"round {number + 1} of {rounds} is played", file=sys.stderr)
    print((folder / "strength.md").read_text(encoding="utf-8"), end="")


def report(book: Book, pairings: list[Pairing], folder: Path) -> None:
    """Write the table and the curve."""
    figures = book.figures(pairings)
    write(figures, book.gains(pairings), folder / "strength.md")
    draw(figures, folder / "strength.svg")


# --- What can be asked for ------------------------------------------------------------------------


def arguments() -> Arguments:
    """Return the argument parser."""
    parser = Arguments(
        prog="bench strength",
        description="How often ONE wins against OTHERS in all other seats, with 95 % intervals. "
        "Without names: the boss against the game's own at several times and against textbook, "
        "and each level against the one below, in every game.",
        epilog="boss@0.5s thinks half a second of processor time, boss@1000 so many simulations.",
        allow_abbrev=False,
    )
    parser.add_argument("game", choices=sorted(GAMES), metavar="GAME", nargs="?")
    parser.add_argument("one", metavar="ONE", nargs="?")
    parser.add_argument("others", metavar="OTHERS", nargs="?")
    parser.add_argument(
        "--deals", type=repeats, default=15, metavar="N", help="each is played from every seat (15)"
    )
    parser.add_argument(
        "--jobs", type=repeats, default=os.cpu_count() or 1, metavar="J", help="processes (all)"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("strength"),
        metavar="DIR",
        help="folder for all results and the report (strength)",
    )
    return parser


def main(words: list[str]) -> int:
    """Play, and print the results."""
    parser = arguments()
    asked = parser.parse_args(words)
    if asked.game is None:
        try:
            play_all(asked.out, asked.deals, asked.jobs)
        except (OSError, ValueError) as error:
            parser.error(f"{asked.out} is no folder for this: {error}")
        return 0
    if asked.others is None:
        parser.error("GAME ONE OTHERS belong together")
    pairing = Pairing(asked.game, asked.one, asked.others)
    try:
        for name in (pairing.one, pairing.others):
            make_bot(GAMES[pairing.game], name)
    except Refused as refused:
        parser.error(say(refused.key, refused.params).rstrip("."))
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    play_one(pairing, asked.deals)
    return 0
