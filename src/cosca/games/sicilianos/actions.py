"""The action numbers of Sicilianos, and the complete moves that people make.

An action is one step: a card, a note, a stack. A move is everything a player does at once:
`Move("war", (1, 7, 20))` is the red 7 face down with a note of 20,000. Colours, players and kinds
count from 1 in a move; cards and notes are what is printed on them.

A card alone is a complete move too, and the note another one: after a bomb the same player may be
asked for the next card at once, and an action alone does not distinguish the two.
"""

from collections.abc import Sequence
from typing import Final

from cosca.core.choice import Choice, Heading
from cosca.core.errors import Param, Refused
from cosca.core.move import SEVERAL, Move
from cosca.core.names import Action
from cosca.games.sicilianos.pieces import (
    ACTIONS,
    BODYGUARD,
    BUSINESS,
    CARD,
    COLOUR,
    COLOURS,
    DEFECT,
    HITS,
    KIND,
    KINDS,
    LOOK,
    MONEY,
    MOST_SEATS,
    NOTE,
    NOTE_WORTH,
    PASS,
    ROLL,
    SECOND,
    VALUES,
    VICTIM,
)
from cosca.games.sicilianos.position import Position

WORDS: Final = {
    "roll": ROLL,
    "pass": PASS,
    "defect": DEFECT,
    "money": MONEY,
    "business": BUSINESS,
}


# --- Moves and actions --------------------------------------------------------------------------


def to_actions(move: Move) -> list[Action]:
    """Return the actions of a complete move."""
    verb, numbers = move
    if verb in WORDS and not numbers:
        return [WORDS[verb]]
    if verb == SEVERAL and numbers:
        return list(numbers)
    if verb == "note" and len(numbers) == 1:
        return [_note(numbers[0])]
    if verb in ("colour", "look") and len(numbers) == 1:
        return [(LOOK if verb == "look" else COLOUR) + _colour(numbers[0])]
    if verb == "victim" and len(numbers) == 1:
        return [VICTIM + _counted(numbers[0], MOST_SEATS, "no_such_seat")]
    if verb == "kind" and len(numbers) == 1:
        return [KIND + _counted(numbers[0], KINDS, "no_such_kind")]
    if verb == "card" and len(numbers) == 2:
        return [_card(*numbers)]
    if verb == "war" and len(numbers) == 3:
        return [_card(*numbers[:2]), _note(numbers[2])]
    raise Refused("sicilianos.not_a_move")


def _counted(number: int, most: int, key: str) -> int:
    """Convert a number that counts from 1, or refuse it."""
    if not 1 <= number <= most:
        raise Refused(f"sicilianos.{key}", number=number)
    return number - 1


def _colour(number: int) -> int:
    return _counted(number, COLOURS, "no_such_colour")


def _card(colour: int, value: int) -> Action:
    return CARD + _colour(colour) * VALUES + _counted(value, VALUES, "no_such_card")


def _note(thousands: int) -> Action:
    if thousands not in NOTE_WORTH:
        raise Refused("sicilianos.no_such_note", number=thousands)
    return NOTE + NOTE_WORTH.index(thousands)


def to_move(actions: Sequence[Action]) -> Move:
    """Return the complete move that these actions make, or the part of it."""
    steps = list(actions)
    if len(steps) == 1 and 0 <= steps[0] < ACTIONS:
        return _single(steps[0])
    if len(steps) == 2 and CARD <= steps[0] < ACTIONS and NOTE <= steps[1] < COLOUR:
        return Move("war", (*_single(steps[0]).numbers, *_single(steps[1]).numbers))
    return Move(SEVERAL, tuple(steps))


def _single(action: Action) -> Move:
    """Return the move that consists of one action."""
    for verb, number in WORDS.items():
        if action == number:
            return Move(verb)
    if action < COLOUR:
        return Move("note", (NOTE_WORTH[action - NOTE],))
    for verb, base, following in COUNTED:
        if action < following:
            return Move(verb, (action - base + 1,))
    colour, value = divmod(action - CARD, VALUES)
    return Move("card", (colour + 1, value + 1))


COUNTED: Final = (
    ("colour", COLOUR, LOOK),
    ("look", LOOK, VICTIM),
    ("victim", VICTIM, KIND),
    ("kind", KIND, CARD),
)


# --- Refusals -----------------------------------------------------------------------------------


def refusal(position: Position, action: Action) -> Refused:
    """S-1 to S-19: why this action is illegal, using only what the seat knows."""
    if not 0 <= action < ACTIONS:
        return Refused("sicilianos.no_such_action")
    if position.seat not in position.actors:
        return Refused("not_your_turn")
    return WRONG[position.phase](position, action)


