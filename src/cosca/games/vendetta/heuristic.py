"""Values and heuristic policies of Vendetta's bots. They read positions only.

The value of a move is the expected share of the victory. A soldato estimates it district by
district, as if nobody placed any more: who remains after the card or the raid, how likely rivals
are to break in before the round ends, and how many mafiosi are left.
"""

from collections.abc import Iterable, Sequence
from math import exp
from typing import NamedTuple

from cosca.core.dice import Dice
from cosca.core.move import Move
from cosca.core.names import Action, Seat
from cosca.games.vendetta.actions import place, to_move
from cosca.games.vendetta.pieces import DISTRICTS, DONE, INCOME, POINTS_TO_WIN, TURNS
from cosca.games.vendetta.position import Position

# --- Weights: fitted to the winners of some thousand games of such bots; none is critical ---------

TIMES: float = 4.0  # V-16: one district more is worth about four times the points
BREAK_IN: float = 0.10  # share of possible turns in which a rival breaks into a district
PROGRESS: float = 2.2  # weight of the progress to the winning points, from none to all
ENOUGH: float = 1.5  # cap of that progress; above 1, as a district may still be lost
IN_HAND: float = 0.066  # weight of a mafioso in hand: thirty equal all the points
ON_MAP: float = 0.55  # share of that for one on the map, who can no longer move

# --- Limits of the search ---------------------------------------------------------------------

PAIRED: int = 10  # number of best placements that are tried in pairs
MENU: int = 40  # candidates, at most
EQUAL: float = 1e-9  # moves no further apart than this are equally good

Places = tuple[tuple[int, int], ...]
"""A complete move: districts, counted from 0, each with a number of mafiosi."""


class Remainder(NamedTuple):
    """The rest of the round: cards and turns to come."""

    cards: list[int]  # V-2: how many cards each seat will turn up, that of this turn included
    turns: list[int]  # how many turns each rival has still to come
    safe: float  # V-14: the chance that a card face down is not a raid
    up: list[bool]  # V-3: for each district, whether its card has come
    hands: tuple[int, ...]
    most_controls: bool


class Outlook(NamedTuple):
    """The prospects of each seat in a district."""

    control: list[float]  # the chance to control it when the round ends
    mafiosi: list[float]  # left there and brought in, counted in mafiosi in hand


class Placement(NamedTuple):
    """A number of mafiosi into one district, and its effect on each seat."""

    value: float
    district: int
    number: int
    times: list[float]  # factor of the expected points
    more: list[float]  # mafiosi


# --- Looking ahead ----------------------------------------------------------------------------


def remainder(position: Position) -> Remainder:
    """V-1, V-2: count the cards face down and the turns to come."""
    seats = len(position.hands)
    left = TURNS - position.turn
    cards = [0] * seats
    for turn in range(left):
        cards[(position.active + turn) % seats] += 1
    turns = cards[:]
    turns[position.active] = 0
    up = [district in position.turned_up for district in range(DISTRICTS)]
    safe = left / (DISTRICTS - sum(up))
    return Remainder(cards, turns, safe, up, position.hands, position.most_controls)


def outlook(rest: Remainder, district: int, men: Sequence[int]) -> Outlook:
    """V-9 to V-15e: the expected fate of the mafiosi in a district by the end of the round."""
    control = [0.0] * len(men)
    mafiosi = [ON_MAP * number for number in men]
    present = [seat for seat, number in enumerate(men) if number]
    if rest.up[district]:
        add_control(rest, men, present, 1.0, control)
    elif present:
        for seat in present:
            mafiosi[seat] = (mafiosi[seat] + INCOME) * rest.safe
        for loser, chance in losers(rest, men, present):
            if loser is not None:
                mafiosi[loser] *= 1 - chance
            left = [seat for seat in present if seat != loser]
            add_control(rest, men, left, chance * rest.safe, control)
    return Outlook(control, mafiosi)


def losers(
    rest: Remainder, men: Sequence[int], present: list[Seat]
) -> list[tuple[Seat | None, float]]:
    """V-9, V-10, V-11: who may lose the vendetta, and how likely that is."""
    if len(present) == 1:
        return [(None, 1.0)]
    fewest = min([men[seat] for seat in present])
    equals = [seat for seat in present if men[seat] == fewest]
    if len(equals) == 1:
        return [(equals[0], 1.0)]
    return [(seat, cards_against(rest, men, seat) / sum(rest.cards)) for seat in equals]


def cards_against(rest: Remainder, men: Sequence[int], seat: Seat) -> int:
    """V-10: on how many of the coming cards this seat would lose a tie."""
    active = seat - 1
    cards = rest.cards[active]
    while men[active] != men[seat]:
        active -= 1
        cards += rest.cards[active]
    return cards


def add_control(
    rest: Remainder, men: Sequence[int], left: list[Seat], chance: float, control: list[float]
) -> None:
    """V-15, V-15e: the last one, or the one with the most, keeps it unless a rival breaks in."""
    strongest = left
    if len(left) > 1 and rest.most_controls:
        most = max([men[seat] for seat in left])
        strongest = [seat for seat in left if men[seat] == most]
    if len(strongest) == 1:
        seat = strongest[0]
        control[seat] += chance * (1 - BREAK_IN) ** turns_against(rest, men, seat)


