"""What a player of Omerta concludes about cards that others have seen."""

from statistics import fmean

from cosca.core.dice import Dice
from cosca.core.names import BIT
from cosca.core.playout import random_actor, resolve_chance
from cosca.games.omerta.game import GAME
from cosca.games.omerta.pieces import PHASE_TURN, WORTH

MATCHES = 12


def test_cards_that_their_owners_have_seen_and_kept_are_held_to_be_as_cheap_as_they_are() -> None:
    """A random card is worth eight; a player who has seen one that high does not keep it."""
    true: list[int] = []
    held: list[int] = []
    for match in range(MATCHES):
        _compare(Dice(match), true, held)
    assert len(true) > 2000
    assert fmean(true) < 6
    assert abs(fmean(true) - fmean(held)) < 0.6


def _compare(dice: Dice, true: list[int], held: list[int]) -> None:
    """Play a match, and estimate at every turn the rows of the others."""
    evaluator = GAME.evaluator(GAME)
    bot = GAME.heuristic_bots["picciotto"]
    state = GAME.new(GAME.settings(""), 4)
    resolve_chance(state, dice)
    while state.acting():
        seat = random_actor(state.acting(), dice)
        position = GAME.position(state, seat)
        if state.phase == PHASE_TURN:
            world = GAME.sample(position, dice)
            evaluator.resample(world, seat, dice)
            for owner in set(range(4)) - {seat}:
                for card in state.row[owner][: state.length[owner]]:
                    if state.seen[card] & BIT[owner] and not state.seen[card] & BIT[seat]:
                        true.append(WORTH[state.kind[card]])
                        held.append(WORTH[world.kind[card]])
        state.apply(seat, bot(position, dice))
        resolve_chance(state, dice)