def _wrong_draft(position: Position, action: Action) -> Refused:
    """S-S3: a colour that is in hand already, or whose stack is empty."""
    if COLOUR <= action < LOOK:
        colour = action - COLOUR
        if position.hands[position.seat][colour]:
            return Refused("sicilianos.have_colour", colour=colour)
        return Refused("sicilianos.empty_stack", colour=colour)
    return Refused("sicilianos.draft_stack")


def _wrong_turn(position: Position, action: Action) -> Refused:
    """S-1, S-6: a full hand does not roll; a war begins with an own card."""
    if action == ROLL:
        return Refused("sicilianos.hand_full", limit=position.hand_limit)
    if action >= CARD:
        return _not_yours(action)
    if ROLL not in position.legal:
        return Refused("sicilianos.hand_full", limit=position.hand_limit)
    if not any(position.hands[position.seat]):
        return Refused("sicilianos.roll_only")
    return Refused("sicilianos.card_first" if NOTE <= action < COLOUR else "sicilianos.roll_or_war")


def _not_yours(action: Action) -> Refused:
    colour, value = divmod(action - CARD, VALUES)
    return Refused("sicilianos.not_your_card", colour=colour, value=value + 1)


def _wrong_which(position: Position, action: Action) -> Refused:
    """S-1, S-5: one of the two colours that were rolled."""
    if COLOUR <= action < LOOK:
        return Refused("sicilianos.not_rolled", colour=action - COLOUR)
    return Refused("sicilianos.rolled_colour")


def _wrong_one(position: Position, action: Action) -> Refused:
    """S-4: an empty stack, or a look into one whose colour was not rolled."""
    if COLOUR <= action < VICTIM:
        colour = (action - COLOUR) % COLOURS
        if position.sizes[colour] == 0:
            return Refused("sicilianos.empty_stack", colour=colour)
        return Refused("sicilianos.look_at_rolled", colour=colour)
    look = any(LOOK <= legal < VICTIM for legal in position.legal)
    return Refused("sicilianos.draw_or_look", look=int(look))


def _wrong_take(position: Position, action: Action) -> Refused:
    """S-4: a player who looks must take one of the cards there."""
    if action >= CARD:
        colour, value = divmod(action - CARD, VALUES)
        return Refused("sicilianos.not_in_stack", colour=colour, value=value + 1)
    return Refused("sicilianos.take_one", colour=position.colour)


def _wrong_victim(position: Position, action: Action) -> Refused:
    """S-5: another player who has that colour."""
    if not VICTIM <= action < KIND:
        return Refused("sicilianos.name_victim", colour=position.colour)
    seat = action - VICTIM
    if seat >= len(position.hands):
        return Refused("sicilianos.no_such_seat", number=seat + 1)
    if seat == position.seat:
        return Refused("sicilianos.not_yourself")
    return Refused("sicilianos.victim_lacks", seat=seat, colour=position.colour)


def _wrong_stake(position: Position, action: Action) -> Refused:
    """S-6, S-7: the player does not have this note."""
    if NOTE <= action < COLOUR:
        return Refused("sicilianos.lacking_note", thousands=NOTE_WORTH[action - NOTE])
    return Refused("sicilianos.stake_note")


def _wrong_join(position: Position, action: Action) -> Refused:
    """S-7: an own card, of a colour not yet in this war."""
    if action >= CARD:
        colour = (action - CARD) // VALUES
        if colour in position.family:
            return Refused("sicilianos.colour_in_war", colour=colour)
        return _not_yours(action)
    return Refused("sicilianos.join_or_pass")


def _wrong_defect(position: Position, action: Action) -> Refused:
    """S-9: yes or no."""
    return Refused("sicilianos.defect_or_pass")


def _wrong_bomb(position: Position, action: Action) -> Refused:
    """S-11, S-12: not a target of this bomb, or the bodyguard must be hit first."""
    if action < CARD:
        return Refused("sicilianos.bomb_or_pass")
    colour, value = divmod(action - CARD, VALUES)
    own = position.family[position.seat]
    if colour == own:
        return Refused("sicilianos.own_family")
    if not HITS[position.bombs][own] >> colour & 1:
        return Refused("sicilianos.bomb_misses", colour=colour)
    laid = position.laid[position.family.index(colour)] if colour in position.family else ()
    if value + 1 in laid and BODYGUARD in laid:
        return Refused("sicilianos.guarded", colour=colour)
    return Refused("sicilianos.not_on_table", colour=colour, value=value + 1)


def _wrong_lay(position: Position, action: Action) -> Refused:
    """S-14: one more card of the same colour."""
    own = position.family[position.seat]
    if action >= CARD and (action - CARD) // VALUES == own:
        return _not_yours(action)
    if action >= CARD:
        return Refused("sicilianos.same_colour", colour=own)
    return Refused("sicilianos.lay_or_pass", colour=own)


def _wrong_share(position: Position, action: Action) -> Refused:
    """S-19: one or the other."""
    return Refused("sicilianos.money_or_business")


