"""Random play through the contract alone: for benchmarks, laws and search."""

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.dice import Dice
from cosca.core.names import Action, Seat
from cosca.core.state import State

CHANCE = names.CHANCE
CHANCE_BIT = names.CHANCE_BIT
LOWEST_SEAT = [(bits & -bits).bit_length() - 1 for bits in range(64)]
OUTCOMES = Outcomes()  # one for all rolls: making it would take longer than rolling


def resolve_chance(state: State, dice: Dice) -> None:
    """Let chance do all it has to do before a seat may act again."""
    while state.acting() == CHANCE_BIT:
        resolve_chance_once(state, dice, OUTCOMES)


def resolve_chance_once(state: State, dice: Dice, outcomes: Outcomes) -> None:
    """Let chance do one thing, by its weights."""
    state.fill_chance(outcomes)
    state.apply(CHANCE, outcome_at(outcomes, dice.below(outcomes.total)))


def outcome_at(outcomes: Outcomes, roll: int) -> Action:
    """The outcome that a roll below the total weight stands for."""
    if outcomes.total == outcomes.count:  # all are equally likely
        return outcomes.action[roll]
    i = 0
    while roll >= outcomes.weight[i]:
        roll -= outcomes.weight[i]
        i += 1
    return outcomes.action[i]


def random_actor(acting: int, dice: Dice) -> Seat:
    """One of the seats that may act, by lot."""
    if acting & (acting - 1):
        return nth_seat(acting, dice.below(count_seats(acting)))
    return LOWEST_SEAT[acting]


def count_seats(bits: int) -> int:
    """How many seats are in a set of seats."""
    count = 0
    for seat in range(6):
        count += bits >> seat & 1
    return count


def nth_seat(bits: int, n: int) -> Seat:
    """The nth seat of a set of seats, counted from 0."""
    seat = 0
    while n > 0 or not bits >> seat & 1:
        n -= bits >> seat & 1
        seat += 1
    return seat


def play_random_action(state: State, acting: int, dice: Dice, legal: Spans) -> None:
    """Let one of the seats that may act do one of its legal actions, each as likely."""
    seat = random_actor(acting, dice)
    state.fill_legal(seat, legal)
    state.apply(seat, nth_action(legal, dice.below(legal.total)))


def nth_action(legal: Spans, n: int) -> Action:
    """The nth of the legal actions, counted from 0."""
    i = 0
    while n > legal.last[i] - legal.first[i]:
        n -= legal.last[i] - legal.first[i] + 1
        i += 1
    return legal.first[i] + n


def playout(state: State, dice: Dice) -> int:
    """Play at random to the end; the number of decisions, not counting chance."""
    legal = Spans()
    outcomes = Outcomes()
    decisions = 0
    acting = state.acting()
    while acting:
        if acting == CHANCE_BIT:
            resolve_chance_once(state, dice, outcomes)
        else:
            play_random_action(state, acting, dice, legal)
            decisions += 1
        acting = state.acting()
    return decisions


def playouts(start: State, dice: Dice, games: int) -> int:
    """Play that many games at random from one start; the number of decisions."""
    decisions = 0
    for _ in range(games):
        decisions += playout(start.copy(), dice)
    return decisions
