"""What is in the box of Omerta: bottles, characters, their worth, rulings, options."""

from typing import Final

from cosca.core.options import Option, Settings

FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 5

# --- The cards ----------------------------------------------------------------------------------

BOTTLES: Final = 10  # O-M1: kinds 0 to 9 are the bottles 1 to 10
HENCHMAN: Final = 10
LADY: Final = 11
MOLE: Final = 12
TRAITOR: Final = 13
ASSASSIN: Final = 14
DRIVER: Final = 15
SAFECRACKER: Final = 16
WITNESS: Final = 17  # O-19
ALIBI: Final = 18  # O-19
MAMMA: Final = 19
PATROL: Final = 20
KINDS: Final = 21
KIND_NAMES: Final = (
    *("1", "2", "3", "4", "5", "6", "7", "8", "9", "10"),
    *("henchman", "lady", "mole", "traitor", "assassin", "driver", "safecracker"),
    *("witness", "alibi", "mamma", "patrol"),
)
WORTH: Final = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 15, 15, 20, 15, 20, 15, 10, 0, 15, 15]  # O-M2

DECKS: Final = [  # O-M1, O-M3: how many of each kind
    [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1],
    [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
]
DECK_NAMES: Final = ("standard", "pairs", "singles")
MOST_CARDS: Final = 62

# --- Tables and rulings -------------------------------------------------------------------------

ROW: Final = 4  # O-S2
SAFE: Final = 4  # O-S2
ROOM: Final = MOST_CARDS - SAFE  # O-6: the longest row there can be
PEEKS: Final = [0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3]  # O-S3: two places at a time
GIFTS: Final = 2  # O-15
BLOCKED: Final = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1]  # O-16
SHUFFLED_FROM: Final = 2  # O-13: free cards
PATROL_ROUNDS: Final = 2  # O-19p
CALL_LIMIT: Final = 7  # O-21
FINE: Final = 20  # O-22

# --- Action numbers: their meaning depends on the phase -----------------------------------------

PASS: Final = 0
CALL: Final = 1
DRAW: Final = 2
TAKE: Final = 3
DISCARD: Final = 4
LOOK: Final = 5  # into the safe
PEEK: Final = 6  # six pairs of places
TARGET: Final = 12  # a player: lady, mamma
GIVE: Final = 17  # a pair of players: traitor
OF: Final = 32  # whose card comes next: henchman
WATCH: Final = 37  # whose card comes next: patrol
INTO: Final = 42  # a place of the safe
SLOT: Final = 46  # a place of a row
ACTIONS: Final = SLOT + ROOM
RECEIVERS: Final = [  # O-15: the pairs of GIVE
    *(0, 0, 0, 1, 0, 2, 0, 3, 0, 4),
    *(1, 1, 1, 2, 1, 3, 1, 4, 2, 2),
    *(2, 3, 2, 4, 3, 3, 3, 4, 4, 4),
]
NEXT: Final = MOST_SEATS  # chance: nobody is left in the window

# --- Phases -------------------------------------------------------------------------------------

PHASE_START: Final = 0  # chance: who starts
PHASE_DEAL: Final = 1  # chance: a card
PHASE_WINDOW: Final = 2  # several seats answer
PHASE_SETTLE: Final = 3  # chance: whose answer counts next
PHASE_PENALTY: Final = 4  # chance: a card for a mistake
PHASE_TURN: Final = 5  # call, draw, take
PHASE_DRAW: Final = 6  # chance: a card
PHASE_PLACE: Final = 7  # replace or discard
PHASE_TURN_UP: Final = 8  # chance: the replaced card
PHASE_USE: Final = 9  # a character, step by step
PHASE_LOOK: Final = 10  # chance: what the mole or the safecracker sees
PHASE_LAY: Final = 11  # chance: what the driver lays down
PHASE_SAFE: Final = 12  # exchange, or not
PHASE_SHUFFLE: Final = 13  # chance: a place in the row
PHASE_GIFT: Final = 14  # chance: a card from the traitor
PHASE_CALLED: Final = 15  # chance: all rows are turned up
PHASE_OVER: Final = 16
PHASE_NAMES: Final = (
    *("start", "deal", "window", "settle", "penalty", "turn", "draw", "place", "turn_up", "use"),
    *("look", "lay", "safe", "shuffle", "gift", "called", "over"),
)
PURPOSES: Final = {
    PHASE_START: "start",
    PHASE_DEAL: "deal",
    PHASE_SETTLE: "settle",
    PHASE_PENALTY: "penalty",
    PHASE_DRAW: "draw",
    PHASE_TURN_UP: "turn_up",
    PHASE_LOOK: "look",
    PHASE_LAY: "lay",
    PHASE_SHUFFLE: "shuffle",
    PHASE_GIFT: "gift",
    PHASE_CALLED: "called",
}
"""What chance decides in each of its phases. The sealed dice use this text in every draw.

Never change it: records of earlier games would no longer verify.
"""

NO_WINDOW: Final = 0
PEEKING: Final = 1
SNAPPING: Final = 2
KILLING: Final = 3
WINDOW_NAMES: Final = ("", "peek", "snap", "assassin")

# --- What is known of a card --------------------------------------------------------------------

PUBLIC: Final = 32  # bit mask of who has seen it: one bit for each seat, this one for all others
EVERYONE: Final = 63
TRUTH: Final = 64  # the viewer that sees everything
TRACKS: Final = 108  # all cards, and those that shuffles have turned into new tracks
SHUFFLES: Final = 7  # number of shuffles remembered at once
PILES: Final = 4  # number of successive draw piles that are distinguished

FREE: Final = 0
ON_TABLE: Final = 1
GONE: Final = 2

# --- How a match ends ---------------------------------------------------------------------------

BY_TOTALS: Final = 1
ENDINGS: Final = ("", "totals")

# --- Options ------------------------------------------------------------------------------------

OPTIONS: Final = (
    Option("copies", DECK_NAMES),  # O-M3
    Option("memory", ("own", "aided")),  # affects what is shown, not what is known
    Option("games", range(11)),  # O-23: 0 for one game per player
    Option("reactions", ("live", "sealed")),  # O-11
    Option("driver_snap", ("last", "each"), since=2),  # O-10
    Option("use", ("may", "must"), since=2),  # O-11u
    Option("first_discard", ("none", "up")),  # O-S2
    Option("first_call", range(1, 100)),  # O-1
    Option("max_rounds", range(10_001)),  # O-24: 0 for none
)

EDITIONS: Final[dict[str, Settings]] = {
    "original": {
        "copies": "standard",
        "driver_snap": "last",
        "use": "may",
        "first_discard": "none",
        "first_call": 1,
    },
}
