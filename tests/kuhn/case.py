"""Kuhn poker as its rulebook has it, for the laws. Nothing here asks `position.py`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

from cosca import words
from cosca.core.dice import Dice
from cosca.core.errors import Param
from cosca.core.events import Listing
from cosca.core.game import Game
from cosca.core.names import CHANCE, Seat
from cosca.testing.case import Case
from cosca.testing.walks import Log, Walk
from tests.kuhn.game import GAME
from tests.kuhn.position import Position
from tests.kuhn.rules import State

WORDS = tomllib.loads(Path(__file__).with_name("words").joinpath("en.toml").read_text("utf-8"))


def cards_and_chips(state: State) -> tuple[int, int]:
    """Different cards, dealt or not; and all chips."""
    dealt = [card for card in state.cards if card >= 0]
    return len(set(dealt)) + 4 - len(dealt), sum(state.chips) + state.pot


def twins(walk: Walk, seat: Seat, dice: Dice) -> list[Log]:
    """All deals that differ in cards this seat has not seen."""
    dealt = [action for who, action in walk.log if who == CHANCE]
    bets = [step for step in walk.log if step[0] != CHANCE]
    seen = {seat} | shown(bets, all_show=walk.setup.settings["showdown"] == "all")
    others = [
        deal
        for deal in permutations(range(4), 3)
        if list(deal) != dealt and all(deal[s] == dealt[s] for s in seen if s >= 0)
    ]
    return [(*((CHANCE, card) for card in deal), *bets) for deal in others]


def shown(bets: Sequence[tuple[Seat, int]], all_show: bool) -> set[Seat]:
    """Whose cards lie open after these bets: a showdown comes when all have answered."""
    actions = [action for _, action in bets]
    first = actions.index(1) if 1 in actions else 3
    folded = {(first + i) % 3 for i, action in enumerate(actions[first:]) if action == 0}
    is_over = len(actions) == (3 if first == 3 else first + 3)
    if not is_over or len(folded) == 2:
        return set()
    return {0, 1, 2} if all_show else {0, 1, 2} - folded


def say(key: str, params: Mapping[str, Param | Listing], language: str = words.LANGUAGE, /) -> str:
    """The sentences of this folder; the house has the others."""
    game, _, rest = key.partition(".")
    if game != "kuhn":
        return words.say(key, params, language)
    return str(WORDS[rest]).format(**params)


PLAIN = frozenset({"dealt", "card", "passes", "bets", "folds", "calls", "shows"})


def holdings(state: State, seat: Seat) -> tuple[int, int, int]:
    """The card, the chips, and the win."""
    return state.cards[seat], state.chips[seat], state.won >> seat & 1


CASE = Case(
    game=GAME,
    actions=2,
    has_secrets=True,
    pieces=cards_and_chips,
    twins=twins,
    plain_events=PLAIN,
    holdings=holdings,
    dealing=frozenset({"card"}),
    rules=frozenset({"K-1", "K-2"}),
    say=say,
)


def case_of(game: Game[State, Position]) -> Case:
    """The same rulebook, for a game that may not keep to it."""
    return replace(CASE, game=game)
