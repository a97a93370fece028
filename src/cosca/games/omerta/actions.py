"""The action numbers of Omerta, and the complete moves that people make.

An action is one step, and its meaning depends on the phase: a place in a row, a player, draw. A
move is everything a player does at once: `Move("swap", (1, 2, 3, 4))` is the henchman with all four
parts. Seats, places and cards count from 1 in a move.
"""

from collections.abc import Sequence
from typing import Final

from cosca.core.choice import Choice
from cosca.core.errors import Param, Refused
from cosca.core.move import SEVERAL, Move
from cosca.core.names import Action
from cosca.games.omerta.pieces import (
    ACTIONS,
    CALL,
    DISCARD,
    DRAW,
    DRIVER,
    GIFTS,
    GIVE,
    HENCHMAN,
    INTO,
    LADY,
    LOOK,
    MAMMA,
    MOLE,
    MOST_SEATS,
    OF,
    PASS,
    PATROL,
    PEEK,
    PEEKS,
    RECEIVERS,
    ROOM,
    SAFE,
    SAFECRACKER,
    SHUFFLED_FROM,
    SLOT,
    TAKE,
    TARGET,
    TRAITOR,
    WATCH,
)
from cosca.games.omerta.position import NO_ANSWER, Position

WORDS: Final = {
    "pass": PASS,
    "call": CALL,
    "draw": DRAW,
    "take": TAKE,
    "discard": DISCARD,
    "look": LOOK,
}
PAIRS: Final = tuple(zip(PEEKS[::2], PEEKS[1::2], strict=True))
GIVEN: Final = tuple(zip(RECEIVERS[::2], RECEIVERS[1::2], strict=True))


# --- Moves and actions --------------------------------------------------------------------------


def to_actions(move: Move) -> list[Action]:
    """Return the actions of a complete move; a pass ends a choice of one card out of two."""
    verb, numbers = move
    if verb in WORDS and not numbers:
        return [WORDS[verb]]
    if verb == SEVERAL and numbers:
        return [*numbers, PASS]
    if verb == "peek" and len(numbers) == 2:
        return [PEEK + _pair(PAIRS, *(_slot(number) - SLOT for number in sorted(numbers)))]
    if verb == "target" and len(numbers) == 1:
        return [TARGET + _seat(numbers[0])]
    if verb == "give" and len(numbers) == GIFTS:
        return [GIVE + _pair(GIVEN, *(_seat(number) for number in sorted(numbers)))]
    if verb == "into" and len(numbers) == 1:
        return [_into(numbers[0])]
    if verb == "exchange" and len(numbers) == 2:
        return [_slot(numbers[0]), _into(numbers[1])]
    if verb == "card" and len(numbers) in (1, 2):
        return [_slot(number) for number in numbers] + [PASS] * (len(numbers) == 1)
    if verb == "watch" and len(numbers) in (1, 2):
        return _cards(WATCH, numbers, 2)
    if verb == "swap" and len(numbers) in (1, 2, 3, 4):
        return _cards(OF, _in_order(numbers), 4)
    raise Refused("omerta.not_a_move")


def _pair(pairs: Sequence[tuple[int, int]], one: int, other: int) -> int:
    if (one, other) not in pairs:
        raise Refused("omerta.no_such_pair", one=one + 1, other=other + 1)
    return pairs.index((one, other))


def _slot(number: int) -> Action:
    if not 1 <= number <= ROOM:
        raise Refused("omerta.no_such_card", slot=number)
    return SLOT + number - 1


def _seat(number: int) -> int:
    if not 1 <= number <= MOST_SEATS:
        raise Refused("omerta.no_such_seat", number=number)
    return number - 1


def _into(number: int) -> Action:
    if not 1 <= number <= SAFE:
        raise Refused("omerta.no_such_place", number=number)
    return INTO + number - 1


