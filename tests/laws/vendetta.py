"""Vendetta as its rulebook has it, for the laws."""

from cosca.core.dice import Dice
from cosca.core.names import Seat
from cosca.games.vendetta.game import GAME
from cosca.games.vendetta.rules import State
from cosca.testing.case import Case
from cosca.testing.walks import Log, Walk


def mafiosi(state: State) -> list[int]:
    """V-M3: the mafiosi of each colour in hand, in the box and on the map; fifty in all."""
    places = [
        (state.hand[seat], state.box[seat], *(row[seat] for row in state.men))
        for seat in range(state.seats)
    ]
    return [sum(max(0, number) for number in each) for each in places]  # a debt is no mafioso


def no_twins(walk: Walk, seat: Seat, dice: Dice) -> list[Log]:
    """All that happens is public; the pile has no order until a card is turned up."""
    return []


PLAIN = frozenset(
    {
        *("trustee", "turned_up"),  # chance
        *("placed", "passed", "done"),  # what the active player chose
    }
)


def holdings(state: State, seat: Seat) -> tuple[object, ...]:
    """V-M3, V-16, V-17: mafiosi in hand, in the box and in each district, points, and the win."""
    men = [row[seat] for row in state.men]
    return state.hand[seat], state.box[seat], men, state.points[seat], state.won >> seat & 1


CASE = Case(
    game=GAME,
    actions=13 * 50 + 1,  # so many into a district, or done
    has_secrets=False,
    pieces=mafiosi,
    twins=no_twins,
    plain_events=PLAIN,
    holdings=holdings,
    dealing=frozenset({"trustee", "deal"}),  # V-S3
    house_rules=[
        {"setup": "only"},
        {"limit": "every"},
        {"control": "most"},
        {"final_points": "no", "goal": "exceed"},
        {"hands": "hidden"},
        {"trustee": "3"},
        {"max_rounds": "0"},
        {"max_rounds": "1"},
        {"max_rounds": "15"},  # until boxes run dry (V-M4)
    ],
)
