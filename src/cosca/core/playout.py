"""Random play through the contract alone: for benchmarks, laws and search."""

from cosca.core import names
from cosca.core.buffers import Outcomes, Spans
from cosca.core.dice import Dice
from cosca.core.names import Action, Seat
from cosca.core.state import State

CHANCE = names.CHANCE
CHANCE_BIT = names.CHANCE_BIT
LOWEST_SEAT = [(bits & -bits).bit_length() - 1 for bits in range(64)]
OUTCOMES = Outcomes()  # shared: creating one takes longer than a roll


def resolve_chance(state: State, dice: Dice) -> None:
    """Resolve chance nodes until a seat may act or the game is over."""
    while state.acting() == CHANCE_BIT:
        resolve_chance_once(state, dice, OUTCOMES)


def resolve_chance_once(state: State, dice: Dice, outcomes: Outcomes) -> None:
    """Resolve one chance node, by the weights of its outcomes."""
    state.fill_chance(outcomes)
    state.apply(CHANCE, outcome_at(outcomes, dice.below(outcomes.total)))


def outcome_at(outcomes: Outcomes, roll: int) -> Action:
    """Return the outcome that a roll below the total weight selects."""
    if outcomes.total == outcomes.count:  # all are equally likely
        return outcomes.action[roll]
    i = 0
    while roll >= outcomes.weight[i]:
        roll -= outcomes.weight[i]
        i += 1
    return outcomes.action[i]


def random_actor(acting: int, dice: Dice) -> Seat:
    """Return one of the seats that may act, at random."""
    if acting & (acting - 1):
        return nth_seat(acting, dice.below(count_seats(acting)))
    return LOWEST_SEAT[acting]


def count_seats(bits: int) -> int:
    """Return the number of seats in a bit set."""
    count = 0
    for seat in range(6):
        count += bits >> seat & 1
    return count


def nth_seat(bits: int, n: int) -> Seat:
    """Return the nth seat of a bit set, counted from 0."""
    seat = 0
    while n > 0 or not bits >> seat & 1:
        n -= bits >> seat & 1
        seat += 1
    return seat


def play_random_action(state: State, acting: int, dice: Dice, legal: Spans) -> None:
    """Let a random seat of those that may act take a random legal action."""
    seat = random_actor(acting, dice)
    state.fill_legal(seat, legal)
    state.apply(seat, nth_action(legal, dice.below(legal.total)))


def nth_action(legal: Spans, n: int) -> Action:
    """Return the nth legal action, counted from 0."""
    i = 0
    while n > legal.last[i] - legal.first[i]:
        n -= legal.last[i] - legal.first[i] + 1
        i += 1
    return legal.first[i] + n


def playout(state: State, dice: Dice) -> int:
    """Play at random to the end; return the number of decisions, not counting chance."""
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
    """Play that many random games from one state; return the number of decisions."""
    decisions = 0
    for _ in range(games):
        decisions += playout(start.copy(), dice)
    return decisions
