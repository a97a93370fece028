"""What is in the box of Skeleton: cards, numbers, editions and options."""

from typing import Final

from cosca.core.options import Option

# --- Material ---------------------------------------------------------------------------------

CARDS: Final = 12  # SK-M1: one of each, numbered from 1
NO_CARD: Final = 0  # in the hand of one who has none
UNKNOWN: Final = -1  # in a position: a card that this seat has not seen
FEWEST_SEATS: Final = 3  # SK-M2
MOST_SEATS: Final = 5  # SK-M2

# --- Action numbers: of a seat keep or swap; of chance a card by its number, or all show ----------

KEEP: Final = 0  # SK-2
SWAP: Final = 1  # SK-2
SHOW: Final = 0  # SK-7
VERBS: Final = ("keep", "swap")

# --- Phases, in the order they come -----------------------------------------------------------

PHASE_DEAL: Final = 0
PHASE_TURN: Final = 1
PHASE_DRAW: Final = 2
PHASE_SHOW: Final = 3
PHASE_OVER: Final = 4
PHASE_NAMES: Final = ("deal", "turn", "draw", "show", "over")
PURPOSES: Final = {
    PHASE_DEAL: "deal",
    PHASE_DRAW: "draw",
    PHASE_SHOW: "show",
}
"""What chance decides in each of its phases. The sealed dice use this text in every draw.

Never change it: records of earlier games would no longer verify.
"""

# --- How a game ends --------------------------------------------------------------------------

BY_CARD: Final = 1
ENDINGS: Final = ("", "card")

# --- Options and editions ---------------------------------------------------------------------

OPTIONS: Final = (
    Option("laps", range(1, 4)),  # SK-6
)

EDITIONS: Final = {"original": {"laps": 1}}
