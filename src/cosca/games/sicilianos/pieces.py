"""What is in the box of Sicilianos: families, dice, notes, businesses, tables, options."""

from typing import Final

from cosca.core.options import Option, Settings

FEWEST_SEATS: Final = 3
MOST_SEATS: Final = 6

# --- The cards ----------------------------------------------------------------------------------

COLOURS: Final = 6  # S-M1
VALUES: Final = 11  # S-M1
CARDS: Final = COLOURS * VALUES
BODYGUARD: Final = 1  # S-M4
BOMB: Final = 5  # S-M3
DEFECTOR: Final = 8  # S-M2
WORTH_AS_DEFECTOR: Final = 4  # S-9
KINDS: Final = 3  # S-M7
BUSINESSES: Final = COLOURS * KINDS
COLOUR_NAMES: Final = ("red", "green", "blue", "yellow", "purple", "orange")
KIND_NAMES: Final = ("laundry", "restaurant", "antiques")

SECOND: Final = [  # S-M2: the second colour of each defector
    [1, 0, 3, 2, 5, 4],
    [1, 2, 3, 4, 5, 0],
]
DEFECTOR_NAMES: Final = ("pairs", "ring")
HITS: Final = [  # S-M3: the colours each bomb can hit, one bit each
    [12, 12, 48, 48, 3, 3],
    [62, 61, 59, 55, 47, 31],
]
BOMB_NAMES: Final = ("pairs", "all")

# --- Dice and money -----------------------------------------------------------------------------

TWO: Final = 0
ONE: Final = 1
STEAL: Final = 2
FACES: Final = [2, 2, 2, 3, 2, 1]  # S-M5: of the influence die, three numbers a table
FACE_NAMES: Final = ("even", "drawing")
NOTES: Final = 5
NOTE_WORTH: Final = [5, 10, 20, 40, 50]  # S-M6: in thousands
THREE_KINDS: Final = 50  # S-26
MOST_OF_A_KIND: Final = 100  # S-27
FIRST_CARDS: Final = 4  # S-S3

# --- Action numbers -----------------------------------------------------------------------------

ROLL: Final = 0
PASS: Final = 1
DEFECT: Final = 2
MONEY: Final = 3
BUSINESS: Final = 4
NOTE: Final = 5
COLOUR: Final = 10
LOOK: Final = 16
VICTIM: Final = 22
KIND: Final = 28
CARD: Final = 31
ACTIONS: Final = CARD + CARDS

# --- Phases -------------------------------------------------------------------------------------

PHASE_START: Final = 0  # chance: who starts
PHASE_DRAFT: Final = 1  # a stack
PHASE_DRAFTED: Final = 2  # chance: the card
PHASE_TURN: Final = 3  # roll, or a card to open a war with
PHASE_DICE: Final = 4  # chance: a die
PHASE_WHICH: Final = 5  # room for one of two
PHASE_DRAW: Final = 6  # chance: a card
PHASE_ONE: Final = 7  # a stack, or a look into one
PHASE_LOOK: Final = 8  # chance: what lies in the stack
PHASE_TAKE: Final = 9  # a card of the stack
PHASE_STEAL: Final = 10  # a colour, if there are two
PHASE_VICTIM: Final = 11  # from whom
PHASE_STOLEN: Final = 12  # chance: the card
PHASE_STAKE: Final = 13  # a note
PHASE_JOIN: Final = 14  # a card, or stay out
PHASE_TURN_UP: Final = 15  # chance: all cards of a pass
PHASE_DEFECT: Final = 16
PHASE_BOMB: Final = 17
PHASE_LAY: Final = 18  # one more card, or no more
PHASE_SHARE: Final = 19  # the money or the business
PHASE_OPEN: Final = 20  # chance: what businesses are left
PHASE_SHOP: Final = 21  # one of them
PHASE_OVER: Final = 22
PHASE_NAMES: Final = (
    *("start", "draft", "drafted", "turn", "dice", "which", "draw", "one", "look", "take"),
    *("steal", "victim", "stolen", "stake", "join", "turn_up", "defect", "bomb", "lay"),
    *("share", "open", "shop", "over"),
)
PURPOSES: Final = {
    PHASE_START: "start",
    PHASE_DRAFTED: "drafted",
    PHASE_DICE: "die",
    PHASE_DRAW: "draw",
    PHASE_LOOK: "look",
    PHASE_STOLEN: "stolen",
    PHASE_TURN_UP: "turn_up",
    PHASE_OPEN: "open",
}
"""What chance decides in each of its phases. The sealed dice use this text in every draw.

Never change it: records of earlier games would no longer verify.
"""

# --- Deeds: what happened to the cards of a colour, in order ------------------------------------

DRAWN: Final = 0  # the top card, by a player
TAKEN: Final = 1  # any card, by a player who looked
STOLEN: Final = 2  # by a player, from another
SHOWN: Final = 3  # turned up in a war
RETURNED: Final = 4  # under the stack
EVENTS: Final = 72  # number of deeds remembered of each colour

# --- How a game ends ----------------------------------------------------------------------------

BY_BUSINESSES: Final = 1
BY_MONEY: Final = 2
ENDINGS: Final = ("", "businesses", "money")

# --- Options ------------------------------------------------------------------------------------

OPTIONS: Final = (
    Option("defectors", DEFECTOR_NAMES),  # S-M2
    Option("bombs", BOMB_NAMES),  # S-M3
    Option("influence", FACE_NAMES),  # S-M5
    Option("hand_limit", (10, 5, 6, 7, 8, 9, 11, 12)),  # S-1
    Option("notes", (2, 1, 3)),  # S-S1: of each value
)
EDITIONS: Final[dict[str, Settings]] = {
    "original": {"defectors": "pairs", "bombs": "pairs", "influence": "even", "hand_limit": 10},
}
