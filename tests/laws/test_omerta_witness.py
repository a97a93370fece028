"""The witness of Omerta, who builds the twins, keeps the draw piles of a game apart."""

from typing import Any

from cosca.testing.walks import seeded_walks
from tests.laws.cases import SETUPS
from tests.laws.omerta import Witness

OMERTA = [setup for case, setup in SETUPS.values() if case.game.name == "omerta"]
SEED = 1_000_069
"""A gift takes the last card of a pile in the first of its walks."""


def test_the_last_card_of_a_pile_does_not_belong_to_the_next_one() -> None:
    drawn_last = 0
    for setup in OMERTA:
        (walk,) = seeded_walks(setup, 1, SEED, most=400)
        states: list[Any] = list(walk.states())
        piles: dict[int, set[tuple[int, int]]] = {}
        for number, pile in Witness(walk).pile_of.items():
            before, after = states[number], states[number + 1]
            piles.setdefault(pile, set()).add((before.game, before.gen))
            drawn_last += after.gen != before.gen
        assert {len(found) for found in piles.values()} == {1}, setup.name
    assert drawn_last
