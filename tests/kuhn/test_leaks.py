"""The laws are not blind: each finds the mistakes that were planted for it, and names them."""

import re

import pytest

from cosca.testing.walks import seeded_walks
from tests.kuhn.case import case_of
from tests.kuhn.leaks import FALSE_PLAY, LEAKS, Planted
from tests.kuhn.test_kuhn import LAWS

BY_NAME = {law.__name__: law for law in LAWS}
PLANTED = LEAKS | FALSE_PLAY


@pytest.mark.parametrize("planted", PLANTED.values(), ids=list(PLANTED))
def test_the_laws_find_planted_faults(planted: Planted) -> None:
    case = case_of(planted.game)
    with pytest.raises(AssertionError, match=re.escape(planted.says)):
        for setup in case.table_setups():
            for walk in seeded_walks(setup, 8, most=20):
                BY_NAME[planted.law](case, walk)


def test_every_kind_of_leak_is_planted() -> None:
    kinds = ("position", "event", "error", "sampler", "legal list")
    assert all(any(kind in name for name in LEAKS) for kind in kinds)
