"""The values and habits of Vendetta's bots. Reads positions only.

A soldato looks one move ahead. For every district it reckons who will hold it at the end of the
round, by the cards that may still come and by who could still break in; all districts together, the
points so far and the men left make up what a position is worth to each player.
"""

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple

from cosca.core.dice import Dice
from cosca.core.move import Move
from cosca.core.names import Action, Seat
from cosca.games.vendetta.actions import place
from cosca.games.vendetta.pieces import DISTRICTS, DONE, POINTS_TO_WIN, TURNS
from cosca.games.vendetta.position import Position

# Weights, found by playing many games against one another and against random players.
STEP: Final = 3.0  # one more district makes about four times as many points
BREAK_IN: Final = 0.10  # chance that a rival who can spoil a district does so in a turn
BREAK_IN_SAFE: Final = 0.05  # the same where the card is up: rivals look elsewhere first
PROGRESS: Final = 2.2  # what all the points it takes to win are worth
ENOUGH: Final = 1.5  # times the points to win: more is not worth more
MAN: Final = 0.066  # what one mafioso in hand is worth beside that
ON_MAP: Final = 0.55  # a mafioso on the map, beside one in hand
FEW: Final = 10  # single placings good enough to be tried in pairs
MOST_CANDIDATES: Final = 40


class Outlook(NamedTuple):
    """What one district holds for each player at the end of the round."""

    control: list[float]
    """How likely each is to control it."""
    men: list[float]
    """What each can expect to have there, counted in men in hand."""


class Placing(NamedTuple):
    """So many men into one district, and what that makes of it."""

    worth: float
    district: int
    number: int
    outlook: Outlook


class Choice(NamedTuple):
    """A whole move and what it is worth; its districts are in the order of the map."""

    worth: float
    places: tuple[tuple[int, int], ...]


class Judge:
    """What a position is worth, as its active player sees it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.seats = range(len(position.hands))
        self.face_down = DISTRICTS - len(position.turned_up)
        self.cards_left = TURNS - position.turn
        self.spared = 1 - 2 / self.face_down  # chance that a face-down district is not raided
        self.flips = [0] * len(self.seats)  # cards each player will still turn up
        for turn in range(self.cards_left):
            self.flips[(position.active + turn) % len(self.seats)] += 1
        self.turns = self.flips[:]  # turns of placing to come: the active player is in one now
        self.turns[position.active] -= 1
        up = set(position.turned_up)
        self.outlooks = [
            self.outlook(row, district in up) for district, row in enumerate(position.men)
        ]

    # --- One district ---------------------------------------------------------------------------

    def outlook(self, row: Sequence[int], is_up: bool) -> Outlook:
        """V-9, V-12, V-14: who will be left in a district, with the men of this row in it."""
        control = [0.0] * len(self.seats)
        present = [seat for seat in self.seats if row[seat]]
        if is_up:
            self.award(control, row, present, 1.0, BREAK_IN_SAFE)
            return Outlook(control, [ON_MAP * men for men in row])
        men = [self.spared * (ON_MAP * row[seat] + 1) if row[seat] else 0.0 for seat in self.seats]
        for loser, chance in self.losers(row, present):
            if loser is not None:
                men[loser] *= 1 - chance
            rest = [seat for seat in present if seat != loser]
            self.award(control, row, rest, self.spared * chance, BREAK_IN)
        return Outlook(control, men)

    def losers(
        self, row: Sequence[int], present: Sequence[Seat]
    ) -> list[tuple[Seat | None, float]]:
        """V-9, V-10, V-11: who may lose when the card comes, by who is to turn it up."""
        if len(present) < 2:
            return [(None, 1.0)]
        fewest = min(row[seat] for seat in present)
        tied = [seat for seat in present if row[seat] == fewest]
        if len(tied) == 1:
            return [(tied[0], 1.0)]
        return [(seat, self.flips_before(seat, row, fewest) / self.cards_left) for seat in tied]

    def flips_before(self, seat: Seat, row: Sequence[int], fewest: int) -> int:
        """V-10: the cards turned up by those after whom this one of the equals comes next."""
        flips = 0
        while True:
            seat -= 1
            flips += self.flips[seat]
            if row[seat] == fewest:
                return flips

    def award(
        self,
        control: list[float],
        row: Sequence[int],
        rest: Sequence[Seat],
        chance: float,
        break_in: float,
    ) -> None:
        """V-15, V-15e: give a district to whoever of the rest would control it."""
        if not rest or (len(rest) > 1 and not self.position.most_controls):
            return
        most = max(row[seat] for seat in rest)
        strongest = [seat for seat in rest if row[seat] == most]
        if len(strongest) == 1:
            (seat,) = strongest
            control[seat] += chance * (1 - break_in) ** self.threats(seat, row)

    def threats(self, seat: Seat, row: Sequence[int]) -> int:
        """V-6: the turns of those who have the men to spoil a district for its holder."""
        turns = 0
        for rival in self.seats:
            there = row[rival] if self.position.most_controls else 0
            if rival != seat and self.position.hands[rival] + there >= row[seat]:
                turns += self.turns[rival]
        return turns

    # --- The whole map --------------------------------------------------------------------------

    def worth(self, placings: Sequence[Placing] = ()) -> float:
        """V-16, V-17, V-18: the active player's part of all that is to be won."""
        position = self.position
        outlooks = self.outlooks[:]
        men = [float(hand) for hand in position.hands]
        for placing in placings:
            outlooks[placing.district] = placing.outlook
            men[position.active] -= placing.number
        weights = [self.weight(seat, outlooks, men[seat]) for seat in self.seats]
        return weights[position.active] / sum(weights)

    def weight(self, seat: Seat, outlooks: Sequence[Outlook], men: float) -> float:
        """How a player stands: points so far, points in sight, and men."""
        points = 0.25
        for outlook in outlooks:
            points *= 1 + STEP * outlook.control[seat]
            men += outlook.men[seat]
        goal = POINTS_TO_WIN[len(self.seats)]
        progress = min((self.position.points[seat] + points) / goal, ENOUGH)
        return exp(PROGRESS * progress + MAN * men)


