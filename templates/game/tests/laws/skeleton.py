"""The rulebook of Skeleton for the laws; nothing here uses its code."""

from cosca.core.dice import Dice
from cosca.core.names import CHANCE, Seat
from cosca.games.skeleton.game import GAME
from cosca.games.skeleton.rules import State
from cosca.testing.case import Case
from cosca.testing.walks import Log, Walk

CARDS = range(1, 13)
SWAP = 1
TWINS = 6
"""The most twins that are tried; of more, a random sample."""


def different_cards(state: State) -> int:
    """SK-M1: cards that are held, lie face up or are in the pile; twelve, none of them twice."""
    held = {card for card in state.cards if card}
    up = {card for card in CARDS if state.up[card]}
    return len(held | up) + len(CARDS) - state.drawn


def twins(walk: Walk, seat: Seat, dice: Dice) -> list[Log]:
    """SK-9: what the others hold may be any cards that this seat has not seen."""
    hidden = hidden_steps(walk, seat)
    seen = {card for step, card in given_cards(walk).items() if step not in hidden}
    unseen = [card for card in CARDS if card not in seen]
    logs = {with_cards(walk, hidden, some(unseen, len(hidden), dice)) for _ in range(TWINS)}
    return sorted(logs - {walk.log})


def owners(walk: Walk) -> dict[int, Seat]:
    """SK-S1, SK-4: which steps of chance gave somebody a card, the deal first; and to whom."""
    seats = walk.setup.seats
    given = {step: step for step in range(seats)}
    for step in range(seats + 1, len(walk.log)):
        before, action = walk.log[step - 1]
        if before != CHANCE and action == SWAP:
            given[step] = before
    return given


def given_cards(walk: Walk) -> dict[int, int]:
    """Return the cards that chance gave, by step."""
    return {step: walk.log[step][1] for step in owners(walk)}


def hidden_steps(walk: Walk, seat: Seat) -> list[int]:
    """SK-3, SK-7, SK-9: the steps that gave the others what they hold, until all show."""
    given = owners(walk)
    last = len(walk.log) - 1
    if walk.log[last][0] == CHANCE and last not in given:
        return []  # the last thing chance did was to turn all cards up
    holds = {owner: step for step, owner in given.items()}
    return [step for owner, step in holds.items() if owner != seat]


def some(cards: list[int], number: int, dice: Dice) -> list[int]:
    """Return so many of these cards, in random order."""
    left = list(cards)
    return [left.pop(dice.below(len(left))) for _ in range(number)]


def with_cards(walk: Walk, steps: list[int], cards: list[int]) -> Log:
    """Return the walk with other cards in these steps of chance."""
    log = list(walk.log)
    for step, card in zip(steps, cards, strict=True):
        log[step] = (CHANCE, card)
    return tuple(log)


PLAIN = frozenset({"dealt", "sees", "keeps", "swaps", "shows"})


def holdings(state: State, seat: Seat) -> tuple[int, int]:
    """SK-S1, SK-8: the card, and the win."""
    return state.cards[seat], state.won >> seat & 1


CASE = Case(
    game=GAME,
    actions=13,  # keep and swap; of chance, a card by its number
    has_secrets=True,
    pieces=different_cards,
    twins=twins,
    plain_events=PLAIN,
    holdings=holdings,
    dealing=frozenset({"deal"}),
    house_rules=[{"laps": "2"}, {"laps": "3"}],  # three: until the pile is empty (SK-5)
)