def _wrong_shop(position: Position, action: Action) -> Refused:
    """S-18: the business is taken."""
    if KIND <= action < CARD:
        return Refused("sicilianos.sold", kind=action - KIND, colour=position.prize)
    return Refused("sicilianos.choose_business")


WRONG: Final = {
    "draft": _wrong_draft,
    "turn": _wrong_turn,
    "which": _wrong_which,
    "one": _wrong_one,
    "take": _wrong_take,
    "steal": _wrong_which,
    "victim": _wrong_victim,
    "stake": _wrong_stake,
    "join": _wrong_join,
    "defect": _wrong_defect,
    "bomb": _wrong_bomb,
    "lay": _wrong_lay,
    "share": _wrong_share,
    "shop": _wrong_shop,
}


RULE_OF_REFUSAL: Final = {
    "sicilianos.have_colour": "S-S3",
    "sicilianos.draft_stack": "S-S3",
    "sicilianos.hand_full": "S-1",
    "sicilianos.card_first": "S-6",
    "sicilianos.roll_or_war": "S-1",
    "sicilianos.roll_only": "S-1",
    "sicilianos.not_rolled": "S-5",
    "sicilianos.rolled_colour": "S-5",
    "sicilianos.look_at_rolled": "S-4",
    "sicilianos.draw_or_look": "S-4",
    "sicilianos.not_in_stack": "S-4",
    "sicilianos.take_one": "S-4",
    "sicilianos.name_victim": "S-5",
    "sicilianos.not_yourself": "S-5",
    "sicilianos.victim_lacks": "S-5",
    "sicilianos.lacking_note": "S-7",
    "sicilianos.stake_note": "S-7",
    "sicilianos.colour_in_war": "S-7",
    "sicilianos.join_or_pass": "S-7",
    "sicilianos.defect_or_pass": "S-9",
    "sicilianos.bomb_or_pass": "S-11",
    "sicilianos.own_family": "S-11",
    "sicilianos.bomb_misses": "S-11",
    "sicilianos.guarded": "S-12",
    "sicilianos.not_on_table": "S-11",
    "sicilianos.same_colour": "S-14",
    "sicilianos.lay_or_pass": "S-14",
    "sicilianos.money_or_business": "S-19",
    "sicilianos.sold": "S-18",
    "sicilianos.choose_business": "S-18",
}
"""The rule behind each refusal."""


def timeout_action(position: Position) -> Action:
    """S-1: the action of a player who runs out of time: the least that the rules allow."""
    return next(
        (action for action in (PASS, ROLL, MONEY) if action in position.legal), position.legal[0]
    )


# --- Counting moves -----------------------------------------------------------------------------


def count_moves(position: Position) -> list[int]:
    """Return for each legal action how many complete moves begin with it: always one here."""
    return [1] * len(position.legal)


# --- Labels of buttons --------------------------------------------------------------------------


def choice(position: Position, action: Action) -> Choice:
    """S-1 to S-19: the label of an action; cards for a war are grouped by family."""
    name, params = _words(position, action)
    return Choice(f"sicilianos.choice.{name}", params, _group(position, action))


def _group(position: Position, action: Action) -> Heading | None:
    """S-6, S-7: the group of a card: from a whole hand the family is chosen first."""
    if action < CARD or position.phase not in ("turn", "join"):
        return None
    return f"sicilianos.choice_group.{position.phase}", {"colour": (action - CARD) // VALUES}


def _words(position: Position, action: Action) -> tuple[str, dict[str, Param]]:
    """Return the text key of an action, and its parameters."""
    if action >= CARD:
        return _card_words(position, action - CARD)
    if action >= KIND:
        return "kind", {"kind": action - KIND}
    if action >= VICTIM:
        return "victim", {"seat": action - VICTIM}
    if action >= LOOK:
        return "look", {"colour": action - LOOK}
    if action >= COLOUR:
        return "steal" if position.phase == "steal" else "draw", {"colour": action - COLOUR}
    if action >= NOTE:
        return "stake", {"note": NOTE_WORTH[action - NOTE]}
    if action == PASS:
        return f"no_{position.phase}", {}
    if action == DEFECT:
        return "defect", {"colour": SECOND[position.defectors][position.family[position.seat]]}
    return {ROLL: "roll", MONEY: "money", BUSINESS: "business"}[action], {}


def _card_words(position: Position, card: int) -> tuple[str, dict[str, Param]]:
    """S-4, S-6, S-7, S-11, S-14: what becomes of that card."""
    colour, value = divmod(card, VALUES)
    if position.phase in ("turn", "join"):
        return "card", {"family": colour, "value": value + 1}
    params: dict[str, Param] = {"colour": colour, "value": value + 1}
    if position.phase == "bomb":
        params["seat"] = position.family.index(colour)
    return position.phase, params
