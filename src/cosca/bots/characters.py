"""Characters: a dozen named bots who play every game, each in their own way.

A character has a level (how much it searches, and how often it blunders), a style (what it likes in
a move besides winning), a memory and a reaction time. All of them use the same search, which
estimates each move for each seat; the style chooses among the good ones.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from statistics import covariance, fmean, pstdev
from typing import Any, Final, TypeAlias

from cosca.bots.search.budget import Budget
from cosca.bots.search.search_bot import TOO_RARE, MoveEvaluation, SearchBot
from cosca.core.buffers import Spans
from cosca.core.dice import Dice
from cosca.core.evaluator import Values
from cosca.core.game import Game
from cosca.core.names import Action, Seat
from cosca.core.playout import random_actor, resolve_chance
from cosca.core.state import State

Shares: TypeAlias = tuple[float, ...]
"""The expected share of the victory of each seat."""
Target: TypeAlias = Callable[[Sequence[Shares], Seat], Seat]
"""Returns the opponent a seat has in mind, given possible outcomes."""

ENOUGH_VISITS: Final = 0.5
"""A move is good if it has at least this share of the visits of the most visited one,"""
ENOUGH_SHARE: Final = 0.9
"""and at least this share of the value of the best one."""
LIKING_TEMPERATURE: Final = 0.05
"""In mixed play, this much more liking makes a move about three times as likely."""
WORLDS: Final = 40
"""How many worlds are sampled to see what may follow from a move, until all have acted about once:
with fewer worlds, or further ahead, chance would decide between the moves.
"""


# --- Choosing a target ----------------------------------------------------------------------------


def leader(outcomes: Sequence[Shares], me: Seat) -> Seat:
    """Return the opponent most likely to win."""
    return max(others(outcomes, me), key=lambda seat: fmean(each[seat] for each in outcomes))


def weakest(outcomes: Sequence[Shares], me: Seat) -> Seat:
    """Return the opponent least likely to win."""
    return min(others(outcomes, me), key=lambda seat: fmean(each[seat] for each in outcomes))


def harmful_opponent(outcomes: Sequence[Shares], me: Seat) -> Seat:
    """Return the opponent who gains most when this seat loses."""
    mine = [each[me] for each in outcomes]
    return min(
        others(outcomes, me), key=lambda seat: covariance(mine, [each[seat] for each in outcomes])
    )


def others(outcomes: Sequence[Shares], me: Seat) -> list[Seat]:
    """Return all other seats."""
    return [seat for seat in range(len(outcomes[0])) if seat != me]


# --- What makes a character -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Level:
    """How strong a character is."""

    blunder_rate: float
    """How often it plays a random candidate move."""
    budget: Budget


@dataclass(frozen=True, slots=True)
class Style:
    """What counts in a move besides the character's own share of the victory."""

    risk: float = 0.0
    """The weight of the spread of possible outcomes; negative for a character who avoids risk."""
    spite: float = 0.0
    """The weight of the target's losses."""
    target: Target = leader
    temperature: float = 0.0
    """If above 0, a move worth this much less is still played about a third as often."""


LEVELS: Final[Mapping[int, Level]] = {
    1: Level(0.7, Budget(simulations=32)),
    2: Level(0.5, Budget(simulations=64)),
    3: Level(0.32, Budget(simulations=96)),
    4: Level(0.2, Budget(simulations=200)),
    5: Level(0.0, Budget(seconds=0.25)),
}
"""From beginner to boss."""

COLD: Final = Style()
CAUTIOUS: Final = Style(risk=-2.0)
GAMBLER: Final = Style(risk=2.0)
VINDICTIVE: Final = Style(spite=0.7, target=harmful_opponent)
ENVIOUS: Final = Style(spite=0.7, target=leader)
BULLY: Final = Style(spite=0.7, target=weakest)
MOODY: Final = Style(temperature=0.05)


@dataclass(frozen=True, slots=True)
class Character:
    """A named bot that can be asked to play any game."""

    name: str
    level: int
    style: Style
    memory: int | None
    """How many observations it remembers; None for all of them."""
    reaction_time: float
    """Seconds until it reacts in a race, give or take a third."""


CHARACTERS: Final[Mapping[str, Character]] = {
    character.name: character
    for character in (
        Character("lillo", 1, COLD, 2, 5.0),
        Character("nuccia", 1, MOODY, 1, 3.5),
        Character("pina", 2, COLD, 4, 3.0),
        Character("melo", 2, CAUTIOUS, 3, 6.0),
        Character("agata", 3, COLD, 6, 2.5),
        Character("saro", 3, GAMBLER, 5, 1.6),
        Character("turi", 3, VINDICTIVE, None, 2.0),
        Character("calogero", 4, COLD, None, 4.0),
        Character("concetta", 4, ENVIOUS, None, 2.0),
        Character("gaspare", 4, BULLY, 8, 1.6),
        Character("ignazio", 5, CAUTIOUS, None, 2.5),
        Character("assunta", 5, COLD, None, 1.6),
    )
}
"""Weakest first. The language files describe each one, under `bot`."""


# --- Playing --------------------------------------------------------------------------------------


