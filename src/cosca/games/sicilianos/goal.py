"""What it takes to win in Sicilianos, and how far everybody is."""

from operator import mul

from cosca.core.drawing import Goal, Progress, Say, best_seats
from cosca.core.names import Seat
from cosca.games.sicilianos.pieces import KINDS, MOST_OF_A_KIND, NOTE_WORTH, THREE_KINDS
from cosca.games.sicilianos.position import Position


def goal(position: Position, say: Say) -> Goal:
    """S-23 to S-28: all businesses of a colour, or the most money when black money runs out."""
    seats = range(position.seats)
    money = {
        "laundered": position.laundered,
        "black": [black_money(position, seat) for seat in seats],
    }
    if position.phase == "over":
        money["total"] = position.money
    most = [str(most_of_a_colour(position, seat)) for seat in seats]
    figures = [Progress(say("sicilianos.goal.colour", {}), most, str(KINDS))]
    figures += [
        Progress(say(f"sicilianos.goal.{key}", {}), [_amount(say, sum) for sum in sums], "")
        for key, sums in money.items()
    ]
    return Goal(say("sicilianos.goal.text", {}), figures, leaders(position), _details(say))


def _amount(say: Say, thousands: int) -> str:
    return say("sicilianos.layout.thousands", {"number": thousands})


def black_money(position: Position, seat: Seat) -> int:
    """S-S1: black money, in thousands."""
    return sum(map(mul, position.notes[seat], NOTE_WORTH))


def most_of_a_colour(position: Position, seat: Seat) -> int:
    """S-23: how many businesses a player owns in the best colour."""
    return max(owners.count(seat) for owners in position.owners)


def leaders(position: Position) -> list[Seat]:
    """S-25, S-28: the most money, then businesses; without bonuses, for kinds are hidden."""
    if position.phase == "over":
        return list(position.winners)
    return best_seats(
        [
            (
                position.laundered[seat] - black_money(position, seat),
                sum(owners.count(seat) for owners in position.owners),
            )
            for seat in range(position.seats)
        ]
    )


def _details(say: Say) -> list[str]:
    """S-23 to S-27: what ends the game, and what counts then."""
    bonus = {"three": _amount(say, THREE_KINDS), "most": _amount(say, MOST_OF_A_KIND)}
    return [
        say("sicilianos.goal.at_once", {}),
        say("sicilianos.goal.ends", {}),
        say("sicilianos.goal.counts", {}),
        say("sicilianos.goal.bonus", bonus),
    ]