# --- Moves ---------------------------------------------------------------------------------------


def amounts(position: Position, district: int) -> list[int]:
    """V-6: the numbers worth a thought in a district: just enough, or one more than a rival."""
    row = position.men[district]
    mine = row[position.active]
    least = position.minimums[district]
    wanted = {least, least + 1, least + 2, position.hands[position.active]}
    for rival, men in enumerate(row):
        if rival != position.active:
            reach = position.hands[rival] + (men if position.most_controls else 0)
            wanted |= {men - mine, men - mine + 1, reach + 1 - mine}
    return sorted(n for n in wanted if least <= n <= position.hands[position.active])


def placings(judge: Judge) -> list[Placing]:
    """V-4: all single placings worth a thought, best first."""
    position = judge.position
    found = []
    up = set(position.turned_up)
    for district in range(position.last_placed + 1, DISTRICTS):
        row = list(position.men[district])
        before = row[position.active]
        for number in amounts(position, district):
            row[position.active] = before + number
            placing = Placing(0.0, district, number, judge.outlook(row, district in up))
            found.append(placing._replace(worth=judge.worth([placing])))
    return sorted(found, key=lambda placing: -placing.worth)


def choices(position: Position) -> list[Choice]:
    """V-3, V-4: whole moves worth a thought, best first; to place nobody is among them."""
    judge = Judge(position)
    single = placings(judge) if position.districts_left else []
    found = [Choice(judge.worth(), ())]
    found += [Choice(one.worth, ((one.district, one.number),)) for one in single]
    if position.districts_left > 1:
        hand = position.hands[position.active]
        for at, one in enumerate(single[:FEW]):
            for two in single[:at]:
                if one.district != two.district and one.number + two.number <= hand:
                    pair = sorted([(one.district, one.number), (two.district, two.number)])
                    found.append(Choice(judge.worth([one, two]), tuple(pair)))
    return sorted(found, key=lambda choice: -choice.worth)


def candidates(position: Position) -> list[Move]:
    """The few whole moves worth a thought, best first."""
    best = choices(position)
    kept = best[:MOST_CANDIDATES]
    if all(choice.places for choice in kept):
        kept = [*kept[:-1], next(choice for choice in best if not choice.places)]
    return [_move(choice) for choice in kept]


def _move(choice: Choice) -> Move:
    numbers = tuple(n for district, number in choice.places for n in (district + 1, number))
    return Move("place", numbers) if numbers else Move("pass")


def soldato(position: Position, dice: Dice) -> Action:
    """A soldier of the family: looks one move ahead and does what seems best."""
    best = choices(position)[0]
    if not best.places:
        return DONE
    district, number = best.places[0]
    return place(district + 1, number)
