"""What is in the box of Vendetta: map, cards, mafiosi, tables, editions and options."""

from typing import Final

from cosca.core.options import Option

# --- Material ---------------------------------------------------------------------------------

DISTRICTS: Final = 13  # V-M1, V-M2
MAFIOSI: Final = 50  # V-M3: of each colour
FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 5

# --- Tables -----------------------------------------------------------------------------------

FIRST_HAND: Final = 10  # V-S4
FIRST_MEN: Final = 2  # V-S3: in each district
CARDS_DEALT: Final = 2  # V-S2: to each player
TURNS: Final = 11  # V-1, V-2: the other two cards are the raid
INCOME: Final = 1  # V-12
REINFORCEMENT: Final = 3  # V-20
POINTS: Final = [0, 1, 5, 20, 75, 250, 800, 1000]  # V-16: for districts controlled
DISTRICTS_TO_WIN: Final = [0, 0, 0, 6, 5, 4]  # V-17: by number of seats
POINTS_TO_WIN: Final = [0, 0, 0, 800, 250, 75]  # V-18: by number of seats

# --- Action numbers: a number of mafiosi into a district, or done -----------------------------

DONE: Final = DISTRICTS * MAFIOSI
ACTIONS: Final = DONE + 1

# --- Phases, in the order they come -----------------------------------------------------------

PHASE_TRUSTEE: Final = 0
PHASE_DEAL: Final = 1
PHASE_PLACE: Final = 2
PHASE_CARD: Final = 3
PHASE_OVER: Final = 4
PHASE_NAMES: Final = ("trustee", "deal", "place", "card", "over")
PURPOSES: Final = {
    PHASE_TRUSTEE: "trustee",
    PHASE_DEAL: "deal",
    PHASE_CARD: "card",
}
"""What chance decides in each of its phases. The sealed dice use this text in every draw.

Never change it: records of earlier games would no longer verify.
"""

# --- How a game ends --------------------------------------------------------------------------

BY_DISTRICTS: Final = 1
BY_POINTS: Final = 2
BY_ROUNDS: Final = 3
ENDINGS: Final = ("", "districts", "points", "max_rounds")

# --- Options and editions ---------------------------------------------------------------------

OPTIONS: Final = (
    Option("setup", ("except", "only")),  # V-S3 | V-S3f
    Option("limit", ("first", "every")),  # V-7 | V-7e
    Option("control", ("alone", "most")),  # V-15 | V-15e
    Option("final_points", ("yes", "no")),  # V-16 | V-16e
    Option("goal", ("reach", "exceed"), since=2),  # V-18
    Option("hands", ("open", "hidden")),  # V-8: what is shown, not what is known
    Option("trustee", range(MOST_SEATS + 1)),  # V-S1: 0 by lot, else the seat
    Option("max_rounds", range(100_001)),  # V-21: 0 for none
)

EDITIONS: Final = {
    "original": {
        "setup": "except",
        "limit": "first",
        "control": "alone",
        "final_points": "yes",
        "goal": "reach",
    },
    "english": {
        "setup": "except",
        "limit": "every",
        "control": "most",
        "final_points": "no",
        "goal": "reach",
    },
    "french": {
        "setup": "only",
        "limit": "every",
        "control": "most",
        "final_points": "no",
        "goal": "reach",
    },
}
