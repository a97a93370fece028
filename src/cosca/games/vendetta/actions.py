"""The action numbers of Vendetta, and the complete moves that people make.

An action is a number of mafiosi into one district, `district * 50 + number - 1`, or DONE. A move is
all of a turn: `Move("place", (6, 3, 11, 4))`, three into district 6 and four into 11, or
`Move("pass")`. In the rules the second district has the higher number, so that each move is one
sequence of actions; people may choose the two in either order (`insertable_actions`). A turn that
can go no further ends by itself: then there is no DONE to do.
"""

from collections.abc import Sequence
from typing import Final

from cosca.core.choice import Choice
from cosca.core.errors import Refused
from cosca.core.move import Move
from cosca.core.names import Action
from cosca.games.vendetta.pieces import DISTRICTS, DONE, MAFIOSI
from cosca.games.vendetta.position import Position

TOO_MANY: Final = 10**9
"""Where the actions begin that place more mafiosi than a gang has, far from all others."""


def place(district: int, number: int) -> Action:
    """Return the action of placing `number` mafiosi in a district; districts count from 1."""
    return (district - 1) * MAFIOSI + number - 1


def place_too_many(district: int, number: int) -> Action:
    """Return an action that is never legal: more mafiosi than a gang has.

    It lets `refusal`, which knows the hand, say how many the player has.
    """
    return TOO_MANY + number * DISTRICTS + district - 1


def placed_too_many(action: Action) -> int:
    """Return the number of mafiosi of such an action."""
    return (action - TOO_MANY) // DISTRICTS


def placed(action: Action) -> tuple[int, int]:
    """Return the district of an action, counted from 1, and the number of mafiosi."""
    return action // MAFIOSI + 1, action % MAFIOSI + 1


def to_actions(move: Move) -> list[Action]:
    """V-4, V-6: the actions of a whole turn, in the order of the map."""
    if move.verb == "pass" and not move.numbers:
        return [DONE]
    numbers = move.numbers
    if move.verb != "place" or len(numbers) not in (2, 4):
        raise Refused("vendetta.not_a_move")
    places = sorted(zip(numbers[::2], numbers[1::2], strict=True))
    for district, number in places:
        if not 1 <= district <= DISTRICTS:
            raise Refused("vendetta.no_such_district", district=district)
        if number < 1:
            raise Refused("vendetta.no_such_number", number=number)
    if len(places) == 2 and places[0][0] == places[1][0]:
        raise Refused("vendetta.same_district", district=places[0][0])
    return [
        place(district, number) if number <= MAFIOSI else place_too_many(district, number)
        for district, number in places
    ] + [DONE]


def to_move(actions: Sequence[Action]) -> Move:
    """Return the complete move that these actions make."""
    places = [placed(action) for action in actions if action != DONE]
    numbers = tuple(number for pair in places for number in pair)
    return Move("place", numbers) if numbers else Move("pass")


def refusal(position: Position, action: Action) -> Refused:
    """V-4 to V-7e: why the active player may not do this, and what would be legal."""
    if position.seat != position.active:
        return Refused("not_your_turn")
    hand = position.hands[position.active]
    if action > TOO_MANY and placed_too_many(action) > MAFIOSI:
        return Refused("vendetta.too_few_in_hand", number=placed_too_many(action), hand=hand)
    if not 0 <= action < DONE:
        return Refused("vendetta.no_such_action")
    district, number = placed(action)
    least = position.minimums[district - 1]
    if position.districts_left == 0:
        return Refused("vendetta.enough_districts", districts=position.districts_used)
    if number >= least > hand or number < least:
        return _held_alone(position, district, least, hand)
    if number > hand:
        return Refused("vendetta.too_few_in_hand", number=number, hand=hand)
    return Refused("vendetta.in_map_order", district=district, last=position.last_placed + 1)


def _held_alone(position: Position, district: int, least: int, hand: int) -> Refused:
    """V-6: who is alone in a district, how many it takes, and whether the hand has them."""
    men = position.men[district - 1]
    alone = max(range(len(men)), key=lambda seat: men[seat] * (seat != position.active))
    key = "below_minimum" if least <= hand else "out_of_reach"
    return Refused(f"vendetta.{key}", seat=alone, district=district, least=least, hand=hand)


RULE_OF_REFUSAL: Final = {
    "vendetta.same_district": "V-6",
    "vendetta.not_a_move": "V-4",
    "vendetta.enough_districts": "V-7",
    "vendetta.too_few_in_hand": "V-5",
    "vendetta.below_minimum": "V-6",
    "vendetta.out_of_reach": "V-6",
}
"""The rule behind each refusal."""


def timeout_action(position: Position) -> Action:
    """V-4: the action of a player who runs out of time: the least that the rules allow."""
    return next((action for action in (DONE,) if action in position.legal), position.legal[0])


def count_moves(position: Position) -> list[int]:
    """Return for each legal action how many complete moves begin with it."""
    return [1 + _second_places(position, action) for action in position.legal]


def _second_places(position: Position, action: Action) -> int:
    """V-4: the number of ways to continue the turn after this action."""
    if action == DONE or position.districts_left < 2:
        return 0
    district, number = placed(action)
    left = position.hands[position.active] - number
    return sum(max(0, left - least + 1) for least in position.minimums[district:])


def insertable_actions(position: Position) -> list[Action]:
    """V-4: placements in districts before the last one, while another district is allowed."""
    if position.districts_used == 0 or position.districts_left == 0 or _is_done(position):
        return []
    hand = position.hands[position.active]
    return [
        place(district + 1, number)
        for district, least in enumerate(position.minimums[: position.last_placed])
        for number in range(least, hand + 1)
    ]


def _is_done(position: Position) -> bool:
    """V-3: whether the player stopped although districts further on the map were possible."""
    hand = position.hands[position.active]
    further = position.minimums[position.last_placed + 1 :]
    return position.phase == "card" and any(least <= hand for least in further)


def choice(position: Position, action: Action) -> Choice:
    """V-3, V-4: first a district, then a number; or nobody, or nobody else."""
    if action == DONE:
        used = position.districts_used
        return Choice("vendetta.choice.done" if used else "vendetta.choice.pass", {})
    district, number = placed(action)
    group = ("vendetta.choice_group.district", {"district": district})
    return Choice("vendetta.choice.men", {"number": number}, group)