def _in_order(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """O-12: the card of the lower seat comes first; the swap is the same."""
    return numbers[2:] + numbers[:2] if len(numbers) == 4 and numbers[2] < numbers[0] else numbers


def _cards(base: Action, numbers: Sequence[int], parts: int) -> list[Action]:
    """Return owner and place of each card; an incomplete move ends with a pass, and is refused."""
    steps = [
        base + _seat(number) if part % 2 == 0 else _slot(number)
        for part, number in enumerate(numbers)
    ]
    return steps if len(steps) == parts else [*steps, PASS]


def to_move(actions: Sequence[Action]) -> Move:
    """Return the complete move that these actions make, or the part of it."""
    steps = list(actions[:-1]) if len(actions) > 1 and actions[-1] == PASS else list(actions)
    for verb, parts in (("swap", (OF, SLOT, OF, SLOT)), ("watch", (WATCH, SLOT))):
        if len(steps) <= len(parts) and all(map(_is_of, steps, parts)):
            return Move(
                verb, tuple(step - base + 1 for step, base in zip(steps, parts, strict=False))
            )
    if all(_is_of(step, SLOT) for step in steps) and len(steps) <= 2:
        return Move("card", tuple(step - SLOT + 1 for step in steps))
    if len(steps) == 2 and _is_of(steps[0], SLOT) and _is_of(steps[1], INTO):
        return Move("exchange", (steps[0] - SLOT + 1, steps[1] - INTO + 1))
    if len(actions) == 1:
        return _single(steps[0])
    return Move(SEVERAL, tuple(steps))


def _is_of(action: Action, base: Action) -> bool:
    """Return whether an action belongs to the group that starts at `base`."""
    return base == max(first for first in BASES if first <= action)


BASES: Final = (PASS, CALL, DRAW, TAKE, DISCARD, LOOK, PEEK, TARGET, GIVE, OF, WATCH, INTO, SLOT)


def _single(action: Action) -> Move:
    """Return the move that consists of one action."""
    for verb, number in WORDS.items():
        if action == number:
            return Move(verb)
    if action < TARGET:
        one, other = PAIRS[action - PEEK]
        return Move("peek", (one + 1, other + 1))
    if action < GIVE:
        return Move("target", (action - TARGET + 1,))
    if action < OF:
        one, other = GIVEN[action - GIVE]
        return Move("give", (one + 1, other + 1))
    return Move("into", (action - INTO + 1,))


# --- Refusals -----------------------------------------------------------------------------------


def refusal(position: Position, action: Action) -> Refused:
    """O-1 to O-19p: why this action is illegal, using only what the seat knows."""
    if not 0 <= action < ACTIONS:
        return Refused("omerta.no_such_action")
    if position.seat not in position.actors:
        return _out_of_turn(position, action)
    if action >= SLOT and position.phase in SLOT_PHASES:
        return _wrong_slot(position, action - SLOT)
    return WRONG[position.phase](position, action)


SLOT_PHASES: Final = ("place", "window", "use", "safe")


def _out_of_turn(position: Position, action: Action) -> Refused:
    """O-8, O-9: too late to lay down a card, or already answered."""
    if position.answer != NO_ANSWER:
        return Refused("omerta.answered")
    if action >= SLOT and position.phase != "window":
        return Refused("omerta.window_closed")
    return Refused("not_your_turn")


def _wrong_slot(position: Position, slot: int) -> Refused:
    """O-6, O-19p: no such card, a patrol lies on it, or something else is asked for."""
    if position.window == "peek":
        return Refused("omerta.peek_at_two")
    seat = position.seat
    if position.phase == "use" and position.top in (HENCHMAN, PATROL):
        if position.step % 2 == 0:
            return Refused("omerta.whose_card")
        seat = position.named[position.step - 1]
    if slot >= len(position.rows[seat]):
        return Refused("omerta.no_such_card", slot=slot + 1)
    if not position.is_free(seat, slot):
        return Refused("omerta.patrolled", slot=slot + 1)
    return _wrong_choice(position)


def _wrong_choice(position: Position) -> Refused:
    """O-12 to O-19p: what the character asks for instead."""
    if position.phase == "use":
        return Refused(f"omerta.wrong_use.{position.top}")
    return Refused("omerta.not_now")


def _wrong_turn(position: Position, action: Action) -> Refused:
    """O-1, O-2, O-5, O-6, O-19p: why this is illegal at the start of a turn."""
    if action == CALL and any(patrol[0] == position.seat for patrol in position.patrols):
        return Refused("omerta.no_call_with_patrol")
    if action == CALL:
        return Refused("omerta.too_early", turn=position.first_call)
    if action == TAKE and position.discarded == 0:
        return Refused("omerta.no_discard")
    if action == TAKE:
        return Refused("omerta.nothing_to_replace")
    return Refused("omerta.take_a_card", call=int(CALL in position.legal))


def _wrong_place(position: Position, action: Action) -> Refused:
    """O-4: a card from the discard pile must replace one."""
    return Refused("omerta.must_replace" if position.from_discards else "omerta.place_it")


def _wrong_answer(position: Position, action: Action) -> Refused:
    """O-S3, O-7, O-16: which answers a window accepts."""
    return Refused("omerta.peek_at_two" if position.window == "peek" else "omerta.card_or_pass")


def _wrong_use(position: Position, action: Action) -> Refused:
    """O-11u to O-19p: not a target of that character."""
    if action == PASS and position.must_use and position.step == 0:
        return Refused("omerta.must_use", card=position.top)
    if action == PASS:
        return Refused("omerta.unfinished")
    for base in (TARGET, OF, WATCH):
        if base <= action < base + MOST_SEATS:
            return _wrong_target(position, action - base)
    if GIVE <= action < OF:
        wrong = [_wrong_target(position, seat) for seat in GIVEN[action - GIVE]]
        known = f"omerta.wrong_use.{position.top}"
        return next((one for one in wrong if one.key != known), wrong[0])
    return _wrong_choice(position)


def _wrong_target(position: Position, seat: int) -> Refused:
    """O-12, O-13, O-19m, O-19p: why a player is not a target."""
    if seat >= position.seats:
        return Refused("omerta.no_such_seat", number=seat + 1)
    if seat == position.seat and position.top != HENCHMAN:
        return Refused("omerta.not_yourself")
    if position.mammas[seat] >= 0 and position.top != PATROL:
        return Refused("omerta.protected", seat=seat)
    fewest = SHUFFLED_FROM if position.top == LADY else 1
    if position.top in (LADY, HENCHMAN, PATROL) and len(position.free(seat)) < fewest:
        return Refused("omerta.too_few_cards", seat=seat)
    return _wrong_choice(position)


def _wrong_safe(position: Position, action: Action) -> Refused:
    """O-18: an own card first, then a card of the safe."""
    return Refused("omerta.card_then_safe")


WRONG: Final = {
    "turn": _wrong_turn,
    "place": _wrong_place,
    "window": _wrong_answer,
    "use": _wrong_use,
    "safe": _wrong_safe,
}


RULE_OF_REFUSAL: Final = {
    "omerta.answered": "O-8",
    "omerta.window_closed": "O-7",
    "omerta.peek_at_two": "O-S3",
    "omerta.whose_card": "O-12",
    "omerta.patrolled": "O-19p",
    "omerta.no_call_with_patrol": "O-19p",
    "omerta.too_early": "O-1",
    "omerta.no_discard": "O-2",
    "omerta.nothing_to_replace": "O-6",
    "omerta.take_a_card": "O-2",
    "omerta.must_replace": "O-4",
    "omerta.place_it": "O-3",
    "omerta.card_or_pass": "O-7",
    "omerta.must_use": "O-11u",
    "omerta.protected": "O-19m",
    "omerta.too_few_cards": "O-13",
    "omerta.card_then_safe": "O-18",
    f"omerta.wrong_use.{HENCHMAN}": "O-12",
    f"omerta.wrong_use.{LADY}": "O-13",
    f"omerta.wrong_use.{MOLE}": "O-14",
    f"omerta.wrong_use.{TRAITOR}": "O-15",
    f"omerta.wrong_use.{DRIVER}": "O-17",
    f"omerta.wrong_use.{SAFECRACKER}": "O-18",
    f"omerta.wrong_use.{MAMMA}": "O-19m",
    f"omerta.wrong_use.{PATROL}": "O-19p",
}
"""The rule behind each refusal."""


def timeout_action(position: Position) -> Action:
    """O-2: the action of a player who runs out of time: the least that the rules allow."""
    return next(
        (action for action in (PASS, DRAW, DISCARD) if action in position.legal), position.legal[0]
    )


# --- Counting moves -----------------------------------------------------------------------------


def count_moves(position: Position) -> list[int]:
    """Return for each legal action how many complete moves begin with it."""
    return [_moves_from(position, action) for action in position.legal]


def _moves_from(position: Position, action: Action) -> int:
    """O-12, O-17, O-18, O-19p: the number of ways to complete the move after this action."""
    if action == PASS:
        return 1
    if position.phase == "safe" and position.step == 0:
        return SAFE
    if position.phase != "use":
        return 1
    if position.top == PATROL and position.step == 0:
        return len(position.free(action - WATCH))
    if position.top == DRIVER and position.step == 0:
        return max(1, len(position.free(position.seat)))
    if position.top == HENCHMAN:
        return _swaps_from(position, action)
    return 1


def _swaps_from(position: Position, action: Action) -> int:
    """O-12: the number of swaps that begin with this action."""
    free = [
        0 if position.mammas[seat] >= 0 else len(position.free(seat))
        for seat in range(position.seats)
    ]
    if position.step == 0:
        first = action - OF
        return free[first] * sum(free[first + 1 :])
    if position.step == 1:
        return sum(free[position.named[0] + 1 :])
    return free[action - OF] if position.step == 2 else 1


# --- Labels of buttons --------------------------------------------------------------------------


def choice(position: Position, action: Action) -> Choice:
    """O-1 to O-19p: the label of an action."""
    name, params = _words(position, action)
    return Choice(f"omerta.choice.{name}", params)


def _words(position: Position, action: Action) -> tuple[str, dict[str, Param]]:
    """Return the text key of an action, and its parameters."""
    if action >= SLOT:
        return _card_words(position, action - SLOT + 1)
    if action >= INTO:
        return "into", {"place": action - INTO + 1}
    if action >= WATCH:
        return "of", {"seat": action - WATCH}
    if action >= OF:
        return "with" if position.step else "of", {"seat": action - OF}
    if action >= GIVE:
        one, other = GIVEN[action - GIVE]
        return ("both", {"seat": one}) if one == other else ("each", {"one": one, "other": other})
    if action >= TARGET:
        return "shuffle" if position.top == LADY else "mamma", {"seat": action - TARGET}
    if action >= PEEK:
        one, other = PAIRS[action - PEEK]
        return "peek", {"slot": one + 1, "other_slot": other + 1}
    return _plain_words(position, action)


def _card_words(position: Position, slot: int) -> tuple[str, dict[str, Param]]:
    """O-3, O-7, O-12, O-14, O-16 to O-18, O-19p: what becomes of that card."""
    params: dict[str, Param] = {"slot": slot}
    if position.phase == "window":
        return position.window, params
    if position.phase != "use":
        return "replace" if position.phase == "place" else "exchange", params
    if position.top == DRIVER:
        return "load_too" if position.step else "load", params
    if position.top == MOLE:
        return "look_at", params
    params["seat"] = position.named[position.step - 1]
    return "watch" if position.top == PATROL else "card_of", params


def _plain_words(position: Position, action: Action) -> tuple[str, dict[str, Param]]:
    """O-1, O-2, O-4, O-18: an action without card or player, or a pass."""
    if action == PASS:
        return _pass_words(position)
    if action == TAKE:
        return "take", {"card": position.top}
    if action == DISCARD:
        return "discard", {"card": position.held}
    return {CALL: "call", DRAW: "draw", LOOK: "look"}[action], {}


def _pass_words(position: Position) -> tuple[str, dict[str, Param]]:
    """O-5, O-7, O-16 to O-18: what is left undone."""
    if position.phase == "window":
        return f"no_{position.window}", {}
    if position.phase == "use" and position.step:
        return "load_only", {"slot": position.named[0] + 1}
    if position.phase == "use":
        return "decline", {"card": position.top}
    return "leave_safe" if position.phase == "safe" else "nothing", {}
