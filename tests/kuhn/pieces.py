"""What is in the box of Kuhn poker."""

from typing import Final

from cosca.core.options import Option

SEATS: Final = 3
CARDS: Final = 4  # one more than seats
CHIPS: Final = 2  # of each player: one for the pot at the start, one to bet

PASS: Final = 0  # check, or fold
BET: Final = 1  # bet, or call
ACTIONS: Final = 2
VERBS: Final = ("pass", "bet")

PURPOSE: Final = "card"
"""What chance decides, as the sealed dice know it; never to be changed."""

UNKNOWN: Final = -1
NOBODY: Final = -1

BY_FOLDS: Final = 1
BY_SHOWDOWN: Final = 2
ENDINGS: Final = ("", "folds", "showdown")

OPTIONS: Final = (Option("showdown", ("callers", "all")),)
EDITIONS: Final = {"casino": {"showdown": "callers"}, "kitchen": {"showdown": "all"}}