class CharacterBot:
    """A character playing one game. It keeps nothing from one decision to the next."""

    def __init__(
        self,
        game: Game[Any, Any],
        character: Character,
        budget: Budget | None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.game = game
        self.character = character
        self.level = LEVELS[character.level]
        self.budget = budget or self.level.budget
        self.clock = clock

    @property
    def reaction_time(self) -> float:
        """Return how many seconds it takes to react in a race."""
        return self.character.reaction_time

    def __call__(self, position: Any, dice: Dice) -> Action:
        """Search the position as it remembers it, and play the good move it likes most."""
        own = Dice(dice.next_word(), dice.next_word())
        if len(position.legal) == 1:
            return int(position.legal[0])
        if self.character.memory is not None:
            position = self.game.limit_memory(position, self.character.memory)
        if _fraction(own) < self.level.blunder_rate:
            return self._random_candidate(position, own)
        evaluations = SearchBot(self.game, self.budget, clock=self.clock).evaluate_moves(
            position, own
        )
        good = good_moves(evaluations, position.seat)
        if not good:  # in every simulation another seat acted first
            return self._random_candidate(position, own)
        return self._favourite(position, good, own)

    def _random_candidate(self, position: Any, dice: Dice) -> Action:
        """Return a random candidate move."""
        moves = self.game.candidates(position)
        return int(self.game.to_actions(moves[dice.below(len(moves))])[0])

    def _favourite(self, position: Any, good: Sequence[MoveEvaluation], dice: Dice) -> Action:
        """Return the good move that it likes most."""
        style = self.character.style
        liking = self._liking(position, good, dice)
        if is_mixed(good):
            probability = [t.probability * exp(liking[t.action] / LIKING_TEMPERATURE) for t in good]
            return _weighted_choice(good, probability, dice)
        if style == COLD:
            return good[0].action
        values = [t.shares[position.seat] + liking[t.action] for t in good]
        best = max(values)
        if style.temperature:
            return _weighted_choice(
                good, [exp((each - best) / style.temperature) for each in values], dice
            )
        return good[values.index(best)].action

    def _liking(
        self, position: Any, good: Sequence[MoveEvaluation], dice: Dice
    ) -> dict[Action, float]:
        """Return what each move is worth to this character besides its own share."""
        style, me = self.character.style, position.seat
        if len(good) == 1 or not (style.risk or style.spite):
            return dict.fromkeys((t.action for t in good), 0.0)
        outcomes_of = sample_outcomes(self.game, position, [t.action for t in good], dice)
        target = style.target([each for outcomes in outcomes_of.values() for each in outcomes], me)
        return {
            t.action: style.risk * pstdev([each[me] for each in outcomes_of[t.action]])
            - style.spite * fmean(each[target] for each in outcomes_of[t.action])
            for t in good
        }


def good_moves(evaluations: Sequence[MoveEvaluation], seat: Seat) -> list[MoveEvaluation]:
    """Return the moves that are nearly as good as the best one, best first."""
    if is_mixed(evaluations):
        often = [evaluation for evaluation in evaluations if evaluation.probability >= TOO_RARE]
        return often or [evaluations[0]]
    most = max((evaluation.visits for evaluation in evaluations), default=0)
    return [
        evaluation
        for evaluation in evaluations
        if evaluation.visits >= ENOUGH_VISITS * most
        and evaluation.shares[seat] >= ENOUGH_SHARE * evaluations[0].shares[seat]
    ]


def is_mixed(evaluations: Sequence[MoveEvaluation]) -> bool:
    """Return whether a mixed strategy is called for here."""
    return any(0.0 < evaluation.probability < 1.0 for evaluation in evaluations)


def sample_outcomes(
    game: Game[Any, Any],
    position: Any,
    actions: Sequence[Action],
    dice: Dice,
    worlds: int = WORLDS,
) -> dict[Action, list[Shares]]:
    """Return what may follow from each action: the same worlds, played on for a while."""
    evaluator = game.evaluator(game)
    spans, values = Spans(), Values()

    def play_on(state: State, action: Action, luck: Dice) -> Shares:
        state.apply(position.seat, action)
        for _ in range(state.seats):
            resolve_chance(state, luck)
            if not state.acting():
                break
            seat = random_actor(state.acting(), luck)
            state.fill_legal(seat, spans)
            state.apply(seat, evaluator.playout_action(state, seat, spans, luck))
        resolve_chance(state, luck)
        if state.acting():
            evaluator.fill_values(state, luck, values)
        else:
            values.set_terminal(state)
        return tuple(values.share[: state.seats])

    evaluator.prepare(position)
    outcomes_of: dict[Action, list[Shares]] = {action: [] for action in actions}
    for _ in range(worlds):
        world = game.sample(position, dice)
        luck = dice.next_word()
        for action in actions:
            outcomes_of[action].append(play_on(world.copy(), action, Dice(luck)))
    return outcomes_of


def _fraction(dice: Dice) -> float:
    return dice.below(1 << 30) / (1 << 30)


def _weighted_choice(
    evaluations: Sequence[MoveEvaluation], weights: Sequence[float], dice: Dice
) -> Action:
    """Return one of the actions at random, by these weights."""
    left = _fraction(dice) * sum(weights)
    for evaluation, weight in zip(evaluations, weights, strict=True):
        left -= weight
        if left < 0:
            return evaluation.action
    return evaluations[-1].action