def turns_against(rest: Remainder, men: Sequence[int], seat: Seat) -> int:
    """V-6: the number of coming turns of rivals with enough in hand to match this seat."""
    turns = 0
    for rival, hand in enumerate(rest.hands):
        reach = hand + men[rival] if rest.most_controls else hand
        if rival != seat and reach >= men[seat]:
            turns += rest.turns[rival]
    return turns


# --- Values -----------------------------------------------------------------------------------


def share(position: Position, points: Iterable[float], mafiosi: Iterable[float]) -> float:
    """V-17, V-18: the active player's expected share of the victory."""
    goal = POINTS_TO_WIN[len(position.hands)] + position.exceed_goal
    strengths = []
    for before, more, men in zip(position.points, points, mafiosi, strict=True):
        way = (before + more) / goal
        strengths.append(exp(PROGRESS * (way if way < ENOUGH else ENOUGH) + IN_HAND * men))
    return strengths[position.active] / sum(strengths)


def amounts(position: Position, district: int) -> list[int]:
    """V-6: numbers worth trying: the minimum, equal to a rival, one more, out of reach."""
    hand = position.hands[position.active]
    least = position.minimums[district]
    men = position.men[district]
    mine = men[position.active]
    wanted = {least, least + 1, least + 2, hand}
    for rival, number in enumerate(men):
        if rival != position.active:
            reach = position.hands[rival] + number * position.most_controls
            wanted |= {number - mine, number - mine + 1, reach - mine + 1}
    return [number for number in sorted(wanted) if least <= number <= hand]


def ranked(position: Position) -> list[tuple[float, Places]]:
    """Return all candidate moves with their values, the best first."""
    rest = remainder(position)
    outlooks = [outlook(rest, district, men) for district, men in enumerate(position.men)]
    points = [1 / TIMES] * len(position.hands)
    mafiosi = [float(hand) for hand in position.hands]
    for district in outlooks:
        points = [p * (1 + (TIMES - 1) * c) for p, c in zip(points, district.control, strict=True)]
        mafiosi = [m + more for m, more in zip(mafiosi, district.mafiosi, strict=True)]
    moves: list[tuple[float, Places]] = [(share(position, points, mafiosi), ())]
    if position.districts_left:
        found = placements(position, rest, outlooks, points, mafiosi)
        moves += [(one.value, ((one.district, one.number),)) for one in found]
        if position.districts_left > 1:
            moves += pairs(position, found[:PAIRED], points, mafiosi)
    return sorted(moves, key=lambda move: -move[0])


def placements(
    position: Position,
    rest: Remainder,
    outlooks: list[Outlook],
    points: list[float],
    mafiosi: list[float],
) -> list[Placement]:
    """V-4: each candidate number for each district, the best first."""
    found = []
    for district in range(position.last_placed + 1, DISTRICTS):
        before = outlooks[district]
        men = list(position.men[district])
        for number in amounts(position, district):
            men[position.active] = position.men[district][position.active] + number
            after = outlook(rest, district, men)
            pairs_of = zip(before.control, after.control, strict=True)
            times = [(1 + (TIMES - 1) * b) / (1 + (TIMES - 1) * a) for a, b in pairs_of]
            more = [b - a for a, b in zip(before.mafiosi, after.mafiosi, strict=True)]
            more[position.active] -= number
            value = share(
                position,
                [p * t for p, t in zip(points, times, strict=True)],
                [m + n for m, n in zip(mafiosi, more, strict=True)],
            )
            found.append(Placement(value, district, number, times, more))
    return sorted(found, key=lambda one: -one.value)


def pairs(
    position: Position, found: list[Placement], points: list[float], mafiosi: list[float]
) -> list[tuple[float, Places]]:
    """V-4, V-5: all pairs of these placements that the hand allows."""
    hand = position.hands[position.active]
    moves: list[tuple[float, Places]] = []
    for one in found:
        for two in found:
            if one.district < two.district and one.number + two.number <= hand:
                value = share(
                    position,
                    [p * s * t for p, s, t in zip(points, one.times, two.times, strict=True)],
                    [m + n + o for m, n, o in zip(mafiosi, one.more, two.more, strict=True)],
                )
                moves.append((value, ((one.district, one.number), (two.district, two.number))))
    return moves


# --- Choosing moves ---------------------------------------------------------------------------


def actions_of(places: Places) -> list[Action]:
    """Return the actions of a complete move, DONE included."""
    return [place(district + 1, number) for district, number in places] + [DONE]


def candidates(position: Position) -> list[Move]:
    """Return the candidate moves, the best first."""
    moves = [to_move(actions_of(places)) for _, places in ranked(position)]
    best = moves[:MENU]
    return best if Move("pass") in best else [*best[:-1], Move("pass")]


def soldato(position: Position, dice: Dice) -> Action:
    """Return the next action of the best move one turn ahead; ties are broken at random."""
    moves = ranked(position)
    best = [places for value, places in moves if value > moves[0][0] - EQUAL]
    return actions_of(best[dice.below(len(best))])[0]
